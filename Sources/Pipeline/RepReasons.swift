import Coaching
import PoseModel
import Scoring
import Statistics

/// The reason why a labelled rep or stroke was missed, or a detection is false.
public struct RepReason: Codable, Hashable, Sendable {
  public enum Cause: String, Codable, CaseIterable, Hashable, Sendable {
    /// Detected, but further from the label than the tolerance.
    case offset
    /// The signal did not reach a threshold.
    case threshold
    /// The signal did not move enough.
    case range
    /// The signal's joints were not seen.
    case unseen
    /// Shorter than the shortest allowed time.
    case tooShort = "too-short"
    /// Too soon after the last counted rep.
    case tooSoon = "too-soon"
    /// No declared rule of the detector explains the miss.
    case notReported = "not-reported"
    /// A detection without a label.
    case unlabelled
    /// A second detection of a rep that was already found.
    case repeated
    /// A stroke that was found and named otherwise than labelled.
    case misnamed
  }

  public var cause: Cause
  /// `knee angle bottomed at 141°, needs < 90° (bottomAngle)`
  public var words: String
  /// The detector's signal, if the reason is about it.
  public var signal: String?
  public var unit: String?
  /// The measured value: seconds for times, a share for `unseen`.
  public var value: Double?
  /// The limit for the value.
  public var limit: Double?
  /// The detector's parameter that sets the limit.
  public var parameter: String?
}

extension RepReason {
  /// Why a found stroke has another name than its label.
  ///
  /// `named backhand with 0.55 of the score, 0.14 more than forehand`
  package init(named name: String, labelled label: String, by naming: StrokeNaming?) {
    func score(_ share: Double) -> String { NumberText.fixed(share, decimals: 2) }
    switch naming {
    case .shares(let shares):
      let own = shares[name] ?? 0
      let others = shares.filter { $0.key != name }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      let second = others.first.map { ", \(score(own - $0.value)) more than \($0.key)" } ?? ""
      let third = label == others.first?.key ? nil : shares[label].map { "; \(label) has \(score($0))" }
      self.init(
        cause: .misnamed, words: "named \(name) with \(score(own)) of the score\(second)\(third ?? "")",
        value: shares[label], limit: own)
    case .rule(let rule): self.init(cause: .misnamed, words: "named \(name): \(rule)")
    case nil: self.init(cause: .misnamed, words: "named \(name)")
    }
  }
}

/// A labelled rep or stroke that a detector missed.
public struct MissedRep: Codable, Hashable, Sendable {
  /// Index among the clip's labelled reps, or among the strokes that the detector can name.
  public var rep: Int
  /// Seconds.
  public var start: Double
  public var end: Double
  public var reason: RepReason
}

