import PoseModel

/// What the true motion of one full squat was like, and so how good it was.
public struct SquatForm: Hashable, Sendable {
  /// Seconds from the clip's zero: out of standing, at the bottom, back in standing.
  public var start: Double
  public var turn: Double
  public var end: Double
  /// Of both knees at the bottom, interior, in degrees.
  public var kneeAngle: Double
  /// How far the thighs are from level at the bottom, in degrees: positive with the hips higher than the knees.
  ///
  /// Level is what coaches call parallel: the great trochanter as high as the knee's epicondyle, here the joints' centres.
  public var thighRise: Double
  /// How much farther the trunk leans at the bottom than balance asks of the same body at the same depth with its shanks
  /// at the usual lean, in degrees.
  public var excessLean: Double
  /// How far the knees are ahead of the toes at the bottom, in foot lengths.
  public var kneeTravel: Double
  /// The knees' distance from each other at the bottom, in units of the ankles'.
  ///
  /// After Noyes et al., The Drop-Jump Screening Test, American Journal of Sports Medicine 33, 2005, who compare the
  /// separations of knees, ankles and hips.
  public var kneeSeparation: Double
  /// Seconds from the start to the turn.
  public var descent: Double
  /// How far the centre of mass sways to either side, of the way to the outer edge of a foot.
  public var sway = 0.0

  /// A rep begins and ends where the knees are bent this much more than in standing, in degrees.
  public static let departure = 10.0

  /// How bad a fault is: 0 not there, 1 as bad as it gets.
  public func severity(_ fault: SquatFault) -> Double {
    switch fault {
    case .shallow: thighRise.ramp(from: 10, to: 35)
    case .forwardLean: excessLean.ramp(from: 5, to: 25)
    case .kneeForward: kneeTravel.ramp(from: 0.42, to: 0.66)
    case .kneeValgus: kneeSeparation.ramp(from: 0.92, to: 0.5)
    case .rushed: descent.ramp(from: 0.9, to: 0.56)
    case .offBalance: min(sway, 1)
    }
  }

  /// 0...100: 92 less what each fault and a hurried descent cost.
  public var quality: Double {
    func cost(_ faults: [SquatFault]) -> Double { faults.map { severity($0) * Self.cost($0) }.reduce(0, +) }
    return max(92 - cost(SquatFault.usual) - 12 * descent.ramp(from: 0.9, to: 0.5) - cost([.offBalance]), 0)
  }

  private static func cost(_ fault: SquatFault) -> Double {
    switch fault {
    case .shallow: 38
    case .forwardLean: 30
    case .kneeForward: 26
    case .kneeValgus: 36
    // A hurried descent costs what it costs, called a fault or not.
    case .rushed: 0
    case .offBalance: 24
    }
  }
}

extension SquatMotion {
  /// The full squats in order of time.
  ///
  /// A rep starts when the true knee flexion passes 10 degrees beyond standing, turns halfway through its time at the
  /// bottom, and ends when the flexion is back within 10 degrees of standing.
  public var reps: [SquatForm] {
    segments.compactMap { segment in
      guard segment.counts, case .squat(let squat) = segment.activity else { return nil }
      let passing = squat.passing(standing.flexion + SquatForm.departure)
      let turn = squat.descent + squat.pause / 2
      let bottom = joints(at: segment.start + turn)
      let usual = body.balanced(
        LegPosture(flexion: squat.bottom.flexion, shank: usualShank(squat.bottom.flexion)), arms: squat.armsAtBottom,
        stance: stance, at: spot, sway: sway(at: segment.start + turn))
      let knees = (bottom[.leftKnee] + bottom[.rightKnee]) / 2
      let toes = (bottom[.leftToe] + bottom[.rightToe]) / 2
      return SquatForm(
        start: segment.start + passing.down, turn: segment.start + turn, end: segment.start + passing.up,
        kneeAngle: (bottom.kneeAngle(.left) + bottom.kneeAngle(.right)) / 2,
        thighRise: (bottom.thighRise(.left) + bottom.thighRise(.right)) / 2, excessLean: bottom.trunkLean - usual.lean,
        kneeTravel: (knees - toes).dot(spot.forward) / body.foot,
        kneeSeparation: bottom.distance(.leftKnee, .rightKnee) / bottom.distance(.leftAnkle, .rightAnkle),
        descent: turn - passing.down, sway: squat.hipShift / body.widestHipShift(stance))
    }
  }

  private func usualShank(_ flexion: Double) -> Double {
    SquatProfile.shank(at: flexion, standing: standing, full: SquatProfile.usualShank)
  }
}

extension SquatMotion {
  public var truth: PerformanceTruth {
    PerformanceTruth(
      reps: reps.map { form in
        PerformanceTruth.Rep(
          start: form.start, turn: form.turn, end: form.end,
          form: PerformanceTruth.Form(
            severities: judged.map {
              PerformanceTruth.Judged(fault: $0.rawValue, severity: form.severity($0))
            }, quality: form.quality))
      })
  }
}
