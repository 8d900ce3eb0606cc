import PoseModel
import Scoring
import TestSupport
import Testing

struct GradeMetricsTests {
  private let metrics = GradeMetrics(
    matching: RepMatching(instant: .start, tolerance: .milliseconds(200)), criterion: "depth")

  private let ceiling = GradeCeiling(criterion: "depth")

  private func reps(_ count: Int) -> [Rep] { (0..<count).map { Rep(2000 * $0, 2000 * $0 + 1000) } }

  private func judged(_ rep: Rep, _ grade: Double?) -> Prediction.JudgedRep {
    Prediction.JudgedRep(rep: rep, grades: grade.map { ["depth": $0] } ?? ["lean": 0])
  }

  private func grade(
    _ rep: Int?, _ value: Double, by rater: String = "A", _ criterion: String = "depth"
  ) -> GroundTruth.Grade {
    GroundTruth.Grade(rep: rep, rater: rater, criterion: criterion, value: value)
  }

  /// Ranks 1 2 3 4 5 against 2 1 4 3 5: without ties ρ = 1 - 6 Σd² / (n (n² - 1)) = 1 - 6 · 4 / 120.
  @Test func oneRaterByRep() throws {
    let graded = [10.0, 20, 30, 40, 50]
    let system = [22.0, 11, 44, 33, 55]
    let truth = GroundTruth(reps: reps(5), grades: graded.enumerated().map { grade($0.offset, $0.element) })
    let prediction = Prediction(judged: zip(reps(5), system).map { judged($0, $1) })
    let values = FamilyValues(metrics, [LabelledPrediction(truth, prediction)])
    #expect(isClose(try values["grades.spearman"], 1 - 6 * 4 / 120.0))
    #expect(try values["grades.mae"] == (12 + 9 + 14 + 7 + 5) / 5.0)
    #expect(try values["grades.coverage"] == 1)
    let people = FamilyValues(ceiling, [LabelledPrediction(truth, prediction)])
    #expect(try people["grades.human-spearman"] == nil)
    #expect(try people["grades.human-mae"] == nil)
  }

  /// Raters' means are 15 and 45.
  @Test func theMeanOfTheRatersIsTheTruth() throws {
    let truth = GroundTruth(
      reps: reps(2), grades: [grade(0, 10), grade(0, 20, by: "B"), grade(1, 40), grade(1, 50, by: "B")])
    let values = FamilyValues(
      metrics, [LabelledPrediction(truth, Prediction(judged: [judged(reps(2)[0], 16), judged(reps(2)[1], 42)]))])
    #expect(try values["grades.mae"] == (1 + 3) / 2.0)
    #expect(isClose(try values["grades.spearman"], 1))
  }

  /// 7.8, 8.2 and 6.1 have the mean of 8.8, 7.2 and 6.1, whose binary sums differ in the last digit: the two tie, and
  /// ranks 1 2 3 against 1½ 1½ 3 give √3 / 2. As do the other three of D.
  @Test func equalMeansTieExactly() throws {
    let grades = [("A", [7.8, 8.8, 9]), ("B", [8.2, 7.2, 9]), ("C", [6.1, 6.1, 9])].flatMap { rater, values in
      values.enumerated().map { grade($0.offset, $0.element, by: rater) }
    }
    let judged = reps(3).enumerated().map { self.judged($0.element, Double($0.offset + 1)) }
    let values = FamilyValues(
      metrics, [LabelledPrediction(GroundTruth(reps: reps(3), grades: grades), Prediction(judged: judged))])
    #expect(isClose(try values["grades.spearman"], 3.0.squareRoot() / 2))
    let asRater = grades + [1.0, 2, 3].enumerated().map { grade($0.offset, $0.element, by: "D") }
    let ratings = Dictionary(grouping: asRater, by: \.rep).sorted { ($0.key ?? 0) < ($1.key ?? 0) }.map { _, grades in
      Dictionary(uniqueKeysWithValues: grades.map { ($0.rater, $0.value) })
    }
    var ofD: Double?
    _ = humanCeiling(ratings) { one, others in
      if one == [1, 2, 3] { ofD = spearman(one, others) }
      return nil
    }
    #expect(isClose(ofD, 3.0.squareRoot() / 2))
  }

  /// A: 10, 40 and 100; B: 20, 50 and 60; C: 30, 30 and 80. Against the means of the other two:
  /// A: 25, 40, 70: distances 15, 0, 30, ranks 1 2 3 against 1 2 3, ρ = 1.
  /// B: 20, 35, 90: distances 0, 15, 30, ranks 1 2 3 against 1 2 3, ρ = 1.
  /// C: 15, 45, 80: distances 15, 15, 0, ranks 1½ 1½ 3 against 1 2 3, ρ = (3 / 2) / √(3 / 2 · 2) = √3 / 2.
  @Test func humanCeilingIsEachRaterAgainstTheOthers() throws {
    let grades = [("A", [10.0, 40, 100]), ("B", [20, 50, 60]), ("C", [30, 30, 80])].flatMap { rater, values in
      values.enumerated().map { grade($0.offset, $0.element, by: rater) }
    }
    let clip = LabelledPrediction(GroundTruth(reps: reps(3), grades: grades), Prediction())
    let people = FamilyValues(ceiling, [clip])
    #expect(isClose(try people["grades.human-mae"], (45 / 3.0 + 45 / 3.0 + 30 / 3.0) / 3))
    #expect(isClose(try people["grades.human-spearman"], (1 + 1 + 3.0.squareRoot() / 2) / 3))
    let values = FamilyValues(metrics, [clip])
    #expect(try values["grades.coverage"] == 0)
    #expect(try values["grades.spearman"] == nil)
    #expect(try values["grades.mae"] == nil)
  }

