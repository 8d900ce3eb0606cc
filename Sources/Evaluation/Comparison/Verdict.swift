import Scoring
import Statistics

/// Whether a run is good enough to release.
///
/// A gating metric has a margin: the accepted loss in its own unit. The sample is the subjects' gains over the
/// baseline; `JointTest` corrects over the gating metrics, and `GateRule` decides. A value worse than the metric's
/// floor is a regression for any baseline. Improvements pass, unless the caller wants them accepted on
/// purpose.
///
/// A subject that lost its value, because the detector no longer gives what the metric needs, counts as one of the
/// worst losses. Missing data, clips, metrics or baselines never pass. A detector that no metric gates is watched for
/// collapse: see `CollapseWatch`.
public struct Verdict: Hashable, Sendable {
  public enum Outcome: String, CaseIterable, Codable, Hashable, Sendable {
    // The worst first.
    case regression, missing, improvement
    /// Neither a regression nor a pass: a loss beyond the margin has a probability.
    case maybeWorse = "maybe-worse"
    /// A loss that a person accepted on purpose, in writing.
    case acceptedLoss = "accepted-loss"
    case pass
  }

  public struct MetricVerdict: Hashable, Sendable {
    /// The change, with its outcome.
    public private(set) var change: MetricChange
    /// One sentence.
    public var reason: String
    /// The rule that could not decide.
    private var undecided: GateRule?
    /// Whether a subject lost its value: then no policy lets it pass.
    public private(set) var hasLostValues = false
    /// Whether only the reason says what the verdict is about: the collapse of a detector without a gating metric, or the
    /// sum of several changes.
    public internal(set) var saysItself = false

    public private(set) var outcome: Outcome {
      get { change.outcome ?? .missing }
      set { change.outcome = newValue }
    }

    /// See `MetricChange.probabilityOfLoss`.
    public private(set) var probabilityOfLoss: Double? {
      get { change.probabilityOfLoss }
      set { change.probabilityOfLoss = newValue }
    }
  }

  public static let level = MetricChange.level

  /// The worst outcome of the metrics, or missing.
  public var outcome: Outcome
  /// The outcome as the first word of the verdict: `MAYBE WORSE`.
  public var title: String { metrics.worstFirst.first { $0.outcome == outcome }?.title ?? outcome.title }
  /// One sentence about the worst metric with this outcome, and how many others have it.
  public var reason: String
  /// What the reader must know besides the outcome, one sentence each: detectors that may have collapsed without
  /// gating, and a stale baseline.
  public var findings: [String]
  /// The losses that the metric's subjects could detect, in sentences.
  public var detail: String? { outcome == .pass ? nil : metrics.worstFirst.first { $0.outcome == outcome }?.detail }
  /// Of the gating metrics, and of the metrics without a margin that collapsed.
  public var metrics: [MetricVerdict]
  /// Missing parts other than metrics.
  public var missing: MissingParts

  /// - Parameter strictImprovements: Whether a metric that improved by more than its margin blocks the release until a
  ///   new baseline is accepted.
  public init(_ comparison: Comparison, strictImprovements: Bool = false) {
    let gating = (comparison.metrics + comparison.costs).filter { $0.margin != nil }
    let looks = comparison.results.looks ?? .one
    let metrics = zip(gating, Self.rules(gating, looks)).map { change, rule in
      MetricVerdict(change, rule, strictImprovements: strictImprovements).accepting(comparison.acceptedLosses)
    }
    let watch = CollapseWatch(comparison)
    let drift = DriftWatch(comparison, metrics, Self.rules(comparison.gatedDrifts, looks))
    self.metrics = metrics + watch.collapsed.map { $0.accepting(comparison.acceptedLosses) } + drift.verdicts
    var missing = comparison.missing
    if gating.isEmpty && missing.isEmpty {
      missing.add(["the suite has no metric that gates"], remedy: "Give a metric of the suite a margin")
    }
    self.missing = missing
    outcome = (self.metrics.map(\.outcome) + (missing.isEmpty ? [] : [.missing])).min() ?? .missing
    // Beside a loss, accepting the gain would accept the loss too.
    let stale = outcome == .pass ? metrics.staleness(comparison) : []
    findings = comparison.findings + watch.findings + drift.findings + stale
    let alike = self.metrics.worstFirst.filter { [outcome] in $0.outcome == outcome }.map(\.reason)
    let others = alike.count - 1
    reason =
      switch outcome {
      case .pass where metrics.allSatisfy(\.change.isUnchanged): comparison.changesWithoutGating
      case .pass: "no gating metric lost more than its margin" + (metrics.largestChange.map { "; \($0)" } ?? "")
      case .missing where !missing.isEmpty: missing.reason
      default: (alike.first ?? "") + (others > 0 ? "; and \(others) more" : "")
      }
  }

