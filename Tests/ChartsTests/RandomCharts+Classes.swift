import Charts
import Scoring
import TestSupport

/// Charts of classes, confidences, agreement, runs and data from random values, good and bad.
extension RandomCharts {
  mutating func classCharts() -> [any Chart] {
    let curves = curves()
    return [
      confusion(),
      PrecisionRecallCurve(
        Classification(
          topic: random.name(), source: random.name(), curves: curves, kind: random.name(), positives: 3,
          negatives: Int.random(in: -1...9, using: &random), remarks: random.list(upTo: 9) { $0.name() })),
      ROCCurve(
        Classification(
          topic: random.name(), source: random.name(), curves: curves, positives: 3, negatives: 4,
          remarks: random.list(upTo: 9) { $0.name() })),
      coverage(), reliability(), blandAltman(), raters(), ladder(), history(), card(),
    ]
  }

  private mutating func coverage() -> CoverageAccuracy {
    let items = (0..<Int.random(in: 0...50, using: &random)).map { _ in
      (confidence: random.number(0...1), isRight: Bool.random(using: &random))
    }
    return CoverageAccuracy(
      source: random.name(), curve: CoverageCurve(items), clips: Int.random(in: 0...60, using: &random),
      remarks: random.list(upTo: 9) { $0.name() })
  }

  private mutating func estimate(_ range: ClosedRange<Double>) -> Estimate {
    Estimate(
      random.number(range), lower: Bool.random(using: &random) ? random.number(range) : nil,
      upper: Bool.random(using: &random) ? random.number(range) : nil)
  }

  private mutating func confusion() -> ConfusionChart {
    let truths = random.list(upTo: 40) { $0.name() }
    let extra = random.list(upTo: 3) { $0.name() }
    return ConfusionChart(
      topic: random.name(), source: random.name(), kind: random.name(), truths: truths,
      predictions: Bool.random(using: &random) ? truths + extra : nil,
      counts: random.list(upTo: 45) { random in
        random.list(upTo: 45) { Int.random(in: -2...2000, using: &$0) / 40 }
      }, recalls: random.list(upTo: 40) { Estimate($0.number(0...1), lower: 0.1, upper: 0.9) },
      remarks: random.list(upTo: 9) { $0.name() })
  }

  private mutating func rates() -> ThresholdRates {
    ThresholdRates(
      threshold: random.number(0...1), recall: estimate(0...1), precision: estimate(0...1),
      falsePositiveRate: estimate(0...1))
  }

  private mutating func curves() -> [ThresholdCurve] {
    (0..<Int.random(in: 0...4, using: &random)).map { _ in
      ThresholdCurve(
        name: random.name(), rates: (0..<Int.random(in: 0...60, using: &random)).map { _ in rates() },
        operatingPoint: Bool.random(using: &random) ? rates() : nil)
    }
  }

  private mutating func reliability() -> ReliabilityDiagram {
    let bins = (0..<Int.random(in: 0...20, using: &random)).map { _ in
      ReliabilityDiagram.Bin(
        stated: random.number(0...1), observed: estimate(0...1), count: Int.random(in: -1...500, using: &random))
    }
    return ReliabilityDiagram(
      topic: random.name(), source: random.name(), kind: random.name(), bins: bins,
      remarks: random.list(upTo: 9) { $0.name() })
  }

  private mutating func blandAltman() -> BlandAltmanPlot {
    BlandAltmanPlot(
      topic: random.name(), source: random.name(), quantity: random.name(),
      pairs: random.list(upTo: 300) {
        .init(subject: $0.name(), measured: $0.number(0...180), reference: $0.number(0...180))
      }, bias: estimate(-20...20), lowerLimit: Bool.random(using: &random) ? estimate(-50...0) : nil,
      upperLimit: estimate(0...50), remarks: random.list(upTo: 9) { $0.name() })
  }

  private mutating func raters() -> RaterCorrelations {
    RaterCorrelations(
      topic: random.name(), source: random.name(), measure: random.name(), raters: random.list(upTo: 30) { $0.name() },
      detectors: [0, 7, 99],
      cells: random.list(upTo: 30) { random in
        random.list(upTo: 30) { random in
          let cell = RaterCorrelations.Cell(
            Estimate(random.number(-1...1), lower: random.number(-1...0), upper: random.number(0...1)),
            count: Int.random(in: 0...500, using: &random))
          return Bool.random(using: &random) ? cell : nil
        }
      }, remarks: random.list(upTo: 9) { $0.name() })
  }

  private mutating func ladder() -> RobustnessLadder {
    let steps = (0..<Int.random(in: 0...40, using: &random)).map { _ in
      RobustnessLadder.Step(strength: random.number(0...10), score: estimate(0...5))
    }
    return RobustnessLadder(
      topic: random.name(), source: random.name(), perturbation: random.name(), metric: random.name(),
      isHigherBetter: Bool.random(using: &random), steps: steps,
      baseline: Bool.random(using: &random) ? random.number(0...5) : nil,
      margin: Bool.random(using: &random) ? random.number(0...2) : nil, clips: 3)
  }

  private mutating func history() -> MetricHistory {
    let runs = (0..<Int.random(in: 0...120, using: &random)).map { _ in
      MetricHistory.Run(
        name: random.name(), score: estimate(0...5), data: Int.random(in: 0...5, using: &random) == 0 ? "new" : "old",
        release: Int.random(in: 0...9, using: &random) == 0 ? random.name() : nil)
    }
    return MetricHistory(
      topic: random.name(), source: random.name(), metric: random.name(), runs: runs,
      remarkable: Bool.random(using: &random) ? (Int.random(in: 0...130, using: &random), random.name()) : nil)
  }

  private mutating func card() -> DatasetCard {
    func counts(_ random: inout TestGenerator) -> [DatasetCard.Count] {
      random.list(upTo: 40) { .init($0.name(), Int.random(in: -1...500, using: &$0)) }
    }
    return DatasetCard(
      name: random.name(), source: random.name(), clips: 3, subjects: nil,
      facts: random.list(upTo: 30) { .init($0.name(), $0.name()) },
      distributions: random.list(upTo: 8) { .init(title: $0.name(), counts: counts(&$0)) },
      cautions: random.list(upTo: 9) { $0.name() })
  }
}
