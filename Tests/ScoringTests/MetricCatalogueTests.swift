import Foundation
import PoseModel
import Scoring
import Testing

struct MetricCatalogueTests {
  private let catalogue = MetricCatalogue(
    matching: RepMatching(instant: .end, tolerance: .milliseconds(300)), faults: ["depth", "knees-in"],
    labels: ["serve"])

  @Test func everyMetricSaysWhatItIs() {
    for metric in catalogue.all {
      #expect(metric.name.wholeMatch(of: /[a-z]+(\.[a-z0-9-]+)+/) != nil, "\(metric.name)")
      #expect(metric.summary.count > 10 && metric.summary.hasSuffix("."), "\(metric.name)")
      #expect(!metric.undefined.isEmpty && !metric.source.isEmpty, "\(metric.name)")
      #expect(metric.range.lowerBound < metric.range.upperBound, "\(metric.name)")
    }
  }

  @Test func namesAreUnique() {
    #expect(Set(catalogue.all.map(\.name)).count == catalogue.all.count)
    #expect(catalogue.sections.allSatisfy { !$0.metrics.isEmpty && !$0.title.isEmpty })
  }

  /// Of these a mean of subjects' values is not what is meant, or a subject alone seldom has one.
  @Test func agreementAndRankingAreOfAllClips() {
    let pooled = catalogue.all.filter { $0.aggregation == .pooled }.map(\.name)
    let grades = [
      "spearman", "human-spearman", "roc-auc", "pearson", "kendall", "r-l2", "kappa", "kappa-linear", "kappa-quadratic",
      "icc-1-1", "icc-a-1", "icc-c-1",
      "icc-1-k",
      "icc-a-k", "icc-c-k", "ac1", "ac2", "sem-a", "sem-c", "mdc-a", "mdc-c", "alpha-nominal", "alpha-ordinal",
      "alpha-interval", "alpha-ratio", "limit-lower",
      "limit-upper", "human-pearson", "human-kendall",
    ].map { "grades.\($0)" }
    let others = [
      "classes.mcc", "scores.roc-auc", "scores.average-precision", "scores.calibration-error", "events.map",
      "segments.map", "count.off-by-one-80", "count.confidence-area",
    ]
    #expect(Set(pooled).isSuperset(of: grades + others), "\(Set(grades + others).subtracting(pooled).sorted())")
  }

