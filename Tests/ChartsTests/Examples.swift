import Charts

/// Small charts whose every number is known.
enum Examples {
  static let clips = [
    CountedClip(clip: "exact", truth: 5, predicted: 5), CountedClip(clip: "more", truth: 5, predicted: 8),
    CountedClip(clip: "fewer", truth: 10, predicted: 9), CountedClip(clip: "twin", truth: 5, predicted: 5),
  ]

  static let scatter = CountScatter(source: "test", clips: clips, subjects: 2, remarks: ["MAE 1.00 [0.20, 1.80]"])

  static let errors = CountErrorByClip(
    source: "test", clips: clips, subjects: 2, mean: Estimate(0.5, lower: -1.25, upper: 2.25))

  static let subjects = CountErrorBySubject(
    source: "test",
    subjects: [
      .init(name: "anna", errors: [0, 1, 0]), .init(name: "bert", errors: [-4, -1]), .init(name: "carl", errors: []),
    ], mean: Estimate(-1, lower: -2.5, upper: 0.5))

  static let timeline = ClipTimeline(
    clip: "clip-1", source: "test", duration: 4,
    signals: [
      SignalSeries(
        name: "knee angle", unit: "°", times: [0, 1, 2, 3, 4], values: [170, 90, .nan, 95, 170],
        thresholds: [Threshold(label: "standing", value: 160)])
    ],
    trueReps: [TimedRep(start: 0, end: 2, turn: 1, isMatched: true), TimedRep(start: 2, end: 4, isMatched: false)],
    predictedReps: [TimedRep(start: 0.25, end: 2, isMatched: true)],
    cues: [TimedCue(time: 1, text: "go deeper")])

  static let grades = GradeAgreement(
    source: "test",
    items: [
      GradedItem(name: "r1", score: 80, mean: 70, lowest: 60, highest: 75),
      GradedItem(name: "r2", score: .nan, mean: 70, lowest: 60, highest: 75),
    ], subjects: 1, raters: 3, humanBand: 5, remarks: ["Spearman n/a: one rep"])

  static let latency = LatencyChart(
    source: "test",
    updateCost: .measured([
      LatencySeries(name: "cycle", samples: [8, 9, 10, .nan], quantiles: [.init("p50", 9), .init("p90", 10)])
    ]), clockFloor: 0.1,
    reportLateness: .measured([LatencySeries(name: "cycle", samples: [100, 120], quantiles: [.init("p50", 110)])]),
    cameraToCue: .unavailable("no frame rate is given"))

  static let paired = PairedDots(
    topic: "Counts", source: "test", kind: "clip", axisTitle: "reps",
    values: [
      PairedValue(name: "better", before: 1, after: 3, truth: 7, gain: 2),
      PairedValue(name: "same", before: 4, after: 4, gain: 0),
      PairedValue(name: "worse", before: 5, after: 6, truth: 5, gain: -1),
      PairedValue(name: "missing", before: 2, after: .nan, gain: .nan),
    ], isWhole: true)

  static let gains = DifferenceIntervals(
    source: "test",
    differences: [
      MetricDifference(
        name: "count.mae", unit: "reps", gain: Estimate(-0.5, lower: -0.75, upper: -0.25), margin: 0.2,
        shown: .worse, remark: "p 0.031"),
      MetricDifference(name: "same", unit: "", gain: Estimate(0, lower: 0, upper: 0)),
      MetricDifference(name: "one subject", unit: "", gain: Estimate(0.1)),
      MetricDifference(name: "undefined", unit: "", gain: Estimate(.nan), margin: 0.1),
      MetricDifference(name: "unchanged gate", unit: "", gain: Estimate(0, lower: 0, upper: 0), margin: 0.1),
      MetricDifference(name: "unseen", unit: "", gain: Estimate(.nan)),
    ], subjects: 2, clips: 4)

  private static let sweptSettings = [
    SweptSetting(
      values: ["angle": 80], score: Estimate(0.5, lower: 0.25, upper: 0.75), isOnPlateau: true, bestFor: ["anna"]),
    SweptSetting(values: ["angle": 90], score: Estimate(1), bestFor: ["bert"]),
    SweptSetting(values: ["angle": 100], score: nil),
  ]

  static let sweep = SweepCurve(
    topic: "mae by angle", source: "test", parameter: SweptParameter("angle", unit: "degrees"), metric: "mae",
    settings: sweptSettings,
    optimum: 0, base: sweptSettings[1], subjects: ["anna", "bert"])

  static let heatMap = SweepHeatMap(
    topic: "mae by angle and delay", source: "test",
    parameters: (SweptParameter("angle", unit: "degrees"), SweptParameter("delay", unit: "seconds")), metric: "mae",
    best: .lowest,
    settings: [
      SweptSetting(values: ["angle": 80, "delay": 1], score: Estimate(0.5), isOnPlateau: true, bestFor: ["anna"]),
      SweptSetting(values: ["angle": 80, "delay": 2], score: Estimate(0.75)),
      SweptSetting(values: ["angle": 90, "delay": 1], score: Estimate(1.25)),
      SweptSetting(values: ["angle": 90, "delay": 2], score: nil),
    ], optimum: 0, base: SweptSetting(values: ["angle": 90, "delay": 1], score: Estimate(1.25)), subjects: 2)

  static let errorRates = ErrorRates(
    topic: "Errors", source: "test",
    rows: [
      ErrorRates.Row(
        group: "normal", subjects: 10, falseAlarm: Estimate(0.0125, lower: 0.01, upper: 0.02),
        wrongPass: Estimate(0.02)),
      ErrorRates.Row(group: "loss", subjects: 8, falseAlarm: nil, wrongPass: nil),
    ], nominal: 0.025, limit: 0.03)

  static let power = PowerCurve(
    topic: "Power", source: "test", subjects: [10, 20],
    series: [PowerCurve.Series("detects it", .worse, chances: [Estimate(0.25, lower: 0.2, upper: 0.3), Estimate(1)])])

  static let scores = ScoreEstimates(
    topic: "Scores", source: "test", axisTitle: "mae",
    rows: [
      ScoreEstimates.Row(name: "expected", score: Estimate(1.25, lower: 0.5, upper: 2), meaning: .prediction),
      ScoreEstimates.Row(name: "optimistic", score: Estimate(0.25), meaning: .uncertain),
    ], subjects: 3)

  static let chosen = ChosenValues(
    topic: "Chosen", source: "test",
    parameters: [
      ChosenValues.Parameter(
        name: "angle", unit: "degrees", range: 80...120, base: 60, tuned: 110,
        choices: [ChosenValues.Choice(value: 100, folds: 1), ChosenValues.Choice(value: 110, folds: 2)])
    ])

  /// Those below and, of each chart without one, a random one.
  static let all: [any Chart] = {
    var random = RandomCharts(seed: 1)
    let known = Set(own.map { "\(type(of: $0))" })
    return own + random.all().filter { !known.contains("\(type(of: $0))") }
  }()

  private static let own: [any Chart] = [
    scatter, errors, timeline, grades, latency, paired, gains, sweep, heatMap, power, errorRates, scores, chosen,
    subjects, confusion, precisionRecall, roc, coverage, reliability, blandAltman, raters, ladder, history, card, strip,
    posedTimeline, pair, swing, leaderboard,
  ]

  /// The texts of a chart as they are drawn, in order.
  static func texts(of chart: any Chart) throws -> [String] {
    let canvas = try Canvas(size: chart.size)
    chart.draw(on: canvas)
    return canvas.texts.map(\.text)
  }
}
