import Scoring
import TestSupport
import Testing

@Suite(.enabled(if: ReferenceValues.arePresent, "there is no \(ReferenceValues.file.path) beside the checkout"))
struct ClassificationReferenceTests {
  private struct Classification: ReferenceCase {
    struct Given: Decodable { var truth: [String], predicted: [String] }
    struct Expected: Decodable {
      enum CodingKeys: String, CodingKey {
        case labels, precision, recall, f1, support, accuracy, mcc, confusion
        case balancedAccuracy = "balanced_accuracy"
        case macroF1 = "macro_f1"
      }
      var labels: [String], precision: [Double], recall: [Double], f1: [Double], support: [Int]
      var accuracy: Double, balancedAccuracy: Double, macroF1: Double, mcc: Double
      var confusion: [[Int]]
    }
    static let metric = "classification"
    var given: Given
    var expected: Expected
  }

  private struct Scores: ReferenceCase {
    struct Given: Decodable { var truth: [Int], score: [Double] }
    struct Expected: Decodable {
      enum CodingKeys: String, CodingKey {
        case area = "roc_auc"
        case averagePrecision = "average_precision"
        case brier
      }
      var area: Double, averagePrecision: Double, brier: Double
    }
    static let metric = "binary_scores"
    var given: Given
    var expected: Expected
  }

  @Test func classificationIsThatOfScikitLearn() throws {
    let cases = try ReferenceValues.cases(Classification.self)
    #expect(!cases.isEmpty)
    for reference in cases {
      let expected = reference.expected
      let matrix = ConfusionMatrix(truth: reference.given.truth, predicted: reference.given.predicted)
      #expect(matrix.labels == expected.labels)
      #expect(matrix.counts == expected.confusion)
      #expect(matrix.support == expected.support)
      for (index, detection) in matrix.detections.enumerated() {
        // Where it is undefined the reference has 0.
        expect(detection.precision ?? 0, expected.precision[index])
        expect(detection.recall ?? 0, expected.recall[index])
        expect(detection.f1, expected.f1[index])
      }
      expect(matrix.accuracy, expected.accuracy)
      expect(matrix.macroRecall.value, expected.balancedAccuracy)
      expect(matrix.macroF1.value, expected.macroF1)
      expect(matrix.matthewsCorrelation, expected.mcc)
    }
  }

  @Test func binaryScoresAreThoseOfScikitLearn() throws {
    let cases = try ReferenceValues.cases(Scores.self)
    #expect(!cases.isEmpty)
    for reference in cases {
      let scores = BinaryScores(truth: reference.given.truth.map { $0 == 1 }, scores: reference.given.score)
      expect(scores.areaUnderROC, reference.expected.area)
      expect(scores.averagePrecision, reference.expected.averagePrecision)
      expect(scores.brier, reference.expected.brier)
    }
  }

  private func expect(_ value: Double?, _ expected: Double) {
    #expect(isClose(value, expected, within: 1e-9))
  }
}
