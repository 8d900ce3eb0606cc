import Charts
import TestSupport

/// A chart of each kind from random values, good and bad.
struct RandomCharts {
  var random: TestGenerator

  init(seed: UInt64) { random = TestGenerator(seed: seed) }

  mutating func all() -> [any Chart] {
    [
      countScatter(), countError(), timeline(), grades(), latency(), paired(), gains(), sweep(), heatMap(), scores(),
      chosen(), errorRates(), subjects(), power(), leaderboard(),
    ] + classCharts() + poseCharts()
  }

  private mutating func subjects() -> CountErrorBySubject {
    CountErrorBySubject(
      topic: random.name(), source: random.name(),
      subjects: random.list(upTo: 50) { random in
        .init(name: random.name(), errors: random.list(upTo: 12) { $0.number(-9...9).rounded() })
      }, mean: Bool.random(using: &random) ? Estimate(random.number(-2...2), lower: -3, upper: 3) : nil)
  }

  private mutating func errorRates() -> ErrorRates {
    ErrorRates(
      topic: random.name(), source: random.name(),
      rows: random.list(upTo: 60) { random in
        ErrorRates.Row(
          group: random.name(), subjects: Int.random(in: 0...50, using: &random),
          falseAlarm: Bool.random(using: &random) ? Estimate(random.number(0...1), lower: 0, upper: 1) : nil,
          wrongPass: Bool.random(using: &random) ? Estimate(random.number(0...1)) : nil)
      }, nominal: random.number(0...1), limit: random.number(0...1))
  }

  private mutating func power() -> PowerCurve {
    PowerCurve(
      topic: random.name(), source: random.name(),
      subjects: random.list(upTo: 20) { Int.random(in: 1...200, using: &$0) }.sorted(),
      series: random.list(upTo: 5) { random in
        .init(
          random.name(), .prediction,
          chances: random.list(upTo: 20) { Estimate($0.number(0...1), lower: 0.1, upper: 0.9) })
      }, goal: random.number(0...1))
  }

  private mutating func clips() -> [CountedClip] {
    random.list(upTo: 200) { random in
      let truth = random.number(0...30)
      let isWhole = Bool.random(using: &random)
      return CountedClip(
        clip: random.name(), truth: isWhole ? truth.rounded() : truth,
        predicted: isWhole ? (truth + random.number(-3...3)).rounded() : random.number(0...30))
    }
  }

  private mutating func countScatter() -> CountScatter {
    CountScatter(
      topic: random.name(), source: random.name(), clips: clips(), subjects: Bool.random(using: &random) ? 3 : nil,
      remarks: random.list(upTo: 12) { $0.name() })
  }

  private mutating func countError() -> CountErrorByClip {
    CountErrorByClip(
      topic: random.name(), source: random.name(), clips: clips(),
      mean: Estimate(random.number(-2...2), lower: random.number(-4...0), upper: random.number(0...4)))
  }

  private mutating func timeline() -> ClipTimeline {
    let length = Double.random(in: 0.5...90, using: &random)
    func reps(_ random: inout TestGenerator) -> [TimedRep] {
      random.list(upTo: 60) { random in
        let start = random.number(-1...length)
        return TimedRep(
          start: start, end: start + random.number(-0.5...5),
          turn: Bool.random(using: &random) ? random.number(0...length) : nil,
          isMatched: Bool.random(using: &random))
      }
    }
    return ClipTimeline(
      clip: random.name(), source: random.name(), duration: random.number(0...length),
      signals: random.list(upTo: 4) { random in
        let values = random.list(upTo: 2000) { Float($0.number(0...180)) }
        return SignalSeries(
          name: random.name(), unit: random.name(), times: values.indices.map { Double($0) / 30 }, values: values,
          thresholds: random.list(upTo: 5) { Threshold(label: $0.name(), value: $0.number(0...180)) })
      },
      trueReps: reps(&random), predictedReps: reps(&random),
      cues: random.list(upTo: 30) { TimedCue(time: $0.number(0...length), text: $0.name()) })
  }

  private mutating func grades() -> GradeAgreement {
    GradeAgreement(
      topic: random.name(), source: random.name(),
      items: random.list(upTo: 400) {
        GradedItem(
          name: $0.name(), score: $0.number(0...100), mean: $0.number(0...100), lowest: $0.number(0...100),
          highest: $0.number(0...100))
      }, raters: 3, humanBand: random.number(0...20), remarks: random.list(upTo: 9) { $0.name() })
  }