  /// The rule for each gating metric, corrected over all of them.
  private static func rules(_ gating: [MetricChange], _ looks: GateRule.Looks) -> [GateRule] {
    guard looks == .one else {
      let metrics = gating.count { $0.cost == nil }
      return gating.map { change in
        change.cost == nil
          ? GateRule(margin: change.margin ?? 0, atAnyLookOf: metrics) : GateRule(margin: change.margin ?? 0)
      }
    }
    let subjects = Set(gating.flatMap { $0.gatedGains.keys }).sorted()
    return JointTest(subjects: subjects.count).rules(
      gating.map { change in
        if let cost = change.cost { return .independent(p: cost.pSlower, pWithin: cost.pWithin) }
        let gains = change.gatedGains
        return .gains(subjects.map { gains[$0] }, margin: change.margin ?? 0)
      })
  }

  /// The metrics that lost something, the worst first. A cost that passes is another one each time it is measured.
  public var losses: [MetricVerdict] {
    metrics.worstFirst.filter { metric in
      let change = metric.change
      let isLoss = (change.gain ?? 0) < 0 && !change.isUnchangedOnAverage
      return isLoss && (change.cost == nil || metric.outcome != .pass) || !change.undefinedSubjects.isEmpty
    }
  }

  /// The change with the gate's outcome, if it gates.
  public func decided(_ change: MetricChange) -> MetricChange {
    metrics.first { $0.change.metricID == change.metricID }?.change ?? change
  }

  /// The exit code of the worst finding that blocks the release: 2 for a regression or an improvement to be accepted, 5
  /// for missing data, 3 for a loss that is more likely than the suite allows; otherwise 0.
  ///
  /// - Parameter limit: See `Suite.stopAt`.
  public func exitCode(stopAt limit: Double) -> Int32 {
    let holding = metrics.filter { $0.holdsRelease(stopAt: limit) }.map(\.outcome) + (missing.isEmpty ? [] : [.missing])
    return switch holding.min() {
    case .regression, .improvement: 2
    case .missing: 5
    case .maybeWorse: 3
    case .acceptedLoss, .pass, nil: 0
    }
  }

  /// Whether that stops the release and the suite's limit, as the end of a sentence: `; it stops: the suite stops above
  /// 20 %`, after the number of accepted losses, if any. Empty for another outcome.
  public func limitWords(stopAt limit: Double) -> String {
    guard outcome == .maybeWorse else { return "" }
    let accepted = metrics.count { $0.outcome == .acceptedLoss }
    let besides = accepted > 0 ? "; besides \(accepted) accepted \(accepted == 1 ? "loss" : "losses")" : ""
    let does = besides + (exitCode(stopAt: limit) == 0 ? "; it passes" : "; it stops")
    let why = metrics.worstFirst.compactMap { $0.stopReason(at: limit) }.first ?? Self.policy(at: limit)
    return "\(does): \(why)"
  }

  /// `the suite stops above 20 %`
  fileprivate static func policy(at limit: Double) -> String {
    switch limit {
    case 1...: "the suite stops at a regression only"
    case ...0: "the suite stops without a pass"
    default: "the suite stops above \(NumberText.plain(100 * limit, decimals: 1)) %"
    }
  }
}

