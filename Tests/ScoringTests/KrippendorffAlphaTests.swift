import Scoring
import Testing

struct KrippendorffAlphaTests {
  /// Things 1 1, 2 2, 2 4: of 6 ratings 1 1 2 2 2 4. Within things 2·d(2,4) / 6; among all
  /// (2·2·3·d(1,2) + 2·2·1·d(1,4) + 2·3·1·d(2,4)) / 30.
  private let ratings: [[Double?]] = [[1, 2, 2], [1, 2, 4]]

  private func alpha(_ within: Double, _ among: Double) -> Double { 1 - (within / 6) / (among / 30) }

  @Test func nominal() {
    #expect(isClose(krippendorffAlpha(ratings, level: .nominal), alpha(2, 12 + 4 + 6)))
  }

  /// 1, 4 and 9.
  @Test func interval() {
    #expect(isClose(krippendorffAlpha(ratings, level: .interval), alpha(2 * 4, 12 * 1 + 4 * 9 + 6 * 4)))
  }

  /// Mid-ranks 1, 3½ and 5½.
  @Test func ordinal() {
    #expect(isClose(krippendorffAlpha(ratings, level: .ordinal), alpha(2 * 4, 12 * 6.25 + 4 * 20.25 + 6 * 4)))
  }

  /// 1 / 3, 3 / 5 and 2 / 6, squared.
  @Test func ratio() {
    let among: Double = 12 / 9 + 36 / 25 + 6 / 9
    #expect(isClose(krippendorffAlpha(ratings, level: .ratio), alpha(2 / 9.0, among)))
  }

  @Test(arguments: MeasurementLevel.allCases)
  func ratingsWithoutAnotherDoNotCount(level: MeasurementLevel) {
    let more: [[Double?]] = [[1, 2, 2, 9, nil], [1, 2, 4, nil, nil], [nil, nil, nil, nil, 7]]
    #expect(krippendorffAlpha(more, level: level) == krippendorffAlpha(ratings, level: level))
    let short: [[Double?]] = [[1, 2, 2, 9], [1, 2, 4]]
    #expect(krippendorffAlpha(short, level: level) == krippendorffAlpha(ratings, level: level))
  }

  @Test(arguments: MeasurementLevel.allCases)
  func undefinedIsNoNumber(level: MeasurementLevel) {
    #expect(krippendorffAlpha([], level: level) == nil)
    #expect(krippendorffAlpha([[1, nil], [nil, 2]], level: level) == nil)
    #expect(krippendorffAlpha([[2, 2], [2, 2]], level: level) == nil)
    #expect(krippendorffAlpha([[2, .nan], [2, 3]], level: level) == nil)
  }

  @Test func negativeRatingsHaveNoRatio() {
    #expect(krippendorffAlpha([[-1, 2], [1, 2]], level: .ratio) == nil)
    #expect(krippendorffAlpha([[0, 2], [0, 2]], level: .ratio) == 1)
  }
}

extension KrippendorffAlpha: CheckedFunctions {
  static let measures: [Measure] = MeasurementLevel.allCases.map { level in
    Measure(.krippendorffAlpha(level), isSymmetric: true) { clips in
      let reps = clips.flatMap(\.ratings)
      return krippendorffAlpha((0..<3).map { rater in reps.map { $0[rater] } }, level: level)
    }
  }
}
