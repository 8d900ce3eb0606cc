import Files
import Scoring
import Statistics

/// What a baseline keeps of earlier ones: the best values of its gating metrics, which `DriftWatch` reads, the people of
/// each look, and the people that chose a detector's values.
extension Baseline {
  /// Continues an earlier baseline, if there is one: keeps the best values of its gating and watched metrics that this one
  /// does not reach, the people whom the gate has looked at, and those that unchanged parameters were tuned on.
  ///
  /// Only values of the same clips, scored in the same way, are kept, and where the data only grew, those of the clips
  /// that were there. A metric whose loss is accepted in writing begins anew.
  ///
  /// - Parameters:
  ///   - earlier: The baseline at the commit where the change began, or the one that this replaces; `nil` for none.
  ///   - results: The run behind this baseline.
  ///   - losses: Those accepted with it.
  ///   - isDraft: Whether no commit has the earlier one yet: no gate passed on its values.
  ///   - grown: The data that only grew since the earlier one; `nil` if they did not grow.
  public mutating func `continue`(
    _ earlier: Baseline?, _ results: RunResults, accepting losses: [AcceptedLoss], isDraft: Bool = false,
    grown: GrownData? = nil
  ) {
    if results.looks == .any { looks = looks(continuing: earlier?.looks ?? [], results) }
    guard let earlier, !isDraft else { return }
    let untold = earlier.tunings(untoldIn: self)
    if !untold.isEmpty { tunings = (tunings ?? []) + untold }
    guard let common = run(results, with: earlier, grown) else { return }
    let values = Baseline(common)
    let watched = results.watched
    let judged = results.metrics.filter { $0.margin != nil || watched.contains($0.metricID) }
    let kept = judged.compactMap { metric -> Value? in
      let best =
        (earlier.best ?? []).first(of: metric.metricID)
        ?? earlier.metrics.first { $0.metricID == metric.metricID && ($0.gates == true || metric.margin == nil) }
      guard let best, let now = values.metric(metric.detector, metric.metric),
        let all = self.metric(metric.detector, metric.metric), !losses.contains(metric.metricID),
        let change = try? MetricChange(metric, from: best, to: now, in: "the best baseline"), (change.gain ?? 0) < 0
      else { return nil }
      return best.among(results, all, from: common, now)
    }
    best = kept.isEmpty ? nil : kept
  }

  /// The run on an earlier baseline's clips; `nil` if clips, labels or scoring are others.
  private func run(_ results: RunResults, with earlier: Baseline, _ grown: GrownData?) -> RunResults? {
    guard earlier.matching == matching, earlier.camera == camera else { return nil }
    if earlier.datasets == datasets, Set(earlier.clips.keys) == Set(clips.keys) { return results }
    return grown.flatMap { $0.isGrowth(of: earlier, to: self) ? $0.kept : nil }
  }

  /// That the losses since the best baseline are no longer summed, in a sentence.
  func begunAnew(after earlier: Baseline, _ results: RunResults, _ grown: GrownData?) -> Objections {
    guard let best = earlier.best, run(results, with: earlier, grown) == nil else { return Objections() }
    let values = best.map { "\(Metric.plainName(of: $0.metric)) of \($0.detector)" }
    return Objections(findings: [
      "Earlier small losses are forgotten, as clips or labels are others: \(Excerpt.list(values)) had been better"
    ])
  }

  /// The tunings of detectors with the same parameters in another baseline, which does not have them.
  private func tunings(untoldIn other: Baseline) -> [Tuning] {
    (tunings ?? []).filter { tuning in
      guard let own = detectors.first(where: { $0.name == tuning.detector }) else { return false }
      return other.detectors.contains { $0.name == own.name && $0.parameters == own.parameters }
        && !(other.tunings ?? []).contains(tuning)
    }
  }

  /// The detectors that were tuned and have other parameters now, of which nothing says who chose them, one sentence
  /// each.
  func retuned(since earlier: Baseline) -> Objections {
    let known = Set((tunings ?? []).map(\.detector))
    let changed = (earlier.tunings ?? []).filter { tuning in
      guard !known.contains(tuning.detector), let own = detectors.first(where: { $0.name == tuning.detector }) else {
        return false
      }
      return earlier.detectors.contains { $0.name == own.name && $0.parameters != own.parameters }
    }
    return Objections(
      findings: changed.map {
        "\($0.words), and has other parameters now. Nothing says which people chose them: scores on those people are "
          + "optimistic"
      })
  }

  /// What an earlier baseline keeps of best values, looks and tunings that this one should continue and does not, one
  /// sentence each.
  ///
  /// - Parameter losses: Those accepted since the earlier one.
  func forgotten(
    of earlier: Baseline, _ results: RunResults, accepting losses: [AcceptedLoss], grown: GrownData?
  ) -> [String] {
    var expected = Baseline(results)
    expected.continue(earlier, results, accepting: losses, grown: grown)
    let lost = (expected.best ?? []).filter { value in
      guard let own = (best ?? []).first(of: value.metricID), let metric = results.metrics.first(of: value.metricID),
        let change = try? MetricChange(metric, from: value, to: own, in: "the best baseline")
      else { return true }
      let gain = change.gain ?? 0
      return gain < 0 && !isSame(gain, 0) || !change.undefinedSubjects.isEmpty
    }
    let seen = Set((looks ?? []).flatMap(\.self))
    let unseen = (expected.looks ?? []).flatMap(\.self).filter { !seen.contains($0) }
    return lost.map { value in
      "the baseline forgets the best value of \(value.metric) of \(value.detector), "
        + NumberText.value(value.value, unit: "")
    } + unseen.prefix(1).map { "the baseline forgets an earlier look at \($0)" }
      + earlier.tunings(untoldIn: self).map { "the baseline forgets that \($0.words)" }
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

extension Baseline.Value {
  /// This best value of the clips that were there, as one of all clips: a loss since then counts for the share that these
  /// clips are of a person's. People who are new have none.
  ///
  /// - Parameters:
  ///   - all: The run's value on all clips.
  ///   - now: The run's value on the clips that were there.
  fileprivate func among(
    _ results: RunResults, _ all: Baseline.Value, from common: RunResults, _ now: Baseline.Value
  ) -> Baseline.Value {
    guard common.clips.count < results.clips.count else { return self }
    func moved(_ best: Double, _ now: Double, _ all: Double, by share: Double) -> Double {
      share == 1 ? best : all + share * (best - now)
    }
    func share(_ person: String) -> Double {
      let clips = results.clips.count { $0.person == person }
      return Double(common.clips.count { $0.person == person }) / Double(max(1, clips))
    }
    var best = self
    best.bySubject = Dictionary(
      uniqueKeysWithValues: all.bySubject.map { name, value -> (String, Double?) in
        guard case .some(let old?) = bySubject[name], case .some(let was?) = now.bySubject[name], let value else {
          return (name, bySubject[name] ?? nil)
        }
        return (name, moved(old, was, value, by: share(name)))
      })
    guard isPooled == true, let value, let was = now.value, let whole = all.value else {
      best.value = mean(best.bySubject.sorted { $0.key < $1.key }.compactMap(\.value))
      return best
    }
    let part = Double(common.clips.count) / Double(results.clips.count)
    best.value = moved(value, was, whole, by: part)
    best.withoutSubject = all.withoutSubject.map { others in
      Dictionary(
        uniqueKeysWithValues: others.map { name, without -> (String, Double) in
          let (old, other) = (withoutSubject?[name] ?? value, now.withoutSubject?[name] ?? was)
          return (name, moved(old, other, without, by: part))
        })
    }
    return best
  }
}
