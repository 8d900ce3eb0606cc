import Files
import Foundation
import Testing

@testable import Evaluation
@testable import Pipeline

/// What a baseline's file holds, and how it is read.
@Suite struct BaselineFileTests {
  private let folder = NSTemporaryDirectory() + "baseline-\(UUID().uuidString)"
  private var file: String { folder + "/sample.json" }

  private var results: RunResults {
    var results = SampleResults.results([
      SampleResults.metric(values: ["a": 1.0 / 3, "b": nil, "c": 2]),
      SampleResults.metric("shown", values: ["a": 1, "b": 2, "c": 3], margin: nil),
    ])
    var unlisted = SampleResults.metric("unlisted", values: ["a": 1, "b": 2, "c": 3], margin: nil)
    unlisted.isListed = false
    results.metrics.append(unlisted)
    results.detectors.append(.init(name: "grader", kind: "form", summary: "", parameters: [:], changed: []))
    for index in results.clips.indices {
      results.clips[index].outcomes["grader"] = ClipResult.Outcome(
        count: nil, reps: nil, graded: [.init(rep: nil, predicted: 70, ratings: ["x": 80])], reportDelays: [],
        liveDelays: [])
    }
    results.slices = [
      .init(
        dimension: .view, slice: "front", detector: "counter", metric: "count.mae", unit: "reps", value: 1,
        interval: nil, definedSubjects: 2, subjects: 2, clips: 2, bySubject: ["a": 0.5, "c": 1.5])
    ]
    return results
  }

  private func read(_ text: String) throws -> Baseline {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try writeWhole(Data(text.utf8), to: file)
    return try Baseline(file: file, suite: "sample")
  }

  private func written(_ baseline: Baseline) throws -> String {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try baseline.write(to: file)
    return try String(contentsOfFile: file, encoding: .utf8)
  }

