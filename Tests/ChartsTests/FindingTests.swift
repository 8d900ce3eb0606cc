import Scoring
import Charts
import Testing

/// The titles: each is derived by hand from a few numbers.
struct FindingTests {
  private func clips(_ view: String, right: Int, of count: Int, error: Double = -2) -> [CountedClip] {
    (0..<count).map {
      CountedClip(clip: "\(view)\($0)", truth: 5, predicted: $0 < right ? 5 : 5 + error, view: view, exercise: "squat")
    }
  }

  @Test func aViewThatBreaksTheCountIsNamed() throws {
    func title(_ clips: [CountedClip]) -> String { CountScatter(source: "", clips: clips).title }
    let (front, side) = (clips("front", right: 2, of: 10), clips("side", right: 10, of: 10))
    #expect(title(front + side) == "Front views fail: 2 of 10 right, side views 10 of 10")
    #expect(
      title(side + clips("back", right: 6, of: 10))
        == "Back views are most often wrong: 6 of 10 right, side views 10 of 10")
    // Wrong in half of both.
    let even = clips("front", right: 5, of: 10) + clips("side", right: 5, of: 10)
    #expect(title(even) == "No view stands out: 10 of 20 clips counted right")
    #expect(title(Array(even.prefix(10))) == "5 of 10 clips counted right")
    // 6 of 10 are wrong where 11 of 20 are: not a tenth more.
    let near = clips("front", right: 4, of: 10) + clips("side", right: 5, of: 10)
    #expect(title(near) == "No view stands out: 9 of 20 clips counted right")
    // What is right half the time does not fail.
    let half = "Back views are most often wrong: 5 of 10 right, side views 10 of 10"
    #expect(title(side + clips("back", right: 5, of: 10)) == half)
    // Two clips are too few to stand out.
    #expect(title(clips("front", right: 0, of: 2) + side) == "No view stands out: 10 of 12 clips counted right")
    #expect(title(side) == "All 10 counts are right" && title([]) == "No clip has both counts")

