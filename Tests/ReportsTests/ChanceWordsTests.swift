import PoseModel
import Scoring
import Statistics
import Testing

@testable import Charts
@testable import Evaluation
@testable import Pipeline
@testable import Reports

/// What people read of a detector that is compared with itself.
@Suite struct ChanceWordsTests {
  /// A counter that errs by one rep on a share of the clips, here and there: twelve people with three clips of six reps.
  private static func run(wrong rate: Double, _ random: inout SeededGenerator) -> RunResults {
    let clips = (0..<36).map { index in
      let error = random.chance(rate) ? (random.chance(0.5) ? 1 : -1) : 0
      return LabelledPrediction(
        name: "clip \(index)", subject: "data/s\(index / 3)", groundTruth: GroundTruth(repCount: 6),
        prediction: Prediction(count: 6 + error))
    }
    var metrics = RunResults.MetricResult.results(of: [CountMetrics()], detector: "counter", clips: clips)
    let margins = ["count.exact": 0.05, "count.mae": 0.2, "count.nmae": 0.05]
    for index in metrics.indices {
      metrics[index].margin = margins[metrics[index].metric]
      metrics[index].isListed = metrics[index].margin != nil
    }
    return RunResults(
      bench: "test", suite: "squat", suiteVersion: 1, datasets: [],
      detectors: [RunResults.DetectorCard(name: "counter", kind: "reps", summary: "", parameters: [:], changed: [])],
      matching: RunResults.Matching(instant: "end", toleranceSeconds: 0.5),
      camera: LiveCamera(fps: 30, estimator: .zero),
      metrics: metrics, clips: [], measured: [:])
  }

  /// Of 1,000 comparisons, 500 of each counter, 50 may claim a difference: 25 of 500, and 25 + 3 · √(500 · 0.05 · 0.95) = 39.6
  /// by chance.
  @Test(arguments: [0.05, 0.5]) func aDetectorBesideItselfSeldomDiffers(rate: Double) throws {
    var random = SeededGenerator(seed: 5)
    var (compared, gated, wrong) = (0, 0, 0)
    for _ in 0..<500 {
      let (one, other) = (Self.run(wrong: rate, &random), Self.run(wrong: rate, &random))
      let study = try Comparison(from: .run(one, id: "a"), to: .run(other, id: "b"))
      let finding = MetricChange.finding(study.metrics, names: ComparisonNames(one)) ?? ""
      if finding.contains("B is") || finding.contains("better in") { compared += 1 }
      let verdict = Verdict(try Comparison(other, with: Baseline(one)))
      // Where the gate stops, nobody reads that there is no difference.
      let stops = verdict.exitCode(stopAt: GateRule.stopAt) != 0
      #expect(!stops || finding.contains("B is") || finding.contains("B may be worse"), "\(finding)")
      #expect(stops || !finding.contains("B may be worse"), "\(finding)")
      if verdict.title.hasPrefix("WORSE") || verdict.title.hasPrefix("BETTER") { gated += 1 }
      if verdict.outcome == .regression { wrong += 1 }
    }
    #expect(compared <= 39 && gated <= 39 && wrong <= 39, "\(compared), \(gated), \(wrong)")
  }
}
