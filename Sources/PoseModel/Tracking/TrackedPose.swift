/// Where a person was last seen and how it moved, to tell which pose of the next frame is the same person.
struct TrackedPose: Sendable {
  /// When it was last seen.
  private(set) var time = Microseconds.zero
  /// In image heights, NaN where a joint was not seen.
  private var places = [SIMD2<Float>](repeating: unseen, count: Joint.count)
  /// In image heights a second.
  private var velocity = SIMD2<Float>.zero
  /// The trunk's length, in image heights; NaN before it was known.
  private var trunk = Float.nan

  private static let unseen = SIMD2<Float>(repeating: .nan)
  /// Fewer joints in common say nothing about who it is.
  private static let fewestJoints = 3
  /// The trunk's share of stature (Drillis and Contini 1966).
  private static let trunkOfStature: Float = 0.288

  mutating func forget() {
    for index in places.indices { places[index] = Self.unseen }
    velocity = .zero
    trunk = .nan
  }

  /// Takes the pose as the person's next.
  mutating func follow(_ pose: PoseFrame, at now: Microseconds, _ settings: SubjectSelection.Settings) {
    let seconds = Float((now - time).seconds)
    var moved = SIMD2<Float>.zero
    var count: Float = 0
    for joint in Joint.allCases {
      let place = Self.place(joint, pose, above: settings.minimumConfidence)
      let before = places[joint.index]
      if before.x.isFinite && place.x.isFinite {
        moved += place - before
        count += 1
      }
      places[joint.index] = place
    }
    velocity = count > 0 && seconds > 0 && now - time <= settings.longestPrediction ? moved / (count * seconds) : .zero
    time = now
    let length = Self.size(of: pose, above: settings.minimumConfidence)
    if length > 0 { trunk = length }
  }

  /// The mean distance of the joints that both have from where they should be by now, in trunk lengths; `nil` where too
  /// few are there.
  func distance(to pose: PoseFrame, at now: Microseconds, _ settings: SubjectSelection.Settings) -> Float? {
    let shift = velocity * Float(min(now - time, settings.longestPrediction).seconds)
    var sum: Float = 0
    var count = 0
    for joint in Joint.allCases {
      let apart = Self.place(joint, pose, above: settings.minimumConfidence) - places[joint.index] - shift
      guard apart.x.isFinite && apart.y.isFinite else { continue }
      sum += (apart * apart).sum().squareRoot()
      count += 1
    }
    guard count >= Self.fewestJoints, trunk > 0 else { return nil }
    return sum / (Float(count) * trunk)
  }

  /// The trunk's length from neck to root; where one is not seen, what it would be in a person as tall as the joints reach.
  static func size(of pose: PoseFrame, above confidence: Float) -> Float {
    let trunk = place(.neck, pose, above: confidence) - place(.root, pose, above: confidence)
    let length = (trunk * trunk).sum().squareRoot()
    guard !(length > 0) else { return length }
    var low = SIMD2<Float>(repeating: .infinity)
    var high = SIMD2<Float>(repeating: -.infinity)
    for joint in Joint.allCases {
      let point = place(joint, pose, above: confidence)
      guard point.x.isFinite else { continue }
      low = pointwiseMin(low, point)
      high = pointwiseMax(high, point)
    }
    let reach = high - low
    guard reach.x.isFinite && reach.x >= 0 else { return 0 }
    return (reach * reach).sum().squareRoot() * trunkOfStature
  }

  private static func place(_ joint: Joint, _ pose: PoseFrame, above confidence: Float) -> SIMD2<Float> {
    guard pose[joint, .confidence] > confidence else { return unseen }
    let place = SIMD2(pose[joint, .x], pose[joint, .y])
    return place.x.isFinite && place.y.isFinite ? place : unseen
  }
}
