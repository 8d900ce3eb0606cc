import PoseModel
import Scoring
import TestSupport
import Testing

@Suite(.enabled(if: ReferenceValues.arePresent, "there is no \(ReferenceValues.file.path) beside the checkout"))
struct ReferenceTests {
  private struct EventMatching: ReferenceCase {
    struct Given: Decodable { var truth: [Int64], predicted: [Int64], tolerance: Int64 }
    struct Expected: Decodable { var matched: Int, precision: Double?, recall: Double?, f1: Double? }
    static let metric = "event_matching"
    var given: Given
    var expected: Expected
  }

  private struct Correlation: ReferenceCase {
    struct Given: Decodable { var truth: [Double], predicted: [Double] }
    struct Expected: Decodable { var spearman: Double?, pearson: Double? }
    static let metric = "correlation"
    var given: Given
    var expected: Expected
  }

  @Test func eventsMatchAsInMirEval() throws {
    let cases = try ReferenceValues.cases(EventMatching.self)
    #expect(!cases.isEmpty)
    for (index, reference) in cases.enumerated() {
      let given = reference.given
      let matched = matchEvents(
        truth: given.truth.map { Microseconds($0) }, predicted: given.predicted.map { Microseconds($0) },
        tolerance: Microseconds(given.tolerance)
      ).count
      #expect(matched == reference.expected.matched, "case \(index)")
      let counts = DetectionCounts(
        truePositives: matched, falsePositives: given.predicted.count - matched,
        falseNegatives: given.truth.count - matched)
      expect(counts.precision, reference.expected.precision, "precision of case \(index)")
      expect(counts.recall, reference.expected.recall, "recall of case \(index)")
      expect(counts.f1, reference.expected.f1, "f1 of case \(index)")
    }
  }

  @Test func correlationsAreThoseOfScipy() throws {
    let cases = try ReferenceValues.cases(Correlation.self)
    #expect(!cases.isEmpty)
    for (index, reference) in cases.enumerated() {
      let given = reference.given
      expect(spearman(given.truth, given.predicted), reference.expected.spearman, "spearman of case \(index)")
      expect(pearson(given.truth, given.predicted), reference.expected.pearson, "pearson of case \(index)")
    }
  }

  private func expect(_ value: Double?, _ expected: Double?, _ name: Comment) {
    #expect(expected.map { isClose(value, $0, within: 1e-9) } ?? (value == nil), name)
  }
}
