import PoseModel

/// The angle at a joint between the directions to two others, in degrees: 180 is straight.
public struct JointAngle: Signal {
  /// One end of the angle.
  public var from: BodyPart
  /// The joint of the angle.
  public var vertex: BodyPart
  /// The other end of the angle.
  public var to: BodyPart
  /// The combination of both sides' angles.
  public var side: SideRule
  /// The visibility thresholds of the joints.
  public var visibility: Visibility

  public init(from: BodyPart, vertex: BodyPart, to: BodyPart, side: SideRule, _ visibility: Visibility) {
    self.from = from
    self.vertex = vertex
    self.to = to
    self.side = side
    self.visibility = visibility
  }

  public var name: String { "angle \(from.name)–\(vertex.name)–\(to.name)" }
  public var unit: String { "degrees" }

  public func measure(_ poses: borrowing PoseColumns, into output: UnsafeMutableBufferPointer<Float>) {
    visibility.combine(side, poses, into: output) { side, poses, frame in
      min(
        poses.confidence(from, side, frame), poses.confidence(vertex, side, frame), poses.confidence(to, side, frame))
    } _: { side, poses, frame in
      guard let a = visibility.point(from, side, poses, frame),
        let b = visibility.point(vertex, side, poses, frame), let c = visibility.point(to, side, poses, frame)
      else { return nil }
      return Angle.at(b, between: a, and: c)
    }
  }
}

/// The length in space of the two limbs of an angle, the mean of the visible sides, in image heights; NaN without depth.
public struct LimbsInSpace: Signal {
  /// One end of the angle.
  public var from: BodyPart
  /// The joint of the angle.
  public var vertex: BodyPart
  /// The other end of the angle.
  public var to: BodyPart
  /// The visibility thresholds of the joints.
  public var visibility: Visibility

  public init(from: BodyPart, vertex: BodyPart, to: BodyPart, _ visibility: Visibility) {
    self.from = from
    self.vertex = vertex
    self.to = to
    self.visibility = visibility
  }

  public var name: String { "length \(from.name)–\(vertex.name)–\(to.name)" }
  public var unit: String { "image heights" }

  public func measure(_ poses: borrowing PoseColumns, into output: UnsafeMutableBufferPointer<Float>) {
    visibility.meanOverSides(poses, into: output) { side, poses, frame in
      guard let a = visibility.point(from, side, poses, frame), let b = visibility.point(vertex, side, poses, frame),
        let c = visibility.point(to, side, poses, frame),
        poses[from.joint(on: side), .z, frame].isFinite, poses[vertex.joint(on: side), .z, frame].isFinite,
        poses[to.joint(on: side), .z, frame].isFinite
      else { return nil }
      return ((a - b) * (a - b)).sum().squareRoot() + ((c - b) * (c - b)).sum().squareRoot()
    }
  }
}

/// An angle at a joint of a side of the body, the mean of the visible sides, in degrees: 180 is straight.
public struct LimbAngle: Signal {
  /// The three joints of the angle.
  public enum Limb: String, Hashable, Sendable {
    /// Hip–knee–ankle.
    case knee
    /// Shoulder–hip–knee.
    case hip
    /// Shoulder–elbow–wrist.
    case elbow
    /// Hip–shoulder–elbow: how far the upper arm is away from the trunk.
    case upperArm = "upper arm"
    /// Ear–shoulder–hip: the line of the back, as far as it has keypoints.
    case back
  }

  /// The three joints of the angle.
  public var limb: Limb
  /// The visibility thresholds of the joints.
  public var visibility: Visibility

  public init(_ limb: Limb, _ visibility: Visibility) {
    self.limb = limb
    self.visibility = visibility
  }

  public var name: String { "\(limb.rawValue) angle" }
  public var unit: String { "degrees" }

  public func measure(_ poses: borrowing PoseColumns, into output: UnsafeMutableBufferPointer<Float>) {
    visibility.meanOverSides(poses, into: output) { side, poses, frame in
      angle(of: side, poses, frame)
    }
  }

  func angle(of side: Side, _ poses: borrowing PoseColumns, _ frame: Int) -> Float? {
    let (a, vertex, b): (Joint, Joint, Joint) =
      switch limb {
      case .knee: (side.hip, side.knee, side.ankle)
      case .hip: (side.shoulder, side.hip, side.knee)
      case .elbow: (side.shoulder, side.elbow, side.wrist)
      case .upperArm: (side.hip, side.shoulder, side.elbow)
      case .back: (side.ear, side.shoulder, side.hip)
      }
    guard let a = visibility.point(a, poses, frame), let vertex = visibility.point(vertex, poses, frame),
      let b = visibility.point(b, poses, frame)
    else { return nil }
    return Angle.at(vertex, between: a, and: b)
  }
}

/// How much more one elbow is bent than the other, in degrees; NaN if an arm is not visible.
public struct ElbowDifference: Signal {
  /// The visibility thresholds of the joints.
  public var visibility: Visibility

  public init(_ visibility: Visibility) { self.visibility = visibility }

  public var name: String { "elbow difference" }
  public var unit: String { "degrees" }

  public func measure(_ poses: borrowing PoseColumns, into output: UnsafeMutableBufferPointer<Float>) {
    let elbow = LimbAngle(.elbow, visibility)
    for frame in 0..<poses.count {
      guard let left = elbow.angle(of: .left, poses, frame), let right = elbow.angle(of: .right, poses, frame) else {
        output[frame] = .nan
        continue
      }
      output[frame] = abs(left - right)
    }
  }
}

