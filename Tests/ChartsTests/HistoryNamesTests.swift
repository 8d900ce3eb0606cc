import Charts
import Scoring
import Testing

@testable import Evaluation
@testable import Pipeline

/// Runs in a chart of the history are told apart.
@Suite struct HistoryNamesTests {
  private func point(_ created: String, revision: String?) -> MetricTrend.Point {
    let result = RunResults.MetricResult(
      detector: "counter", metric: "count.mae", summary: "", unit: "reps", direction: .lowerIsBetter, value: 1,
      pooled: 1, interval: nil, bySubject: ["data/a": 1], undefinedClips: 0, clips: 1, undefined: "never")
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
      run: HistoryRun(id: "sample/\(created)", created: created, head: head, origin: origin, releases: []),
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
    #expect(
      try MetricHistory(trend).runs.map(\.name) == [
        "aaaaaaa", "03-01 10:05:10", "03-01 10:05:40", "03-02 11:30", "03-03 09:00",
      ])
  }
}
