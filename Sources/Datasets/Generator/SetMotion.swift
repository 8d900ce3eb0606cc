import PoseModel

/// The true motion of a clip in which someone does a set of a repetition exercise.
public struct SetMotion: Performance {
  /// What a person does for a while.
  enum Activity: Hashable, Sendable {
    case rep(RepMovement, counts: Bool)
    /// In the start posture or near it, going from one depth to another with the faults that are left from a rep.
    case hold(from: Double, to: Double, before: Severities, after: Severities)
    /// Standing at ease.
    case stand
    /// From standing at ease to the start posture, or back.
    case takeUp
    case putDown
    case walk(Gait)
    /// Walking up and getting down on the floor, or getting up and walking off.
    case floor(FloorPassage)
  }

  struct Segment: Hashable, Sendable {
    var start: Double
    var duration: Double
    var activity: Activity
  }

  let exercise: any RepetitionExercise
  public let subject: Subject
  let segments: [Segment]
  /// Seconds of the descent or rise at which a rep is hurried.
  let hurry: Double

  public var body: Body { subject.body }

  public var duration: Double { segments.last.map { $0.start + $0.duration } ?? 0 }

  public func joints(at time: Double) -> JointPositions {
    let time = min(max(time, 0), duration)
    guard let segment = segments.last(where: { $0.start <= time }) else { return start(time) }
    let local = min(time - segment.start, segment.duration)
    let fraction = MinimumJerk.position(local / segment.duration)
    switch segment.activity {
    case .rep(let rep, _):
      return exercise.joints(
        of: subject,
        at: Moment(
          depth: rep.depth(at: local), severities: rep.severities(at: local), rep: rep.number, time: time))
    case .hold(let from, let to, let before, let after):
      return exercise.joints(
        of: subject,
        at: Moment(
          depth: .blend(from, to, fraction), severities: .blend(before, after, fraction), rep: 0, time: time))
    case .stand: return body.joints(of: subject.stood(time: time))
    case .takeUp: return between(fraction, time)
    case .putDown: return between(1 - fraction, time)
    case .floor(let passage): return passage.joints(at: local, of: subject, support: start(time), time: time)
    case .walk(let gait):
      return body.joints(
        of: gait.posture(
          subject.stood(at: gait.path.placement(at: local), time: time), at: local, body: body))
    }
  }

  private func start(_ time: Double) -> JointPositions {
    exercise.joints(of: subject, at: Moment(depth: 0, time: time))
  }

  private func between(_ fraction: Double, _ time: Double) -> JointPositions {
    guard let standing = exercise as? any StandingExercise else { return start(time) }
    let posture = standing.posture(of: subject, at: Moment(depth: 0, time: time))
    return body.joints(of: .blend(subject.stood(time: time), posture, fraction))
  }

  /// The spans of the movements that fall short of a rep, in seconds.
  public var halfReps: [Range<Double>] {
    segments.compactMap { segment in
      guard case .rep(_, counts: false) = segment.activity else { return nil }
      return segment.start..<segment.start + segment.duration
    }
  }

  /// The spans in which the exercise is done: without walking in, standing at ease and walking out, in seconds.
  public var exerciseSpans: [Range<Double>] {
    segments.compactMap { segment in
      switch segment.activity {
      case .rep, .hold: segment.start..<segment.start + segment.duration
      default: nil
      }
    }
  }

  /// A rep starts when the depth is `RepMovement.departure` beyond where it began, turns halfway through its time at the
  /// far end, and ends when it is as near to where it stops.
  public var truth: PerformanceTruth {
    let requested = exercise.faultsOnRequest.filter { fault in
      segments.contains { if case .rep(let rep, _) = $0.activity { rep.severities[fault] > 0 } else { false } }
    }
    return PerformanceTruth(
      reps: segments.compactMap { segment in
        guard case .rep(let rep, counts: true) = segment.activity else { return nil }
        let passing = rep.passing
        return PerformanceTruth.Rep(
          start: segment.start + passing.out, turn: segment.start + rep.out + rep.pause / 2,
          end: segment.start + passing.back,
          form: rep.severities.form(of: exercise.faults + requested, hurry: rep.out.ramp(from: hurry, to: 0.5 * hurry)))
      })
  }
}
