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
    #expect(catalogue.groups.allSatisfy { !$0.metrics.isEmpty && !$0.title.isEmpty })
  }

  /// Of these a mean of subjects' values is not what is meant, or a subject alone seldom has one.
  @Test func agreementAndRankingAreOfAllClips() {
    let pooled = catalogue.all.filter { $0.aggregation == .pooled }.map(\.name)
    let grades = [
      "pearson", "kendall", "r-l2", "kappa", "kappa-linear", "kappa-quadratic", "icc-1-1", "icc-a-1", "icc-c-1",
      "icc-1-k",
      "icc-a-k", "icc-c-k", "alpha-nominal", "alpha-ordinal", "alpha-interval", "alpha-ratio", "limit-lower",
      "limit-upper", "human-pearson", "human-kendall",
    ].map { "grades.\($0)" }
    let others = [
      "classes.mcc", "scores.roc-auc", "scores.average-precision", "scores.calibration-error", "events.map",
      "segments.map",
    ]
    #expect(Set(pooled) == Set(grades + others))
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

  /// Whoever declares a metric or family puts it into the catalogue.
  @Test func everyDeclarationIsHere() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources/Scoring")
    let files = try FileManager.default.contentsOfDirectory(at: sources, includingPropertiesForKeys: nil)
    // A metric may be in the catalogue through a family that has it.
    var listed = try String(contentsOf: sources.appending(path: "MetricCatalogue.swift"), encoding: .utf8)
    var declared: Set<String> = []
    for file in files {
      let text = try String(contentsOf: file, encoding: .utf8)
      if text.contains(": MetricFamily") { listed += text }
      declared.formUnion(text.matches(of: /struct (\w+): MetricFamily/).map { "\($0.1)(" })
      declared.formUnion(text.matches(of: /static let (\w+) = Metric\(/).map { ".\($0.1)" })
      declared.formUnion(text.matches(of: /static let (\w+) = .*\.map \{ \1\(/).map { "Metric.\($0.1)" })
    }
    #expect(declared.count > 30)
    for name in declared { #expect(listed.contains(name), "\(name)") }
  }
}
