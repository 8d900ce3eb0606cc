import PoseModel

/// How much joints jitter: the mean magnitude of their acceleration and jerk in the image, divided by the person's
/// size.
///
/// Derivatives are divided differences over three and four consecutive frames, which allows for uneven frame times and
/// gives 0 for steady motion; a joint that is missing in one of them gives none. They are divided by the median torso
/// of the clip. Real motion accelerates too: compare two estimators on the same clips, never two clips.
///
/// - Source: Flash and Hogan, The Coordination of Arm Movements, 1985, for jerk as the opposite of smooth; Zeng et al.,
///   SmoothNet, 2022, for the acceleration of estimated poses.
public struct PoseJitter: Hashable, Sendable {
  private struct Mean: Hashable, Sendable {
    var sum = 0.0
    var count = 0
    var value: Double? { count > 0 ? sum / Double(count) : nil }

    static func + (a: Self, b: Self) -> Self { Self(sum: a.sum + b.sum, count: a.count + b.count) }
  }

  private var accelerations = Mean()
  private var jerks = Mean()
  /// Clips without a torso for the scale.
  public private(set) var undefined = 0

  public init() {}

  public init(_ poses: PoseSequence, joints: [Joint] = Joint.allCases) {
    let torsos = (0..<poses.frameCount).compactMap { PoseScale.torso.length(in: poses, frame: $0) }.sorted()
    guard !torsos.isEmpty else {
      undefined = 1
      return
    }
    let torso = (torsos[(torsos.count - 1) / 2] + torsos[torsos.count / 2]) / 2
    for joint in joints {
      let places = (0..<poses.frameCount).map { poses.point(joint, $0) }
      accelerations = accelerations + Self.derivatives(places, poses.times, order: 2, torso: torso)
      jerks = jerks + Self.derivatives(places, poses.times, order: 3, torso: torso)
    }
  }

  public static func + (a: Self, b: Self) -> Self {
    var sum = a
    sum.accelerations = a.accelerations + b.accelerations
    sum.jerks = a.jerks + b.jerks
    sum.undefined += b.undefined
    return sum
  }

  /// Torso lengths per second squared, at least 0; `nil` if no joint is present in three consecutive frames.
  public var acceleration: Double? { accelerations.value }

  /// Torso lengths per second cubed, at least 0; `nil` if no joint is present in four consecutive frames.
  public var jerk: Double? { jerks.value }

  private static func derivatives(
    _ places: [ImagePoint?], _ times: [Microseconds], order: Int, torso: Double
  ) -> Mean {
    let factorial = Double((1...order).reduce(1, *))
    var mean = Mean()
    for last in places.indices.dropFirst(order) {
      let window = last - order...last
      let points = window.compactMap { places[$0] }
      guard points.count == window.count else { continue }
      let seconds = window.map { times[$0].seconds }
      let (x, y) = (dividedDifference(points.map(\.x), seconds), dividedDifference(points.map(\.y), seconds))
      mean.sum += factorial * (x * x + y * y).squareRoot() / torso
      mean.count += 1
    }
    return mean
  }

  /// Newton's divided difference over all of the values.
  private static func dividedDifference(_ values: [Double], _ times: [Double]) -> Double {
    var differences = values
    for span in 1..<values.count {
      for index in 0..<values.count - span {
        differences[index] = (differences[index + 1] - differences[index]) / (times[index + span] - times[index])
      }
    }
    return differences[0]
  }
}

extension PoseJitter: MetricGroup {
  public static let title = "keypoints of two estimators"

  public static let plainNames = [
    "keypoints.acceleration": "joint acceleration",
    "keypoints.jerk": "joint jerk",
  ]

  public static func metrics(for detector: ScoredDetector) -> [Metric] {
    [.poseAcceleration, .poseJerk]
  }
}

extension Metric {
  public static let poseAcceleration = Metric(
    "keypoints.acceleration", "Mean size of the joints' acceleration.", .lowerIsBetter, unit: "torsos/s²",
    range: 0...(.infinity), undefined: "no torso is seen, or no joint in three frames in a row",
    source: "Zeng et al., SmoothNet, 2022, divided by the torso's length")

  public static let poseJerk = Metric(
    "keypoints.jerk", "Mean size of the joints' jerk, the change of acceleration.", .lowerIsBetter,
    unit: "torsos/s³", range: 0...(.infinity), undefined: "no torso is seen, or no joint in four frames in a row",
    source: "Flash and Hogan, The Coordination of Arm Movements, 1985, divided by the torso's length")
}
