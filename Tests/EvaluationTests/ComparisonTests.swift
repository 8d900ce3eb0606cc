import Foundation
import PoseModel
import Testing

@testable import Evaluation

@Suite struct ComparisonTests {
  let results = SampleResults.results([SampleResults.metric(values: ["a": 1, "b": 2])])

  static let differences: [(what: String, change: @Sendable (inout Baseline) -> Void)] = [
    ("suite version", { $0.suiteVersion = 2 }),
    ("datasets", { $0.datasets = ["other": "sha256:one"] }),
    ("dataset data with content", { $0.datasets["data"] = "sha256:two" }),
    ("detectors", { $0.detectors[0].name = "another" }),
    ("matching", { $0.matching.toleranceSeconds = 1 }),
    ("camera", { $0.camera.fps = 15 }),
    ("clip data/c", { $0.clips["data/c"] = ["counter": 1] }),
    ("clip data/a", { $0.clips["data/a"] = nil }),
    ("metric count.mae", { $0.metrics = [] }),
    (
      "metric gone",
      { $0.metrics.append(Baseline.Value(detector: "counter", metric: "gone", value: 1, bySubject: [:])) }
    ),
    ("metric count.mae", { $0.metrics[0].bySubject["c"] = 1 }),
  ]

  /// A run and a baseline that differ in what is not the detector's doing can't be compared.
  @Test(arguments: differences.indices)
  func differentGroundsAreMissing(_ index: Int) {
    let (what, change) = Self.differences[index]
    var baseline = Baseline(results)
    change(&baseline)
    let error = #expect(throws: EvaluationError.self) { try Comparison(results, with: baseline) }
    guard case .missing = error else {
      Issue.record("\(what): expected missing, found \(String(describing: error))")
      return
    }
    #expect(error?.description.contains(what) == true, "\(String(describing: error))")
  }

  /// What went wrong on purpose is on neither side of a gate, and becomes no baseline.
  @Test func perturbedRunsAreHeldAgainstNothing() throws {
    var perturbed = results
    perturbed.perturbation = RunResults.Perturbation(text: "noise=2%", seed: 1)
    let words = "expected a run on the poses as they were recorded, found one perturbed by noise=2%"
    for (after, before) in [(perturbed, results), (results, perturbed)] {
      let error = #expect(throws: EvaluationError.self) { try Comparison(after, with: Baseline(before)) }
      #expect(error?.description.hasSuffix(words) == true, "\(String(describing: error))")
    }
    let path = NSTemporaryDirectory() + "perturbed-\(UUID().uuidString).json"
    let error = #expect(throws: EvaluationError.self) { try Baseline(perturbed).write(to: path) }
    #expect(error?.description.hasSuffix(words) == true, "\(String(describing: error))")
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func changedCountsAreNamed() throws {
    let after = SampleResults.results([SampleResults.metric(values: ["a": 1, "b": 2])], counts: ["a": 4, "b": 5])
    let comparison = try Comparison(after, with: Baseline(results))
    #expect(
      comparison.changedCounts == [
        Comparison.ChangedCount(clip: "data/a", detector: "counter", before: 3, after: 4, truth: 4)
      ])
  }

  @Test func changedParametersAreNamed() throws {
    var baseline = Baseline(results)
    baseline.detectors[0].parameters = ["angle": 80, "old": 1]
    let comparison = try Comparison(results, with: baseline)
    #expect(comparison.changedParameters == ["counter.angle: 80.0 → 90.0", "counter.old: 1.0 → none"])
  }
}
