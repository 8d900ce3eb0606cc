import Coaching
import PoseModel
import Scoring

/// Plays a clip's poses to a detector.
public enum Replay {
  /// Frames a call of `update`.
  static let blockSize = 256

  /// Everything that a fresh detector of this setting says of the poses, in order.
  ///
  /// - Parameter table: holds at least the setting's signals, measured on the same poses.
  public static func events(
    of setting: DetectorSetting, on poses: PoseSequence, _ table: SignalTable
  ) -> [Event] {
    func run(_ detector: some Detector) -> [Event] {
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
  /// is there.
  public static func liveEvents(
    of setting: DetectorSetting, on poses: PoseSequence, camera: LiveCamera
  ) -> [Event] {
    let seen = poses.selecting(camera.framesSeen(poses.times))
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
  static func prediction(_ events: [Event], live: [Event], of profile: DetectorProfile) -> Prediction {
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
    for event in events {
      switch event.kind {
      case .grade(let criterion, let value, let rep): judge(rep) { $0.grades[criterion] = value }
      case .fault(let fault, let rep): judge(rep) { $0.faults.insert(fault) }
      case .rep, .phase, .cue: break
      }
    }
    let counts = profile.kind == .reps
    return Prediction(reps: counts ? reps(events) : nil, liveReps: counts ? reps(live) : nil, judged: judged)
  }
}
