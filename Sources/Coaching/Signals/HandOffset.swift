import PoseModel

/// How far the hands, and with them a bar, are beside another part of the body, along the floor, in trunk lengths.
public struct HandOffset: Signal {
  public enum Reference: String, Hashable, Sendable {
    /// The middle of the foot, halfway from ankle to toes; the ankle where a skeleton has no toes.
    case foot
    case shoulder
  }

  public var reference: Reference
  public var visibility: Visibility

  public init(from reference: Reference, _ visibility: Visibility) {
    self.reference = reference
    self.visibility = visibility
  }

  public var name: String { "hand from \(reference.rawValue)" }
  public var unit: String { "trunk lengths" }

  public func measure(_ poses: borrowing PoseColumns, into output: UnsafeMutableBufferPointer<Float>) {
    visibility.meanOverSides(poses, into: output) { side, poses, frame in
      guard let wrist = visibility.point(side.wrist, poses, frame),
        let shoulder = visibility.point(side.shoulder, poses, frame),
        let hip = visibility.point(side.hip, poses, frame),
        let origin = origin(side, poses, frame, shoulder: shoulder)
      else { return nil }
      let trunk = (shoulder - hip).length
      return trunk > 0 ? (wrist - origin).levelLength / trunk : nil
    }
  }

  private func origin(
    _ side: Side, _ poses: borrowing PoseColumns, _ frame: Int, shoulder: SIMD3<Float>
  ) -> SIMD3<Float>? {
    guard reference == .foot else { return shoulder }
    guard let ankle = visibility.point(side.ankle, poses, frame) else { return nil }
    return visibility.point(side.toe, poses, frame).map { 0.5 * (ankle + $0) } ?? ankle
  }
}
