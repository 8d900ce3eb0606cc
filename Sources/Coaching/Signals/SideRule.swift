import PoseModel

/// Which side of the body a signal is measured on, or how the two sides' values become one.
public enum SideRule: String, CaseIterable, Hashable, Sendable {
  case left, right
  /// The mean of the sides in sight.
  case mean
  /// The smaller value of the sides in sight.
  case minimum
  /// The larger value of the sides in sight.
  case maximum
  /// The side whose least certain joint is the more certain, frame by frame; the left one where they are equal.
  case mostVisible = "most_visible"
}

extension Visibility {
  /// Writes one value a frame by a side rule, NaN where no side that the rule asks for has one.
  ///
  /// - Parameters:
  ///   - confidence: how sure the estimator is of a side.
  ///   - measure: the value of a side, `nil` or NaN where it has none.
  @inline(__always)
  func combine(
    _ rule: SideRule, _ poses: borrowing PoseColumns, into output: UnsafeMutableBufferPointer<Float>,
    confidence: (Side, borrowing PoseColumns, Int) -> Float,
    _ measure: (Side, borrowing PoseColumns, Int) -> Float?
  ) {
    switch rule {
    case .left: for frame in 0..<poses.count { output[frame] = measure(.left, poses, frame) ?? .nan }
    case .right: for frame in 0..<poses.count { output[frame] = measure(.right, poses, frame) ?? .nan }
    case .mean: meanOverSides(poses, into: output, measure)
    case .minimum, .maximum:
      for frame in 0..<poses.count {
        let left = measure(.left, poses, frame) ?? .nan
        let right = measure(.right, poses, frame) ?? .nan
        // These two leave a NaN out.
        output[frame] = rule == .minimum ? Float.minimum(left, right) : Float.maximum(left, right)
      }
    case .mostVisible:
      for frame in 0..<poses.count {
        let isRight = confidence(.right, poses, frame) > confidence(.left, poses, frame)
        output[frame] = measure(isRight ? .right : .left, poses, frame) ?? .nan
      }
    }
  }

  /// A part's place on a side.
  @inline(__always)
  func point(_ part: BodyPart, _ side: Side, _ poses: borrowing PoseColumns, _ frame: Int) -> SIMD3<Float>? {
    point(part.joint(on: side), poses, frame)
  }
}

extension PoseColumns {
  /// How sure the estimator is of a part on a side.
  @inline(__always)
  func confidence(_ part: BodyPart, _ side: Side, _ frame: Int) -> Float {
    self[part.joint(on: side), .confidence, frame]
  }
}