  /// 300 clips of no to three reps, with few grades that tie, and one clip of most reps: each is left out of the rank
  /// correlation as if the others alone were pooled.
  @Test(arguments: [0, 200]) func rankAgreementWithoutEachOfManyClips(longest: Int) throws {
    var random = TestGenerator(seed: 7)
    let tallies = (0..<300).map { clip in
      let all = reps(clip == 11 ? longest : Int.random(in: 0...3, using: &random))
      let grades = all.indices.map { grade($0, Double(Int.random(in: 1...6, using: &random))) }
      let judgements = all.indices.map {
        judged(all[$0], (grades[$0].value + Double(Int.random(in: 0...5, using: &random))).rounded())
      }
      return metrics.tally(LabelledPrediction(GroundTruth(reps: all, grades: grades), Prediction(judged: judgements)))
    }
    let without = metrics.valuesWithoutEach(tallies)
    for left in [0, 1, 11, 150, 299] {
      let others = metrics.pooled(tallies[..<left] + tallies[(left + 1)...]).map(metrics.values)
      let expected = try #require(others.flatMap { $0[0] })
      #expect(isClose(without[left][0], expected))
    }
    #expect(Set(without.map { $0[0] }).count > 100)
  }

  /// Only rep 1 has two raters: A is 6 from B and B 6 from A. One pair has no correlation.
  @Test func raterAloneOnARepHasNoCeilingThere() throws {
    let truth = GroundTruth(
      reps: reps(3), grades: [grade(0, 10), grade(1, 20), grade(1, 26, by: "B"), grade(2, 90, by: "C")])
    let values = FamilyValues(ceiling, [LabelledPrediction(truth, Prediction())])
    #expect(try values["grades.human-mae"] == 6)
    #expect(try values["grades.human-spearman"] == nil)
  }

  /// The judged reps' mean is (30 + 60 + 90) / 3, whether or not they are true reps.
  @Test func clipIsComparedWithTheMeanOfItsJudgedReps() throws {
    let prediction = Prediction(
      judged: [judged(Rep(0, 900), 30), judged(Rep(5000, 5900), 60), judged(Rep(9000, 9900), 90)])
    let values = FamilyValues(
      metrics, [LabelledPrediction(GroundTruth(reps: reps(1), grades: [grade(nil, 57)]), prediction)])
    #expect(try values["grades.mae"] == 3)
    #expect(try values["grades.coverage"] == 1)
  }

  /// Rep 0 is judged; rep 1's match lies 300 ms off with a tolerance of 200; rep 2's has no grade of this criterion; rep
  /// 3 was graded on another criterion only and does not count.
  @Test func coverageIsTheShareOfWhatPeopleGraded() throws {
    let four = reps(4)
    let truth = GroundTruth(
      reps: four, grades: [grade(0, 10), grade(1, 20), grade(2, 30), grade(3, 40, by: "A", "lean")])
    let prediction = Prediction(judged: [
      judged(four[0], 11), judged(Rep(2300, 3300), 20), judged(four[2], nil), judged(four[3], 40),
    ])
    let values = FamilyValues(metrics, [LabelledPrediction(truth, prediction)])
    #expect(try values["grades.coverage"] == 1 / 3.0)
    #expect(try values["grades.mae"] == 1)
    #expect(try values["grades.spearman"] == nil)
  }

  @Test func gradesWithoutVariationHaveNoRankCorrelation() throws {
    let truth = GroundTruth(reps: reps(2), grades: [grade(0, 10), grade(1, 20)])
    let prediction = Prediction(judged: [judged(reps(2)[0], 50), judged(reps(2)[1], 50)])
    let values = FamilyValues(metrics, [LabelledPrediction(truth, prediction)])
    #expect(try values["grades.spearman"] == nil)
    #expect(try values["grades.mae"] == (40 + 30) / 2.0)
  }

  @Test func tallyShowsWhatIsCompared() {
    let truth = GroundTruth(
      reps: reps(2), grades: [grade(1, 20), grade(1, 30, by: "B"), grade(0, 10), grade(nil, 70)])
    let tally = metrics.tally(LabelledPrediction(truth, Prediction(judged: [judged(reps(2)[1], 25)])))
    #expect(tally.map(\.rep) == [nil, 0, 1])
    #expect(tally.map(\.predicted) == [25, nil, 25])
    #expect(tally.map(\.ratings) == [["A": 70], ["A": 10], ["A": 20, "B": 30]])
  }

  @Test func nothingGradedIsUndefined() throws {
    let values = FamilyValues(
      metrics, [LabelledPrediction(GroundTruth(reps: reps(1)), Prediction(judged: [judged(reps(1)[0], 5)]))])
    #expect(try values["grades.coverage"] == nil)
    #expect(try values["grades.mae"] == nil)
  }
}

extension GradeMetrics: CheckedFamily {
  static func isUndefined(_ metric: String, in cases: UndefinedCases) -> Bool? {
    let both = cases.gradedByBoth
    return switch metric {
    case "grades.spearman": !cases.vary(both.map(\.predicted)) || !cases.vary(both.map(\.truth))
    case "grades.mae": both.isEmpty
    case "grades.coverage": cases.graded.isEmpty
    default: nil
    }
  }
}

extension GradeCeiling: CheckedFamily {
  static func isUndefined(_ metric: String, in cases: UndefinedCases) -> Bool? {
    switch metric {
    case "grades.human-spearman":
      !cases.raters.contains { cases.vary(cases.alone($0)) && cases.vary(cases.others(than: $0)) }
    case "grades.human-mae": !cases.graded.contains { $0.ratings.count > 1 }
    default: nil
    }
  }
}
