import Foundation
import Scoring
import Testing

struct ConfusionMatrixTests {
  /// Rows are the truth: a 2 1 0, b 0 1 0, c 1 0 0; nothing is predicted as c.
  private let matrix = ConfusionMatrix(
    truth: ["a", "a", "a", "b", "c"], predicted: ["a", "a", "b", "b", "a"])

  @Test func countsTruthByPrediction() {
    #expect(matrix.labels == ["a", "b", "c"])
    #expect(matrix.counts == [[2, 1, 0], [0, 1, 0], [1, 0, 0]])
    #expect(matrix.support == [3, 1, 1])
    #expect(matrix.predicted == [3, 2, 0])
    #expect(matrix.total == 5)
    #expect(matrix.accuracy == 3 / 5.0)
  }

  @Test func perLabel() {
    let (precision, recall, f1): ([Double?], [Double?], [Double?])
    precision = [2 / 3.0, 1 / 2.0, nil]
    recall = [2 / 3.0, 1, 0]
    f1 = [4 / 6.0, 2 / 3.0, 0]
    #expect(matrix.detections.map(\.precision) == precision)
    #expect(matrix.detections.map(\.recall) == recall)
    #expect(matrix.detections.map(\.f1) == f1)
  }

  @Test func meansLeaveOutTheUndefinedAndCountThem() {
    #expect(isClose(matrix.macroPrecision.value, (2 / 3.0 + 1 / 2.0) / 2))
    #expect(matrix.macroPrecision.undefined == 1)
    #expect(isClose(matrix.macroRecall.value, (2 / 3.0 + 1) / 3))
    #expect(isClose(matrix.macroF1.value, (4 / 6.0 + 2 / 3.0) / 3))
    let more = ConfusionMatrix(truth: ["a"], predicted: ["b"], labels: ["a", "b", "c"])
    #expect(more.macroRecall == MeanOfDefined([0, nil, nil]))
    #expect(more.macroF1 == MeanOfDefined([0, 0, nil]))
  }

  /// (3 · 5 − (3·3 + 1·2 + 1·0)) / √((25 − 11) (25 − 13)).
  @Test func matthewsCorrelation() {
    #expect(isClose(matrix.matthewsCorrelation, 4 / (14.0 * 12).squareRoot()))
  }

  /// Of two labels it is (TP TN − FP FN) / √…: here (3·2 − 1·2) / √(4 · 5 · 3 · 4).
  @Test func matthewsCorrelationOfTwoLabels() {
    let truth = ["p", "p", "p", "p", "p", "n", "n", "n"]
    let predicted = ["p", "p", "p", "n", "n", "p", "n", "n"]
    let matrix = ConfusionMatrix(truth: truth, predicted: predicted)
    #expect(isClose(matrix.matthewsCorrelation, 4 / (4.0 * 5 * 3 * 4).squareRoot()))
  }

  @Test func poolingJoinsTheLabels() {
    let pooled =
      ConfusionMatrix(truth: ["c"], predicted: ["a"]) + ConfusionMatrix(truth: ["a"], predicted: ["b"])
    #expect(pooled.labels == ["a", "c", "b"])
    #expect(pooled.counts == [[0, 0, 1], [1, 0, 0], [0, 0, 0]])
  }

  @Test func orderOfTheLabelsIsKept() {
    #expect(ConfusionMatrix(truth: ["a"], predicted: ["x"], labels: ["z", "a"]).labels == ["z", "a", "x"])
  }

  @Test func undefinedIsNoNumber() {
    let nothing = ConfusionMatrix(labels: ["a", "b"])
    #expect(nothing.accuracy == nil)
    #expect(nothing.macroF1 == MeanOfDefined([nil, nil]))
    #expect(nothing.matthewsCorrelation == nil)
    #expect(ConfusionMatrix(truth: ["a", "b"], predicted: ["a", "a"]).matthewsCorrelation == nil)
    #expect(ConfusionMatrix(truth: ["a", "a"], predicted: ["a", "b"]).matthewsCorrelation == nil)
  }
}

extension ConfusionMatrix: CheckedFunctions {
  static let measures: [Measure] =
    [
      Measure(.accuracy, isSymmetric: true) { confusion($0).accuracy },
      Measure(.balancedAccuracy) { confusion($0).macroRecall.value },
      Measure(.macroPrecision) { confusion($0).macroPrecision.value },
      Measure(.macroF1, isSymmetric: true) { confusion($0).macroF1.value },
      Measure(.matthewsCorrelation, isSymmetric: true) { confusion($0).matthewsCorrelation },
    ]
    + zip(Metric.classification(label: "down"), [\DetectionCounts.precision, \.recall, \.f1]).map { metric, share in
      let share = share as KeyPath<DetectionCounts, Double?> & Sendable
      return Measure(metric) { confusion($0).detections[0][keyPath: share] }
    }

  private static func confusion(_ clips: [MeasuredClip]) -> ConfusionMatrix {
    clips.map { ConfusionMatrix(truth: $0.classes.truth, predicted: $0.classes.predicted, labels: MeasuredClip.labels) }
      .reduce(ConfusionMatrix(labels: MeasuredClip.labels), +)
  }
}

/// A confusion matrix as files of results hold it.
struct ConfusionMatrixFileTests {
  @Test func aFileHoldsItWhole() throws {
    let matrix = ConfusionMatrix(truth: ["a", "a", "b"], predicted: ["a", "b", "b"])
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let json = try encoder.encode(matrix)
    #expect(String(decoding: json, as: UTF8.self) == #"{"counts":[[1,1],[0,1]],"labels":["a","b"]}"#)
    #expect(try JSONDecoder().decode(ConfusionMatrix.self, from: json) == matrix)
  }

  @Test(arguments: [
    #"{"counts":[[1,2]],"labels":["a"]}"#, #"{"counts":[],"labels":["a"]}"#, #"{"counts":[[-1]],"labels":["a"]}"#,
    #"{"counts":[[1,0],[0,1]],"labels":["a","a"]}"#,
  ])
  func countsThatAreNoMatrixAreRefused(json: String) {
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(ConfusionMatrix.self, from: Data(json.utf8)) }
  }
}