extension Comparison {
  /// The reason of a pass on which no gating metric changed: what changed nevertheless.
  fileprivate var changesWithoutGating: String {
    let others = metrics.filter { $0.margin == nil && $0.isListed && !$0.isUnchanged }
    let changed = Set(clipChanges.map(\.clip)).count
    guard !others.isEmpty || changed > 0 else { return "nothing changed on any gating metric" }
    let more = others.count > 1 ? " and \(NumberText.count(others.count - 1, "other metric"))" : ""
    let metric = (others.first(where: \.isShown) ?? others.first).map { change in
      let values = change.valuesWords(of: " of \(change.detector)", from: change.before, to: change.after)
      return "\(values)\(more) changed, without gating"
    }
    let predictions = changed > 0 ? "predictions changed on \(changed) of \(NumberText.count(clips, "clip"))" : nil
    return "no gating metric changed, but " + [metric, predictions].compactMap(\.self).joined(separator: "; ")
  }
}

extension Verdict.Outcome: Comparable {
  /// The worst first.
  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  public static func < (one: Self, other: Self) -> Bool { one.rank < other.rank }

  /// For people.
  public var words: String {
    switch self {
    case .maybeWorse: "maybe worse"
    case .acceptedLoss: "accepted loss"
    case .regression, .missing, .improvement, .pass: rawValue
    }
  }

  /// As the first word of a verdict: `MAYBE WORSE`.
  public var title: String { words.uppercased() }

  /// The names of `maybeWorse` in older files.
  private static let earlierNames: Set = ["inconclusive", "worse-not-proven", "better-not-proven"]

  /// Reads a file.
  public init(from decoder: any Decoder) throws {
    let name = try decoder.singleValueContainer().decode(String.self)
    guard let outcome = Self.earlierNames.contains(name) ? .maybeWorse : Self(rawValue: name) else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "expected \(Self.allCases.map(\.rawValue).joined(separator: ", ")), found \(name)"))
    }
    self = outcome
  }
}

extension MetricChange {
  /// The gains behind the gate's decision, by subject. A subject that lost its value counts as badly as the worst of
  /// the others, and worse than the margin; empty if a gain is not a number.
  var gatedGains: [String: Double] {
    var gains = gains
    guard cost == nil, gains.values.allSatisfy(\.isFinite) else { return [:] }
    let lost = undefinedSubjects
    guard !lost.isEmpty else { return gains }
    let worst = max(2 * (margin ?? 0), -(gains.values.min() ?? 0))
    for subject in lost { gains[subject] = -(worst > 0 ? worst : 1) }
    return gains
  }

  /// In the order of the subjects' names.
  var sortedGatedGains: [Double] { gatedGains.sorted { $0.key < $1.key }.map(\.value) }
}

extension MetricChange {
  /// `12 % likely to be worse beyond the margin`; `nil` if that is decided.
  package var likelihood: String? {
    probabilityOfLoss.map { "\(Verdict.MetricVerdict.likelihood($0)) to be worse beyond the margin" }
  }
}

extension Verdict.MetricVerdict {
  /// The outcome in words, as far as the change itself is shown.
  public var words: String {
    let probability = probabilityOfLoss ?? 1
    return switch (outcome, change.shown) {
    case (.maybeWorse, .worse):
      "worse, \(probability <= 0.05 ? "probably within" : probability >= 0.95 ? "probably beyond" : "maybe beyond") "
        + "the margin"
    case (.maybeWorse, .better): "better, but a loss not ruled out"
    case (.maybeWorse, nil) where probability <= 0.05: "probably not worse"
    default: outcome.words
    }
  }

  /// As the first word of a verdict: `MAYBE WORSE`.
  public var title: String { words.uppercased() }

  /// - Parameter probability: Of a loss beyond the margin; `nil` if that is decided.
  package init(_ change: MetricChange, _ outcome: Verdict.Outcome, probability: Double? = nil, reason: String) {
    (self.change, self.reason) = (change, reason)
    self.outcome = outcome
    probabilityOfLoss = probability
  }

