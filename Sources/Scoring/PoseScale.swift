import PoseModel

/// The length in a pose that distances are measured by, so that the person's size in the image does not matter.
public enum PoseScale: String, CaseIterable, Hashable, Sendable {
  /// From the left shoulder to the right hip.
  ///
  /// - Source: Sapp and Taskar, MODEC: Multimodal Decomposable Models for Human Pose Estimation, 2013 (torso diameter).
  case torso
  /// From the neck to the nose: what common joints have of the head segment.
  ///
  /// Shorter than the head of Andriluka et al., 2D Human Pose Estimation: New Benchmark and State of the Art Analysis,
  /// 2014 (PCKh), which is taken from a box around the head, so that the same threshold is stricter.
  case head

  var ends: (Joint, Joint) { self == .torso ? (.leftShoulder, .rightHip) : (.neck, .nose) }

  /// In the image, in image heights; `nil` where an end is missing or both are in one place.
  public func length(in poses: PoseSequence, frame: Int) -> Double? {
    guard let a = poses.point(ends.0, frame), let b = poses.point(ends.1, frame) else { return nil }
    let length = a.distance(to: b)
    return length > 0 ? length : nil
  }
}

/// A place in the image, in image heights.
struct ImagePoint: Hashable, Sendable {
  var x: Double
  var y: Double

  func distance(to other: ImagePoint) -> Double {
    let (dx, dy) = (x - other.x, y - other.y)
    return (dx * dx + dy * dy).squareRoot()
  }
}

extension PoseSequence {
  /// Where a joint is; `nil` where it is missing.
  func point(_ joint: Joint, _ frame: Int) -> ImagePoint? {
    let point = ImagePoint(x: Double(self[joint, .x, frame]), y: Double(self[joint, .y, frame]))
    return point.x.isFinite && point.y.isFinite ? point : nil
  }

  /// Frames of both at the same time.
  func framesShared(with other: PoseSequence) -> [(own: Int, other: Int)] {
    var shared: [(own: Int, other: Int)] = []
    var (own, theirs) = (0, 0)
    while own < frameCount && theirs < other.frameCount {
      let (time, otherTime) = (times[own], other.times[theirs])
      if time == otherTime { shared.append((own, theirs)) }
      if time <= otherTime { own += 1 }
      if otherTime <= time { theirs += 1 }
    }
    return shared
  }
}
