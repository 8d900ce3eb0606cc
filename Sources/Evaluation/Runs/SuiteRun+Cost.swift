import Coaching
import Scoring
import Statistics

extension SuiteRun {
  /// Measures the ratios that the suite names, one clip after another and with nothing else at work; none where it
  /// names none.
  ///
  /// - Parameter baseline: whose parameters are measured in turns with these where they are others.
  /// - Returns: by detector.
  public func costRatios(beside baseline: Baseline?) throws -> [String: MeasuredCostRatios] {
    var measured: [String: MeasuredCostRatios] = [:]
    for choice in suite.costs {
      guard let setting = settings.first(where: { $0.name == choice.detector }) else { continue }
      let other = baseline.flatMap { self.setting(of: setting, at: $0) }
      var (toReference, toBaseline): ([Double], [Double]) = ([], [])
      for (dataset, stored) in clips {
        let poses = try store.clip(stored, of: dataset).poses(dataset.manifest)
        let update = { InterleavedCost.update(of: setting) }
        if let ratio = InterleavedCost.ratio(of: update, to: InterleavedCost.reference, on: poses) {
          toReference.append(ratio)
        }
        if let other,
          let ratio = InterleavedCost.ratio(of: update, to: { InterleavedCost.update(of: other) }, on: poses)
        {
          toBaseline.append(ratio)
        }
      }
      measured[setting.name] = MeasuredCostRatios(
        toReference: CostRatio(byClip: toReference), toBaseline: other.map { _ in CostRatio(byClip: toBaseline) },
        margin: choice.margin)
    }
    return measured
  }

  /// The detector with the baseline's parameters; `nil` where they are the same or it does not take them.
  private func setting(of setting: DetectorSetting, at baseline: Baseline) -> DetectorSetting? {
    guard let values = baseline.detectors.first(where: { $0.name == setting.name })?.parameters,
      values != setting.values.values
    else { return nil }
    return try? DetectorSetting(setting.definition, replacing: values)
  }

  /// A percentile of a latency over all reps; `nil` for one of the update cost, which is measured.
  ///
  /// - Throws: `EvaluationError.missing` where there are too few reps for it.
  func percentile(_ choice: Suite.PercentileChoice, clips: [ClipResult]) throws -> RunResults.MetricResult? {
    func delays(_ clips: [ClipResult]) -> [Double] {
      clips.compactMap { $0.outcomes[choice.detector] }.flatMap {
        choice.quantity == .report ? $0.reportDelays : $0.liveDelays
      }
    }
    guard choice.quantity != .cost else { return nil }
    let all = delays(clips)
    try choice.require(samples: all.count)
    let value = quantile(choice.percent / 100, of: all)
    let delaysBySubject = Dictionary(grouping: clips) { "\($0.dataset)/\($0.subject)" }.mapValues(delays)
    let subjects = delaysBySubject.mapValues { own -> Double? in
      own.count >= choice.samplesNeeded ? quantile(choice.percent / 100, of: own) : nil
    }
    return RunResults.MetricResult(
      detector: choice.detector, metric: choice.name, summary: "The \(choice.percent)th percentile over all reps.",
      unit: "ms", direction: .lowerIsBetter, value: value, pooled: value,
      interval: RunResults.MetricResult.Bounds(
        quantile: choice.percent / 100, ofClusters: delaysBySubject.sorted { $0.key < $1.key }.map(\.value),
        called: "subjects"),
      bySubject: subjects,
      undefinedClips: clips.count { delays([$0]).count < choice.samplesNeeded }, clips: clips.count,
      undefined: "fewer than \(choice.samplesNeeded) reps are reported", isListed: true)
  }
}
