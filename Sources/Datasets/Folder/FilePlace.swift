/// A line of a file.
public struct FilePlace: Hashable, Sendable {
  /// As errors name it.
  public var file: String
  /// Counted from 1.
  public var line: Int

  public init(file: String, line: Int) {
    self.file = file
    self.line = line
  }
}
