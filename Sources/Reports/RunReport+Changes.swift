import Evaluation

extension RunReport {
  /// What is held against what and what came of it, in plain sentences.
  var summary: [String] {
    let sample =
      "\(results.clips.count) clip\(results.clips.count == 1 ? "" : "s") of \(subjects) "
      + "subject\(subjects == 1 ? "" : "s")"
    let detectors = "\(results.detectors.count) detector\(results.detectors.count == 1 ? "" : "s")"
    guard let comparison else { return ["\(detectors) on \(sample), without a baseline to compare with."] }
    let listed = results.metrics.filter(\.isListed).compactMap(change)
    let better = listed.count { ($0.gain ?? 0) > 0 }
    let worse = listed.count { ($0.gain ?? 0) < 0 }
    let same = listed.count(where: \.isUnchanged)
    var sentences = ["\(detectors) on \(sample), held against the baseline."]
    if same == listed.count && comparison.changedCounts.isEmpty {
      sentences.append("Nothing changed: every subject's value of every metric of the suite is what it was.")
      return sentences
    }
    let shown = listed.count(where: \.isShown)
    sentences.append(
      "Of \(listed.count) metrics \(better) got better, \(worse) got worse, and \(listed.count - better - worse) did "
        + "neither"
        + (better + worse == 0
          ? "."
          : "; the 95 % interval of the gain leaves 0 out for \(shown == 0 ? "none" : "\(shown)") of these "
            + "\(better + worse)."))
    return sentences + [clipSentence].compactMap(\.self)
  }

  /// On how many clips counts changed, and how those were filmed.
  private var clipSentence: String? {
    let counts = comparison?.changedCounts ?? []
    guard !counts.isEmpty else { return nil }
    let changed = Set(counts.map(\.clip))
    let clips = results.clips.filter { changed.contains($0.id) }
    let views = Dictionary(grouping: clips) { $0.view.isEmpty ? "unknown" : $0.view }.sorted { $0.key < $1.key }
      .map { "\($0.key) \($0.value.count)" }.joined(separator: ", ")
    return "Counts changed on \(clips.count) of \(results.clips.count) clips; by view: \(views)."
  }

  func change(of metric: RunResults.MetricResult) -> Comparison.Change? {
    comparison?.changes.first { $0.detector == metric.detector && $0.metric == metric.metric }
  }

  /// The suite's metrics that changed, worse ones first.
  var changes: [ChangeModel] {
    let changed = results.metrics.filter(\.isListed).compactMap(change).filter { !$0.isUnchanged && $0.gain != nil }
    let worseFirst = changed.filter { ($0.gain ?? 0) < 0 } + changed.filter { ($0.gain ?? 0) >= 0 }
    return worseFirst.map { change in
      let gain = change.gain ?? 0
      return ChangeModel(
        detector: change.detector, metric: change.metric, forWhom: forWhom(change),
        amount: NumberText.quantity(abs(gain), unit: change.unit), gain: gainText(change),
        isBetter: gain > 0, isWorse: gain < 0, isShown: change.isShown)
    }
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

  /// Clips whose count changed, the one that went farthest from the truth first.
  var changedClips: [ClipModel] {
    let changes = (comparison?.changedCounts ?? []).map { ($0, gain: Self.gain(of: $0)) }
    return changes.enumerated().sorted { a, b in
      a.element.gain != b.element.gain ? a.element.gain < b.element.gain : a.offset < b.offset
    }.compactMap { _, change in
      results.clips.first { $0.id == change.0.clip }.map { clip in
        clipModel(clip, detector: change.0.detector, before: change.0)
      }
    }
  }

  /// By how many reps a count came nearer to the truth; 0 where that is not known.
  private static func gain(of change: Comparison.ChangedCount) -> Int {
    guard let truth = change.truth else { return 0 }
    return abs(change.before - truth) - abs(change.after - truth)
  }

  /// The clips that the first counter does worst on.
  var worstClips: [ClipModel] {
    guard let counter = results.counter else { return [] }
    return results.worstClips(counter).prefix(Self.worstClipLimit).map { clip in
      clipModel(
        clip, detector: counter,
        before: comparison?.changedCounts.first { $0.clip == clip.id && $0.detector == counter })
    }
  }

  private func clipModel(_ clip: ClipResult, detector: String, before: Comparison.ChangedCount?) -> ClipModel {
    let gain = before.map(Self.gain) ?? 0
    let wrong = clip.trueReps == nil || clip.outcomes[detector]?.reps == nil ? nil : clip.wrongReps(detector)
    return ClipModel(
      name: clip.name, dataset: clip.dataset, subject: clip.subject, view: clip.view.isEmpty ? "unknown" : clip.view,
      detector: detector, count: clip.outcomes[detector]?.count.map(String.init) ?? "n/a",
      truth: clip.trueCount.map(String.init) ?? "n/a", before: before.map { "\($0.before)" },
      wrongReps: wrong.map(String.init), isBetter: gain > 0, isWorse: gain < 0)
  }
}

extension Comparison.Change {
  /// Whether the 95 % interval of the gain leaves 0 out.
  var isShown: Bool {
    guard !isPooled, let interval = interval(level: Verdict.level) else { return false }
    return interval.low > 0 || interval.high < 0
  }
}
