import Coaching
import Datasets
import Evaluation
import Plots
import PoseModel

extension ClipTimeline {
  /// A clip of a run that was replayed, with all that its detector says.
  init(_ clip: ReplayedClip, of results: RunResults, source: String) {
    self.init(clip.result, detector: clip.setting.name, source: source)
    show(
      clip.timeline, of: clip.setting, beside: clip.labels, on: clip.poses, bones: clip.bones,
      tolerance: results.repMatching.tolerance)
  }

  /// Adds what a detector decided by and said, and what people labelled of it, but for reps.
  ///
  /// - Parameters:
  ///   - bones: of the figures; `nil` for no figures.
  ///   - tolerance: within which a stroke is found.
  public mutating func show(
    _ timeline: Timeline, of setting: DetectorSetting, beside labels: Labels, on poses: PoseSequence, bones: [Bone]?,
    tolerance: Microseconds
  ) {
    let events = timeline.events.sorted { $0.reported < $1.reported }
    let profile = setting.profile
    (signals, omitted) = DecidingSignals(timeline, of: setting, on: poses).picked
    if profile.kind == .swing { showStrokes(of: labels, and: events, within: tolerance) }
    cues = events.cues
    phases = timeline.events.phases(until: timeline.times.last ?? 0)
    if profile.kind != .swing { trueIntervals = labels.states(namedBy: profile) }
    if let bones { moments = Moments(poses: poses, bones: bones).posed(in: self) }
  }
}

extension Labels {
  /// What people labelled by the names of the states that a detector tells.
  ///
  /// Those of one name that follow on each other are one: some sets label each second by itself.
  func states(namedBy profile: DetectorProfile) -> [TimedPhase] {
    let named = intervals.filter { profile.labels.contains($0.label) }.sorted { $0.start < $1.start }
    return named.reduce(into: []) { states, interval in
      let (start, end) = (interval.start.seconds, interval.end.seconds)
      if let last = states.last, last.name == interval.label, start - last.end < 0.001 {
        states[states.count - 1].end = max(last.end, end)
      } else {
        states.append(TimedPhase(start: start, end: end, name: interval.label))
      }
    }
  }
}

/// Which of a detector's signals are drawn: those that it has thresholds on, before others, and no more than can be read.
/// A swing detector decides by the wrist's speed, which is made of several.
struct DecidingSignals {
  private let timeline: Timeline
  private let setting: DetectorSetting
  private let poses: PoseSequence

  private static let limit = 3
  /// A longer time between two frames is no line, in seconds.
  private static let longestStep = 0.25

  init(_ timeline: Timeline, of setting: DetectorSetting, on poses: PoseSequence) {
    (self.timeline, self.setting, self.poses) = (timeline, setting, poses)
  }

  /// The panels, and the names of signals that have none.
  var picked: (signals: [SignalSeries], omitted: [String]) {
    let all = timeline.signals
    if let speed = wristSpeed { return ([speed], all.map(\.name)) }
    let kept = all.indices.sorted { a, b in
      let (one, other) = (all[a].thresholds.isEmpty, all[b].thresholds.isEmpty)
      return one != other ? other : a < b
    }.prefix(Self.limit).sorted()
    return (kept.map { all[$0] }, all.indices.filter { !kept.contains($0) }.map { all[$0].name })
  }

  private var wristSpeed: SignalSeries? {
    guard setting.profile.kind == .swing, SwingTrace.canTrace(setting.definition.parameters),
      let trace = try? SwingTrace(setting.values, hand: nil, on: poses)
    else { return nil }
    var (times, speeds): ([Double], [Float]) = ([], [])
    for (time, speed) in zip(trace.times.map(\.seconds), trace.speeds) {
      if let last = times.last, time - last > Self.longestStep {
        times += [last + 0.001, time - 0.001]
        speeds += [.nan, .nan]
      }
      times.append(time)
      speeds.append(speed)
    }
    return SignalSeries(
      name: "faster wrist's speed", unit: "body heights/s", times: times, values: speeds,
      thresholds: trace.thresholds)
  }
}

extension SwingTrace {
  var thresholds: [Threshold] {
    [
      Threshold(label: "counts as a stroke", value: Double(peakSpeed)),
      Threshold(label: "begins and ends", value: Double(boundarySpeed)),
    ]
  }
}
