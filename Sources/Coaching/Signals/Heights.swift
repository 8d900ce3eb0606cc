import PoseModel

/// How much higher one joint is than another, in reference lengths; negative if lower.
public struct JointHeight: Signal {
  /// The part whose height is measured.
  public var part: BodyPart
  /// The part from which the height is measured.
  public var base: BodyPart
  /// The body length used as the unit.
  public var reference: ReferenceLength
  /// The combination of both sides' heights.
  public var side: SideRule
  /// The visibility thresholds of the joints.
  public var visibility: Visibility

  public init(
    _ part: BodyPart, above base: BodyPart, per reference: ReferenceLength, side: SideRule, _ visibility: Visibility
  ) {
    self.part = part
    self.base = base
    self.reference = reference
    self.side = side
    self.visibility = visibility
  }

  public var name: String { "height of \(part.name) above \(base.name)" }
  public var unit: String { reference.unit }

  public func measure(_ poses: borrowing PoseColumns, into output: UnsafeMutableBufferPointer<Float>) {
    visibility.combine(side, poses, into: output) { side, poses, frame in
      min(poses.confidence(part, side, frame), poses.confidence(base, side, frame))
    } _: { side, poses, frame in
      guard let a = visibility.point(part, side, poses, frame), let b = visibility.point(base, side, poses, frame),
        let length = reference.length(visibility, side, poses, frame)
      else { return nil }
      return (b.y - a.y) / length
    }
  }
}

/// How far a joint is above the straight line through two others, in reference lengths; negative if it sags.
///
/// Measured in the image at right angles to the line, on its upper side; meaningless for a vertical line.
public struct HeightOverLine: Signal {
  /// The part whose height is measured.
  public var part: BodyPart
  /// One point of the line.
  public var from: BodyPart
  /// Another point of the line.
  public var to: BodyPart
  /// The body length used as the unit.
  public var reference: ReferenceLength
  /// The combination of both sides' heights.
  public var side: SideRule
  /// The visibility thresholds of the joints.
  public var visibility: Visibility

  public init(
    _ part: BodyPart, from: BodyPart, to: BodyPart, per reference: ReferenceLength, side: SideRule,
    _ visibility: Visibility
  ) {
    self.part = part
    self.from = from
    self.to = to
    self.reference = reference
    self.side = side
    self.visibility = visibility
  }

  public var name: String { "height of \(part.name) over the line \(from.name)–\(to.name)" }
  public var unit: String { reference.unit }

  public func measure(_ poses: borrowing PoseColumns, into output: UnsafeMutableBufferPointer<Float>) {
    visibility.combine(side, poses, into: output) { side, poses, frame in
      min(
        poses.confidence(part, side, frame), poses.confidence(from, side, frame), poses.confidence(to, side, frame))
    } _: { side, poses, frame in
      guard let p = visibility.point(part, side, poses, frame), let a = visibility.point(from, side, poses, frame),
        let b = visibility.point(to, side, poses, frame),
        let length = reference.length(visibility, side, poses, frame)
      else { return nil }
      let (u, v) = (b - a, p - a)
      let across = (u.x * u.x + u.y * u.y).squareRoot()
      guard across > 0 else { return nil }
      // y points down: for a line that runs to the right the cross product is below 0 above it.
      let signed = (u.x * v.y - u.y * v.x) / across
      return (u.x > 0 ? -signed : signed) / length
    }
  }
}

/// How tall a person is in the picture, from the highest part of the face to the lower ankle, in image heights.
///
/// NaN if neither the face nor an ankle is in sight.
public struct BodyHeight: Signal {
  /// The visibility thresholds of the joints.
  public var visibility: Visibility

  public init(_ visibility: Visibility) { self.visibility = visibility }

  public var name: String { "body height" }
  public var unit: String { "image heights" }

  private static let face: [Joint] = [.nose, .leftEye, .rightEye, .leftEar, .rightEar]
  private static let feet: [Joint] = [.leftAnkle, .rightAnkle]

  public func measure(_ poses: borrowing PoseColumns, into output: UnsafeMutableBufferPointer<Float>) {
    for frame in 0..<poses.count {
      var top = Float.infinity
      var bottom = -Float.infinity
      for index in Self.face.indices {
        if let point = visibility.point(Self.face[index], poses, frame) { top = min(top, point.y) }
      }
      for index in Self.feet.indices {
        if let point = visibility.point(Self.feet[index], poses, frame) { bottom = max(bottom, point.y) }
      }
      let height = bottom - top
      output[frame] = height.isFinite ? height : .nan
    }
  }
}

/// How high the hands are over the shoulders, in arm lengths (upper arm and forearm), the mean of the visible sides.
///
/// 1 with straight arms above the shoulders; about 0.44, a forearm's share, with the upper arms level (forearm 0.146
/// and upper arm 0.186 of stature, Drillis and Contini 1966).
public struct HandHeight: Signal {
  /// The visibility thresholds of the joints.
  public var visibility: Visibility

  public init(_ visibility: Visibility) { self.visibility = visibility }

  public var name: String { "hand height" }
  public var unit: String { "arm lengths" }

  public func measure(_ poses: borrowing PoseColumns, into output: UnsafeMutableBufferPointer<Float>) {
    visibility.meanOverSides(poses, into: output) { side, poses, frame in
      guard let shoulder = visibility.point(side.shoulder, poses, frame),
        let elbow = visibility.point(side.elbow, poses, frame),
        let wrist = visibility.point(side.wrist, poses, frame)
      else { return nil }
      let arm = (elbow - shoulder).length + (wrist - elbow).length
      return arm > 0 ? (shoulder.y - wrist.y) / arm : nil
    }
  }
}

/// How high the hip is over the knee, as a multiple of the knee's height over the ankle, the mean of the visible sides.
///
/// About 1 standing, 0 with a horizontal thigh, negative if deeper. To a level camera far away it is the same from all
/// sides. To one above the hips it is not: seen from the front, hips that go back look higher and knees that come
/// forward lower, so a thigh seems to stay upright. NaN if the knee is not above the ankle.
public struct HipHeight: Signal {
  /// The visibility thresholds of the joints.
  public var visibility: Visibility

  public init(_ visibility: Visibility) { self.visibility = visibility }

  public var name: String { "hip height" }
  public var unit: String { "shank heights" }

  public func measure(_ poses: borrowing PoseColumns, into output: UnsafeMutableBufferPointer<Float>) {
    visibility.meanOverSides(poses, into: output) { side, poses, frame in
      guard let hip = visibility.point(side.hip, poses, frame),
        let knee = visibility.point(side.knee, poses, frame),
        let ankle = visibility.point(side.ankle, poses, frame)
      else { return nil }
      // y points down.
      let shank = ankle.y - knee.y
      return shank > 0 ? (knee.y - hip.y) / shank : nil
    }
  }
}
