import Coaching
import PoseModel
import Scoring

/// Replays poses to a detector. Clips of a dataset are replayed by `PreparedClip`.
public enum Replay {
  /// All events of a new detector with this setting on the poses, in order.
  ///
  /// - Parameter table: A table with the setting's signals, measured on the same poses.
  public static func events(
    of setting: DetectorSetting, on poses: PoseSequence, _ table: SignalTable
  ) -> [Event] {
    run(setting, on: poses, table, table.columns(of: setting.signals)).events
  }

  /// Replays to a new detector with this setting.
  ///
  /// - Parameter columns: The columns of the setting's signals in the table.
  /// - Returns: All events, and the detector after the last frame.
  static func run(
    _ setting: DetectorSetting, on poses: PoseSequence, _ table: SignalTable, _ columns: [Int]
  ) -> (events: [Event], detector: any PoseObserver) {
    func run(_ detector: some PoseObserver) -> (events: [Event], detector: any PoseObserver) {
      var detector = detector
      var events: [Event] = []
      // Those of most clips: an array that grows moves them again and again.
      events.reserveCapacity(32)
      let frames = 0..<poses.frameCount
      poses.withPoses(frames) { poses in
        table.withSignals(columns, frames) { signals in detector.update(poses, signals, events: &events) }
      }
      return (events, detector)
    }
    return run(setting.detector())
  }

  /// The decisive signal of a new counter with this setting and its moving thresholds, one of each per frame.
  ///
  /// - Parameter table: See `events`.
  static func counted(
    by setting: DetectorSetting, on poses: PoseSequence, _ table: SignalTable
  ) -> [(value: Float, levels: CountedLevels)] {
    func run(_ detector: some PoseObserver) -> [(value: Float, levels: CountedLevels)] {
      var detector = detector
      var events: [Event] = []
      let columns = table.columns(of: detector.signals)
      return (0..<poses.frameCount).map { frame in
        events.removeAll(keepingCapacity: true)
        poses.withPoses(frame..<frame + 1) { poses in
          table.withSignals(columns, frame..<frame + 1) { detector.update(poses, $0, events: &events) }
        }
        return (detector.countedValue, detector.countedLevels)
      }
    }
    return run(setting.detector())
  }
}

extension DetectorSetting {
  /// The reps that a detector in Swift counts, in time order.
  package func reps(in poses: PoseSequence) -> [Rep] {
    let table = SignalTable(signals, on: poses)
    let (events, _) = Replay.run(self, on: poses, table, table.columns(of: signals))
    let prediction = Prediction(events, confidence: nil, live: nil, of: profile.tasks, until: poses.times.last ?? .zero)
    return prediction.reps?.map(\.rep) ?? []
  }
}

extension Prediction {
  /// Summarises a detector's events.
  ///
  /// - Parameters:
  ///   - confidence: Of the count; `nil` if unknown.
  ///   - live: The events of the live replay; `nil` if there was none.
  ///   - end: The time of the last frame, which also ends the last phase.
  init(
    _ events: [Event], confidence: Double?, live: [Event]?, of tasks: DetectorTasks, until end: Microseconds
  ) {
    // Most events are phases, and to copy an event takes longer than to see that it is one.
    func reps(_ events: [Event]) -> [CountedRep] {
      // A detector may report a missed rep after later ones.
      events.indices.compactMap { index in
        guard case .rep(let rep) = events[index].kind else { return nil }
        return CountedRep(rep: rep, reported: events[index].reported)
      }.sorted { $0.rep.end < $1.rep.end }
    }
    var judged: [JudgedRep] = []
    var places: [Rep: Int] = [:]
    func judge(_ rep: Rep, _ change: (inout JudgedRep) -> Void) {
      if places[rep] == nil {
        places[rep] = judged.count
        judged.append(JudgedRep(rep: rep))
      }
      if let place = places[rep] { change(&judged[place]) }
    }
    var strokes: [Prediction.Stroke] = []
    var cues: [Prediction.Cue] = []
    for index in events.indices {
      switch events[index].kind {
      case .grade(let criterion, let value, let rep): judge(rep) { $0.grades[criterion] = value }
      case .fault(let fault, let rep): judge(rep) { $0.faults.insert(fault) }
      case .cue(let cue): cues.append(Prediction.Cue(time: events[index].reported, fault: cue.fault))
      case .stroke(let stroke):
        strokes.append(
          Prediction.Stroke(
            segment: Segment(start: stroke.start, end: stroke.end, label: stroke.label ?? "unknown"),
            contact: stroke.contact, reported: events[index].reported))
      case .rep, .phase, .haptic: break
      }
    }
    self.init(
      countConfidence: tasks.givesConfidence ? confidence : nil, reps: tasks.counts ? reps(events) : nil,
      liveReps: tasks.counts ? live.map(reps) : nil, judged: judged,
      strokes: strokes, segments: tasks.labels.isEmpty ? [] : Self.segments(events, until: end), cues: cues)
  }

  /// Each phase from its event to the next event.
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

/// The delay between a movement and its cue in an app: a camera's frame rate and the time of a pose estimator.
///
/// A frame that arrives while the estimator is busy is dropped, as in capture pipelines that discard late frames. A
/// camera faster than the recording sees only the recording's frames. The detector's own time is not included: it is
/// measured separately and about ten thousand times smaller.
public struct LiveCamera: Hashable, Codable, Sendable {
  /// Frames per second.
  public var fps: Double
  /// The time from a frame's arrival to its pose.
  public var estimator: Microseconds

  public init(fps: Double, estimator: Microseconds) {
    self.fps = fps
    self.estimator = estimator
  }

  /// The indices of the frames that the estimator processes.
  public func framesSeen(_ times: [Microseconds]) -> [Int] {
    var seen: [Int] = []
    guard let first = times.first else { return seen }
    var nextTick = 0
    var busyUntil = first
    for (index, time) in times.enumerated() {
      // Rounding by half a microsecond must not drop frames of a 30 fps recording with a 30 fps camera.
      guard time - first + Microseconds(1) >= Microseconds(frame: nextTick, rate: fps) else { continue }
      nextTick = tick(after: time - first + Microseconds(1))
      guard time >= busyUntil else { continue }
      busyUntil = time + estimator
      seen.append(index)
    }
    return seen
  }

  /// The first tick after `elapsed`, for any duration.
  private func tick(after elapsed: Microseconds) -> Int {
    var tick = Int(elapsed.seconds * fps)
    while Microseconds(frame: tick, rate: fps) <= elapsed { tick += 1 }
    return tick
  }
}

/// A detector's signals on a clip over time, for a chart.
public struct Timeline: Sendable {
  public struct Series: Sendable {
    public var name: String
    public var unit: String
    /// One value per frame, NaN if a joint was missing.
    public var values: [Float]
    public var guides: [Guide]

    package init(name: String, unit: String, values: [Float], guides: [Guide]) {
      (self.name, self.unit, self.values, self.guides) = (name, unit, values, guides)
    }
  }

  /// The times in seconds, one per frame.
  public var times: [Double]
  /// The signals in the detector's order.
  public var series: [Series]
  public var events: [Event]

  /// - Parameter clip: A clip with the setting's signals measured.
  package init(_ setting: DetectorSetting, on clip: PreparedClip, saying replay: ClipReplay) {
    times = clip.poses.times.map(\.seconds)
    series =
      setting.signals.enumerated().map { index, signal in
        Series(
          name: signal.name, unit: signal.unit, values: clip.values(of: signal),
          guides: setting.guides.filter { $0.signal == index })
      } + replay.series
    events = replay.events
  }
}