  /// A metric a line with the subjects' values in the order of their list, and a clip a line.
  @Test func aPersonCanReviewIt() throws {
    let lines = try written(Baseline(results)).split(separator: "\n").map(String.init)
    #expect(lines.contains(#"  "subjects": ["a", "b", "c"],"#))
    #expect(
      lines.contains(
        #"    {"detector": "counter", "gates": true, "margin": 0.5, "metric": "count.mae", "value": 1.1666666666666667, "#
          + #""values": [0.3333333333333333, null, 2]},"#), "\(lines)")
    #expect(lines.contains(#"    {"detector": "counter", "metric": "shown", "value": 2, "values": [1, 2, 3]}"#))
    #expect(
      lines.contains(
        #"    {"detector": "counter", "dimension": "view", "metric": "count.mae", "of": [0, 2], "slice": "front", "#
          + #""values": [0.5, 1.5]}"#))
    #expect(lines.contains(#"    "data/a": {"counter": {"count": 3}},"#))
  }

  @Test func whatIsWrittenIsReadAgain() throws {
    let baseline = Baseline(results)
    let again = try read(try written(baseline))
    #expect(again == baseline && again.agrees(with: baseline))
    #expect(again.slices?.first?.value == 1)
  }

  /// What the suite does not list, and what detectors say that gate on nothing, is not kept.
  @Test func itHoldsWhatTheSuiteLists() throws {
    let baseline = Baseline(results)
    #expect(baseline.metrics.map(\.metric) == ["count.mae", "shown"])
    #expect(baseline.metrics.map(\.gates) == [true, nil])
    #expect(baseline.predictedDetectors == ["counter"])
    var more = results
    more.metrics.append(
      RunResults.MetricResult(
        detector: "counter", metric: "new", summary: "", unit: "", direction: .higherIsBetter, value: 1, pooled: 1,
        interval: nil, bySubject: ["a": 1, "b": 1, "c": 1], undefinedClips: 0, clips: 2, undefined: "never"))
    #expect(try written(Baseline(more)) == written(baseline))
  }

  /// Of what is in both, nothing of a detector that is not kept is a change.
  @Test func aDetectorThatIsNotKeptHasNotChanged() throws {
    var after = results
    for index in after.clips.indices { after.clips[index].outcomes["grader"]?.graded[0].predicted = 10 }
    #expect(try Comparison(after, with: Baseline(results)).clipChanges.isEmpty)
    #expect(try Comparison(from: .run(results, id: "one"), to: .run(after, id: "two")).clipChanges.count == 2)
  }

  /// Margins and floors that are kept are the suite's when it was accepted, and losses have reasons.
  @Test func whatItHoldsARunToIsReadAgain() throws {
    var held = results
    held.metrics[0].floor = 2.5
    var baseline = Baseline(held)
    baseline.costMargins = ["counter": 1.25]
    baseline.acceptedLosses = [
      try JSONDecoder().decode(
        AcceptedLoss.self,
        from: Data(
          #"{"detector": "counter", "metric": "count.mae", "before": 1, "loss": 0.5, "because": "on purpose"}"#.utf8))
    ]
    let again = try read(try written(baseline))
    #expect(again == baseline)
    #expect(
      again.gated == [
        GatedMetric(detector: "counter", metric: "count.mae", margin: 0.5, floor: 2.5),
        GatedMetric(detector: "counter", metric: "cost.ratio", margin: 1.25),
      ])
    #expect(again.acceptedLosses?.first?.words.hasSuffix("1.000 → n/a, a loss of 0.500: \"on purpose\"") == true)
  }

  /// A reason is printed on terminals and in logs: what they obey is refused, also in a file that a hand has changed.
  @Test(arguments: ["", "two\nlines", "\u{1B}[2J", "\u{202E}backwards", String(repeating: "a", count: 301)])
  func aReasonIsOneVisibleLine(reason: String) throws {
    #expect(throws: EvaluationError.self) { try AcceptedLoss.reason(reason) }
    let json = try JSONSerialization.data(
      withJSONObject: ["detector": "counter", "metric": "count.mae", "loss": 0.5, "because": reason])
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(AcceptedLoss.self, from: json) }
    #expect(try AcceptedLoss.reason(" asked for by users\n") == "asked for by users")
  }

  /// Values by subject's name, counts, and what else was said beside them; no word on what gates.
  @Test func formatOneIsRead() throws {
    let baseline = try read(
      """
      {"format": 1, "suite": "sample", "suiteVersion": 1, "datasets": {"data": "sha256:one"},
       "detectors": [{"name": "counter", "parameters": {"angle": 90}}],
       "matching": {"instant": "end", "toleranceSeconds": 0.5}, "camera": {"fps": 30, "estimator": 0},
       "metrics": [{"detector": "counter", "metric": "count.mae", "value": 1.5, "bySubject": {"a": 1, "b": 2, "c": null}},
         {"detector": "counter", "metric": "gone", "value": 1, "bySubject": {}}],
       "clips": {"data/a": {"counter": 3}, "data/b": {"counter": 5}},
       "answers": {"data/a": {"counter": {"matchedReps": 2}}},
       "slices": [{"detector": "counter", "metric": "count.mae", "dimension": "view", "slice": "front", "value": 1,
         "bySubject": {"a": 1}}]}
      """)
    #expect(baseline.metrics[0].bySubject == ["a": 1, "b": 2, "c": Double?.none] as [String: Double?])
    #expect(baseline.clips["data/a"]?["counter"]?.count == 3)
    #expect(baseline.clips["data/a"]?["counter"]?.summary.matchedReps == 2)
    #expect(baseline.slices?.first?.bySubject == ["a": 1] && !baseline.knowsCountsOnly)
    let now = SampleResults.results([SampleResults.metric(values: ["a": 1, "b": 2, "c": nil])])
    // It does not say what gated, so that nothing is released on it.
    let error = #expect(throws: EvaluationError.self) { try Comparison(now, with: baseline) }
    #expect("\(error.map { "\($0)" } ?? "")".contains("found format 1; accept a new baseline"))
    // It is written in the layout of today.
    #expect(try read(try written(baseline)).format == Baseline.currentFormat)
  }

  /// A hand that edits it may leave a value out.
  @Test func aValueTooFewIsToldOf() throws {
    let text = try written(Baseline(results)).replacing("[1, 2, 3]", with: "[1, 2]")
    let error = #expect(throws: DataError.self) { try read(text) }
    #expect("\(error.map { "\($0)" } ?? "")".contains("entry 2 does not have one value for each person"))
    let place = try written(Baseline(results)).replacing("[0, 2]", with: "[0, 7]")
    #expect(throws: DataError.self) { try read(place) }
  }
}
