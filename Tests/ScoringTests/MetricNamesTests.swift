import PoseModel
import Scoring
import Testing

@Suite struct MetricNamesTests {
  static let matching = RepMatching(instant: .end, tolerance: Microseconds(500_000))

  @Test func everyMetricHasAPlainNameOfItsOwn() {
    let metrics = MetricCatalogue(matching: Self.matching, faults: ["knee_forward"], labels: ["serve"]).all
    for metric in metrics {
      #expect(
        metric.plainName != metric.name && !metric.plainName.contains("_"),
        "add \(metric.name) to plainNames in the file that declares it")
      #expect(metric.plainName.count <= 36, "\(metric.plainName)")
    }
    let names = metrics.map(\.plainName)
    #expect(Set(names).count == names.count)
  }

  @Test func namesOfFaultsAndLabelsStandInThem() {
    #expect(Metric.plainName(of: "count.exact") == "exact counts")
    for key in [
      "count.exact", "reps.f1", "strokes.precision", "cues.missed", "faults.any.f1", "faults.shallow.precision",
    ] {
      #expect(Metric.isPlural(key), "\(key)")
    }
    for key in ["count.mae", "count.coverage", "faults.any.coverage", "reps.timing-error", "my.counts"] {
      #expect(!Metric.isPlural(key), "\(key)")
    }
    #expect(Metric.plainName(of: "faults.knee_forward.f1") == "knee forward faults found (F1)")
    #expect(Metric.plainName(of: "faults.knee_forward.precision") == "true knee forward reports")
    #expect(Metric.plainName(of: "strokes.serve.recall") == "serve strokes found")
    #expect(Metric.plainName(of: "latency.report.p90") == "report delay, 90th percentile")
    #expect(Metric.plainName(of: "segments.f1-25") == "segments found (F1, overlap 25 %)")
    #expect(Metric.plainName(of: "my.metric") == "my.metric")
  }
}
