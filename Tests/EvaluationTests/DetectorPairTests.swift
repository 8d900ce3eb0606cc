import Coaching
import Datasets
import PoseModel
import Scoring
import Testing

@testable import Evaluation
@testable import Pipeline

@Suite struct DetectorPairTests {
  /// A scorer that sees no faults at all.
  struct Grader: Detector {
    static let profile = DetectorProfile(
      name: "grader", kind: .form, exercise: "squat", summary: "", source: "", tasks: [.grades("form")])
    static let parameters: [Parameter] = []

    init(_ values: ParameterValues) throws(ParameterError) {}

    mutating func update(
      _ poses: borrowing PoseColumns, _ signals: borrowing SignalColumns, events: inout [Event]
    ) {}
  }

  static let suite = Suite(
    name: "sample", version: 1, datasets: [], exercises: ["squat"],
    detectors: [
      .init(name: "squat-states", parameters: [:]), .init(name: "squat-posture", parameters: ["goodScore": 70]),
    ],
    matching: RepMatching(instant: .end, tolerance: Microseconds(500_000)),
    camera: LiveCamera(fps: 30, estimator: .zero),
    metrics: [
      .init(detector: "squat-states", metric: "count.mae", margin: 0.2),
      .init(detector: "squat-posture", metric: "grades.mae", margin: 3),
      .init(detector: "squat-posture", metric: "faults.shallow.f1", margin: 0.05),
    ])
  static let registry = DetectorRegistry.builtIn.adding(DetectorRegistry([Grader.self]))

  /// Each keeps what the suite sets of it, both have the suite's metrics and margins, and what only one has is named.
  @Test func bothAreAskedForWhatBothHave() throws {
    let pair = try DetectorPair(["squat-posture", "grader"], in: Self.suite, registry: Self.registry)
    #expect(pair.name == "squat-posture → grader")
    #expect(pair.before.detectors == [.init(name: "squat-posture", parameters: ["goodScore": 70])])
    #expect(pair.before.metrics == [.init(detector: "squat-posture", metric: "grades.mae", margin: 3)])
    #expect(pair.after.detectors == [.init(name: "grader", parameters: [:])])
    #expect(pair.after.metrics == [.init(detector: "grader", metric: "grades.mae", margin: 3)])
    #expect(pair.leftOut == ["faults.shallow.f1"])
  }

  @Test func anUnknownDetectorIsMissing() {
    let error = #expect(throws: EvaluationError.self) {
      try DetectorPair(["squat-posture", "gradr"], in: Self.suite, registry: Self.registry)
    }
    #expect(error?.description.contains("did you mean grader?") == true)
  }
}
