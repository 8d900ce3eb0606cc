import PoseModel
import RealModule
import Statistics

/// Down from standing until the thighs are about horizontal, and up again.
public struct Squat: ScenarioExercise {
  public let name = "squat"
  public let views = CameraView.allCases
  public let framing = Framing.standing

  public init() {}

  public var faultNames: [String] { (SquatFault.usual + SquatFault.onRequest).map { $0.rawValue } }

  public func simulation(
    by subject: Subject, in clip: ClipNumber, before camera: Camera, traits: SeededGenerator, generator: SeededGenerator
  ) -> any SimulatedMotion {
    motion(by: subject, in: clip, before: camera, traits: traits, generator: generator)
  }

  func motion(
    by subject: Subject, in clip: ClipNumber, before camera: Camera, traits: SeededGenerator, generator: SeededGenerator
  ) -> SquatMotion {
    var planner = planner(by: subject, before: camera, traits: traits, generator: generator)
    return planner.plan(withReps: clip != MotionGenerator.clipWithoutReps)
  }

  public func simulation(
    of scenario: Scenario, by subject: Subject, in clip: ClipNumber, before camera: Camera, traits: SeededGenerator,
    generator: SeededGenerator
  ) -> any SimulatedMotion {
    var planner = planner(by: subject, before: camera, traits: traits, generator: generator)
    return planner.plan(scenario, in: clip)
  }

  private func planner(
    by subject: Subject, before camera: Camera, traits: SeededGenerator, generator: SeededGenerator
  ) -> SquatPlanner {
    var traits = traits
    return SquatPlanner(profile: SquatProfile(subject, using: &traits), camera: camera, generator: generator)
  }
}

/// The faults of a squat, by their names in labels.
public enum SquatFault: String, CaseIterable, Hashable, Sendable {
  /// The rep counts but stops well above horizontal thighs.
  case shallow
  /// The trunk leans much farther forward than this body needs at this depth.
  case forwardLean = "forward_lean"
  /// The knees travel far past the toes, the heels coming up.
  case kneeForward = "knee_forward"
  /// The knees fall in towards each other.
  case kneeValgus = "knee_valgus"
  /// The hips drop with nearly the acceleration of a fall.
  case rushed
  /// The body sways to one side on the way down and to the other on the way up.
  case offBalance = "off_balance"

  /// The faults that habits and scenarios draw from and every rater judges.
  ///
  /// The others are simulated only if a scenario names them, and raters judge them only there: an additional fault here
  /// would change every dataset ever generated.
  public static let usual = [shallow, forwardLean, kneeForward, kneeValgus]
  public static let onRequest = [rushed, offBalance]
}

/// The true motion of a clip in space, without estimator errors.
public struct SquatMotion: SimulatedMotion {
  /// An activity of the person for a while.
  enum Activity: Hashable, Sendable {
    case stand(Arms)
    case settle(from: Arms, to: Arms)
    case squat(SquatMovement)
    case bend(Bend)
    case gesture(Gesture)
    case walk(Gait)
  }

  /// One activity and its time, in seconds from the clip's zero.
  struct Segment: Hashable, Sendable {
    var start: Double
    var duration: Double
    var activity: Activity
    /// Whether it is a full squat, which counts as a rep.
    var counts = false
  }

  public let body: Body
  /// The place of the squats.
  let spot: Placement
  let stance: Stance
  /// The legs of the standing person.
  let standing: LegPosture
  let rest: Arms
  let segments: [Segment]
  /// The phases of the two slow swings of a standing body, in radians.
  let swayPhases: SIMD2<Double>
  /// The faults that raters look for.
  var judged = SquatFault.usual

  /// Seconds.
  public var duration: Double { segments.last.map { $0.start + $0.duration } ?? 0 }

  /// The positions of all joints at a time in seconds; before the beginning and after the end the nearest known ones.
  public func joints(at time: Double) -> JointPositions { body.joints(of: posture(at: time)) }

  /// The knee flexion of the standing person, in degrees.
  public var standingKneeFlexion: Double { standing.flexion }

  /// The spans of the squats that fall short of a rep, in seconds.
  public var halfReps: [Range<Double>] {
    segments.compactMap { segment in
      guard case .squat = segment.activity, !segment.counts else { return nil }
      return segment.start..<segment.start + segment.duration
    }
  }

