/// Where a clip's labels stand, each list in the order of that of `Labels`; empty for labels of no file.
public struct LabelPlaces: Hashable, Sendable {
  public internal(set) var reps: [FilePlace] = []
  public internal(set) var events: [FilePlace] = []
  public internal(set) var intervals: [FilePlace] = []
  public internal(set) var grades: [FilePlace] = []
  public internal(set) var faults: [FilePlace] = []

  public init() {}
}
