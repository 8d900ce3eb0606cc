import Scoring
import Testing

struct HumanCeilingTests {
  private let ratings: [[String: Double]] = [
    ["ann": 1, "ben": 2], ["ann": 2, "ben": 1, "cay": 3], ["ann": 5], ["ben": 4, "cay": 8],
  ]

  /// Ann: 1 with 2, 2 with 2. Ben: 2 with 1, 1 with 2½, 4 with 8. Cay: 3 with 1½, 8 with 4.
  @Test func eachRaterStandsAgainstTheMeanOfTheOthers() {
    let ceiling = humanCeiling(ratings) { GradeErrors(truth: $1, predicted: $0).meanAbsolute }
    #expect(isClose(ceiling.value, (1 / 2.0 + 6.5 / 3 + 5.5 / 2) / 3))
    #expect(ceiling.defined == 3)
  }

  /// Ann's others do not vary.
  @Test func ratersWithoutAValueAreCounted() {
    let ceiling = humanCeiling(ratings, agreement: spearman)
    #expect(ceiling.undefined == 1)
    #expect(isClose(ceiling.value, (0.5 + 1) / 2))
  }

  @Test func raterAloneHasNoCeiling() {
    #expect(humanCeiling([["ann": 1], ["ann": 2]], agreement: spearman) == MeanOfDefined([nil]))
    #expect(humanCeiling([], agreement: spearman) == MeanOfDefined([]))
  }

  @Test func metricIsNamedAfterWhatItBounds() {
    let metric = Metric.humanCeiling(of: .kendallTauB)
    #expect(metric.name == "grades.human-kendall")
    #expect(metric.direction == .higherIsBetter)
    #expect(metric.range == -1...1)
  }
}

extension HumanCeiling: CheckedFunctions {
  static let measures: [Measure] = [
    Measure(.humanCeiling(of: .pearson), isSymmetric: true) { ceiling($0, pearson) },
    Measure(.humanCeiling(of: .kendallTauB), isSymmetric: true) { ceiling($0, kendallTauB) },
    Measure(.humanCeiling(of: .rootMeanSquareError), isSymmetric: true) {
      ceiling($0) { GradeErrors(truth: $1, predicted: $0).rootMeanSquare }
    },
  ]

  private static func ceiling(_ clips: [MeasuredClip], _ agreement: ([Double], [Double]) -> Double?) -> Double? {
    humanCeiling(
      clips.flatMap(\.ratings).map { Dictionary(uniqueKeysWithValues: zip(["ann", "ben", "cay"], $0)) },
      agreement: agreement
    ).value
  }
}
