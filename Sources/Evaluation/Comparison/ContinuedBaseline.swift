import Statistics

/// What a baseline keeps of earlier ones: the best values of its gating metrics, which `DriftWatch` reads, and the people
/// of each look.
extension Baseline {
  /// Continues an earlier baseline, if there is one: keeps the best values of its gating metrics that this one does not
  /// reach, and the people whom the gate has looked at.
  ///
  /// Only values of the same clips, scored in the same way, are kept. A metric whose loss is accepted in writing begins
  /// anew.
  ///
  /// - Parameters:
  ///   - earlier: The baseline at the commit where the change began, or the one that this replaces; `nil` for none.
  ///   - results: The run behind this baseline.
  ///   - losses: Those accepted with it.
  ///   - isDraft: Whether no commit has the earlier one yet: no gate passed on its values.
  public mutating func `continue`(
    _ earlier: Baseline?, _ results: RunResults, accepting losses: [AcceptedLoss], isDraft: Bool = false
  ) {
    if results.looks == .any { looks = looks(continuing: earlier?.looks ?? [], results) }
    guard let earlier, !isDraft, earlier.datasets == datasets, earlier.matching == matching, earlier.camera == camera,
      Set(earlier.clips.keys) == Set(clips.keys)
    else { return }
    let kept = results.metrics.filter { $0.margin != nil }.compactMap { metric -> Value? in
      let best =
        (earlier.best ?? []).first(of: metric.metricID)
        ?? earlier.metrics.first { $0.metricID == metric.metricID && $0.gates == true }
      guard let best, let now = self.metric(metric.detector, metric.metric),
        !losses.contains(metric.metricID),
        let change = try? MetricChange(metric, from: best, to: now, in: "the best baseline"), (change.gain ?? 0) < 0
      else { return nil }
      return best
    }
    best = kept.isEmpty ? nil : kept
  }

  /// What an earlier baseline keeps of best values and looks that this one should continue and does not, one sentence
  /// each.
  func forgotten(of earlier: Baseline, _ results: RunResults) -> [String] {
    var expected = Baseline(results)
    let losses = (acceptedLosses ?? []).filter { !(earlier.acceptedLosses ?? []).contains($0) }
    expected.continue(earlier, results, accepting: losses)
    let lost = (expected.best ?? []).filter { !(best ?? []).contains($0.metricID) }
    let seen = Set((looks ?? []).flatMap(\.self))
    let unseen = (expected.looks ?? []).flatMap(\.self).filter { !seen.contains($0) }
    return lost.map { value in
      "the baseline forgets the best value of \(value.metric) of \(value.detector), "
        + NumberText.value(value.value, unit: "")
    } + unseen.prefix(1).map { "the baseline forgets an earlier look at \($0)" }
  }

  /// The people of each look: those of earlier looks, and those who are new.
  private func looks(continuing earlier: [[String]], _ results: RunResults) -> [[String]] {
    let new = Set(results.clips.map(\.person)).subtracting(earlier.flatMap(\.self)).sorted()
    return new.isEmpty ? earlier : earlier + [new]
  }

  /// People of an earlier look who are gone, in a sentence: with a choice of people, no number of looks is valid.
  func lookedAt(butNotIn results: RunResults) -> [String] {
    guard results.looks == .any else { return [] }
    let gone = Set((looks ?? []).flatMap(\.self)).subtracting(results.clips.map(\.person)).sorted()
    guard let first = gone.first else { return [] }
    let others = gone.count > 1 ? " and \(NumberText.count(gone.count - 1, "other"))" : ""
    return ["\(first)\(others) took part in an earlier look and \(gone.count == 1 ? "is" : "are") gone"]
  }

  /// `look 3, of 12 people after 5 and 9`; `nil` unless the suite allows any number of looks.
  public func looksWords(_ results: RunResults) -> String? {
    guard results.looks == .any else { return nil }
    let all = looks(continuing: looks ?? [], results)
    let counts = all.indices.map { index in all[...index].reduce(0) { $0 + $1.count } }
    let people = counts.last ?? 0
    let last = "look \(all.count), at \(NumberText.count(people, "person"))"
    let earlier = counts.dropLast().map { "\($0)" }
    return earlier.isEmpty ? last : "\(last) after \(earlier.joined(separator: ", "))"
  }
}
