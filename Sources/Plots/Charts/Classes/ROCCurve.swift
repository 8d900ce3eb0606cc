/// The receiver operating characteristic: what a classifier finds against what it reports without cause, over its
/// thresholds, with the operating point.
///
/// - Source: Fawcett, An introduction to ROC analysis, 2006.
public struct ROCCurve: Chart {
  public var classification: Classification

  public init(_ classification: Classification) { self.classification = classification }

  public var title: String { classification.title }
  public var subtitle: String { classification.subtitle }

  public var table: [[String]] {
    [["curve", "threshold", "false positive rate", "true positive rate"]]
      + classification.curves.flatMap { curve in
        ordered(curve).map {
          [
            curve.name, NumberText.plain($0.threshold, decimals: 4), $0.falsePositiveRate.text(decimals: 3),
            $0.recall.text(decimals: 3),
          ]
        }
      }
  }

  public func bodyHeight(on page: Page) -> Double? { plot.bodyHeight(on: page) }

  public func draw(on canvas: Canvas, in area: Rect) { plot.draw(on: canvas, in: area) }

  private var plot: ThresholdPlot {
    ThresholdPlot(
      xTitle: "false positive rate", yTitle: "true positive rate (recall)",
      lines: classification.curves.map { curve in
        ThresholdPlot.Line(
          curve: curve, points: points(of: curve),
          operatingPoint: curve.operatingPoint.map { ($0.falsePositiveRate, $0.recall) })
      }, remarks: classification.remarks, emptyNote: "No threshold has both rates.",
      chance: ThresholdPlot.Chance(start: 0, end: 1, words: "chance"))
  }

  /// From (0, 0), where nothing is reported.
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
