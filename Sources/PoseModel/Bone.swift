/// Two joints that a line joins in a drawn figure.
public struct Bone: Hashable, Sendable {
  public var start: Joint
  public var end: Joint

  public init(_ start: Joint, _ end: Joint) {
    self.start = start
    self.end = end
  }
}
