import PoseModel

/// Which way round left and right are over a clip, as far as its frames tell.
///
/// In space a body is no mirror image of itself: with the head up and the face forward, left is on one side only. In the
/// picture of somebody upright who faces the camera, left is at the greater x; of somebody seen from behind, at the
/// smaller. Seen from the side the two are too close to tell.
struct BodySides: Sendable {
  /// Frames that tell, and those of them in which left is where it belongs.
  struct Tally: Sendable {
    var frames = 0
    var right = 0

    /// Whether enough frames tell, in 9 of 10 the wrong way.
    var isMirrored: Bool { frames >= 20 && right * 10 <= frames }
    /// Whether enough frames tell, in 9 of 10 the right way.
    var isRight: Bool { frames >= 20 && right * 10 >= 9 * frames }

    mutating func add(_ isRight: Bool) {
      frames += 1
      if isRight { right += 1 }
    }
  }

  /// In space, by the nose before the ears.
  private(set) var byFace = Tally()
  /// In space, by the toes before the heels.
  private(set) var byFeet = Tally()
  /// In the picture, upright and broad: left at the greater x.
  private(set) var broad = Tally()
  /// Those of `broad` in which nose and both eyes are seen, which they are not from behind.
  private(set) var facing = Tally()
  /// Frames that show shoulders and hips.
  private(set) var seen = 0

  init(_ poses: PoseSequence) {
    for frame in 0..<poses.frameCount { add(poses, frame) }
  }

  /// Whether a quarter of the frames show somebody upright and broad.
  var isBroad: Bool { broad.frames * 4 >= seen }

  private mutating func add(_ poses: PoseSequence, _ frame: Int) {
    func place(_ joint: Joint) -> SIMD3<Float> {
      SIMD3(poses[joint, .x, frame], poses[joint, .y, frame], poses[joint, .z, frame])
    }
    let shoulders = place(.leftShoulder) - place(.rightShoulder)
    let hips = place(.leftHip) - place(.rightHip)
    let up = (place(.leftShoulder) + place(.rightShoulder) - place(.leftHip) - place(.rightHip)) / 2
    guard shoulders.x.isFinite, hips.x.isFinite, shoulders.y.isFinite, hips.y.isFinite else { return }
    seen += 1
    if up.z.isFinite {
      let left = shoulders + hips
      let face = place(.nose) - (place(.leftEar) + place(.rightEar)) / 2
      let feet = place(.leftToe) - place(.leftHeel) + place(.rightToe) - place(.rightHeel)
      if let isRight = Self.isRight(forward: face, left: left, up: up) { byFace.add(isRight) }
      if let isRight = Self.isRight(forward: feet, left: left, up: up) { byFeet.add(isRight) }
    }
    let trunk = (up.x * up.x + up.y * up.y).squareRoot()
    guard -up.y > 0.5 * trunk, abs(shoulders.x) > 0.35 * trunk, abs(hips.x) > 0.15 * trunk,
      shoulders.x * hips.x > 0
    else { return }
    broad.add(shoulders.x > 0)
    let showsFace = [Joint.nose, .leftEye, .rightEye].allSatisfy { joint in
      let confidence = poses[joint, .confidence, frame]
      return poses[joint, .x, frame].isFinite && (confidence.isNaN || confidence >= 0.5)
    }
    if showsFace { facing.add(shoulders.x > 0) }
  }

  /// Whether forward, left and up stand to each other as in a body; `nil` where one is missing or they lie in a plane.
  private static func isRight(forward: SIMD3<Float>, left: SIMD3<Float>, up: SIMD3<Float>) -> Bool? {
    let cross = SIMD3(
      forward.y * left.z - forward.z * left.y, forward.z * left.x - forward.x * left.z,
      forward.x * left.y - forward.y * left.x)
    let volume = cross.x * up.x + cross.y * up.y + cross.z * up.z
    // x to the right, y down and z away are right-handed, as forward, left and up are.
    return volume.isFinite && volume != 0 ? volume > 0 : nil
  }
}