/// How far the direction from one joint to another leans from the vertical, in degrees: 0 straight up, 90 level, 180
/// straight down.
public struct SegmentLean: Signal {
  /// The start of the direction.
  public var lower: BodyPart
  /// The end of the direction.
  public var upper: BodyPart
  /// The combination of both sides' leans.
  public var side: SideRule
  /// The visibility thresholds of the joints.
  public var visibility: Visibility

  public init(lower: BodyPart, upper: BodyPart, side: SideRule, _ visibility: Visibility) {
    self.lower = lower
    self.upper = upper
    self.side = side
    self.visibility = visibility
  }

  public var name: String { "lean \(lower.name)–\(upper.name)" }
  public var unit: String { "degrees" }

  public func measure(_ poses: borrowing PoseColumns, into output: UnsafeMutableBufferPointer<Float>) {
    visibility.combine(side, poses, into: output) { side, poses, frame in
      min(poses.confidence(lower, side, frame), poses.confidence(upper, side, frame))
    } _: { side, poses, frame in
      guard let a = visibility.point(lower, side, poses, frame), let b = visibility.point(upper, side, poses, frame)
      else { return nil }
      return Angle.fromVertical(lower: a, upper: b)
    }
  }
}

/// How far the line from hip to shoulder leans from the vertical, the mean of the visible sides: 0 degrees is upright.
public struct TrunkLean: Signal {
  /// The visibility thresholds of the joints.
  public var visibility: Visibility

  public init(_ visibility: Visibility) { self.visibility = visibility }

  public var name: String { "trunk lean" }
  public var unit: String { "degrees" }

  public func measure(_ poses: borrowing PoseColumns, into output: UnsafeMutableBufferPointer<Float>) {
    visibility.meanOverSides(poses, into: output) { side, poses, frame in
      guard let hip = visibility.point(side.hip, poses, frame),
        let shoulder = visibility.point(side.shoulder, poses, frame)
      else { return nil }
      return Angle.fromVertical(lower: hip, upper: shoulder)
    }
  }
}

/// How far the line from the middle of the hips to the neck leans from the vertical: 0 degrees is upright.
///
/// Unlike `TrunkLean`, which is for a side view, it does not read the tapering sides of a frontal view as a lean.
public struct SpineLean: Signal {
  /// The visibility thresholds of the joints.
  public var visibility: Visibility

  public init(_ visibility: Visibility) { self.visibility = visibility }

  public var name: String { "spine lean" }
  public var unit: String { "degrees" }

  public func measure(_ poses: borrowing PoseColumns, into output: UnsafeMutableBufferPointer<Float>) {
    for frame in 0..<poses.count {
      guard let root = visibility.point(.root, poses, frame), let neck = visibility.point(.neck, poses, frame) else {
        output[frame] = .nan
        continue
      }
      output[frame] = Angle.fromVertical(lower: root, upper: neck)
    }
  }
}

/// How squarely the shoulders or the hips face the camera: the cosine of their turn about the body's long axis, −1...1.
///
/// 1 is seen square from behind, where the person's right is the picture's right; −1 square from the front; 0 from the
/// side. With depth it is the true cosine between the line from the left to the right joint and the image plane.
/// Without depth, it is the line's width in the image divided by its square width, which is estimated from the trunk:
/// an approximation that fails for bending towards the camera. NaN if a joint is missing.
public struct TorsoYaw: Signal {
  /// The line across the body.
  public enum Line: String, Hashable, Sendable {
    /// From the left to the right shoulder, or from the left to the right hip.
    case shoulders, hips
  }

  /// The line across the body.
  public var line: Line
  /// The visibility thresholds of the joints.
  public var visibility: Visibility

  public init(_ line: Line, _ visibility: Visibility) {
    self.line = line
    self.visibility = visibility
  }

  public var name: String { "\(line.rawValue)' turn" }
  public var unit: String { "cosine" }

  /// The line's width when square, in trunk lengths: 0.259 and 0.191 of stature over a trunk of 0.288.
  ///
  /// Source: Drillis and Contini 1966, as in Winter, Biomechanics and Motor Control of Human Movement, 4th ed. 2009,
  /// figure 4.1.
  public static func squareWidth(_ line: Line) -> Float {
    switch line {
    case .shoulders: 0.259 / 0.288
    case .hips: 0.191 / 0.288
    }
  }

  public func measure(_ poses: borrowing PoseColumns, into output: UnsafeMutableBufferPointer<Float>) {
    let (left, right): (Joint, Joint) =
      line == .shoulders ? (.leftShoulder, .rightShoulder) : (.leftHip, .rightHip)
    let squareWidth = Self.squareWidth(line)
    for frame in 0..<poses.count {
      output[frame] = .nan
      guard let a = visibility.point(left, poses, frame), let b = visibility.point(right, poses, frame) else {
        continue
      }
      let line = b - a
      if visibility.usesDepth && poses[left, .z, frame].isFinite && poses[right, .z, frame].isFinite {
        let length = (line.x * line.x + line.z * line.z).squareRoot()
        if length > 0 { output[frame] = line.x / length }
        continue
      }
      guard let neck = visibility.point(.neck, poses, frame), let root = visibility.point(.root, poses, frame) else {
        continue
      }
      let trunk = neck - root
      let length = (trunk.x * trunk.x + trunk.y * trunk.y).squareRoot()
      if length > 0 { output[frame] = min(max(line.x / (squareWidth * length), -1), 1) }
    }
  }
}
