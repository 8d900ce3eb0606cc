/// How a command reads datasets, and where its notes on datasets and programs go.
public struct DataReading: Sendable {
  /// Whether to read files of a folder too that have not changed since they were read.
  public var readsEveryFile: Bool
  /// Takes a note for the person: that a dataset's folder and store differ, or that a program is silent.
  public var note: @Sendable (String) -> Void

  /// A closure alone as a task's local value crashes in optimised builds of Swift 6.3.
  @TaskLocal public static var current = DataReading()

  public init(readsEveryFile: Bool = false, note: @escaping @Sendable (String) -> Void = { _ in }) {
    (self.readsEveryFile, self.note) = (readsEveryFile, note)
  }
}