  /// The spans with both feet on the spot, in seconds.
  public var plantedSpans: [Range<Double>] {
    segments.compactMap { segment in
      if case .walk = segment.activity { return nil }
      return segment.start..<segment.start + segment.duration
    }
  }

  func posture(at time: Double) -> Posture {
    let time = min(max(time, 0), duration)
    guard let segment = segments.last(where: { $0.start <= time }) else { return stood(rest, at: spot, time) }
    let local = min(time - segment.start, segment.duration)
    switch segment.activity {
    case .stand(let arms): return stood(arms, at: spot, time)
    case .settle(let from, let to):
      return stood(.blend(from, to, MinimumJerk.position(local / segment.duration)), at: spot, time)
    case .gesture(let gesture): return stood(gesture.arms(at: local, rest: rest), at: spot, time)
    case .squat(let squat):
      var posture = body.balanced(
        squat.legs(at: local), arms: squat.arms(at: local), stance: stance, at: spot, sway: sway(at: time))
      posture.pelvis += spot.left * squat.hipShift(at: local)
      return posture
    case .bend(let bend):
      let depth = bend.depth(at: local)
      var legs = standing
      legs.flexion += bend.flexion * depth
      return body.balanced(
        lean: stood(rest, at: spot, time).lean + bend.lean * depth, legs, arms: .blend(rest, bend.arms, depth),
        stance: stance, at: spot, sway: sway(at: time)
      ).posture
    case .walk(let gait):
      return gait.posture(
        stood(rest, at: gait.path.placement(at: local), time), at: local, body: body)
    }
  }

  private func stood(_ arms: Arms, at place: Placement, _ time: Double) -> Posture {
    body.balanced(standing, arms: arms, stance: stance, at: place, sway: sway(at: time))
  }

  /// Nobody stands perfectly still: the centre of mass moves by some millimetres within seconds.
  ///
  /// Source: Prieto et al., Measures of Postural Steadiness, IEEE Transactions on Biomedical Engineering 43, 1996.
  func sway(at time: Double) -> Double {
    0.003 * Double.sin(2 * .pi * 0.27 * time + swayPhases.x) + 0.001 * Double.sin(2 * .pi * 0.71 * time + swayPhases.y)
  }
}

/// One squat, full or half: down from standing, optionally held, and up again.
struct SquatMovement: Hashable, Sendable {
  var top: LegPosture
  var bottom: LegPosture
  /// The end posture, which need not be fully upright.
  var end: LegPosture
  var armsAtTop: Arms
  var armsAtBottom: Arms
  /// Seconds.
  var descent: Double
  var pause: Double
  var ascent: Double
  /// How far the speed is shifted towards the beginning of a phase (positive) or its end: within ±0.4.
  var skew: Double
  /// The greatest shift of the hips to either side, in metres.
  var hipShift = 0.0

  var duration: Double { descent + pause + ascent }

  /// The depth: 0 at the top, 1 at the bottom.
  func depth(at time: Double) -> Double {
    if time <= descent { return progress(time / descent) }
    if time <= descent + pause { return 1 }
    return 1 - progress((time - descent - pause) / ascent)
  }

  func legs(at time: Double) -> LegPosture {
    let depth = depth(at: time)
    let high = time <= descent ? top : end
    // Knees lead: shanks lean before the hips are down (McKean and Burkett, Knee Behaviour in Squatting, Journal of
    // Australian Strength and Conditioning 20, 2012). Faults show near the bottom.
    let late = depth * depth
    return LegPosture(
      flexion: .blend(high.flexion, bottom.flexion, depth),
      shank: .blend(high.shank, bottom.shank, Double.pow(depth, 0.85)),
      heelRise: bottom.heelRise * late, kneesInward: bottom.kneesInward * late)
  }

  func arms(at time: Double) -> Arms { .blend(armsAtTop, armsAtBottom, depth(at: time)) }

  /// The shift of the hips to the left of the middle: farthest halfway down, and as far to the right halfway up.
  ///
  /// The hips move aside only as they go down, because nearly straight legs do not allow it.
  func hipShift(at time: Double) -> Double {
    guard hipShift > 0 else { return 0 }
    let across = MinimumJerk.position((time - descent / 2) / (descent / 2 + pause + ascent / 2))
    return hipShift * MinimumJerk.position(depth(at: time) / 0.5) * (1 - 2 * across)
  }

