import Evaluation

extension RunReport {
  /// What is held against what, what came of it and which clip to look at, in plain sentences.
  var summary: [String] { changeSentences + [firstClip].compactMap(\.self) }

  private var changeSentences: [String] {
    let sample =
      "\(results.clips.count) clip\(results.clips.count == 1 ? "" : "s") of \(subjects) "
      + "subject\(subjects == 1 ? "" : "s")"
    let detectors = "\(results.detectors.count) detector\(results.detectors.count == 1 ? "" : "s")"
    guard let comparison else { return ["\(detectors) on \(sample), without a baseline to compare with."] }
    let listed = results.metrics.filter(\.isListed).compactMap(change)
    let numbers = summaryNumbers(comparison)
    let (better, worse, shown) = (numbers.better, numbers.worse, numbers.shown)
    let same = listed.count(where: \.isUnchanged)
    var sentences = ["\(detectors) on \(sample), held against the baseline."]
    if same == listed.count && comparison.changedClips.isEmpty {
      sentences.append("Nothing changed: every subject's value of every metric of the suite is what it was.")
      return sentences
    }
    sentences.append(
      "Of \(numbers.metrics) metrics \(better) got better, \(worse) got worse, and \(numbers.neither) did neither"
        + (better + worse == 0
          ? "."
          : "; the 95 % interval of the gain leaves 0 out for \(shown == 0 ? "none" : "\(shown)") of these "
            + "\(better + worse)."))
    return sentences + [clipSentence].compactMap(\.self)
  }

  /// On how many clips something changed, and how those were filmed.
  private var clipSentence: String? {
    guard let comparison, !comparison.changedClips.isEmpty else { return nil }
    let what = comparison.changedAnswers.isEmpty ? "Counts" : "Answers"
    let byView = changedClips(of: comparison)
    let views = byView.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    let count = byView.values.reduce(0, +)
    return "\(what) changed on \(count) of \(results.clips.count) clips; by view: \(views)."
  }

  /// Of how many clips something else is said than before, by how they were filmed.
  private func changedClips(of comparison: Comparison) -> [String: Int] {
    let changed = Set(comparison.changedClips.map(\.clip))
    return Dictionary(grouping: results.clips.filter { changed.contains($0.id) }) {
      $0.view.isEmpty ? "unknown" : $0.view
    }.mapValues(\.count)
  }

  /// How many of the suite's metrics changed, and how.
  func summaryNumbers(_ comparison: Comparison) -> ChangeNumbers.Summary {
    let listed = results.metrics.filter(\.isListed).compactMap(change)
    let better = listed.count { ($0.gain ?? 0) > 0 }
    let worse = listed.count { ($0.gain ?? 0) < 0 }
    return ChangeNumbers.Summary(
      metrics: listed.count, better: better, worse: worse, neither: listed.count - better - worse,
      shown: listed.count(where: \.isShown), changedClips: changedClips(of: comparison))
  }

  func change(of metric: RunResults.MetricResult) -> Comparison.Change? {
    comparison?.changes.first { $0.detector == metric.detector && $0.metric == metric.metric }
  }

  /// The suite's metrics that changed: what is shown to be a change before what may be chance, the worse before the better,
  /// what gates before what does not.
  var changes: [ChangeModel] {
    let changed = results.metrics.filter(\.isListed).compactMap(change).filter { !$0.isUnchanged && $0.gain != nil }
    func rank(_ change: Comparison.Change) -> [Int] {
      [
        change.isShown ? 0 : 1, isNothing(change) ? 1 : 0, (change.gain ?? 0) < 0 ? 0 : 1, change.margin == nil ? 1 : 0,
      ]
    }
    let gravest = changed.enumerated().sorted { a, b in
      let (one, other) = (rank(a.element), rank(b.element))
      return one != other ? one.lexicographicallyPrecedes(other) : a.offset < b.offset
    }
    return gravest.map { _, change in
      let gain = change.gain ?? 0
      return ChangeModel(
        detector: change.detector, metric: change.metric, forWhom: forWhom(change),
        amount: isNothing(change) ? "next to nothing" : NumberText.quantity(abs(gain), unit: change.unit),
        gain: gainText(change),
        isBetter: gain > 0, isWorse: gain < 0, isShown: change.isShown)
    }
  }

  /// Whether the gain rounds to nothing, which is not to read as worse by 0.0.
  private func isNothing(_ change: Comparison.Change) -> Bool {
    NumberText.signed(change.gain, unit: change.unit) == "±0"
  }

  private func gainText(_ change: Comparison.Change) -> String {
    let interval = change.isPooled ? nil : change.interval(level: Verdict.level)
    return "gain \(NumberText.signed(change.gain, unit: change.unit))"
      + (NumberText.interval(interval, unit: change.unit).map { ", 95 % \($0)" } ?? "")
  }

  private func forWhom(_ change: Comparison.Change) -> String {
    guard !change.isPooled else { return "the value of all clips together, which no subject has alone" }
    let gains = change.gains.sorted { $0.key < $1.key }
    func group(_ words: String, _ isMember: (Double) -> Bool) -> String? {
      let names = gains.filter { isMember($0.value) }.map { withoutDataset($0.key) }
      guard !names.isEmpty else { return nil }
      let shown = names.prefix(5).joined(separator: ", ") + (names.count > 5 ? " and \(names.count - 5) more" : "")
      return "\(words) for \(names.count) of \(gains.count) subjects (\(shown))"
    }
    let same = gains.count { $0.value == 0 }
    return
      ([group("worse") { $0 < 0 }, group("better") { $0 > 0 }, same > 0 ? "the same for \(same)" : nil]
      + [change.oneSided.isEmpty ? nil : "with a value on one side only for \(change.oneSided.count)"])
      .compactMap(\.self).joined(separator: "; ")
  }

  /// A clip or subject without its dataset where there is one only.
  func withoutDataset(_ name: String) -> String {
    results.datasets.count > 1 ? name : String(name.drop { $0 != "/" }.dropFirst())
  }

  /// What changed of clips, what went farther from the truth before the rest.
  var changedClips: [ClipModel] {
    (comparison?.changedClips ?? []).compactMap { change in
      results.clips.first { $0.id == change.clip }.map { clip in
        var model = ClipModel()
        (model.name, model.dataset, model.subject) = (clip.name, clip.dataset, clip.subject)
        model.view = clip.view.isEmpty ? "unknown" : clip.view
        (model.detector, model.change) = (change.detector, change.sentence)
        (model.isBetter, model.isWorse) = ((change.gain ?? 0) > 0, (change.gain ?? 0) < 0)
        return model
      }
    }
  }
}

extension Comparison.Change {
  /// Whether the 95 % interval of the gain leaves 0 out.
  var isShown: Bool {
    guard !isPooled, let interval = interval(level: Verdict.level) else { return false }
    return interval.low > 0 || interval.high < 0
  }
}
