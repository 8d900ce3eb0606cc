import Charts
import TestSupport

/// Charts of poses and of two timelines from random values, good and bad.
extension RandomCharts {
  mutating func poseCharts() -> [any Chart] { [strip(), posedTimeline(), pair(), swing()] }

  private mutating func figure() -> StickFigure {
    StickFigure(
      joints: random.list(upTo: 33) { random in
        .init(
          x: random.number(0...1), y: random.number(0...2),
          certainty: ([nil, .sure, .doubtful, .poor] as [StickFigure.Certainty?]).randomElement(using: &random) ?? nil)
      },
      bones: random.list(upTo: 40) {
        .init(from: Int.random(in: -1...40, using: &$0), to: Int.random(in: -1...40, using: &$0))
      })
  }

  private mutating func moments() -> [PosedMoment] {
    (0..<Int.random(in: 0...24, using: &random)).map { _ in
      PosedMoment(
        time: random.number(-1...30), caption: random.name(), figure: figure(),
        isWrong: Bool.random(using: &random))
    }
  }

  private mutating func strip() -> SkeletonStrip {
    SkeletonStrip(clip: random.name(), source: random.name(), moments: moments())
  }

  private mutating func reps() -> [TimedRep] {
    random.list(upTo: 40) { random in
      let start = random.number(-1...30)
      return TimedRep(
        start: start, end: start + random.number(-0.5...3), turn: random.number(0...30),
        isMatched: Bool.random(using: &random))
    }
  }

  private mutating func signal() -> SignalSeries {
    let values = random.list(upTo: 900) { Float($0.number(0...180)) }
    return SignalSeries(
      name: random.name(), unit: random.name(), times: values.indices.map { Double($0) / 30 }, values: values,
      thresholds: random.list(upTo: 5) { Threshold(label: $0.name(), value: $0.number(0...180)) })
  }

  private mutating func posedTimeline() -> ClipTimeline {
    ClipTimeline(
      clip: random.name(), source: random.name(), duration: random.number(0...30), signals: [signal()],
      trueReps: reps(), predictedReps: reps(), cues: [],
      phases: random.list(upTo: 60) { .init(start: $0.number(-1...30), end: $0.number(-1...30), name: $0.name()) },
      trueIntervals: random.list(upTo: 9) {
        .init(start: $0.number(-1...30), end: $0.number(-1...30), name: $0.name())
      },
      moments: moments(), omitted: random.list(upTo: 5) { $0.name() })
  }

  private mutating func pair() -> TimelinePair {
    func setting(_ charts: inout RandomCharts) -> TimelinePair.Setting {
      .init(
        name: charts.random.name(), signal: Bool.random(using: &charts.random) ? charts.signal() : nil,
        reps: charts.reps(), found: charts.random.list(upTo: 45) { Bool.random(using: &$0) },
        phases: charts.random.list(upTo: 9) {
          .init(start: $0.number(-1...30), end: $0.number(-1...30), name: $0.name())
        }, cues: charts.random.list(upTo: 9) { .init(time: $0.number(-1...30), text: $0.name()) })
    }
    return TimelinePair(
      clip: random.name(), source: random.name(), duration: random.number(0...30),
      kind: Bool.random(using: &random) ? "stroke" : nil, trueReps: reps(), before: setting(&self),
      after: setting(&self))
  }

  private mutating func swing() -> SwingChart {
    func swing(_ random: inout TestGenerator) -> TimedSwing? {
      let swing = TimedSwing(
        start: random.number(0...15), end: random.number(10...30), peak: random.number(0...30),
        contact: Bool.random(using: &random) ? random.number(0...30) : nil)
      return Bool.random(using: &random) ? swing : nil
    }
    return SwingChart(
      clip: random.name(), source: random.name(), speed: signal(),
      path: random.list(upTo: 300) { .init(time: $0.number(0...30), x: $0.number(0...1), y: $0.number(0...2)) },
      figure: Bool.random(using: &random) ? figure() : nil, truth: swing(&random), prediction: swing(&random),
      remarks: random.list(upTo: 9) { $0.name() })
  }
}
