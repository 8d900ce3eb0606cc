import PoseModel
import RealModule

extension Body {
  /// Every joint's position, by forward kinematics up from the pelvis and, for legs whose two ends are given, by the law
  /// of cosines.
  ///
  /// No segment's length ever changes: a foot that is out of its leg's reach is pulled along.
  func joints(of posture: Posture) -> JointPositions {
    var joints = JointPositions()
    let facing = Placement(heading: posture.heading)
    let up = SIMD3(0.0, 0, 1)
    joints[.root] = posture.pelvis
    let axis = up * posture.lean.cosineOfDegrees + facing.forward * posture.lean.sineOfDegrees
    joints[.neck] = posture.pelvis + axis * chordOfTrunk(rounding: posture.rounding)
    setHead(&joints, facing: facing, lean: posture.lean + posture.rounding)
    for side in Side.allCases {
      let left = facing.left * side.sign
      joints[side.hip] = joints[.root] + left * (hipBreadth / 2)
      joints[side.shoulder] = joints[.neck] + left * (shoulderBreadth / 2)
      setArm(&joints, side, side == .left ? posture.arms.left : posture.arms.right, facing: facing, lean: posture.lean)
      setLeg(&joints, side, side == .left ? posture.leftFoot : posture.rightFoot, inward: posture.kneesInward)
    }
    return joints
  }

  /// Between pelvis and neck when the spine is an arc of so many degrees and of the trunk's length.
  func chordOfTrunk(rounding: Double) -> Double {
    guard rounding != 0 else { return trunk }
    let half = rounding / 2
    return trunk * half.sineOfDegrees / (half * .pi / 180)
  }

  /// Eyes look ahead, so the head takes part in only some of the trunk's lean.
  private func setHead(_ joints: inout JointPositions, facing: Placement, lean: Double) {
    let tilt = lean * 0.45
    let up = SIMD3(0.0, 0, tilt.cosineOfDegrees) + facing.forward * tilt.sineOfDegrees
    let forward = facing.forward * tilt.cosineOfDegrees - SIMD3(0, 0, tilt.sineOfDegrees)
    setHead(&joints, up: up, forward: forward, left: facing.left)
  }

  /// Puts the head on the neck, its crown to `up` and its face to `forward`.
  ///
  /// Eyes stand 0.936 of stature above the floor (Winter 2009, figure 4.1), 0.118 above the shoulders.
  func setHead(_ joints: inout JointPositions, up: SIMD3<Double>, forward: SIMD3<Double>, left: SIMD3<Double>) {
    func place(_ joint: Joint, ahead: Double, left sideways: Double, up height: Double) {
      joints[joint] = joints[.neck] + (forward * ahead + left * sideways + up * height) * stature
    }
    place(.nose, ahead: 0.068, left: 0, up: 0.098)
    place(.leftEye, ahead: 0.055, left: 0.0185, up: 0.118)
    place(.rightEye, ahead: 0.055, left: -0.0185, up: 0.118)
    place(.leftEar, ahead: 0.006, left: 0.043, up: 0.108)
    place(.rightEar, ahead: 0.006, left: -0.043, up: 0.108)
  }

  private func setArm(
    _ joints: inout JointPositions, _ side: Side, _ arm: ArmPosture, facing: Placement, lean: Double
  ) {
    func direction(_ elevation: Double, _ outward: Double) -> SIMD3<Double> {
      // A trunk that leans ahead takes a hanging arm backwards.
      let angle = elevation - lean * arm.withTrunk
      return (facing.forward * angle.sineOfDegrees - SIMD3(0, 0, angle.cosineOfDegrees)) * outward.cosineOfDegrees
        + facing.left * (side.sign * outward.sineOfDegrees)
    }
    joints[side.elbow] = joints[side.shoulder] + direction(arm.upperArm, arm.outward) * upperArm
    joints[side.wrist] = joints[side.elbow] + direction(arm.forearm, arm.forearmOutward) * forearm
  }

  private func setLeg(_ joints: inout JointPositions, _ side: Side, _ footing: Footing, inward: Double) {
    let foot = Foot(body: self, footing: footing)
    let hip = joints[side.hip]
    let reach = (shank + thigh) * 0.9999
    let wanted = foot.ankle - hip
    let span = min(wanted.length, reach)
    let axis = wanted.normalized
    let ankle = hip + axis * span
    let pull = ankle - foot.ankle
    joints[side.ankle] = ankle
    joints[side.heel] = foot.heel + pull
    joints[side.toe] = foot.toe + pull
    // The knee lies on a circle about the line from hip to ankle; it turns to where the toes point.
    let along = (thigh * thigh + span * span - shank * shank) / (2 * span)
    let radius = max(thigh * thigh - along * along, 0).squareRoot()
    let pole = Placement.direction(footing.yaw - side.sign * inward).perpendicular(to: axis).normalized
    joints[side.knee] = hip + axis * along + pole * radius
  }
}
