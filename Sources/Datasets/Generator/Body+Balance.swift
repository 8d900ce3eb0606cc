import PoseModel
import RealModule

extension Body {
  /// The whole body's centre of mass, in metres.
  ///
  /// Segment masses as fractions of the body's and centres along the segments: Winter, Biomechanics and Motor Control of
  /// Human Movement, 4th ed. 2009, table 4.1 (after Dempster). The head's centre is at the ear canals, the hand belongs
  /// to the forearm.
  public func centreOfMass(_ joints: JointPositions) -> SIMD3<Double> {
    func along(_ proximal: Joint, _ distal: Joint, _ fraction: Double) -> SIMD3<Double> {
      joints[proximal] * (1 - fraction) + joints[distal] * fraction
    }
    var sum = along(.root, .neck, 0.5) * 0.497 + along(.leftEar, .rightEar, 0.5) * 0.081
    sum += (along(.leftShoulder, .leftElbow, 0.436) + along(.rightShoulder, .rightElbow, 0.436)) * 0.028
    sum += (along(.leftElbow, .leftWrist, 0.682) + along(.rightElbow, .rightWrist, 0.682)) * 0.022
    sum += (along(.leftHip, .leftKnee, 0.433) + along(.rightHip, .rightKnee, 0.433)) * 0.1
    sum += (along(.leftKnee, .leftAnkle, 0.433) + along(.rightKnee, .rightAnkle, 0.433)) * 0.0465
    sum += (along(.leftHeel, .leftToe, 0.5) + along(.rightHeel, .rightToe, 0.5)) * 0.0145
    return sum
  }

  /// How far ahead of the ankles the line of gravity falls when standing, in metres.
  ///
  /// About 5 cm: Winter, Human balance and posture control during standing and walking, Gait & Posture 3, 1995.
  public var balancePoint: Double { 0.03 * stature }

  /// A posture over two planted feet with the trunk leant so that the body stays in balance.
  ///
  /// - Parameter sway: how far the centre of mass is ahead of the balance point, in metres.
  func balanced(
    _ legs: LegPosture, arms: Arms, stance: Stance, at place: Placement, sway: Double
  ) -> Posture {
    var posture = planted(legs, lean: 0, arms: arms, stance: stance, at: place)
    posture.lean = root(in: -30, 85) { lean in
      posture.lean = lean
      return imbalance(posture, at: place) - sway
    }
    return posture
  }

  /// A posture over two planted feet with a given lean of the trunk, the shanks leant so that the body stays in balance.
  func balanced(
    lean: Double, _ legs: LegPosture, arms: Arms, stance: Stance, at place: Placement, sway: Double
  ) -> (posture: Posture, shank: Double) {
    var legs = legs
    legs.shank = root(in: -25, 45) { shank in
      legs.shank = shank
      return imbalance(planted(legs, lean: lean, arms: arms, stance: stance, at: place), at: place) - sway
    }
    return (planted(legs, lean: lean, arms: arms, stance: stance, at: place), legs.shank)
  }

  /// How far the knees must turn in, in degrees, to be so far apart from each other, in units of the ankles' distance.
  func kneesInward(separation: Double, _ legs: LegPosture, stance: Stance) -> Double {
    var legs = legs
    return root(in: 0, 60) { inward in
      legs.kneesInward = inward
      let joints = joints(of: planted(legs, lean: 0, arms: Arms(.hanging), stance: stance, at: Placement()))
      // Signed, as knees that pass each other come apart again.
      return separation - (joints[.leftKnee].y - joints[.rightKnee].y) / joints.distance(.leftAnkle, .rightAnkle)
    }
  }

  private func imbalance(_ posture: Posture, at place: Placement) -> Double {
    let joints = joints(of: posture)
    let ankles = (joints[.leftAnkle] + joints[.rightAnkle]) / 2
    return (centreOfMass(joints) - ankles).dot(place.forward) - balancePoint
  }

  /// Puts the pelvis where the ankles' and knees' angles carry it.
  func planted(
    _ legs: LegPosture, lean: Double, arms: Arms, stance: Stance, at place: Placement
  ) -> Posture {
    var feet = Side.allCases.map { stance.footing($0, at: place) }
    for index in feet.indices { feet[index].heelRise = legs.heelRise }
    let ankle = Foot(body: self, footing: feet[0]).ankle - SIMD3(place.x, place.y, 0)
    let reach = (shank * shank + thigh * thigh + 2 * shank * thigh * legs.flexion.cosineOfDegrees).squareRoot()
    // At the ankle, between the shank and the line to the hip.
    let opening = Double.atan2(y: thigh * legs.flexion.sineOfDegrees, x: shank + thigh * legs.flexion.cosineOfDegrees)
      .degreesFromRadians
    let sideways = ankle.dot(place.left) - hipBreadth / 2
    let rise = max(reach * reach - sideways * sideways, 0).squareRoot()
    let direction = legs.shank - opening
    let pelvis = place.point(
      forward: ankle.dot(place.forward) + rise * direction.sineOfDegrees, left: 0,
      up: ankle.z + rise * direction.cosineOfDegrees)
    return Posture(
      pelvis: pelvis, heading: place.heading, lean: lean, kneesInward: legs.kneesInward, leftFoot: feet[0],
      rightFoot: feet[1], arms: arms)
  }

  /// Where a rising function passes 0; the nearer bound where it does not.
  ///
  /// By the Illinois form of false position: Dowell and Jarratt, BIT 11, 1971.
  private func root(in lower: Double, _ upper: Double, _ function: (Double) -> Double) -> Double {
    var (low, high) = (lower, upper)
    var (atLow, atHigh) = (function(low), function(high))
    guard atLow < 0 else { return lower }
    guard atHigh > 0 else { return upper }
    var lastWasHigh: Bool?
    for _ in 0..<60 {
      let next = (low * atHigh - high * atLow) / (atHigh - atLow)
      let value = function(next)
      if abs(value) < 1e-10 { return next }
      if value > 0 {
        (high, atHigh) = (next, value)
        if lastWasHigh == true { atLow /= 2 }
      } else {
        (low, atLow) = (next, value)
        if lastWasHigh == false { atHigh /= 2 }
      }
      lastWasHigh = value > 0
    }
    return (low + high) / 2
  }
}
