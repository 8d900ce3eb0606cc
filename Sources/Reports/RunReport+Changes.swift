import Datasets
import Evaluation
import Pipeline
import Scoring
import Statistics

extension RunReport {
  /// The result, the clip to look at first and the next step, one sentence each.
  var summary: [String] {
    // Without a verdict the title is the result.
    let result = decision == nil && verdict == nil ? [] : [conclusion.finding]
    let findings = (decision?.findings ?? verdict?.findings ?? []).map { "\($0)." }
    return result + findings + [firstClip, advice].compactMap(\.self)
  }

  /// The compared data and how many metrics and clips changed.
  var changeSentences: [String] {
    guard let comparison else { return [] }
    let numbers = summaryNumbers(comparison)
    let (better, worse, shown) = (numbers.better, numbers.worse, numbers.shown)
    let same = results.metrics.filter(\.isListed).compactMap(change).count(where: \.isUnchanged)
    if same == numbers.metrics && comparison.clipChanges.isEmpty {
      return ["Nothing changed: every person has the same value of every metric of the suite."]
    }
    return [
      "\(NumberText.count(numbers.metrics, "metric")): \(better) better, \(worse) worse, \(numbers.neither) unchanged"
        + (better + worse == 0
          ? "."
          : "; \(shown == 0 ? "none" : "\(shown)") of \(better + worse == 1 ? "this change" : "these \(better + worse) changes") "
            + "\(shown > 1 ? "are" : "is") clearly more than chance.")
    ] + [clipSentence].compactMap(\.self)
  }

  /// On how many clips something changed, by camera view.
  private var clipSentence: String? {
    guard let comparison, !comparison.clipChanges.isEmpty else { return nil }
    let what = comparison.changedAnswers.isEmpty ? "Counts" : "Predictions"
    let byView = changedClips(of: comparison)
    let views = byView.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    let count = byView.values.reduce(0, +)
    return "\(what) changed on \(count) of \(results.clips.count) clips; by view: \(views)."
  }

  /// On how many clips predictions changed, by camera view.
  private func changedClips(of comparison: Comparison) -> [String: Int] {
    let changed = Set(comparison.clipChanges.map(\.clip))
    return Dictionary(grouping: results.clips.filter { changed.contains($0.id) }) {
      $0.view.isEmpty ? "unknown" : $0.view
    }.mapValues(\.count)
  }

  /// The numbers of better, worse and unchanged metrics of the suite.
  func summaryNumbers(_ comparison: Comparison) -> ChangeNumbers.Summary {
    let listed = results.metrics.filter(\.isListed).compactMap(change)
    let better = listed.count { ($0.gain ?? 0) > 0 }
    let worse = listed.count { ($0.gain ?? 0) < 0 }
    return ChangeNumbers.Summary(
      metrics: listed.count, better: better, worse: worse, neither: listed.count - better - worse,
      shown: listed.count(where: \.isShown), changedClips: changedClips(of: comparison))
  }

  func change(of metric: RunResults.MetricResult) -> MetricChange? {
    comparison?.metrics.first(of: metric.metricID)
  }

  /// The suite's metrics that changed, one sentence each: clear changes before those that may be chance, worse before
  /// better, gating before others.
  var changes: [String] {
    let changed = results.metrics.filter(\.isListed).compactMap(change).filter { ($0.gain ?? 0) != 0 }
    func rank(_ change: MetricChange) -> [Int] {
      [
        change.isShown ? 0 : 1, isNothing(change) ? 1 : 0, (change.gain ?? 0) < 0 ? 0 : 1, change.margin == nil ? 1 : 0,
      ]
    }
    let gravest = changed.enumerated().sorted { a, b in
      let (one, other) = (rank(a.element), rank(b.element))
      return one != other ? one.lexicographicallyPrecedes(other) : a.offset < b.offset
    }
    return gravest.map { words($0.element) }
  }

