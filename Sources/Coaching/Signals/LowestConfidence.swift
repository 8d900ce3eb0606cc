import PoseModel

/// How sure the estimator is of the least sure of some joints, 0...1; a missing joint counts as 0.
public struct LowestConfidence: Signal {
  public var parts: [BodyPart]
  /// Whether both sides must be seen, or the better one is enough.
  public var needsBothSides: Bool

  public init(_ parts: [BodyPart], needsBothSides: Bool) {
    self.parts = parts
    self.needsBothSides = needsBothSides
  }

  public var name: String { "lowest confidence" }
  public var unit: String { "" }

  public func measure(_ poses: borrowing PoseColumns, into output: UnsafeMutableBufferPointer<Float>) {
    for frame in 0..<poses.count {
      var left = Float(1)
      var right = Float(1)
      for index in parts.indices {
        let part = parts[index]
        left = lower(left, poses.confidence(part, .left, frame))
        right = lower(right, poses.confidence(part, .right, frame))
      }
      output[frame] = needsBothSides ? min(left, right) : max(left, right)
    }
  }

  private func lower(_ a: Float, _ b: Float) -> Float { b.isFinite ? min(a, b) : 0 }
}
