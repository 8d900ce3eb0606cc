import PoseModel

/// The joints of arms, trunk and legs over a clip, in lengths of the clip's own trunk.
///
/// In the picture's plane, but for recordings in metres with a depth, which are in space: there a limb's length stays the
/// same however it is held.
struct BodyTrack: Sendable {
  /// Left and right of each: shoulder, elbow, wrist, hip, knee, ankle.
  static let joints: [Joint] = [
    .leftShoulder, .rightShoulder, .leftElbow, .rightElbow, .leftWrist, .rightWrist, .leftHip, .rightHip, .leftKnee,
    .rightKnee, .leftAnkle, .rightAnkle,
  ]
  static let pairs = joints.count / 2

  /// Two frames further apart than this say nothing of whether a jump lies between them: at five frames a second a limb of
  /// a fast movement is anywhere.
  static let longestStep = 0.2

  let times: [Double]
  /// Whether a frame's place in the picture means something: not where even the scale of a frame is arbitrary.
  let hasPlace: Bool
  /// A joint after the other, each with a place a frame.
  private let places: [SIMD3<Float>]

  /// `nil` for a clip without a frame that shows a trunk.
  init?(_ poses: PoseSequence, unit: CoordinateSystem.Unit) {
    let count = poses.frameCount
    func place(_ joint: Joint, _ frame: Int) -> SIMD3<Float> {
      let z = poses[joint, .z, frame]
      return SIMD3(poses[joint, .x, frame], poses[joint, .y, frame], unit == .metre && z.isFinite ? z : 0)
    }
    var trunks: [Float] = []
    for frame in 0..<count {
      let length = (place(.neck, frame) - place(.root, frame)).length
      if length > 0 { trunks.append(length) }
    }
    guard !trunks.isEmpty else { return nil }
    trunks.sort()
    let trunk = trunks[trunks.count / 2]
    var places: [SIMD3<Float>] = []
    places.reserveCapacity(Self.joints.count * count)
    for joint in Self.joints {
      for frame in 0..<count { places.append(place(joint, frame) / trunk) }
    }
    self.places = places
    times = poses.times.map(\.seconds)
    hasPlace = unit != .relative
  }

  var frameCount: Int { times.count }

  /// NaN where the joint is missing.
  subscript(_ joint: Int, _ frame: Int) -> SIMD3<Float> { places[joint * times.count + frame] }

  /// Halfway between the two of a pair: 0 the shoulders, 3 the hips, 5 the ankles.
  func middle(ofPair pair: Int, _ frame: Int) -> SIMD3<Float> {
    (self[2 * pair, frame] + self[2 * pair + 1, frame]) / 2
  }

  /// Whether all joints of some pairs are there.
  func isComplete(_ pairs: Range<Int>, _ frame: Int) -> Bool {
    for joint in 2 * pairs.lowerBound..<2 * pairs.upperBound where !self[joint, frame].x.isFinite { return false }
    return true
  }
}

extension SIMD3<Float> {
  var length: Float { (x * x + y * y + z * z).squareRoot() }
}