  private func words(_ change: MetricChange) -> String {
    let gain = change.gain ?? 0
    let amount = isNothing(change) ? "next to nothing" : NumberText.quantity(abs(gain), unit: change.unit)
    return
      "\(name(change.metric, of: change.detector)) \(change.verb) \(gain > 0 ? "better" : "worse") by \(amount) (\(gainText(change))): \(forWhom(change))."
      + (change.isShown ? "" : " It may be chance.")
  }

  /// `exact counts (count.exact) of squat-states`
  func name(_ metric: String, of detector: String) -> String {
    "\(Metric.plainName(of: metric)) (\(metric)) of \(detector)"
  }

  /// Whether the gain rounds to nothing, to avoid "worse by 0.0".
  private func isNothing(_ change: MetricChange) -> Bool {
    NumberText.signed(change.gain, unit: change.unit) == "±0"
  }

  private func gainText(_ change: MetricChange) -> String {
    "gain \(NumberText.signed(change.gain, unit: change.unit))"
      + (NumberText.interval(change.interval, unit: change.unit).map { ", 95 % \($0)" } ?? "")
  }

  private func forWhom(_ change: MetricChange) -> String {
    let gains = change.ownGains.sorted { $0.key < $1.key }
    guard !gains.isEmpty else { return "computed from all clips together, undefined for a single person" }
    func group(_ words: String, _ isMember: (Double) -> Bool) -> String? {
      let names = gains.filter { isMember($0.value) }.map { withoutDataset($0.key) }
      guard !names.isEmpty else { return nil }
      let shown = names.prefix(5).joined(separator: ", ") + (names.count > 5 ? " and \(names.count - 5) more" : "")
      return "\(words) for \(names.count) of \(NumberText.count(gains.count, "person")) (\(shown))"
    }
    return
      ([
        group("worse") { $0 < 0 }, group("better") { $0 > 0 },
        change.people.map(\.same).flatMap { $0 > 0 ? "the same for \($0)" : nil },
      ]
      + [change.oneSided > 0 ? "without a value on one side for \(change.oneSided)" : nil])
      .compactMap(\.self).joined(separator: "; ")
  }

  /// The clip or subject, without the dataset name if there is only one dataset.
  func withoutDataset(_ name: String) -> String {
    SlashedName.name(of: name, amongDatasets: results.datasets.count)
  }
}

extension ClipChange {
  /// `14 → 13, true 14`
  public var words: String {
    func number(_ value: Double?) -> String {
      switch kind {
      case .grade: NumberText.value(value, unit: "points")
      case .labels: value.map { NumberText.fixed($0, decimals: 1) } ?? "n/a"
      case .count, .strokes, .faults, .times: value.map(NumberText.plain) ?? "n/a"
      }
    }
    let values = "\(number(before)) → \(number(after))"
    return switch kind {
    case .count: values + (truth.map { ", true \(NumberText.plain($0))" } ?? "")
    case .strokes: "strokes " + (parts.map(Self.words) ?? "wrong \(values)")
    case .labels: "wrong for \(values) s"
    case .grade: "mean grade \(values)" + (truth.map { ", raters \(number($0))" } ?? "")
    case .faults: "misjudged \(values)"
    case .times: "reps at other times, \(values) matched" + (truth.map { " of \(NumberText.plain($0))" } ?? "")
    }
  }

  /// `missed 0 → 2, invented 1`; omits parts that are right on both sides.
  private static func words(_ parts: [Part]) -> String {
    parts.filter { $0.before > 0 || $0.after > 0 }.map(\.words).joined(separator: ", ")
  }

  /// The change as a sentence: `counted 14 → 13, true 14`
  var sentence: String { kind == .count ? "counted \(words)" : words }
}

extension ClipChange.Part {
  /// `missed 0 → 2`
  fileprivate var words: String {
    "\(name == "made up" ? "invented" : name) \(before)" + (before == after ? "" : " → \(after)")
  }
}

