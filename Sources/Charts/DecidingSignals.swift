import Coaching
import Evaluation
import Pipeline
import PoseModel
import Statistics

/// The signals of a detector to draw: first the one that it counts by, then those with thresholds, up to a readable
/// number. The one that a swing detector counts by, the wrist's speed, is derived from several signals.
struct DecidingSignals {
  private let clip: ReplayedClip

  private static let limit = 3
  /// The gap in seconds between two frames above which the line is broken.
  private static let longestStep = 0.25

  init(_ clip: ReplayedClip) { self.clip = clip }

  /// The panels, and the names of signals without one.
  var picked: (signals: [SignalSeries], omitted: [String]) {
    let all = clip.timeline.signals
    if let speed = wristSpeed { return ([speed], all.map(\.name)) }
    let trace = clip.counting
    let counted = trace.flatMap { self.counted($0) }
    let clarity = trace.flatMap { self.clarity($0) }
    // The same signal with the names of its thresholds.
    let isNamed = { (signal: SignalSeries) in
      signal.name == counted?.name && counted?.moving.isEmpty ?? true && !signal.thresholds.isEmpty
    }
    var first = all.first(where: isNamed) ?? counted
    first?.range = counted?.range
    let others = all.filter { $0.name != first?.name }
    let kept = others.indices.sorted { a, b in
      let (one, other) = (others[a].thresholds.isEmpty, others[b].thresholds.isEmpty)
      return one != other ? other : a < b
    }.prefix(Self.limit - [first, clarity].compactMap(\.self).count).sorted()
    let drawn = [first, clarity].compactMap(\.self) + kept.map { others[$0] }
    // Several criteria may measure the same.
    let omitted = others.map(\.name).reduce(into: [String]()) { names, name in
      if !drawn.contains(where: { $0.name == name }), !names.contains(name) { names.append(name) }
    }
    return (drawn, omitted)
  }

  /// The signal that the detector counts by, with its thresholds; `nil` if it is never known.
  private func counted(_ trace: CountingTrace) -> SignalSeries? {
    guard trace.values.contains(where: \.isFinite) else { return nil }
    let rule = trace.rule
    var series = SignalSeries(
      name: rule.signal, unit: rule.unit, times: trace.times.map(\.seconds), values: trace.values,
      thresholds: rule.steps.compactMap { step in
        step.threshold.map { Threshold(label: step.parameter, value: $0) }
      })
    if rule.steps.isEmpty {
      series.range = rule.range.map { Threshold(label: $0.parameter, value: $0.value) }
    }
    if !trace.levels.isEmpty {
      series.moving = rule.steps.filter { $0.threshold == nil && $0.stage != .begin }.map { step in
        let levels = trace.levels.map { $0[step.stage] }
        return MovingThreshold(label: "\(step.stage == .turn ? "counts" : "ends") (\(step.parameter))", values: levels)
      }
      if rule.learning != nil { chosen(&series, trace.levels) }
    }
    return series
  }

  /// How clearly the best movement repeats until one is chosen, with what it needs; `nil` if that is never known.
  private func clarity(_ trace: CountingTrace) -> SignalSeries? {
    guard let limit = trace.rule.learning else { return nil }
    let levels = trace.levels.prefix { !$0.turn.isFinite }
    guard let first = levels.firstIndex(where: \.clarity.isFinite) else { return nil }
    return SignalSeries(
      name: "autocorrelation of the best movement", unit: "",
      times: trace.times[first..<levels.endIndex].map(\.seconds), values: levels[first...].map(\.clarity),
      thresholds: [Threshold(label: limit.parameter, value: limit.value)])
  }

  /// Begins a signal that a detector chooses when it chose it, and breaks it where it chose another.
  private func chosen(_ series: inout SignalSeries, _ levels: [CountedLevels]) {
    guard let first = levels.firstIndex(where: \.turn.isFinite) else { return }
    for frame in levels.indices.dropFirst() where levels[frame].choice != levels[frame - 1].choice {
      series.values[frame] = .nan
      for place in series.moving.indices { series.moving[place].values[frame] = .nan }
    }
    series.name += ", chosen at \(NumberText.fixed(series.times[first], decimals: 1)) s"
    series.times.removeFirst(first)
    series.values.removeFirst(first)
    for place in series.moving.indices { series.moving[place].values.removeFirst(first) }
  }

  private var wristSpeed: SignalSeries? {
    guard clip.setting.profile.kind == .swing, SwingTrace.canTrace(clip.setting.definition.parameters),
      let trace = try? SwingTrace(clip.setting.values, hand: nil, on: clip.poses)
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
      Threshold(label: "begins, ends", value: Double(boundarySpeed)),
    ]
  }
}