  /// The times at which the knee bends past `flexion` degrees on the way down, and back past it on the way up.
  func passing(_ flexion: Double) -> (down: Double, up: Double) {
    func time(from early: Double, to late: Double, rising: Bool) -> Double {
      var (early, late) = (early, late)
      while late - early > 1e-7 {
        let middle = (early + late) / 2
        if (legs(at: middle).flexion < flexion) == rising { early = middle } else { late = middle }
      }
      return (early + late) / 2
    }
    return (
      time(from: 0, to: descent, rising: true), time(from: descent + pause, to: duration, rising: false)
    )
  }

  private func progress(_ fraction: Double) -> Double {
    MinimumJerk.position(fraction + skew * fraction * (1 - fraction))
  }
}

extension Body {
  /// The greatest shift of the hips to one side before the body falls over, in metres: the centre of mass is then over
  /// the outer edge of a foot, 0.025 of stature beside the ankle.
  ///
  /// Trunk, arms and head, 0.678 of the mass, move as far as the hips; the thighs, 0.2, by 0.433 of the way to knees
  /// that move half as far; the shanks, 0.093, by 0.567 of the knees' half: 0.678 + 0.2 (1 - 0.433 / 2) + 0.093 * 0.567
  /// / 2 = 0.86.
  func widestHipShift(_ stance: Stance) -> Double { (stance.halfWidth + 0.025 * stature) / 0.86 }
}

/// Arms that move to one posture and back, then to another, and so on.
struct Gesture: Hashable, Sendable {
  var first: Arms
  var second: Arms
  var cycles: Int
  var duration: Double

  func arms(at time: Double, rest: Arms) -> Arms {
    let cycle = time / duration * Double(cycles)
    let index = min(Int(cycle), cycles - 1)
    let peak = index % 2 == 0 ? first : second
    return .blend(rest, peak, MinimumJerk.bump(cycle - Double(index)))
  }
}

/// The measurements of one full squat's true motion, and its quality.
public struct SquatForm: Hashable, Sendable {
  /// The times of leaving standing, of the bottom and of being back in standing, in seconds from the clip's zero.
  public var start: Double
  public var turn: Double
  public var end: Double
  /// The interior angle of both knees at the bottom, in degrees.
  public var kneeAngle: Double
  /// How far the thighs are from horizontal at the bottom, in degrees: positive with the hips higher than the knees.
  ///
  /// Horizontal is the coaches' "parallel": the great trochanter as high as the knee's epicondyle, here the joints'
  /// centres.
  public var thighRise: Double
  /// The lean of the trunk at the bottom beyond the lean that the same body needs for balance at the same depth with
  /// its shanks at the usual lean, in degrees.
  public var excessLean: Double
  /// The distance of the knees in front of the toes at the bottom, in foot lengths.
  public var kneeTravel: Double
  /// The distance between the knees at the bottom, in units of the ankles'.
  ///
  /// After Noyes et al., The Drop-Jump Screening Test, American Journal of Sports Medicine 33, 2005, who compare the
  /// separations of knees, ankles and hips.
  public var kneeSeparation: Double
  /// Seconds from the start to the turn.
  public var descent: Double
  /// The sway of the centre of mass to either side, as a share of the way to the outer edge of a foot.
  public var sway = 0.0

  /// A rep begins and ends at this much more knee flexion than in standing, in degrees.
  public static let departure = 10.0

  /// The severity of a fault: 0 absent, 1 the worst.
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

  /// 0...100: 92 minus the cost of each fault and of a hurried descent.
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
    // A hurried descent costs the same whether or not it counts as a fault.
    case .rushed: 0
    case .offBalance: 24
    }
  }
}

extension SquatMotion {
  /// The full squats in time order.
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
  public var groundTruth: MotionGroundTruth {
    MotionGroundTruth(
      reps: reps.map { form in
        MotionGroundTruth.Rep(
          start: form.start, turn: form.turn, end: form.end,
          form: MotionGroundTruth.Form(
            severities: judged.map {
              MotionGroundTruth.FaultSeverity(fault: $0.rawValue, severity: form.severity($0))
            }, quality: form.quality))
      })
  }
}