extension [ClipChange] {
  /// `9 closer to the ground truth, 3 farther`; empty if nothing changed.
  public var nearness: String {
    [
      (count { ($0.gain ?? 0) > 0 }, "closer to the ground truth"), (count { ($0.gain ?? 0) < 0 }, "farther"),
      (count { ($0.gain ?? 0) == 0 }, "as close as before"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }
}

/// A detector's errors on a clip, in the terms of its task.
public struct ClipMistakeWords {
  /// The detector's kind.
  private let kind: String

  public init(kind: String) { self.kind = kind }

  var header: [String] {
    switch kind {
    case "reps": ["counted", "true", "wrong reps"]
    case "swing": ["strokes", "missed", "invented", "misnamed"]
    case "posture": ["labelled", "wrong"]
    default: ["labelled", "wrong", "graded", "off by", "judged", "misjudged"]
    }
  }

  func cells(_ mistakes: ClipMistakes) -> [String] {
    func count(_ value: Int?) -> String { value.map(String.init) ?? "n/a" }
    func quantity(_ value: Double?, _ unit: String) -> String {
      value.map { "\(NumberText.fixed($0, decimals: 1)) \(unit)" } ?? "n/a"
    }
    let seconds = [quantity(mistakes.labelledSeconds, "s"), quantity(mistakes.wrongSeconds, "s")]
    return switch kind {
    case "reps": [count(mistakes.counted), count(mistakes.trueCount), count(mistakes.wrongReps)]
    case "swing":
      [mistakes.strokes, mistakes.missedStrokes, mistakes.falseStrokes, mistakes.misnamedStrokes].map(count)
    case "posture": seconds
    default:
      seconds + [
        count(mistakes.graded), quantity(mistakes.gradeDistance, "points"), count(mistakes.judged),
        count(mistakes.misjudged),
      ]
    }
  }

  /// `counted 0, true 4, missed 4, invented 0`
  public func sentence(_ mistakes: ClipMistakes) -> String {
    func fixed(_ value: Double) -> String { NumberText.fixed(value, decimals: 1) }
    switch kind {
    case "reps":
      let numbers = [mistakes.counted, mistakes.trueCount].map { $0.map(String.init) ?? "n/a" }
      let wrong = mistakes.missedReps.flatMap { missed in mistakes.falseReps.map { (missed, $0) } }
      return "counted \(numbers[0]), true \(numbers[1])"
        + (wrong.map { ", missed \($0.0), invented \($0.1)" } ?? "")
    case "swing":
      let parts = zip(
        ["missed", "invented", "misnamed"], [mistakes.missedStrokes, mistakes.falseStrokes, mistakes.misnamedStrokes])
      let words = parts.map { "\($0) \($1.map(String.init) ?? "n/a")" }.joined(separator: ", ")
      return words + (mistakes.strokes.map { ", of \($0) stroke\($0 == 1 ? "" : "s")" } ?? "")
    default:
      let seconds = mistakes.wrongSeconds.flatMap { wrong in
        mistakes.labelledSeconds.map { "wrong for \(fixed(wrong)) of \(fixed($0)) s" }
      }
      let grades = mistakes.gradeDistance.map { "grades off by \(fixed($0)) points" }
      let faults = mistakes.misjudged.flatMap { wrong in mistakes.judged.map { "\(wrong) of \($0) misjudged" } }
      return [seconds, grades, faults].compactMap(\.self).joined(separator: ", ")
    }
  }

  /// The sentence if no clip is wrong; `nil` if no clip is labelled.
  public func allRight(_ results: RunResults, _ detector: String) -> String? {
    let mistakes = results.clips.map { results.mistakes(detector, on: $0) }
    switch kind {
    case "reps":
      guard results.clips.contains(where: { $0.trueCount != nil || $0.trueReps != nil }) else { return nil }
      return "Every labelled clip is counted right."
    case "swing":
      guard mistakes.contains(where: { $0.strokes != nil }) else { return nil }
      return "Every labelled stroke is found and named correctly."
    case "posture":
      guard mistakes.contains(where: { $0.labelledSeconds != nil }) else { return nil }
      return "Every labelled second is named correctly."
    default:
      guard mistakes.contains(where: { $0.graded != nil || $0.judged != nil || $0.labelledSeconds != nil }) else {
        return nil
      }
      return "Every clip is graded, judged and named as the raters did."
    }
  }
}
