import Pipeline

extension RunResults.MetricResult {
  /// Whether the metric is about the time of reports.
  fileprivate var isLateness: Bool { metric == "latency.report" || metric == "cues.delay" }
}

extension SuiteRun {
  /// Every perturbation with its ladder.
  private func ladders(seed: UInt64) throws -> [(PerturbationProfile, [Perturbations])] {
    try Perturbations.all.map { kind in
      let profile = kind.profile
      do {
        return (profile, try profile.ladder.map { Perturbations([try kind.init($0)], seed: seed) })
      } catch {
        throw EvaluationError.usage("\(profile.name): \(error)")
      }
    }
  }

  /// The number of replays that `robustness` needs.
  public static var robustnessReplays: Int { Perturbations.all.reduce(0) { $0 + $1.profile.ladder.count } }

  /// How much of the gating metrics (or, if none gates, of all metrics in the suite) survives each perturbation alone,
  /// from the mildest to the worst. A perturbation that only delays is measured by the lateness of reports and cues.
  ///
  /// - Parameters:
  ///   - results: The results of this run, without a perturbation.
  ///   - progress: Called with the number of replays done; if it throws, the rest is skipped.
  public func robustness(
    beside results: RunResults, seed: UInt64, version: String, threads: Int, progress: (Int) throws -> Void = { _ in }
  ) async throws -> Robustness {
    let gating = results.metrics.filter { $0.margin != nil }
    let chosen = gating.isEmpty ? results.metrics.filter(\.isListed) : gating
    let kinds = try ladders(seed: seed)
    var ladders: [Robustness.Ladder] = []
    var missing: [String] = []
    var done = 0
    for (profile, steps) in kinds {
      var climbed: [(Perturbations, RunResults)] = []
      for step in steps {
        climbed.append((step, try await perturbed(by: step).replay(version: version, threads: threads).results))
        done += 1
        try progress(done)
      }
      let affected = profile.onlyDelays ? results.metrics.filter(\.isLateness) : chosen
      for metric in affected {
        let without = climbed.filter { $0.1.metric(metric.detector, metric.metric) == nil }.map(\.0.text)
        guard !without.isEmpty else { continue }
        missing.append("\(metric.metric) of \(metric.detector) is missing under \(without.joined(separator: ", "))")
      }
      ladders += affected.map { metric in
        Robustness.Ladder(
          perturbation: profile.name, axis: profile.axis, detector: metric.detector, metric: metric.metric,
          unit: metric.unit, direction: metric.direction, margin: metric.margin,
          undisturbed: Robustness.Score(metric),
          steps: climbed.compactMap { step, results in
            guard let found = results.metric(metric.detector, metric.metric), let only = step.steps.first else {
              return nil
            }
            return Robustness.Step(text: step.text, strength: only.strength, score: Robustness.Score(found))
          })
      }
    }
    return Robustness(seed: seed, ladders: ladders, notes: notes(on: kinds.map(\.0)) + missing)
  }
}
