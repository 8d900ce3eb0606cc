import Charts
import Scoring
import Testing

@testable import Evaluation
@testable import Pipeline

/// Runs in a chart of the history are told apart, and what there is to see of them is said.
@Suite struct HistoryNamesTests {
  private func point(
    _ created: String, revision: String?, values: [Double] = [1], releases: [String] = []
  ) -> MetricTrend.Point {
    let people = values.enumerated().map { ("data/\($0)", Double?($1)) }
    let mean = values.reduce(0, +) / Double(values.count)
    let result = RunResults.MetricResult(
      detector: "counter", metric: "count.mae", summary: "", unit: "reps", direction: .lowerIsBetter, value: mean,
      pooled: mean, interval: nil, bySubject: Dictionary(uniqueKeysWithValues: people), undefinedClips: 0,
      clips: values.count, undefined: "never")
    let head = RunResults(
      bench: "test", suite: "sample", suiteVersion: 1, datasets: [], detectors: [],
      matching: RunResults.Matching(instant: "end", toleranceSeconds: 0.5),
      camera: LiveCamera(fps: 30, estimator: .zero), metrics: [], clips: [], measured: [:])
    let origin = revision.map {
      RunOrigin(
        arguments: [], revision: $0, hasChanges: false,
        machine: RunOrigin.Machine(system: "", architecture: "", processor: "", cores: 2), versions: [:])
    }
    return MetricTrend.Point(
      run: HistoryRun(id: "sample/\(created)", created: created, head: head, origin: origin, releases: releases),
      result: result)
  }

  @Test func aRunHasItsRevisionsNameOrWhereThatRepeatsItsTime() throws {
    let (old, new) = (String(repeating: "a", count: 40), String(repeating: "b", count: 40))
    let trend = MetricTrend(
      detector: "counter", metric: "count.mae",
      points: [
        point("2026-03-01T10:00:00Z", revision: old), point("2026-03-01T10:05:10Z", revision: new),
        point("2026-03-01T10:05:40Z", revision: new), point("2026-03-02T11:30:00Z", revision: new),
        point("2026-03-03T09:00:00Z", revision: nil),
      ])
    let history = try MetricHistory(trend)
    #expect(
      history.runs.map(\.name) == [
        "aaaaaaa", "2026-03-01 10:05:10", "2026-03-01 10:05:40", "2026-03-02 11:30", "2026-03-03 09:00",
      ])
    #expect(history.naming == "commit or time (UTC)")
    #expect(try Examples.texts(of: history).contains("commit or time (UTC)"))
  }

  /// Eight people's errors fall by 1 to 1.75 between the second and the third run, by 1.375 on average.
  @Test func aReleaseIsMarkedOnceAndTheChangeIsNamed() throws {
    let later = [1, 1.25, 1.5, 1.75, 1, 1.25, 1.5, 1.75]
    let before = [Double](repeating: 3, count: 8)
    func history(_ first: [Double], _ last: [Double]) throws -> MetricHistory {
      let points = [
        point("2026-03-01T10:00:00Z", revision: nil, values: first),
        point("2026-03-02T10:00:00Z", revision: nil, values: first, releases: ["1.0"]),
        point("2026-03-03T10:00:00Z", revision: nil, values: last, releases: ["1.0"]),
        point("2026-03-04T10:00:00Z", revision: nil, values: last, releases: ["1.1", "2.0"]),
      ]
      return try MetricHistory(MetricTrend(detector: "counter", metric: "count.mae", points: points))
    }
    let after = zip(before, later).map { $0 - $1 }
    let better = try history(before, after)
    #expect(better.runs.map(\.release) == [nil, "1.0", nil, "1.1"])
    #expect(better.remarkable?.run == 2 && better.remarkable?.remark == "better by 1.375 reps here")
    #expect(try history(after, before).remarkable?.remark == "worse by 1.375 reps here")
    #expect(try history(before, before).remarkable?.run == nil)
    #expect(better.runs.map(\.change?.value) == [nil, 0, -1.375, -1.375])
    #expect(better.title == "Count error fell from 3.00 to 1.63 over 4 runs")
    let texts = try Examples.texts(of: better)
    #expect(texts.contains("95 % interval of the change since the first run, by person"))
  }

  /// Two people's errors change by −1 and 0.5: −0.25 on average, which two cannot tell from chance, although both
  /// values are far from 0.
  @Test func aChangeThatMayBeChanceIsSaidToBe() throws {
    let trend = MetricTrend(
      detector: "counter", metric: "count.mae",
      points: [
        point("2026-03-01T10:00:00Z", revision: nil, values: [4, 4]),
        point("2026-03-02T10:00:00Z", revision: nil, values: [3, 4.5]),
      ])
    #expect(try MetricHistory(trend).title == "Count error fell from 4.00 to 3.75 over 2 runs; it may be chance")
  }
}
