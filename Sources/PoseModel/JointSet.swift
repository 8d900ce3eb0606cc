/// A set of joints in one word, which takes no memory of its own.
public struct JointSet: OptionSet, Hashable, Sendable {
  public let rawValue: UInt32

  @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }

  @inlinable public init(_ joint: Joint) { rawValue = 1 << UInt32(joint.rawValue) }

  public init(_ joints: some Sequence<Joint>) {
    self = joints.reduce(into: []) { $0.formUnion(JointSet($1)) }
  }

  @inlinable public var count: Int { rawValue.nonzeroBitCount }

  /// In the order of `Joint`.
  public var joints: [Joint] { Joint.allCases.filter { contains(JointSet($0)) } }
}