    let picture = CountScatter(source: "", clips: front + side)
    #expect(picture.table.text.dropFirst().map(\.last) == ["front views", "front views", ""])
    let texts = try Examples.texts(of: picture)
    #expect(texts.contains("front views") && texts.contains("all other clips"))
    #expect(try !Examples.texts(of: CountScatter(source: "", clips: even)).contains("all other clips"))
  }

  @Test func theDirectionOfErrorsIsNamed() {
    func title(low: Int, high: Int) -> String {
      CountErrorByClip(
        source: "",
        clips: clips("a", right: 0, of: low) + clips("b", right: 0, of: high, error: 1) + clips("c", right: 1, of: 1)
      ).title
    }
    #expect(title(low: 3, high: 0) == "All 3 wrong counts are too low: reps are missed")
    #expect(title(low: 4, high: 1) == "4 of 5 wrong counts are too low: reps are missed")
    #expect(title(low: 1, high: 4) == "4 of 5 wrong counts are too high: reps are invented")
    #expect(title(low: 3, high: 1) == "Wrong counts go both ways: 3 too low, 1 too high")
    #expect(title(low: 0, high: 1) == "The only wrong count is too high: reps are invented")
  }

  @Test func onePersonWhoExplainsTheErrorIsNamed() {
    func title(_ errors: [[Double]]) -> String {
      CountErrorBySubject(
        source: "", subjects: errors.enumerated().map { .init(name: "s\($0)", errors: $1) }
      ).title
    }
    #expect(title([[0, -3], [1, 0], [0, 0]]) == "s0 alone has 3 of 4 reps of error")
    #expect(title([[-2], [2], [0]]) == "No single person causes most errors: wrong for 2 of 3 people")
    #expect(title([[-2], [0], [0]]) == "Only s0 is miscounted, of 3 people")
    #expect(title([[-2, 0]]) == "Miscounted for the only person, s0")
    #expect(title([[0], [0]]) == "Counted right for all 2 people")
  }

  @Test func agreementIsSaidBesideThatOfPeople() {
    // |80 − 70|: the second rep has no score.
    #expect(Examples.grades.title == "Off by 10.0 points on average, typical human disagreement 5.0")
    #expect(Examples.blandAltman.title == "No clear bias; 95 % of differences lie between −4 and +7")
    var biased = Examples.blandAltman
    biased.bias = Estimate(1.5, lower: 0.5, upper: 2.5)
    #expect(biased.title == "Biased by +1.5; 95 % of differences lie between −4 and +7")
    biased.bias = Estimate(1.5)
    #expect(biased.title == "Off by +1.5 on average, without an interval: 2 people")
    #expect(
      Examples.raters.title == "detector agrees less with raters (0.50) than they do with each other (0.80)")
    #expect(Examples.confusion.title == "9 of 12 reps right; most common error: deep recognised as shallow (1)")
  }

  /// Four fifths of four clips are 3.2: all four are kept. Wilson's interval of one of one begins at 1 / (1 + 1.96²);
  /// that of three of four has its middle at (3/4 + 1.96²/8) / (1 + 1.96²/4) = 0.6275 and reaches
  /// √(3/64 + 1.96²/64) · 1.96 / (1 + 1.96²/4) = 0.3269 to either side.
  @Test func coverageCountsWhatAbstainingAvoids() throws {
    #expect(
      Examples.coverage.title
        == "Abstaining on at most 20 % of clips leaves out none: 1 of 4 counts off by more than one")
    func title(_ confidence: (Int) -> Double, isRight: (Int) -> Bool) -> String {
      let curve = CoverageCurve((0..<100).map { (confidence: confidence($0), isRight: isRight($0)) })
      return CoverageAccuracy(source: "", curve: curve, clips: 100).title
    }
    func falling(_ clip: Int) -> Double { 1 - Double(clip) / 100 }
    let start = "Abstaining on the least confident 20 of 100 clips avoids"
    #expect(title(falling) { $0 < 85 } == "\(start) 15 of 15 counts off by more than one; at random 3")
    // Of every five one is wrong, of the least confident 20 as well.
    #expect(title(falling) { $0 % 5 > 0 } == "\(start) 4 of 20 counts off by more than one; at random 4")
    // The 75th to the 90th have the same confidence: they are kept together, and 10 are left out.
    #expect(
      title({ $0 < 75 ? 0.9 : $0 < 90 ? 0.8 : 0.7 }, isRight: { $0 < 92 })
        == "Abstaining on the least confident 10 of 100 clips avoids 8 of 8 counts off by more than one; at random 0.8")
    #expect(title({ _ in 0.5 }, isRight: { $0 > 2 }).contains("leaves out none: 3 of 100 counts"))
    #expect(title(falling) { _ in true } == "No count is off by more than one: 100 clips")
    let rows = Examples.coverage.table.text
    #expect(rows[1] == ["0.900", "0.250", "1.000", "0.207", "1.000"])
    #expect(rows.last == ["0.200", "1.000", "0.750", "0.301", "0.954"])
    // From 0.207 to 1 in steps of 0.2: only the horizontal axis begins at 0.
    #expect(try Examples.texts(of: Examples.coverage).count { $0 == "0.0" } == 1)
  }

  @Test func aLeaderboardNamesItsPeople() {
    let interval = "best detector of each exercise, 95 % interval over people"
    var board = Examples.leaderboard
    #expect(board.subtitle == "test · 12 clips · 4 to 6 people in each exercise · \(interval)")
    board.people = 1...1
    #expect(board.subtitle == "test · 12 clips · 1 person in each exercise · \(interval)")
    board.people = nil
    #expect(board.subtitle == "test · 12 clips · \(interval)")
  }

  @Test func aScoreIsComparedWithChance() {
    func title(_ area: Estimate?) -> String {
      ROCCurve(
        Classification(topic: "t", source: "", curves: [Examples.curve], positives: 4, negatives: 12, area: area)
      ).title
    }
    #expect(
      title(Estimate(0.61, lower: 0.45, upper: 0.74))
        == "The score may be no better than chance: area under the curve 0.61, chance 0.50")
    #expect(
      title(Estimate(0.8, lower: 0.7, upper: 0.9))
        == "The score is better than chance: area under the curve 0.80, chance 0.50")
    #expect(
      title(Estimate(0.3, lower: 0.2, upper: 0.4))
        == "The score is worse than chance: area under the curve 0.30, chance 0.50")
    #expect(title(Estimate(0.8)) == "Area under the curve 0.80, chance 0.50" && title(nil) == "t")
    // 4 of 16 are positive.
    let precision = PrecisionRecallCurve(
      Classification(
        topic: "t", source: "", curves: [], positives: 4, negatives: 12, area: Estimate(0.9, lower: 0.8, upper: 1)))
    #expect(precision.title == "The score is better than chance: average precision 0.90, chance 0.25")
  }

  /// Means over 4 and 8 reps: stated (4/4 + 8 · 3/4) / 12 = 7/12, right (4/4 + 8/2) / 12 = 5/12. With 5/8 and 7/8 of the
  /// eight right they are 6/12, 1/12 less, and 8/12, 1/12 more; with 3/4 both are 7/12.
  @Test func onlyAConfidenceIsCalibrated() throws {
    #expect(Examples.reliability.title == "Overconfident: 0.58 stated, 0.42 right")
    func title(_ share: Double) -> String {
      var chart = Examples.reliability
      chart.bins[0].observed = Estimate(share)
      return chart.title
    }
    #expect(title(0.625) == "Overconfident: 0.58 stated, 0.50 right")
    #expect(title(0.75) == "Well calibrated: 0.58 stated, 0.58 right")
    #expect(title(0.875) == "Underconfident: 0.58 stated, 0.67 right")
    var score = Examples.reliability
    score.isConfidence = false
    #expect(score.title == "Correct: 50 % of reps scored about 75 or more, 25 % of those below")
    let texts = try Examples.texts(of: score)
    #expect(texts.contains("score (points)") && texts.contains("fewer than 10 reps") && texts.contains("100"))
    #expect(!texts.contains("perfect calibration") && !texts.contains("stated confidence"))
    score.bins = [.init(stated: 0.5, observed: Estimate(0.4), count: 20)]
    #expect(score.title == "Correct: 40 % of reps, all scored about alike")
    #expect(try !Examples.texts(of: score).contains("fewer than 10 reps"))
  }

  @Test func costsAreSharesOfAFrame() throws {
    var chart = Examples.latency
    #expect(chart.title == "Cycle is slowest: p90 10 ns a frame")
    chart.frameBudget = 1e9 / 50
    #expect(chart.title == "9 of 10 frames use less than 0.001 % of their 20 ms (cycle)")
    #expect(try Examples.texts(of: chart).contains("time between frames: 20 ms"))
    chart.frameBudget = 8
    #expect(chart.title == "Cycle is too slow: p90 takes 125 % of a frame's time")
    chart.cameraToCue = .measured([LatencySeries(name: "c", samples: [30], quantiles: [.init("p50", 30)])])
    #expect(chart.title.hasSuffix("; half of the cues come within 30.0 ms"))
    chart.cameraToCue = .measured([LatencySeries(name: "c", samples: [-80], quantiles: [.init("p50", -80)])])
    #expect(chart.title.hasSuffix("; half of the cues come at least 80.0 ms early"))
  }

  /// 0.5 undisturbed, and at most 1 within the margin.
  @Test func aLadderSaysWhereItFallsOff() throws {
    #expect(Examples.ladder.title == "Mae: 0.50 → 1.50 at 2; beyond the margin only there")
    var ladder = Examples.ladder
    ladder.unit = "ms"
    #expect(ladder.title == "Mae: 0.5 → 1.5 ms at 2; beyond the margin only there")
    ladder.unit = ""
    ladder.steps.removeFirst()
    #expect(ladder.title == "Mae: 0.50 → 0.75 at 1, within the margin")
    ladder.steps[1].score = Estimate(0.25)
    ladder.steps[1].text = "noise 1 %"
    ladder.remark = "No robustness."
    #expect(ladder.title == "Mae: 0.50 → 0.25 at noise 1 %, better than as recorded")
    #expect(try Examples.texts(of: ladder).contains("No robustness."))
    // Ten people pass a gate, nine do not.
    ladder.subjects = 10
    #expect(ladder.title.hasPrefix("Mae: "))
    ladder.subjects = 9
    #expect(ladder.title == "Too few people for a finding: 24 clips of 9 people")
    // Charts that are read side by side share their scale.
    #expect(try !Examples.texts(of: ladder).contains("8"))
    ladder.shared = [8]
    #expect(try Examples.texts(of: ladder).contains("8"))
  }

  /// At most 1 is within the margin of 0.5: a step beyond it counts from where all stronger ones are beyond it too.
  @Test func aLadderThatComesBackIsNotBeyondTheMarginFromThere() {
    func verdict(_ values: [Double]) -> String? {
      let steps = values.enumerated().map {
        RobustnessLadder.Step(strength: Double($0 + 1), score: Estimate($1), text: "s=\($0 + 1)")
      }
      let title = RobustnessLadder(
        topic: "", source: "", perturbation: "noise", metric: "mae", isHigherBetter: false, steps: steps, baseline: 0.5,
        margin: 0.5, clips: 20, subjects: 10
      ).title
      return title.firstRange(of: " at s \(values.count)").map { String(title[$0.upperBound...]) }
    }
    #expect(verdict([2, 0.5, 2]) == "; beyond the margin at s 1, 3")
    #expect(verdict([0.5, 2, 2]) == "; beyond the margin from s 2")
    #expect(verdict([2, 2, 2]) == "; beyond the margin from s 1")
    #expect(verdict([2, 0.5, 0.75]) == ", but beyond the margin at s 1")
  }

  /// At most 1 is within the margin of 0.5; an interval that reaches below 1 does not show a loss beyond it.
  @Test func aLossThatMayBeChanceIsNoFinding() {
    func ladder(_ scores: [Estimate]) -> RobustnessLadder {
      RobustnessLadder(
        topic: "", source: "", perturbation: "noise", metric: "mae", isHigherBetter: false,
        steps: scores.enumerated().map { .init(strength: Double($0 + 1), score: $1) }, baseline: 0.5, margin: 0.5,
        clips: 20, subjects: 10)
    }
    let doubtful = Estimate(1.25, lower: 0.75, upper: 1.75)
    let clear = Estimate(2, lower: 1.5, upper: 2.5)
    let both = ladder([doubtful, Estimate(0.75), clear])
    #expect(both.title == "Mae: 0.50 → 2.00 at 3; clearly beyond the margin only there")
    #expect(both.table.text.map { $0[4] } == ["within the margin", "may be chance", "yes", "no"])
    #expect(ladder([doubtful]).title == "Mae: 0.50 → 1.25 at 1; beyond the margin at 1, which may be chance")
    #expect(
      ladder([doubtful, doubtful]).title
        == "Mae: 0.50 → 1.25 at 2; beyond the margin at 1 and 1 more, which may be chance")
  }

  @Test func changesAreCounted() {
    #expect(Examples.paired.title == "Counts better for 1 of 3 clips, worse for 1")
    #expect(Examples.gains.title == "0 of 6 metrics better, 1 worse")
    #expect(Examples.history.title == "Mae 2.00 in the only run on its data")
    var history = Examples.history
    history.runs.removeLast(2)
    #expect(history.title == "Mae fell from 1.00 to 0.50 over 2 runs; the intervals overlap")
    #expect(Examples.sweep.title == "Best: 80 (0.5, default 1)")
    #expect(Examples.chosen.title == "Folds do not agree on angle (2 of 3 chose 110)")
    #expect(Examples.card.title == "sample: 3 clips of 2 people, 2 of them front views")
    #expect(Examples.power.title == "With 20 people the gate detects it in 100 % of cases")
    #expect(Examples.errorRates.title == "Wrong in at most 2 % of comparisons, within the claimed 3 %")
    var rates = Examples.errorRates
    rates.limit = 0.015
    #expect(rates.title == "1 of 2 rates exceed the claimed 1.5 %, the worst with 2 %: normal, 10 people")
  }

  @Test func aSwingIsNamedAsLabelled() {
    func title(_ truth: String?, _ prediction: String?, _ cause: String? = nil) -> String {
      SwingChart(
        clip: "c", source: "", speed: SignalSeries(name: "s", unit: "", times: [], values: []), path: [], figure: nil,
        truth: truth.map { TimedSwing(start: 0, end: 1, name: $0) },
        prediction: prediction.map { TimedSwing(start: 0, end: 1, name: $0) }, cause: cause
      ).title
    }
    #expect(title("serve", "backhand") == "Serve found, but named backhand")
    #expect(title("serve", "backhand", "named backhand: a reason") == "Serve found, but named backhand: a reason")
    #expect(title("serve", "serve") == "Serve found and named right" && title("serve", nil) == "Serve missed")
    #expect(title("serve", nil, "speed peaked at 1.2") == "Serve missed: speed peaked at 1.2")
    #expect(title(nil, "serve") == "Serve invented" && title("", "") == "Stroke found")
  }
}