  /// - Parameter rule: Corrected over the gating metrics.
  init(_ change: MetricChange, _ rule: GateRule, strictImprovements: Bool) {
    self.init(change, .missing, reason: "")
    if let cost = change.cost {
      decide(cost, rule)
      return
    }
    let name = "\(Metric.plainName(of: change.metric)) of \(change.detector)"
    if let obstacle = change.obstacle {
      // What stayed the same needs no inference.
      guard change.isPooled, change.isUnchanged, change.after?.isFinite ?? false, !change.isBelowFloor else {
        reason = "\(name) cannot be compared: \(obstacle)"
        return
      }
      outcome = .pass
      reason = "\(name) \(change.verb) unchanged"
      return
    }
    let gains = change.sortedGatedGains
    guard !gains.isEmpty, change.after?.isFinite ?? true else {
      reason = "\(name) \(change.isPlural ? "have" : "has") no value for anybody"
      return
    }
    hasLostValues = !change.undefinedSubjects.isEmpty
    if change.isBelowFloor, let floor = change.floor, let after = change.after {
      outcome = .regression
      reason = "\(name) \(change.verb) \(amount(after)), worse than its floor of \(amount(floor))"
      return
    }
    let text = "\(name) \(facts(gains))"
    let margin = amount(rule.margin)
    let decision = rule.decide(gains)
    if hasLostValues, decision.passes {
      // Nobody knows what the lost value would have been.
      decide(rule.probabilityOfLoss(gains), by: rule, of: gains.count, text)
      return
    }
    switch decision {
    case .unchanged:
      outcome = .pass
      let new = change.oneSidedSubjects
      reason =
        new.isEmpty
        ? "\(name) \(change.verb) unchanged for everybody"
        : "\(name) \(change.verb) unchanged for the \(NumberText.count(gains.count, "person")) with a value before; not compared: "
          + few(new)
    case .regression:
      outcome = .regression
      self.change.shown = .worse
      reason = "\(text), more than the margin of \(margin)"
    case .improvement where strictImprovements:
      outcome = .improvement
      reason = "\(text): accept it with bench baseline accept"
    case .pass, .improvement:
      outcome = .pass
      let isLoss = (change.gain ?? 0) < 0
      reason = "\(text), \(isLoss ? "within the" : "no loss beyond the") margin of \(margin)"
    case .maybeWorse(let probability):
      decide(probability, by: rule, of: gains.count, text)
      undecided = rule
    }
  }

  /// Leaves it open, with a probability of a loss beyond the margin.
  private mutating func decide(_ probability: Double, by rule: GateRule, of people: Int, _ text: String) {
    outcome = .maybeWorse
    probabilityOfLoss = probability
    let need =
      people < rule.fewestToCall
      ? "; \(people) \(people == 1 ? "person is" : "people are") too few: a regression needs "
        + "\(rule.fewestToCall), a pass \(GateRule.fewestSubjects)"
      : people < GateRule.fewestSubjects ? "; a pass needs \(GateRule.fewestSubjects) people" : ""
    reason =
      "\(text): \(Self.likelihood(probability)) to be worse by more than \(amount(change.margin ?? 0))" + need
  }

  /// `12 % likely`
  fileprivate static func likelihood(_ probability: Double) -> String {
    let percent = "\(NumberText.plain(100 * probability, decimals: 0)) % likely"
    return probability <= 0.01 ? "at most \(percent)" : probability >= 0.99 ? "at least \(percent)" : percent
  }

  /// Decides on an update's cost: clips are the sample, and the margin is a ratio.
  private mutating func decide(_ cost: CostChange, _ rule: GateRule) {
    let margin = change.margin ?? 1
    let bounds = cost.interval.map { " (95 % interval \($0.low.rounded(to: 3)) to \($0.high.rounded(to: 3)))" } ?? ""
    let text =
      "an update of \(change.detector) takes \(cost.ratio.rounded(to: 3)) times as long as \(cost.referenceWords)"
      + bounds
    if cost.clips >= 6, cost.pSlower <= rule.criticalP {
      outcome = .regression
      change.shown = .worse
      reason = "\(text), more than the margin of \(margin)"
    } else if cost.clips >= 6, cost.pWithin <= GateRule.alpha {
      outcome = .pass
      reason = "\(text), within the margin of \(margin)"
    } else {
      outcome = .maybeWorse
      let probability = GateRule.wholePercent(cost.probabilityOfLoss)
      probabilityOfLoss = probability
      reason =
        "\(text): \(Self.likelihood(probability)) to take more than \(margin) times as long"
        + (cost.clips < 6 ? "; \(cost.clips) clips are too few, at least six are needed" : "")
    }
  }

