import Evaluation
import Statistics

/// Precision over recall at the thresholds of a classifier, with the operating point.
///
/// The curve has steps, because a straight line between two thresholds would be too optimistic (Davis and Goadrich, The
/// Relationship Between Precision-Recall and ROC Curves, 2006). The area under the steps is the average precision.
public struct PrecisionRecallCurve: Chart {
  public var classification: Classification

  public init(_ classification: Classification) { self.classification = classification }

  public var title: String { classification.title("average precision", chance: classification.positiveShare) }
  public var subtitle: String { classification.subtitle }

  public var table: ChartTable {
    ChartTable(
      ["curve", .init("threshold", .upTo(4))], .estimate("recall", .fixed(3)), .estimate("precision", .fixed(3)),
      rows: classification.curves.flatMap { curve in
        ordered(curve).map {
          ChartTable.row([.text(curve.name), .number($0.threshold)], $0.recall.cells(), $0.precision.cells())
        }
      })
  }

  public func bodyHeight(on page: Page) -> Double? { plot.bodyHeight(on: page) }

  public func draw(on canvas: Canvas, in area: Rect) { plot.draw(on: canvas, in: area) }

  private var plot: ThresholdPlot {
    ThresholdPlot(
      xTitle: "recall: share of positives found", yTitle: "precision: positive share of flagged",
      lines: classification.curves.map { curve in
        ThresholdPlot.Line(
          curve: curve, points: steps(of: curve),
          operatingPoint: curve.operatingPoint.map { ($0.recall, $0.precision) })
      }, remarks: classification.remarks, emptyNote: "No threshold has both a precision and a recall.",
      chance: classification.positiveShare.map {
        ThresholdPlot.Chance(
          start: $0, end: $0, words: "chance: \(NumberText.fixed($0, decimals: 2)) are positive")
      })
  }

  private func ordered(_ curve: ThresholdCurve) -> [ThresholdRates] {
    curve.rates.filter { $0.recall.value.isFinite && $0.precision.value.isFinite }
      .sorted { ($0.recall.value, $1.precision.value) < ($1.recall.value, $0.precision.value) }
  }

  /// The precision at a recall applies back to the previous recall.
  private func steps(of curve: ThresholdCurve) -> [(x: Double, y: Estimate?)] {
    var last = 0.0
    return ordered(curve).flatMap { rates in
      let step: [(x: Double, y: Estimate?)] = [(last, rates.precision), (rates.recall.value, rates.precision)]
      last = rates.recall.value
      return step
    }
  }
}

extension ChartRecipe {
  static let precisionRecall = ChartRecipe(
    "pr", "Precision-recall curve of faulty reps, over the score's threshold.",
    needs: "a run with labelled faults; --detector", takes: [.run, .detector]
  ) { context in
    let run = try context.storedRun()
    let (detector, curve) = try context.faults(run.results)
    let average = curve.averagePrecision.map { Estimate($0) }
    let classification = curve.classification(
      source: run.results.judgedSource(detector), area: average,
      words: average.map { "average precision \($0.words)" })
    return [Picture(PrecisionRecallCurve(classification), metadata: run.metadata)]
  }
}

extension Estimate {
  /// `0.830 (95 % 0.600 to 0.950)`
  fileprivate var words: String {
    let value = NumberText.value(value, unit: "")
    guard let lower, let upper else { return "\(value) (95 % n/a)" }
    return "\(value) (95 % \(NumberText.value(lower, unit: "")) to \(NumberText.value(upper, unit: "")))"
  }
}