  private mutating func latency() -> LatencyChart {
    func panel(_ random: inout TestGenerator) -> LatencyPanel {
      guard Bool.random(using: &random) else { return .unavailable(random.name()) }
      return .measured(
        random.list(upTo: 6) { random in
          LatencySeries(
            name: random.name(), samples: random.list(upTo: 300) { $0.number(-5...900) },
            quantiles: ["p50", "p90", "p99", "p99.9", "p99.99"].map { .init($0, random.number(0...900)) })
        })
    }
    return LatencyChart(
      topic: random.name(), source: random.name(), updateCost: panel(&random), clockFloor: random.number(0...1),
      reportLateness: panel(&random), cameraToCue: panel(&random))
  }

  private mutating func paired() -> PairedDots {
    PairedDots(
      topic: random.name(), source: random.name(), kind: random.name(), axisTitle: random.name(),
      values: random.list(upTo: 60) { random in
        PairedValue(
          name: random.name(), before: random.number(0...20), after: random.number(0...20),
          truth: Bool.random(using: &random) ? random.number(0...20) : nil, gain: random.number(-5...5))
      }, isWhole: Bool.random(using: &random))
  }

  private mutating func gains() -> DifferenceIntervals {
    DifferenceIntervals(
      topic: random.name(), source: random.name(),
      differences: random.list(upTo: 30) { random in
        MetricDifference(
          name: random.name(), unit: random.name(),
          gain: Estimate(random.number(-2...2), lower: random.number(-4...0), upper: random.number(0...4)),
          margin: Bool.random(using: &random) ? random.number(0...1) : nil, remark: random.name())
      }, subjects: 3, clips: 9)
  }

  private mutating func sweptSettings(_ axes: [String]) -> [SweptSetting] {
    random.list(upTo: 120) { random in
      let isMissing = Bool.random(using: &random)
      return SweptSetting(
        values: Dictionary(uniqueKeysWithValues: axes.map { ($0, random.number(0...20).rounded()) }),
        score: isMissing
          ? nil : Estimate(random.number(0...9), lower: random.number(-2...5), upper: random.number(3...12)),
        isOnPlateau: Bool.random(using: &random), bestFor: random.list(upTo: 8) { $0.name() })
    }
  }

  private mutating func sweep() -> SweepCurve {
    let settings = sweptSettings(["x"])
    return SweepCurve(
      topic: random.name(), source: random.name(), parameter: SweptParameter("x", unit: random.name()),
      metric: random.name(), settings: settings,
      optimum: settings.indices.randomElement(using: &random),
      base: SweptSetting(values: ["x": random.number(0...20)], score: Estimate(random.number(0...9))),
      subjects: random.list(upTo: 40) { $0.name() }, isCurve: Bool.random(using: &random))
  }

  private mutating func heatMap() -> SweepHeatMap {
    let settings = sweptSettings(["x", "y"])
    return SweepHeatMap(
      topic: random.name(), source: random.name(),
      parameters: (SweptParameter("x", unit: random.name()), SweptParameter("y", unit: random.name())),
      metric: random.name(),
      best: [.lowest, .highest, .nearestToZero].randomElement(using: &random) ?? .lowest, settings: settings,
      optimum: settings.indices.randomElement(using: &random),
      base: settings.first ?? SweptSetting(values: ["x": 1, "y": 2], score: nil), subjects: 3)
  }

  private mutating func scores() -> ScoreEstimates {
    ScoreEstimates(
      topic: random.name(), source: random.name(), axisTitle: random.name(),
      rows: random.list(upTo: 6) { random in
        ScoreEstimates.Row(
          name: random.name(),
          score: Estimate(random.number(-2...2), lower: random.number(-4...0), upper: random.number(0...4)),
          meaning: .prediction)
      }, subjects: 3)
  }

  private mutating func chosen() -> ChosenValues {
    ChosenValues(
      topic: random.name(), source: random.name(),
      parameters: random.list(upTo: 20) { random in
        let low = Double.random(in: -10...10, using: &random)
        return ChosenValues.Parameter(
          name: random.name(), unit: random.name(), range: low...low + Double.random(in: 0...20, using: &random),
          base: random.number(-20...20), tuned: random.number(-20...20),
          choices: random.list(upTo: 8) { random in
            ChosenValues.Choice(value: random.number(-10...30), folds: Int.random(in: 1...9, using: &random))
          })
      })
  }
}
