import PoseModel
import RealModule

/// The true motion of a clip in space: what no estimator has touched.
public struct SquatMotion: Performance {
  /// What a person does for a while.
  enum Activity: Hashable, Sendable {
    case stand(Arms)
    case settle(from: Arms, to: Arms)
    case squat(SquatMovement)
    case bend(Bend)
    case gesture(Gesture)
    case walk(Gait)
  }

  /// One activity and when it happens, in seconds from the clip's zero.
  struct Segment: Hashable, Sendable {
    var start: Double
    var duration: Double
    var activity: Activity
    /// Whether it is a full squat, which counts as a rep.
    var counts = false
  }

  public let body: Body
  /// Where the squats are.
  let spot: Placement
  let stance: Stance
  /// The legs of someone who stands.
  let standing: LegPosture
  let rest: Arms
  let segments: [Segment]
  /// Of the two slow swings of a standing body, in radians.
  let swayPhases: SIMD2<Double>
  /// What raters look for.
  var judged = SquatFault.usual

  /// Seconds.
  public var duration: Double { segments.last.map { $0.start + $0.duration } ?? 0 }

  /// Every joint's position at a time in seconds; before the beginning and after the end the nearest known.
  public func joints(at time: Double) -> JointPositions { body.joints(of: posture(at: time)) }

  /// How far bent the knees of the standing person are, in degrees.
  public var standingKneeFlexion: Double { standing.flexion }

  /// The spans of the squats that fall short of a rep, in seconds.
  public var halfReps: [Range<Double>] {
    segments.compactMap { segment in
      guard case .squat = segment.activity, !segment.counts else { return nil }
      return segment.start..<segment.start + segment.duration
    }
  }

  /// The spans in which both feet stay on the spot, in seconds.
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

  /// Nobody stands still: the centre of mass wanders by some millimetres within seconds.
  ///
  /// Source: Prieto et al., Measures of Postural Steadiness, IEEE Transactions on Biomedical Engineering 43, 1996.
  func sway(at time: Double) -> Double {
    0.003 * Double.sin(2 * .pi * 0.27 * time + swayPhases.x) + 0.001 * Double.sin(2 * .pi * 0.71 * time + swayPhases.y)
  }
}
