import Scoring
import Testing

struct GwetAgreementTests {
  /// Nine of ten get the same label: 8 agree, 2 do not, so κ is (0.8 − 0.82) / 0.18 = −1/9. Of 20 ratings 18 are yes: by
  /// chance 2 · 9/10 · 1/10, and (8/10 − 18/100) / (82/100) = 31/41.
  @Test func raresFaultsDoNotMakeAgreementChance() throws {
    let first = [Bool](repeating: true, count: 9) + [false]
    let second = [Bool](repeating: true, count: 8) + [false, true]
    let agreement = try #require(GwetAgreement([first, second], labels: [false, true]))
    #expect(isClose(agreement.observed, 8 / 10.0) && isClose(agreement.expected, 18 / 100.0))
    #expect(isClose(agreement.value, 31 / 41.0))
    #expect(isClose(cohenKappa(first, second, labels: [false, true]), -1 / 9.0))
    // Of two labels no disagreement is larger than another.
    let weighted = try #require(GwetAgreement([first, second], labels: [false, true], weighting: .quadratic))
    #expect(isClose(weighted.value, 31 / 41.0))
  }

  /// From irrCAC 0.4.4 (Gwet's own method in Python): `CAC(frame, weights).gwet()`, which rounds to five digits, on its
  /// example of four raters and twelve units with missing ratings, and on two raters with `categories` 0 to 10. A second
  /// script with matrices of counts (Gwet, 2014, §5.4) gave the digits beyond.
  @Test func valuesAreThoseOfIrrCAC() {
    let units: [[Int?]] = [
      [1, 1, nil, 1], [2, 2, 3, 2], [3, 3, 3, 3], [3, 3, 3, 3], [2, 2, 2, 2], [1, 2, 3, 4], [4, 4, 4, 4], [1, 1, 2, 1],
      [2, 2, 2, 2], [nil, 5, 5, 5], [nil, nil, 1, 1], [nil, nil, 3, nil],
    ]
    let raters = (0..<4).map { rater in units.map { $0[rater] } }
    let four = Array(1...5)
    #expect(isClose(GwetAgreement(raters, labels: four)?.value, 0.775444068126995))
    #expect(isClose(GwetAgreement(raters, labels: four, weighting: .quadratic)?.value, 0.9140007235516046))
    let linear = GwetAgreement(raters, labels: four, weighting: .linear)?.value
    #expect(isClose(linear, 0.85874, within: 5e-6))
    let (a, b): ([Int?], [Int?]) = ([1, 2, 3, 4, 5, 1, 2, 3], [2, 2, 3, 3, 5, 1, 4, 3])
    #expect(isClose(GwetAgreement([a, b], labels: Array(0...10))?.value, 0.5935647756138865))
    #expect(
      isClose(GwetAgreement([a, b], labels: Array(0...10), weighting: .quadratic)?.value, 0.9765166340508804))
  }

  @Test func undefinedIsNoNumber() {
    #expect(GwetAgreement([[Int?]](), labels: [1, 2]) == nil)
    #expect(GwetAgreement([[1, nil], [nil, 2]], labels: [1, 2]) == nil)
    #expect(GwetAgreement([[1], [1]], labels: [1]) == nil)
    #expect(GwetAgreement([[1], [9]], labels: [1, 2]) == nil)
    // Unlike κ, agreement on one label alone is full agreement.
    #expect(GwetAgreement([[2, 2], [2, 2]], labels: [1, 2])?.value == 1)
  }
}

extension GwetAgreement: CheckedFunctions {
  static let measures = [
    Measure(.gwetAC1, isSymmetric: true) { value($0, .unweighted) },
    Measure(.gwetAC2, isSymmetric: true) { value($0, .quadratic) },
  ]

  private static func value(_ clips: [MeasuredClip], _ weighting: KappaWeighting) -> Double? {
    let reps = clips.flatMap(\.ratings)
    let raters = (0..<3).map { rater in reps.map { Optional($0[rater]) } }
    return GwetAgreement(raters, labels: [1, 2, 3, 4, 5], weighting: weighting)?.value
  }
}
