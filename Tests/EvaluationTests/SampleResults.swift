import PoseModel

@testable import Evaluation
@testable import Pipeline

/// Results of a run that never was, with one value a subject and metric.
enum SampleResults {
  static func metric(
    _ name: String = "count.mae", values: [String: Double?], margin: Double? = 0.5, lowerIsBetter: Bool = true
  ) -> RunResults.MetricResult {
    let known = values.values.compactMap { $0 }
    return RunResults.MetricResult(
      detector: "counter", metric: name, summary: "a metric", unit: "reps",
      direction: lowerIsBetter ? .lowerIsBetter : .higherIsBetter,
      value: known.isEmpty ? nil : known.reduce(0, +) / Double(known.count), pooled: nil, interval: nil,
      bySubject: values, undefinedClips: 0, clips: values.count, undefined: "never", isListed: true, margin: margin)
  }

  static func results(_ metrics: [RunResults.MetricResult], counts: [String: Int] = ["a": 3, "b": 5]) -> RunResults {
    RunResults(
      bench: "test", suite: "sample", suiteVersion: 1,
      datasets: [
        RunResults.DatasetCard(
          name: "data", version: "1", content: "sha256:one", origin: .recorded, licence: "", source: "", clips: 2,
          subjects: 2)
      ],
      detectors: [
        RunResults.DetectorCard(name: "counter", kind: "reps", summary: "", parameters: ["angle": 90], changed: [])
      ],
      matching: RunResults.Matching(instant: "end", toleranceSeconds: 0.5),
      camera: LiveCamera(fps: 30, estimator: .zero), metrics: metrics,
      clips: counts.sorted { $0.key < $1.key }.map { name, count in
        ClipResult(
          name: name, dataset: "data", subject: name, exercise: "squat", view: "", fps: 30, frames: 1, duration: 1,
          trueCount: 4, trueReps: nil,
          outcomes: [
            "counter": ClipResult.Outcome(count: count, reps: nil, graded: [], reportDelays: [], liveDelays: [])
          ])
      }, measured: [:])
  }

  /// The verdict on subjects that got better by `gains`, below 0 worse, beside other gating metrics that stayed.
  static func verdict(gains: [Double], margin: Double, unchangedMetrics: Int = 0) throws -> Verdict {
    let names = gains.indices.map { "s\($0)" }
    let before = Dictionary(uniqueKeysWithValues: names.map { ($0, Double?(10)) })
    let after = Dictionary(uniqueKeysWithValues: zip(names, gains.map { Double?(10 - $0) }))
    let others = (0..<unchangedMetrics).map { metric("other.\($0)", values: before) }
    let baseline = Baseline(results([metric(values: before, margin: margin)] + others))
    return Verdict(try Comparison(results([metric(values: after, margin: margin)] + others), with: baseline))
  }
}
