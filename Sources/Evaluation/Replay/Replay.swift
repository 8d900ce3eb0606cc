import Coaching
import PoseModel
import Scoring

/// Plays a clip's poses to a detector.
public enum Replay {
  /// Frames a call of `update`: the tennis architecture processes files in chunks of 150. What a detector says does not
  /// depend on it.
  static let blockSize = 150

  /// Everything that a fresh detector of this setting says of the poses, in order.
  ///
  /// - Parameter table: holds at least the setting's signals, measured on the same poses.
  public static func events(
    of setting: DetectorSetting, on poses: PoseSequence, _ table: SignalTable
  ) -> [Event] {
    func run(_ detector: some PoseObserver) -> [Event] {
      var detector = detector
      var events: [Event] = []
      let columns = table.columns(of: detector.signals)
      for start in stride(from: 0, to: poses.frameCount, by: blockSize) {
        let range = start..<min(start + blockSize, poses.frameCount)
        poses.withPoses(range) { poses in
          table.withSignals(columns, range) { signals in detector.update(poses, signals, events: &events) }
        }
      }
      return events
    }
    return run(setting.detector())
  }

  /// The same as a person in front of a camera gets it: late frames dropped, each event reported when its frame's pose
  /// is there. What smooths the poses sees only the frames that are left.
  public static func liveEvents(
    of setting: DetectorSetting, on poses: PoseSequence, camera: LiveCamera, smoothing: Smoothing? = nil
  ) -> [Event] {
    var seen = poses.selecting(camera.framesSeen(poses.times))
    if let smoothing { seen = seen.smoothed(by: smoothing) }
    return liveEvents(of: setting, onSeen: seen, SignalTable(setting.signals, on: seen), camera: camera)
  }

  /// The same on the frames that the camera let through.
  static func liveEvents(
    of setting: DetectorSetting, onSeen seen: PoseSequence, _ table: SignalTable, camera: LiveCamera
  ) -> [Event] {
    events(of: setting, on: seen, table).map { event in
      Event(time: event.time, reported: event.reported + camera.estimator, kind: event.kind)
    }
  }

  /// What the events amount to for scoring.
  ///
  /// - Parameter end: of the last frame, where the last phase ends too.
  static func prediction(
    _ events: [Event], live: [Event], of profile: DetectorProfile, until end: Microseconds
  ) -> Prediction {
    func reps(_ events: [Event]) -> [Prediction.CountedRep] {
      events.compactMap { event in
        guard case .rep(let rep) = event.kind else { return nil }
        return Prediction.CountedRep(rep: rep, reported: event.reported)
      }
    }
    var judged: [Prediction.JudgedRep] = []
    var places: [Rep: Int] = [:]
    func judge(_ rep: Rep, _ change: (inout Prediction.JudgedRep) -> Void) {
      if places[rep] == nil {
        places[rep] = judged.count
        judged.append(Prediction.JudgedRep(rep: rep))
      }
      if let place = places[rep] { change(&judged[place]) }
    }
    var strokes: [Prediction.Stroke] = []
    var cues: [Prediction.Cue] = []
    for event in events {
      switch event.kind {
      case .grade(let criterion, let value, let rep): judge(rep) { $0.grades[criterion] = value }
      case .fault(let fault, let rep): judge(rep) { $0.faults.insert(fault) }
      case .cue(let cue): cues.append(Prediction.Cue(time: event.reported, fault: cue.fault))
      case .stroke(let stroke):
        strokes.append(
          Prediction.Stroke(
            segment: Segment(start: stroke.start, end: stroke.end, label: stroke.label ?? "unknown"),
            contact: stroke.contact, reported: event.reported))
      case .rep, .phase, .haptic: break
      }
    }
    return Prediction(
      reps: profile.counts ? reps(events) : nil, liveReps: profile.counts ? reps(live) : nil, judged: judged,
      strokes: strokes, segments: profile.labels.isEmpty ? [] : segments(events, until: end), cues: cues)
  }

  /// Each phase from its event to the next one's.
  private static func segments(_ events: [Event], until end: Microseconds) -> [Segment] {
    var segments: [Segment] = []
    for event in events {
      guard case .phase(let phase) = event.kind else { continue }
      if !segments.isEmpty { segments[segments.count - 1].end = event.time }
      // A segment does not include its end, and the last phase includes the last frame.
      segments.append(Segment(start: event.time, end: end + Microseconds(1), label: phase))
    }
    return segments
  }
}