  /// Whether this metric blocks the release.
  ///
  /// - Parameter limit: See `Suite.stopAt`.
  public func holdsRelease(stopAt limit: Double) -> Bool {
    switch outcome {
    case .regression, .missing, .improvement: true
    case .maybeWorse: hasLostValues || (probabilityOfLoss ?? 1) > limit
    case .acceptedLoss, .pass: false
    }
  }

  /// Why this metric blocks the release though it may not be worse; `nil` for another outcome, and if it does not.
  package func stopReason(at limit: Double) -> String? {
    guard outcome == .maybeWorse, holdsRelease(stopAt: limit) else { return nil }
    guard (probabilityOfLoss ?? 1) <= limit else { return Verdict.policy(at: limit) }
    return "\(NumberText.count(change.undefinedSubjects.count, "person")) lost the value"
  }

  private func amount(_ value: Double) -> String {
    NumberText.quantity(value, unit: change.unit)
  }

  /// The first three names.
  private func few(_ names: [String]) -> String {
    names.prefix(3).joined(separator: ", ") + (names.count > 3 ? " and \(names.count - 3) more" : "")
  }

  /// For how many people it is better or worse, by how much, and who lost the value.
  private func facts(_ gains: [Double]) -> String {
    let lost = change.undefinedSubjects
    let undefined = "no longer defined for \(few(lost)), counted as the worst loss"
    guard let gain = change.gain else {
      return "no longer \(change.isPlural ? "have" : "has") a value" + (lost.isEmpty ? "" : "; \(undefined)")
    }
    // For a pooled value each person's own value, not their share in it.
    let worse = (change.people?.worse ?? gains.count { $0 < 0 }) + lost.count
    let better = change.people?.better ?? gains.count { $0 > 0 }
    let people = change.subjects + lost.count
    let signed = NumberText.signed(gain, unit: change.unit)
    let bounds = NumberText.interval(change.interval, unit: change.unit).map { ", 95 % interval \($0)" } ?? ""
    let way =
      change.isUnchangedOnAverage ? "on average unchanged" : "\(gain < 0 ? "worse" : "better") by \(amount(abs(gain)))"
    let right = change.rightClipsWords.map { ": \($0)" } ?? ""
    let forWhom = forWhom(worse: worse, better: better, of: people, isUnchanged: change.isUnchangedOnAverage)
    let cases = change.casesWords.map { ", \($0)" } ?? ""
    let numbers = "\(way)\(right), \(forWhom) (gain \(signed)\(bounds)\(cases))"
    return lost.isEmpty
      ? "\(change.verb) \(numbers)"
      : "\(change.verb) \(undefined); \(change.isPlural ? "they" : "it") \(change.verb) \(numbers)"
  }

  /// `worse for 2 of 12 people`: the people that a change was for, on both sides if it is none on average.
  private func forWhom(worse: Int, better: Int, of people: Int, isUnchanged: Bool) -> String {
    let isLoss = (change.gain ?? 0) < 0 || !change.undefinedSubjects.isEmpty
    let sides = [(worse, "worse"), (better, "better")]
    let told = isUnchanged && change.undefinedSubjects.isEmpty ? sides : [isLoss ? sides[0] : sides[1]]
    let groups = told.filter { $0.0 > 0 }.map { "\($0.1) for \($0.0)" }
    // A value over all clips can change without that of any single person.
    guard groups.isEmpty else { return "\(groups.joined(separator: ", ")) of \(people) people" }
    return isUnchanged ? "also for each of \(people) people alone" : "for none of \(people) people alone"
  }

