import Charts
import Statistics

/// Charts per second on one core, drawn and encoded at 1200 pixels, and the size of the files.
struct ChartBenchmark {
  func measure() throws -> [Row] {
    let charts = charts
    var sizes: [Int] = []
    let rounds = 12
    let effort = try Effort {
      for _ in 0..<rounds { sizes = try charts.map { try png($0).count } }
    }
    let rate = Double(rounds * charts.count) / effort.cpu
    let largest = Double(sizes.max() ?? 0) / 1024
    return [
      Row(
        what: "charts of real size at 1200 pixels, drawn and encoded, one core", claimed: "40 a second",
        measured: "\(rate.text(0)) a second of \(charts.count) kinds", holds: rate >= 40),
      Row(
        what: "the largest of their files", claimed: "under 60 KB", measured: "\(largest.text(1)) KB",
        holds: largest < 60),
    ]
  }

  /// The size of real data: 82 clips, 180 graded reps, half a minute of frames.
  private var charts: [any Chart] {
    var random = SeededGenerator(seed: 1)
    func number(_ limit: Int) -> Double { Double(random.index(below: limit)) }
    let clips = (0..<82).map { index -> CountedClip in
      let truth = 1 + number(40)
      return CountedClip(clip: "clip_\(index)", truth: truth, predicted: max(0, truth + number(9) - 4))
    }
    let graded = (0..<180).map { index -> GradedItem in
      let mean = 40 + number(55)
      return GradedItem(
        name: "rep \(index)", score: mean + number(30) - 15, mean: mean, lowest: mean - number(9),
        highest: mean + number(9))
    }
    let times = (0..<900).map { Double($0) / 30 }
    let signal = SignalSeries(
      name: "knee angle", unit: "°", times: times, values: times.map { _ in Float(80 + number(90)) },
      thresholds: [Threshold(label: "bottomAngle", value: 90), Threshold(label: "standingAngle", value: 160)])
    let reps = (0..<10).map { index in
      TimedRep(start: 3 * Double(index), end: 3 * Double(index) + 2.5, isMatched: !index.isMultiple(of: 4))
    }
    let costs = ["squat-states", "squat-posture", "exercise-squat", "coach-squat"].map { name in
      LatencySeries(
        name: name, samples: (0..<480).map { _ in 100 + number(200) },
        quantiles: [LatencySeries.Quantile("p50", 200), LatencySeries.Quantile("p99", 290)])
    }
    let settings = (0..<31).map { index -> SweptSetting in
      let loss = Double((index - 18) * (index - 18)) / 300
      return SweptSetting(
        values: ["bottomAngle": Double(70 + 2 * index)],
        score: Estimate(2 + loss, lower: 1.5 + loss, upper: 2.5 + loss),
        isOnPlateau: abs(index - 18) < 4)
    }
    return [
      CountScatter(source: "benchmark", clips: clips, subjects: 82),
      CountErrorByClip(source: "benchmark", clips: clips),
      GradeAgreement(source: "benchmark", items: graded, subjects: 10, raters: 3, humanBand: 9),
      ClipTimeline(clip: "clip_1", source: "benchmark", signals: [signal], trueReps: reps, predictedReps: reps),
      LatencyChart(
        source: "benchmark", updateCost: .measured(costs), clockFloor: 1, reportLateness: .unavailable("not measured"),
        cameraToCue: .unavailable("not measured")),
      ConfusionChart(
        source: "benchmark", kind: "stroke", truths: ["forehand", "backhand", "serve"],
        counts: [[71, 6, 2], [8, 45, 1], [0, 1, 22]]),
      SweepCurve(
        topic: "count.mae by bottomAngle", source: "benchmark",
        parameter: SweptParameter("bottomAngle", unit: "degrees"),
        metric: "count.mae",
        settings: settings, optimum: 18, base: settings[10], subjects: (0..<10).map { "s\($0)" }),
      BlandAltmanPlot(
        topic: "Grades", source: "benchmark", quantity: "points",
        pairs: graded.enumerated().map { index, item in
          BlandAltmanPlot.Pair(subject: "s\(index % 10)", measured: item.score, reference: item.mean)
        }, bias: Estimate(0, lower: -2, upper: 2)),
    ]
  }
}