/// The signal that a detector counts by, over a clip.
package struct CountingTrace: Sendable {
  package let rule: CountingRule
  /// The times, in ascending order.
  package let times: [Microseconds]
  /// The values, one per time; NaN if unknown.
  package let values: [Float]
  /// The moving thresholds, one of each per time; empty if all are fixed.
  package var levels: [CountedLevels] = []

  /// The threshold of a step at a frame; NaN if it is not known yet.
  func level(of step: CountingRule.Step, at frame: Int) -> Double {
    if let fixed = step.threshold { return fixed }
    guard levels.indices.contains(frame) else { return .nan }
    return Double(levels[frame][step.stage])
  }

  /// The indices of the frames from the first to the last time, inclusive.
  func frames(_ first: Microseconds, _ last: Microseconds) -> Range<Int> {
    let low = count { $0 < first }
    return low..<max(low, count { $0 <= last })
  }

  /// The number of times at the beginning for which this holds.
  private func count(_ holds: (Microseconds) -> Bool) -> Int {
    var (low, high) = (0, times.count)
    while low < high {
      let middle = (low + high) / 2
      if holds(times[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// A signal that a program reports of itself. By which rule it counts is unknown: it only names parameters as guides.
package struct OwnSignal: Sendable {
  private let series: Timeline.Series
  private let times: [Microseconds]

  /// The first signal with a guide, or else the first one.
  ///
  /// - Parameter times: One per value.
  /// - Returns: `nil` without a signal.
  package init?(_ all: [Timeline.Series], at times: [Microseconds]) {
    guard let series = all.first(where: { !$0.guides.isEmpty }) ?? all.first, series.values.count == times.count else {
      return nil
    }
    (self.series, self.times) = (series, times)
  }

  fileprivate func words(in rep: Rep) -> String { reason(nil, in: rep).words }

  /// Where the signal went in a rep, and which guides it does not reach.
  ///
  /// `elbow angle went from 112 to 165 degrees, does not reach down (110)`
  ///
  /// - Parameter beginning: What to say first where no guide explains it; `nil` for nothing.
  fileprivate func reason(_ beginning: String?, in rep: Rep) -> RepReason {
    let first = beginning.map { "\($0); " } ?? ""
    let values = zip(times, series.values).filter { rep.start <= $0.0 && $0.0 <= rep.end && $0.1.isFinite }.map {
      Double($0.1)
    }
    guard let low = values.min(), let high = values.max() else {
      return RepReason(
        cause: .unseen, words: "\(first)\(series.name) is unknown in all of it", signal: series.name)
    }
    let range =
      "\(series.name) went from \(NumberText.significant(low)) to \(NumberText.significant(high))"
      + (series.unit.isEmpty ? "" : " \(series.unit)")
    let unreached = series.guides.filter { $0.value < low || high < $0.value }
    func names(_ guides: [Guide]) -> String {
      guides.map { "\($0.label) (\(NumberText.significant($0.value)))" }.joined(separator: ", ")
    }
    guard let missed = unreached.first else {
      let reached = series.guides.isEmpty ? "" : ", past \(names(series.guides))"
      return RepReason(cause: .notReported, words: "\(first)\(range)\(reached)", signal: series.name)
    }
    return RepReason(
      cause: .threshold, words: "\(range), does not reach \(names(unreached))", signal: series.name,
      unit: series.unit, value: missed.value < low ? low : high, limit: missed.value, parameter: missed.label)
  }
}

/// Explains every missed label and every false detection.
///
/// A detection that overlaps a missed rep was outside the tolerance. Otherwise the counting rule is followed through
/// the rep's frames, and the reason is the first threshold that the signal does not reach; if it reaches all, a detection
/// that touches the rep, or is another rep's too. Without a trace, a program's own signal says where it went; without
/// that, as for predictions from files, only a detection outside the tolerance can be explained.
package struct RepReasons: Sendable {
  /// The reasons for missed reps, by index of the labelled rep.
  package private(set) var missed: [Int: RepReason] = [:]
  /// The reasons for false detections, by index of the detection.
  package private(set) var wrong: [Int: RepReason] = [:]

  private let truth: [Rep]
  private let predicted: [Rep]
  private let matching: RepMatching
  private let noun: String
  private let own: OwnSignal?

  /// - Parameters:
  ///   - pairs: The matched indices in `truth` and `predicted`.
  ///   - noun: The counted items: `rep` or `stroke`.
  ///   - own: What an external program reports of itself.
  ///   - trace: Called only if something was missed or invented.
  package init(
    truth: [Rep], predicted: [Rep], pairs: [(truth: Int, predicted: Int)], matching: RepMatching, noun: String = "rep",
    own: OwnSignal? = nil, trace: () -> CountingTrace?
  ) {
    (self.truth, self.predicted, self.matching, self.noun, self.own) = (truth, predicted, matching, noun, own)
    let found = Dictionary(uniqueKeysWithValues: pairs.map { ($0.truth, $0.predicted) })
    let right = Set(pairs.map(\.predicted))
    let lost = truth.indices.filter { found[$0] == nil }
    let extra = predicted.indices.filter { !right.contains($0) }
    guard !lost.isEmpty || !extra.isEmpty else { return }
    let trace = trace()
    for detection in extra {
      guard let rep = nearest(to: detection, among: Array(truth.indices)) else {
        wrong[detection] = invented(
          detection, RepReason(cause: .unlabelled, words: "no labelled \(noun) \(allowed)"), trace)
        continue
      }
      wrong[detection] =
        found[rep] != nil
        ? invented(
          detection, RepReason(cause: .repeated, words: "second detection of \(noun) \(rep + 1)"), trace)
        : offset(of: detection, from: rep, "\(noun) \(rep + 1) found, but ")
      // If several detections overlap a missed rep, the nearest one explains it.
      guard let own = nearest(to: detection, among: lost) else { continue }
      let reason = offset(of: detection, from: own, "found, but ")
      if let known = missed[own]?.value, let value = reason.value, abs(known) <= abs(value) { continue }
      missed[own] = reason
    }
    for rep in lost where missed[rep] == nil {
      guard let trace else {
        let words = "no detection \(allowed)"
        missed[rep] = own?.reason(words, in: truth[rep]) ?? RepReason(cause: .notReported, words: words)
        continue
      }
      let reason = bySignal(rep, trace)
      let isReached = reason.cause == .notReported && reason.parameter == nil
      missed[rep] = isReached ? displaced(rep, by: extra, pairs) ?? beside(rep, reason) : reason
    }
  }

  /// Of a clip without labelled reps: why reps were counted while nobody does the exercise.
  ///
  /// - Parameter trace: Called only if there are any.
  fileprivate init(
    phantoms predicted: [Rep], in labels: GroundTruth, matching: RepMatching, own: OwnSignal?,
    trace: () -> CountingTrace?
  ) {
    (truth, self.predicted, self.matching, noun, self.own) = ([], predicted, matching, "rep", own)
    let phantoms = predicted.indices.filter { labels.isNegative(ClipResult.RepSpan(predicted[$0])) }
    guard !phantoms.isEmpty else { return }
    let trace = trace()
    for detection in phantoms {
      wrong[detection] = invented(
        detection, RepReason(cause: .unlabelled, words: "nobody does the exercise here"), trace)
    }
  }

  /// The rep nearest to a detection, among those that it overlaps by more than half of the shorter of the two.
  private func nearest(to detection: Int, among reps: [Int]) -> Int? {
    reps.filter { overlap(truth[$0], predicted[detection]) }.min { distance($0, detection) < distance($1, detection) }
  }

  /// Of a rep whose signal reaches all thresholds, the detection that was reported elsewhere, or for another rep too.
  private func displaced(
    _ rep: Int, by extra: [Int], _ pairs: [(truth: Int, predicted: Int)]
  ) -> RepReason? {
    let label = truth[rep]
    let near = extra.filter { min(label.end, predicted[$0].end) > max(label.start, predicted[$0].start) }
      .min { distance(rep, $0) < distance(rep, $1) }
    if let near { return offset(of: near, from: rep, "detection \(near + 1) is near, but ") }
    return pairs.first { overlap(label, predicted[$0.predicted]) }.map {
      RepReason(cause: .notReported, words: "detection \($0.predicted + 1) covers it and \(noun) \($0.truth + 1)")
    }
  }

  /// The reason with the detection that is nearest to a rep, if there is any.
  private func beside(_ rep: Int, _ reason: RepReason) -> RepReason {
    guard let near = predicted.indices.min(by: { distance(rep, $0) < distance(rep, $1) }) else { return reason }
    let seconds = (matching.time(predicted[near]) - matching.time(truth[rep])).seconds
    let place = "\(NumberText.fixed(abs(seconds), decimals: 1)) s \(seconds < 0 ? "before" : "after") the label"
    var reason = reason
    reason.words += "; detection \(near + 1), the nearest, \(noun == "rep" ? verb : "has its contact") \(place)"
    return reason
  }

  private func distance(_ rep: Int, _ detection: Int) -> Microseconds {
    (matching.time(predicted[detection]) - matching.time(truth[rep])).magnitude
  }

  private func intersectionOverUnion(_ a: Rep, _ b: Rep) -> Double {
    let shared = max(0, (min(a.end, b.end) - max(a.start, b.start)).seconds)
    let union = (a.duration + b.duration).seconds - shared
    return union > 0 ? shared / union : 0
  }

  private func overlap(_ a: Rep, _ b: Rep) -> Bool {
    let shared = min(a.end, b.end) - max(a.start, b.start)
    let shorter = min(a.duration, b.duration)
    return shorter > .zero ? 2 * shared.count > shorter.count : shared >= .zero
  }
}

extension RepReasons {
  private var allowed: String {
    guard let tolerance = matching.tolerance else { return matching.words("its") }
    let seconds = NumberText.plain(tolerance.seconds, decimals: 3)
    return noun == "rep" ? "\(verb) within \(seconds) s" : "within \(seconds) s"
  }

  /// The allowed delay of a rep's report after its label; when matching by overlap, at most the duration of the rep.
  private func patience(_ rep: Rep) -> Microseconds { matching.tolerance ?? rep.duration }

  private var verb: String {
    switch matching.instant {
    case .start: "starts"
    case .turn: "turns"
    case .end: "ends"
    }
  }

  private func offset(of detection: Int, from rep: Int, _ beginning: String) -> RepReason {
    let distance = (matching.time(predicted[detection]) - matching.time(truth[rep])).seconds
    if let needed = matching.overlap {
      let shared = intersectionOverUnion(truth[rep], predicted[detection])
      return RepReason(
        cause: .offset,
        words: "\(beginning)overlaps the label by \(Self.text(shared, besides: needed, decimals: 2)) "
          + "(\(NumberText.plain(needed, decimals: 3)) needed)", value: shared, limit: needed)
    }
    guard let limit = matching.tolerance?.seconds else {
      let (label, turn) = (truth[rep], predicted[detection].turnOrMiddle)
      let outside = turn < label.start ? (turn - label.start).seconds : (turn - label.end).seconds
      return RepReason(
        cause: .offset,
        words: "\(beginning)turns \(Self.text(abs(outside), besides: 0, decimals: 1)) s "
          + (turn < label.start ? "before the label's start" : "after the label's end"), value: outside, limit: 0)
    }
    let size = Self.text(abs(distance), besides: limit, decimals: 1)
    let what = noun == "rep" ? verb : "its contact is"
    return RepReason(
      cause: .offset,
      words: "\(beginning)\(what) \(size) s \(distance < 0 ? "before" : "after") the label "
        + "(\(NumberText.plain(limit, decimals: 3)) s allowed)",
      value: distance, limit: limit)
  }

  /// A reason with the threshold that made a detection count: how far the signal went beyond it.
  ///
  /// `no labelled rep ends within 0.5 s; knee angle bottomed at 84°, counts < 90° (bottomAngle)`
  private func invented(_ detection: Int, _ reason: RepReason, _ trace: CountingTrace?) -> RepReason {
    let rep = predicted[detection]
    guard var passed = trace.flatMap({ Self.margin(of: rep, $0) ?? Self.hindsight(of: rep, $0) }) else {
      var reason = reason
      if let words = own?.words(in: rep) { reason.words += "; \(words)" }
      return reason
    }
    (passed.cause, passed.words) = (reason.cause, "\(reason.words); \(passed.words)")
    return passed
  }

  /// How far the signal went beyond the threshold that made a detection count; `nil` if unknown.
  ///
  /// `knee angle bottomed at 84°, counts < 90° (bottomAngle)`
  static func margin(of detection: Rep, _ trace: CountingTrace) -> RepReason? {
    guard let step = trace.rule.steps.first(where: { $0.stage == .turn }) else { return nil }
    let reached = trace.frames(detection.start, detection.end).filter {
      step.isReached(by: Double(trace.values[$0]), at: trace.level(of: step, at: $0))
    }.map { told($0, step, trace) }
    guard let farthest = reached.max(by: { abs($0.value - $0.limit) < abs($1.value - $1.limit) }) else { return nil }
    let signal = trace.rule.signal
    let how = amounts(farthest, "counts", step)
    return RepReason(
      cause: .unlabelled, words: "\(signal) \(way(step)) \(how)", signal: signal, unit: farthest.unit,
      value: farthest.value, limit: farthest.limit, parameter: step.parameter)
  }

  /// A value beside the threshold that it did or did not pass, as people read them.
  private typealias Told = (value: Double, limit: Double, unit: String)

  /// The signal beside a threshold at a frame; of one that is a share of the usual range, the share that it covered.
  private static func told(_ frame: Int, _ step: CountingRule.Step, _ trace: CountingTrace) -> Told {
    let (value, level) = (Double(trace.values[frame]), trace.level(of: step, at: frame))
    guard let share = step.share, trace.levels.indices.contains(frame) else { return (value, level, trace.rule.unit) }
    let beyond = (step.isAbove ? value - level : level - value) / Double(trace.levels[frame].usual)
    return (share + beyond, share, "of the usual range")
  }

  /// When a detector that chooses its signal chose the one by which it counted a rep that was over; `nil` if it did not.
  ///
  /// `counted in hindsight at 12.3 s, when a movement repeated with an autocorrelation > 0.5 (periodicity)`
  private static func hindsight(of detection: Rep, _ trace: CountingTrace) -> RepReason? {
    guard let limit = trace.rule.learning, let last = trace.times.last, trace.levels.count == trace.times.count else {
      return nil
    }
    let after = trace.frames(detection.end, last)
    let chosen = after.first { frame in
      let (before, level) = (trace.levels[after.lowerBound], trace.levels[frame])
      return level.turn.isFinite && (!before.turn.isFinite || level.choice != before.choice)
    }
    return chosen.map { frame in
      RepReason(
        cause: .unlabelled,
        words: "counted in hindsight at \(NumberText.fixed(trace.times[frame].seconds, decimals: 1)) s, when a "
          + "movement repeated with an autocorrelation > \(NumberText.plain(limit.value, decimals: 3)) (\(limit.parameter))",
        signal: trace.rule.signal, limit: limit.value, parameter: limit.parameter)
    }
  }

  /// Follows the counting rule through a rep's frames.
  private func bySignal(_ position: Int, _ trace: CountingTrace) -> RepReason {
    let (rep, rule) = (truth[position], trace.rule)
    let own = trace.frames(rep.start, rep.end)
    let unseen = own.isEmpty ? 1 : Double(own.count { !trace.values[$0].isFinite }) / Double(own.count)
    // A rep may end later than its label, but not in the middle of the next rep.
    let next = truth.filter { $0.start >= rep.end }.min { $0.start < $1.start }
    let middle = next.map { $0.turn ?? Microseconds(($0.start.count + $0.end.count) / 2) }
    let late = rep.end + patience(rep)
    let all = trace.frames(rep.start, min(late, middle ?? late))
    // Thresholds that are known have seen enough movement.
    let isLevelKnown = !trace.levels.isEmpty && own.contains { trace.levels[$0].turn.isFinite }
    // A signal that is not chosen yet says nothing of the movement.
    let isUnchosen = rule.learning != nil && !trace.levels.isEmpty
    if let range = rule.range, !isLevelKnown, !isUnchosen {
      let known = own.map { Double(trace.values[$0]) }.filter(\.isFinite)
      let width = (known.max() ?? 0) - (known.min() ?? 0)
      if width < range.value {
        let words =
          known.isEmpty ? nil : "moved by \(Self.amounts(width, range.value, rule.unit, "needs", range.parameter))"
        return lacking(
          unseen, RepReason(cause: .range, words: words ?? "", value: width, limit: range.value), rule, range.parameter)
      }
    }
    var crossings: [Microseconds] = []
    var from = own.lowerBound
    for step in rule.steps {
      let frames = from..<max(from, step.stage == .end ? all.upperBound : own.upperBound)
      let value = { Double(trace.values[$0]) }
      let level = { trace.level(of: step, at: $0) }
      if let frame = frames.first(where: { step.isReached(by: value($0), at: level($0)) }) {
        crossings.append(trace.times[frame])
        from = frame
        continue
      }
      let seen = frames.filter { value($0).isFinite }
      let known = seen.filter { level($0).isFinite }
      if !seen.isEmpty, known.isEmpty, let limit = rule.learning { return unchosen(from: own.lowerBound, limit, trace) }
      // Where the signal came nearest to its threshold.
      let nearest = known.min { abs(value($0) - level($0)) < abs(value($1) - level($1)) }
      let told = nearest.map { Self.told($0, step, trace) }
      let words = told.map { "\(Self.way(step)) \(Self.amounts($0, "needs", step))" }
      return lacking(
        unseen,
        RepReason(cause: .threshold, words: words ?? "", unit: told?.unit, value: told?.value, limit: told?.limit),
        rule, step.parameter)
    }
    return byTimes(crossings, rule) ?? unreported(own, trace)
  }

  /// Why a detector had not chosen what to count, from a frame until it did.
  ///
  /// `nothing repeated clearly enough before 12.3 s: autocorrelation peaked at 0.42, needs > 0.5 (periodicity)`
  private func unchosen(
    from first: Int, _ limit: CountingRule.Limit<Double>, _ trace: CountingTrace
  ) -> RepReason {
    let levels = trace.levels.dropFirst(first)
    let chosen = levels.firstIndex(where: \.turn.isFinite)
    let clarity = levels[..<(chosen ?? levels.endIndex)].map { Double($0.clarity) }.filter(\.isFinite).max()
    let time = chosen.map { " before \(NumberText.fixed(trace.times[$0].seconds, decimals: 1)) s" } ?? ""
    var reason = RepReason(
      cause: .notReported, words: "nothing repeated clearly enough\(time)", signal: trace.rule.signal,
      parameter: limit.parameter)
    if let clarity, clarity <= limit.value {
      let amounts = Self.amounts(clarity, limit.value, "", "needs >", limit.parameter)
      (reason.cause, reason.value, reason.limit) = (.threshold, clarity, limit.value)
      reason.words += ": autocorrelation peaked at \(amounts)"
    } else if chosen == nil, clarity == nil, let range = trace.rule.range {
      reason.parameter = range.parameter
      reason.words += ": no movement is large and long enough (\(range.parameter))"
    } else {
      reason.words += " (\(limit.parameter))"
    }
    return reason
  }

  /// The shortfall of the signal; or its invisibility, if it is not seen in a third of the rep or more.
  private func lacking(_ unseen: Double, _ shortfall: RepReason, _ rule: CountingRule, _ parameter: String) -> RepReason
  {
    var reason = shortfall
    reason.signal = rule.signal
    guard unseen >= 1.0 / 3 || reason.words.isEmpty else {
      (reason.unit, reason.parameter) = (reason.unit ?? rule.unit, parameter)
      reason.words = "\(rule.signal) \(reason.words)"
      return reason
    }
    let rest = reason.words.isEmpty ? "" : "; it \(reason.words)"
    let share = unseen >= 0.995 ? "the whole" : "\(NumberText.fixed(unseen * 100, decimals: 0)) % of the"
    return RepReason(
      cause: .unseen, words: "\(rule.signal) not seen in \(share) \(noun)\(rest)", signal: rule.signal, value: unseen)
  }

  /// The reason if the signal reaches all thresholds: the rep's duration, or the time since the last rep; `nil` if it is
  /// neither.
  private func byTimes(_ crossings: [Microseconds], _ rule: CountingRule) -> RepReason? {
    if let first = crossings.first, let last = crossings.last, crossings.count > 1 {
      if let shortest = rule.shortest, last - first < shortest.value {
        let (value, limit) = ((last - first).seconds, shortest.value.seconds)
        return RepReason(
          cause: .tooShort,
          words: "takes \(Self.text(value, besides: limit, decimals: 1)) s, needs "
            + "\(NumberText.plain(limit, decimals: 3)) s (\(shortest.parameter))",
          unit: "s", value: value, limit: limit, parameter: shortest.parameter)
      }
      if let cooldown = rule.cooldown, let before = predicted.map(\.end).filter({ $0 < last }).max(),
        last - before < cooldown.value
      {
        let (value, limit) = ((last - before).seconds, cooldown.value.seconds)
        return RepReason(
          cause: .tooSoon,
          words: "ends \(Self.text(value, besides: limit, decimals: 1)) s after the last counted \(noun), needs "
            + "\(NumberText.plain(limit, decimals: 3)) s (\(cooldown.parameter))",
          unit: "s", value: value, limit: limit, parameter: cooldown.parameter)
      }
    }
    return nil
  }

  /// That no declared rule explains the miss, with the share of the usual range that the signal covered, if it has one.
  ///
  /// `movement covers 1.32, counts > 0.55 of the usual range (turnShare), but no rep is reported`
  private func unreported(_ own: Range<Int>, _ trace: CountingTrace) -> RepReason {
    let rule = trace.rule
    let end = "but no \(noun) is reported"
    if let step = rule.steps.first(where: { $0.stage == .turn && $0.share != nil }),
      let most = own.map({ Self.told($0, step, trace) }).filter(\.value.isFinite).max(by: { $0.value < $1.value })
    {
      if let greatest = rule.greatest, most.value > greatest {
        let share = Self.text(most.value, besides: greatest, decimals: 2)
        return RepReason(
          cause: .notReported,
          words: "\(rule.signal) \(Self.way(step)) \(share) of the usual range; above "
            + "\(NumberText.plain(greatest)) it is no \(noun)",
          signal: rule.signal, unit: most.unit, value: most.value, limit: greatest)
      }
      return RepReason(
        cause: .notReported, words: "\(rule.signal) \(Self.way(step)) \(Self.amounts(most, "counts", step)), \(end)",
        signal: rule.signal, unit: most.unit, value: most.value, limit: most.limit)
    }
    let does = rule.steps.isEmpty ? "moves enough" : "reaches all thresholds"
    return RepReason(cause: .notReported, words: "\(rule.signal) \(does), \(end)", signal: rule.signal)
  }

  private static func way(_ step: CountingRule.Step) -> String {
    switch (step.stage, step.isAbove) {
    case (.turn, _) where step.share != nil: "covers"
    case _ where step.share != nil: "comes back by"
    case (.turn, true): "peaked at"
    case (.turn, false): "bottomed at"
    case (_, true): "rose only to"
    case (_, false): "fell only to"
    }
  }

  private static func purpose(_ step: CountingRule.Step) -> String {
    switch step.stage {
    case .begin: " to begin"
    case .turn: ""
    case .end: " to end"
    }
  }

  /// `141°, needs < 90° (bottomAngle)`, or `1.1, needs > 1.4 body heights/s (minimumPeakSpeed)`: a unit of words is read
  /// once. A moving threshold is as exact as the value that it is compared with.
  private static func amounts(_ told: Told, _ needs: String, _ step: CountingRule.Step) -> String {
    let sign = step.isAbove || step.share != nil ? ">" : "<"
    let isMoving = step.threshold == nil && step.share == nil
    return amounts(
      told.value, told.limit, told.unit, "\(needs) \(sign)", step.parameter, purpose(step), isExact: !isMoving)
  }

  private static func amounts(
    _ value: Double, _ limit: Double, _ unit: String, _ needs: String, _ parameter: String, _ purpose: String = "",
    isExact: Bool = true
  ) -> String {
    let isAngle = unit == "degrees"
    let mark = isAngle ? "°" : unit.isEmpty || unit == "ratio" ? "" : " \(unit)"
    let decimals = Self.decimals(value, besides: limit, atLeast: isAngle ? 0 : 2)
    return "\(NumberText.fixed(value, decimals: decimals))\(isAngle ? mark : ""), \(needs) "
      + "\(NumberText.plain(limit, decimals: isExact ? 3 : decimals))\(mark)\(purpose) (\(parameter))"
  }

  private static func text(_ value: Double, besides limit: Double, decimals: Int) -> String {
    NumberText.fixed(value, decimals: Self.decimals(value, besides: limit, atLeast: decimals))
  }

  /// Enough decimals to tell a value from its limit, at most three.
  private static func decimals(_ value: Double, besides limit: Double, atLeast decimals: Int) -> Int {
    (decimals...3).first { NumberText.fixed(value, decimals: $0) != NumberText.fixed(limit, decimals: $0) } ?? 3
  }
}

extension PreparedClip {
  /// The signal that a setting's detector counts by; `nil` if it declares none.
  ///
  /// - Precondition: The setting's signals were measured.
  package func countingTrace(_ setting: DetectorSetting) -> CountingTrace? {
    guard let rule = setting.countingRule else { return nil }
    // A wrist's speed belongs to the middle of several frames.
    if setting.profile.kind == .swing, SwingTrace.canTrace(setting.definition.parameters) {
      return (try? SwingTrace(setting.values, hand: nil, on: poses)).map {
        CountingTrace(rule: rule, times: $0.times, values: $0.speeds)
      }
    }
    let counted = counted(by: setting)
    return CountingTrace(
      rule: rule, times: poses.times, values: counted.map(\.value),
      levels: rule.steps.contains { $0.threshold == nil } ? counted.map(\.levels) : [])
  }
}

extension RepReasons {
  /// The reasons for a detector's errors on a clip; `nil` if the movements that it counts are not labelled.
  ///
  /// - Parameter pairs: The pairs of labelled and counted reps.
  init?(
    _ clip: LabelledPrediction, of profile: DetectorProfile, pairs: [(truth: Int, predicted: Int)],
    matching: RepMatching, own: OwnSignal?, trace: () -> CountingTrace?
  ) {
    if profile.kind == .swing, let strokes = StrokeMetrics(for: ScoredDetector(profile.tasks, matching: matching)) {
      self = strokes.matches(clip).reasons(tolerance: strokes.tolerance, in: clip.groundTruth.intervals, trace: trace)
    } else if let truth = clip.groundTruth.reps, let counted = clip.prediction.reps?.map(\.rep) {
      self.init(truth: truth, predicted: counted, pairs: pairs, matching: matching, own: own, trace: trace)
    } else if let truth = clip.groundTruth.reps, profile.kind == .form, let trace = trace() {
      let judged = clip.prediction.judged.map(\.rep)
      self.init(
        truth: truth, predicted: judged, pairs: matching.pairs(truth: truth, predicted: judged), matching: matching
      ) { trace }
    } else if clip.groundTruth.hasNegativeTime, let counted = clip.prediction.reps?.map(\.rep) {
      self.init(phantoms: counted, in: clip.groundTruth, matching: matching, own: own, trace: trace)
    } else {
      return nil
    }
  }

  /// The missed reps or strokes in their order; `nil` for none.
  package var missedReps: [MissedRep]? {
    missed.isEmpty
      ? nil
      : missed.sorted { $0.key < $1.key }.map { position, reason in
        MissedRep(
          rep: position, start: truth[position].start.seconds, end: truth[position].end.seconds, reason: reason)
      }
  }
}

extension GroundTruth {
  /// Whether a rep is counted while nobody does the exercise: a phantom.
  package func isNegative(_ rep: ClipResult.RepSpan) -> Bool {
    let turn = rep.turn ?? (rep.start + rep.end) / 2
    return intervals.contains {
      PhantomMetrics.isNegative($0.label) && $0.start.seconds <= turn && turn <= $0.end.seconds
    }
  }
}

extension StrokeMetrics.Matches {
  /// Why strokes were missed and detections are false.
  ///
  /// - Parameter intervals: The labelled intervals. A stroke lasts as long as the shortest one around its contact;
  ///   without one, as long as the tolerance allows.
  package func reasons(tolerance: Microseconds, in intervals: [Segment], trace: () -> CountingTrace?) -> RepReasons {
    RepReasons(
      truth: truth.map { event in
        let own = intervals.filter { $0.start <= event.time && event.time <= $0.end }
          .min { $0.end - $0.start < $1.end - $1.start }
        return Rep(
          start: own?.start ?? event.time - tolerance, end: own?.end ?? event.time + tolerance, turn: event.time)
      },
      predicted: predicted.map { Rep(start: $0.segment.start, end: $0.segment.end, turn: $0.contact) }, pairs: pairs,
      matching: RepMatching(instant: .turn, tolerance: tolerance), noun: "stroke", trace: trace)
  }
}