  /// A ratio of counts is of all clips' counts; a share of clips has the same denominator for everyone.
  @Test func ratiosOfCountsAreOfAllClips() {
    for metric in catalogue.all
    where metric.name.hasSuffix(".f1") || metric.name.hasSuffix(".precision")
      || metric.name.hasSuffix(".recall") || metric.name.contains("accuracy")
    { #expect(metric.aggregation == .ratio, "\(metric.name)") }
    #expect(catalogue.metric(named: "count.exact")?.aggregation == .share)
    #expect(catalogue.metric(named: "count.mae")?.aggregation == .subjectMean)
  }

  /// What a metric is beside is a metric of the same suite.
  @Test func humanCeilingsAreMetrics() {
    for metric in catalogue.all {
      if let ceiling = metric.humanCeiling { #expect(catalogue.suiteMetrics.contains(ceiling), "\(metric.name)") }
    }
  }

  @Test func metricIsFoundByItsName() {
    #expect(catalogue.metric(named: "grades.kendall") == .kendallTauB)
    #expect(catalogue.metric(named: "faults.knees-in.f1")?.direction == .higherIsBetter)
    #expect(catalogue.metric(named: "classes.serve.recall") != nil)
    #expect(catalogue.metric(named: "grades.icc-a-1")?.summary.contains("ICC(A,1)") == true)
    #expect(catalogue.metric(named: "grades.kendal") == nil)
  }

  @Test func whatDependsOnTheSuiteHasAPlaceholder() {
    let names = MetricCatalogue(matching: RepMatching(instant: .end, tolerance: .zero)).all.map(\.name)
    #expect(names.contains("faults.<fault>.f1"))
    #expect(names.contains("classes.<label>.f1"))
  }

  @Test func namesBeginWithTopics() {
    for metric in catalogue.all { #expect(metric.topic != nil, "\(metric.name)") }
    #expect(Set(catalogue.all.compactMap(\.topic)) == Set(Metric.Topic.allCases))
    #expect(Metric.Topic(of: "cost.ratio") == nil)
  }

  /// A metric that a family and a function share is the same metric.
  @Test func groupsThatShareAMetricAgreeOnIt() {
    let detector = ScoredDetector.everything(matching: RepMatching(instant: .end, tolerance: .zero))
    for metric in MetricFamilies.all.flatMap({ $0.metrics(for: detector) }) {
      let listed = MetricCatalogue(matching: detector.matching).metric(named: metric.name)
      #expect(listed == metric, "\(metric.name)")
    }
  }

  @Test func suitesTakeWhatFamiliesMeasure() {
    #expect(catalogue.suiteMetrics.isSuperset(of: ["count.mae", "faults.depth.f1", "grades.roc-auc", "classes.mcc"]))
    #expect(catalogue.suiteMetrics.isSuperset(of: ["grades.kendall", "scores.brier", "classes.macro-precision"]))
    // What is about people, or about keypoints, is of no detector.
    let others = Set(catalogue.all.map(\.name)).subtracting(catalogue.suiteMetrics)
    let people = ["grades.human-", "grades.sem-", "grades.mdc-", "grades.ac", "keypoints."]
    #expect(others.allSatisfy { name in people.contains { name.hasPrefix($0) } }, "\(others)")
  }

  /// Detectors are scored in the order of the list: results and baselines are committed in it. Families that came later
  /// may stand among these.
  @Test func familiesAreThoseForWhatADetectorDoes() {
    let matching = RepMatching(instant: .end, tolerance: .milliseconds(300))
    let known: Set = [
      "CountMetrics", "RepEventMetrics", "LatencyMetrics", "GradeMetrics", "FaultMetrics", "AnyFaultMetrics",
      "StrokeMetrics", "SegmentMetrics", "CueMetrics",
    ]
    func families(_ detector: ScoredDetector) -> [String] {
      MetricFamilies.families(for: detector).map { "\(type(of: $0))" }.filter(known.contains)
    }
    #expect(families(ScoredDetector(DetectorTasks(), matching: matching)).isEmpty)
    #expect(
      families(ScoredDetector(DetectorTasks(counts: true), matching: matching)) == [
        "CountMetrics", "RepEventMetrics", "LatencyMetrics",
      ])
    #expect(
      families(.everything(matching: matching)) == [
        "CountMetrics", "RepEventMetrics", "LatencyMetrics", "GradeMetrics", "FaultMetrics", "AnyFaultMetrics",
        "StrokeMetrics", "SegmentMetrics", "CueMetrics",
      ])
  }

  /// Each group is in the file of its name, and what is declared in a file is in the list.
  @Test func everyDeclarationIsHere() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources/Scoring")
    let files = try FileManager.default.contentsOfDirectory(at: sources, includingPropertiesForKeys: nil)
    let listed = Set(MetricFamilies.all.map { "\($0)" })
    var declared: Set<String> = []
    var names: Set<String> = []
    for file in files {
      let text = try String(contentsOf: file, encoding: .utf8)
      let groups = text.matches(
        of: /(?m)^(?:public struct|public enum|extension) (\w+): (?:MetricFamily|MetricGroup) \{/
      )
      .map { String($0.1) }
      #expect(groups.isEmpty || groups == [file.deletingPathExtension().lastPathComponent], "\(groups)")
      declared.formUnion(groups)
      names.formUnion(text.matches(of: /Metric\(\s*"([a-z0-9.-]+)"/).map { String($0.1) })
    }
    #expect(declared == listed)
    #expect(names.count > 30)
    for name in names { #expect(catalogue.metric(named: name) != nil, "\(name)") }
  }
}
