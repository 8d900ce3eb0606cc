import Evaluation

/// The receiver operating characteristic: true positive rate against false positive rate over a classifier's
/// thresholds, with the operating point.
///
/// - Source: Fawcett, An introduction to ROC analysis, 2006.
public struct ROCCurve: Chart {
  public var classification: Classification

  public init(_ classification: Classification) { self.classification = classification }

  public var title: String { classification.title("area under the curve", chance: 0.5) }
  public var subtitle: String { classification.subtitle }

  public var table: ChartTable {
    ChartTable(
      ["curve", .init("threshold", .upTo(4))], .estimate("false positive rate", .fixed(3)),
      .estimate("true positive rate", .fixed(3)),
      rows: classification.curves.flatMap { curve in
        ordered(curve).map {
          ChartTable.row([.text(curve.name), .number($0.threshold)], $0.falsePositiveRate.cells(), $0.recall.cells())
        }
      })
  }

  public func bodyHeight(on page: Page) -> Double? { plot.bodyHeight(on: page) }

  public func draw(on canvas: Canvas, in area: Rect) { plot.draw(on: canvas, in: area) }

  private var plot: ThresholdPlot {
    ThresholdPlot(
      xTitle: "false positive rate", yTitle: "true positive rate",
      lines: classification.curves.map { curve in
        ThresholdPlot.Line(
          curve: curve, points: points(of: curve),
          operatingPoint: curve.operatingPoint.map { ($0.falsePositiveRate, $0.recall) })
      }, remarks: classification.remarks, emptyNote: "No threshold has both rates.",
      chance: ThresholdPlot.Chance(start: 0, end: 1, words: "chance"))
  }

  /// The points of the curve, from (0, 0) without any positive.
  private func points(of curve: ThresholdCurve) -> [(x: Double, y: Estimate?)] {
    let points = ordered(curve).map { (x: $0.falsePositiveRate.value, y: Estimate?.some($0.recall)) }
    return points.isEmpty ? [] : [(x: 0, y: Estimate(0, lower: 0, upper: 0))] + points
  }

  private func ordered(_ curve: ThresholdCurve) -> [ThresholdRates] {
    curve.rates.filter { $0.recall.value.isFinite && $0.falsePositiveRate.value.isFinite }
      .sorted {
        ($0.falsePositiveRate.value, $0.recall.value) < ($1.falsePositiveRate.value, $1.recall.value)
      }
  }
}

extension ChartRecipe {
  static let roc = ChartRecipe(
    "roc",
    "ROC curve of faulty reps, over the score's threshold.",
    needs: "a run with labelled faults; --detector", takes: [.run, .detector]
  ) { context in
    let run = try context.storedRun()
    let (detector, curve) = try context.faults(run.results)
    let classification = curve.classification(
      source: run.results.judgedSource(detector), area: run.results.estimate(detector, "grades.roc-auc"),
      words: run.results.remark(detector, "grades.roc-auc"))
    return [Picture(ROCCurve(classification), metadata: run.metadata)]
  }
}
