import PoseModel
import Scoring
import Testing

struct GradeAgreementTests {
  private let matching = RepMatching(instant: .end, tolerance: .milliseconds(200))

  /// A clip of a subject that is graded as a whole, by one rater and the system.
  private func clip(_ subject: String, _ truth: [Double], _ predicted: Double?) -> LabelledPrediction {
    LabelledPrediction(
      name: subject, subject: subject,
      groundTruth: GroundTruth(
        grades: truth.enumerated().map {
          .init(rep: nil, rater: "r\($0.offset)", criterion: "depth", value: $0.element)
        }),
      prediction: Prediction(
        judged: predicted.map { [.init(rep: Rep(0, 1000), grades: ["depth": $0])] } ?? []))
  }

  /// The raters' means are 1, 2, 3 and 4; the system says 1, 2, 3 and 3; one clip is ungraded. The
  /// differences are 0, 0, 0 and -1.
  private var values: FamilyValues {
    FamilyValues(
      GradeAgreement(matching: matching, criterion: "depth"),
      [
        clip("a", [1], 1), clip("b", [1, 3], 2), clip("c", [3], 3), clip("d", [3, 5], 3), clip("e", [2], nil),
      ])
  }

  @Test func correlationsAndErrors() throws {
    // About the means 2.25 and 2.5: products 1.875 + 0.125 + 0.375 + 1.125, squares 2.75 and 5.
    #expect(isClose(try values["grades.pearson"], 3.5 / (2.75 * 5).squareRoot()))
    // Five pairs agree in order and one ties in the system's.
    #expect(isClose(try values["grades.kendall"], 5 / (5.0 * 6).squareRoot()))
    #expect(isClose(try values["grades.rmse"], 0.5))
    #expect(isClose(try values["grades.r-l2"], 1 / 4.0 / 9))
    #expect(isClose(try values["grades.bias"], -0.25))
    // The variance of the differences is 3 / 4 / 3.
    #expect(isClose(try values["grades.limit-lower"], -0.25 - 1.96 * 0.5))
    #expect(isClose(try values["grades.limit-upper"], -0.25 + 1.96 * 0.5))
  }

  @Test func agreementBeyondChance() throws {
    // 1 of 4 differs; of the system's 1 1 2 0 and the raters' 1 1 1 1, 12 of 16 would.
    #expect(isClose(try values["grades.kappa"], 1 - (1 / 4.0) / (12 / 16.0)))
    // Steps by chance: 0 + 1 + 2 + 3, 1 + 0 + 1 + 2 and twice 2 + 1 + 0 + 1.
    #expect(isClose(try values["grades.kappa-linear"], 1 - (1 / 4.0) / (18 / 16.0)))
    // Rows 1 1, 2 2, 3 3 and 3 4: squares between them 2 x (1.375² + 0.375² + 0.625² + 1.125²) / 3, within 0.5 / 4.
    let (rows, within) = (7.375 / 3, 0.125)
    #expect(isClose(try values["grades.icc-1-1"], (rows - within) / (rows + within)))
    #expect(isClose(try values["grades.icc-1-k"], (rows - within) / rows))
    // Of 1 1 2 2 3 3 3 4, 23 of 28 pairs differ where 1 of 4 do within items.
    #expect(isClose(try values["grades.alpha-nominal"], 1 - 7 * 1 / 23.0))
  }

  /// 1.4, 1.6 and 3.4 points are 1, 2 and 3.
  @Test func kappaIsOfWholePoints() throws {
    let values = FamilyValues(
      GradeAgreement(matching: matching, criterion: "depth"),
      [clip("a", [1], 1.4), clip("b", [2], 1.6), clip("c", [3], 3.4)])
    for weighting in ["kappa", "kappa-linear", "kappa-quadratic"] {
      #expect(isClose(try values["grades.\(weighting)"], 1))
    }
  }

  @Test func itIsOfDetectorsThatAreScoredInFull() {
    var detector = ScoredDetector(DetectorTasks(criterion: "depth", faults: ["lean"]), matching: matching)
    #expect(GradeAgreement(for: detector) == nil && FaultScores(for: detector) == nil)
    detector.tasks.spots = true
    #expect(GradeAgreement(for: detector) != nil && FaultScores(for: detector) != nil)
  }
}

extension GradeAgreement: CheckedFamily {
  static func isUndefined(_ metric: String, in cases: UndefinedCases) -> Bool? {
    let pairs = cases.gradedByBoth
    let (truth, predicted) = (pairs.map(\.truth), pairs.map(\.predicted))
    func startsWith(_ names: String...) -> Bool { names.contains { metric.hasPrefix("grades.\($0)") } }
    if startsWith("pearson", "kendall") { return !cases.vary(truth) || !cases.vary(predicted) }
    if startsWith("r-l2") { return !cases.vary(truth) }
    if startsWith("rmse", "bias") { return pairs.isEmpty }
    if startsWith("kappa") { return !cases.vary((truth + predicted).map { $0.rounded() }) }
    if startsWith("alpha") { return !cases.vary(truth + predicted) }
    if startsWith("limit") {
      let grades = GradeMetrics(matching: cases.matching, criterion: RandomClips.criterion)
      return Set(cases.clips.filter { grades.tally($0).contains { $0.predicted != nil } }.map(\.subject)).count < 2
    }
    // When an intraclass correlation has no value is the function's own matter.
    guard
      let form = IntraclassCorrelation.Form.allCases.first(where: { Metric.intraclassCorrelation($0).name == metric })
    else { return nil }
    return IntraclassCorrelation(zip(predicted, truth).map { [$0, $1] })?.value(form) == nil
  }
}