  /// The loss that these subjects can leave unproven and the number of subjects with which a harmless change passes, in
  /// sentences, simulated with the same rule on first use, as `bench power` does. `nil` if the metric is decided, if a
  /// loss is unlikely, or if there are too few subjects. The number assumes that others vary as much as these subjects.
  public var detail: String? {
    guard let rule = undecided, probabilityOfLoss ?? 1 > GateRule.stopAt else { return nil }
    let gains = change.sortedGatedGains
    guard gains.count >= rule.fewestToCall else { return nil }
    let people = "With \(gains.count) people"
    let effect =
      rule.smallestDetectableLoss(gains: gains).map {
        "\(people) a loss of up to \(amount($0)) can stay unproven."
      } ?? "\(people) any loss can stay unproven."
    let need: String? =
      switch rule.fewestSubjects(toPass: gains) {
      case nil:
        "If others vary as much, more than \(PowerStudy.mostSubjects) people are needed to let a harmless change pass."
      case let subjects? where subjects > gains.count:
        "With \(subjects) people a harmless change would pass, if the others vary as much."
      default: nil
      }
    return [effect, need].compactMap(\.self).joined(separator: " ")
  }
}

extension Verdict.MetricVerdict {
  /// The loss as a multiple of the margin: at or below 0 for a gain, infinite below its floor. A lost value results
  /// from another metric's loss and is shown below it.
  fileprivate var lossInMargins: Double {
    if change.isBelowFloor { return .infinity }
    // For a cost the margin is a ratio.
    let loss = change.cost.map { $0.ratio - 1 } ?? -(change.gain ?? 0)
    let margin = (change.margin ?? 0) - (change.cost == nil ? 0 : 1)
    return margin > 0 ? loss / margin : loss > 0 ? .infinity : loss
  }
}

extension [Verdict.MetricVerdict] {
  /// The largest loss among metrics that pass, or else the largest gain, in margins; `nil` if nothing changed.
  fileprivate var largestChange: String? {
    let changed = filter { !$0.change.isUnchanged && !$0.change.isUnchangedOnAverage }
    guard let worst = changed.max(by: { $0.lossInMargins < $1.lossInMargins }) else {
      return first { !$0.change.isUnchanged }.map { metric in
        let moved = (metric.change.people?.better ?? 0) + (metric.change.people?.worse ?? 0)
        return "\(moved > 0 ? "changes cancel out" : "the largest change rounds to nothing"): \(metric.reason)"
      }
    }
    if worst.lossInMargins > 0 { return "the largest loss: \(worst.reason)" }
    return changed.min { $0.lossInMargins < $1.lossInMargins }.map { "the largest gain: \($0.reason)" }
  }

  /// The metrics that are better than the baseline beyond their margin, in a sentence: a later loss of as much would
  /// pass. Empty if there are none, or if the change commits a baseline of its own.
  fileprivate func staleness(_ comparison: Comparison) -> [String] {
    let better = filter { metric in
      guard metric.outcome == .pass, metric.change.cost == nil, let gain = metric.change.gain else { return false }
      return gain > metric.change.margin ?? 0 && metric.change.shown == .better
    }
    guard let first = better.min(by: { $0.lossInMargins < $1.lossInMargins }), !comparison.isBaselineRenewed else {
      return []
    }
    let change = first.change
    let values = change.valuesWords(of: " of \(change.detector)", from: change.pairedBefore, to: change.pairedAfter)
    let others = better.count > 1 ? " (and \(NumberText.count(better.count - 1, "other metric")))" : ""
    let results = comparison.results
    return [
      "The baseline is stale: \(values)\(others), better beyond its margin. Accept it, or the gain can be lost unseen: "
        + "bench baseline accept --suite \(results.suite)\(results.predictionOptions)"
    ]
  }

  /// The worst outcome first, then the most likely loss, then the greatest; equal ones in their order.
  package var worstFirst: [Verdict.MetricVerdict] {
    let keyed = enumerated().map { place, metric in
      (metric, key: (metric.outcome, -(metric.probabilityOfLoss ?? 0), -metric.lossInMargins, place))
    }
    return keyed.sorted { $0.key < $1.key }.map(\.0)
  }
}

extension Verdict.MetricVerdict: Encodable {
  private enum Key: String, CodingKey { case reason, detail }

  /// The change without its subjects' values, and the sentences about it.
  public func encode(to encoder: any Encoder) throws {
    try change.summary.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(reason, forKey: .reason)
    try container.encodeIfPresent(detail, forKey: .detail)
  }
}

extension Double {
  /// Rounds for sentences: this many decimals, without trailing zeros.
  public func rounded(to decimals: Int) -> Double {
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    return (self * scale).rounded() / scale + 0
  }
}
