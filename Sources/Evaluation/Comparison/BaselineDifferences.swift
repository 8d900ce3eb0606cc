import Pipeline
import Scoring
import Statistics

extension Baseline {
  /// How a baseline differs from a run, one sentence each, measured costs excluded; empty if it matches.
  ///
  /// Numbers that differ only by rounding on another machine are equal.
  func differences(from results: RunResults) -> [String] {
    let now = Baseline(results)
    var lines = Comparison.changedParameters(from: self, to: now).map { "the baseline has other parameters: \($0)" }
    var values: [String] = []
    for metric in now.metrics {
      let name = "\(metric.metric) of \(metric.detector)"
      guard let old = self.metric(metric.detector, metric.metric) else {
        values.append("\(name) is not in the baseline")
        continue
      }
      let subjects = Set(old.bySubject.keys).union(metric.bySubject.keys)
      let isSameForAll = subjects.allSatisfy { isSame(old.bySubject[$0] ?? nil, metric.bySubject[$0] ?? nil) }
      if !isSame(old.value, metric.value) || !isSameForAll {
        let texts = [old.value, metric.value].map { NumberText.value($0, unit: "") }
        values.append(
          texts[0] == texts[1]
            ? "\(name) differs for single people between the baseline and this run"
            : "\(name) is \(texts[0]) in the baseline, \(texts[1]) in this run")
      } else if (old.gates, old.margin, old.floor) != (metric.gates, metric.margin, metric.floor) {
        values.append("the baseline has another margin or floor for \(name)")
      } else if old.isPooled != metric.isPooled || !old.isSameWithoutEach(as: metric) {
        values.append("each person's share in \(name) differs between the baseline and this run")
      } else if (old.unanswered ?? 0) != (metric.unanswered ?? 0) {
        values.append(
          "\(name) has \(NumberText.count(old.unanswered ?? 0, "case")) without a prediction in the baseline, "
            + "\(metric.unanswered ?? 0) in this run")
      }
    }
    if (costMargins ?? [:]) != (now.costMargins ?? [:]) {
      values.append("the baseline has other margins for update costs")
    }
    for old in metrics where now.metric(old.detector, old.metric) == nil {
      values.append("\(old.metric) of \(old.detector) is in the baseline, not in this run")
    }
    lines += values.prefix(3)
    if values.count > 3 { lines.append("\(values.count - 3) other metrics differ from the baseline") }
    if let now = now.slices {
      if slices == nil {
        lines.append("the baseline has no values of slices: later reports could not say where a change is worse")
      } else if !hasSameSlices(as: now) {
        lines.append("values of slices of the clips differ between the baseline and this run")
      }
    }
    if !countsUnanswered { lines.append("the baseline does not say how many labelled cases have no prediction") }
    if knowsCountsOnly { lines.append("the baseline says that it keeps counts only") }
    let ids = Set(clips.keys).union(now.clips.keys).sorted().filter { id in
      let (old, new) = (clips[id] ?? [:], now.clips[id] ?? [:])
      return Set(old.keys) != Set(new.keys) || old.contains { !$0.value.isSame(as: new[$0.key]) }
    }
    if let first = ids.first {
      lines.append(
        "predictions on \(first)\(ids.count > 1 ? " and \(ids.count - 1) other clips" : "") differ from the baseline")
    }
    return lines
  }
}

extension Baseline {
  /// Whether the metrics of slices are equal, apart from rounding on another machine.
  private func hasSameSlices(as others: [Slice]) -> Bool {
    func name(_ slice: Slice) -> [String] { [slice.dimension.rawValue, slice.slice, slice.detector, slice.metric] }
    let own = Dictionary((slices ?? []).map { (name($0), $0) }, uniquingKeysWith: { first, _ in first })
    return own.count == Set(others.map(name)).count
      && others.allSatisfy { other in
        guard let slice = own[name(other)], isSame(slice.value, other.value) else { return false }
        return Set(slice.bySubject.keys).union(other.bySubject.keys).allSatisfy {
          isSame(slice.bySubject[$0] ?? nil, other.bySubject[$0] ?? nil)
        }
      }
  }
}

extension Baseline.Value {
  /// Whether the pooled values without each subject are equal, apart from rounding on another machine.
  fileprivate func isSameWithoutEach(as other: Self) -> Bool {
    let (own, others) = (withoutSubject ?? [:], other.withoutSubject ?? [:])
    return own.count == others.count && own.allSatisfy { isSame($0.value, others[$0.key]) }
  }
}

extension Baseline {
  /// The costs that it has higher than a run beyond the margin, one sentence each: a slower update would pass later.
  func inflatedCosts(beside results: RunResults) -> Objections {
    let findings = (costs ?? [:]).sorted { $0.key < $1.key }.compactMap { detector, cost -> String? in
      guard let ratios = results.measured[detector]?.ratios, let margin = ratios.margin,
        let known = cost.interval?.low ?? cost.median,
        let now = ratios.toReference.interval?.high ?? ratios.toReference.median, known > margin * now
      else { return nil }
      return "The baseline's update cost of \(detector) is more than \(NumberText.plain(margin)) times this run's: a "
        + "slower update can pass unseen. Accept the baseline on this machine, or see that nobody edited it"
    }
    return Objections(findings: findings)
  }
}

extension Baseline.ClipPrediction {
  /// Whether the other one is equal, apart from rounding on another machine.
  func isSame(as other: Self?) -> Bool {
    guard var other else { return false }
    guard Evaluation.isSame(summary.meanGrade, other.summary.meanGrade),
      Evaluation.isSame(summary.wrongSeconds, other.summary.wrongSeconds)
    else { return false }
    (other.summary.meanGrade, other.summary.wrongSeconds) = (summary.meanGrade, summary.wrongSeconds)
    return self == other
  }
}
