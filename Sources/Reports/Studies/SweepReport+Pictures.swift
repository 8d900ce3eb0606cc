import Evaluation
import Plots

extension SweepReport {
  typealias Picture = ReportPicture

  /// A curve for one parameter, a heat map for a grid of two, and for a sample or more parameters a cloud for each.
  var pictures: [Picture] {
    let axes = results.axes
    guard axes.count > 1 else { return axes.indices.map { curve($0, file: "curve.png", isCurve: true) } }
    if axes.count == 2, results.sampling == nil { return [heatMap] }
    return axes.indices.map { curve($0, file: "\(axes[$0].parameter).png", isCurve: false) }
  }

  private func axisTitle(_ axis: Int) -> String { "\(results.axes[axis].parameter) (\(results.axes[axis].unit))" }

  private var source: String { "\(sources) · \(results.detector)" }

  /// A subject without its dataset where all are of the same.
  private func shortName(_ subject: String) -> String {
    ComparisonNames(datasets: results.datasets.count, kinds: [:]).withoutDataset(subject)
  }

  private func swept(_ setting: SweepResults.Setting, axes: [Int]) -> SweptSetting {
    SweptSetting(
      values: axes.map { setting.values[$0] },
      score: setting.value.map { Estimate($0, lower: setting.interval?.low, upper: setting.interval?.high) },
      isOnPlateau: setting.isOnPlateau, bestFor: setting.bestFor.map(shortName))
  }

  /// Those that were scored, in their order, and behind them those that can't be.
  private func settings(axes: [Int]) -> [SweptSetting] {
    results.settings.map { swept($0, axes: axes) }
      + results.contradictions.map { contradiction in
        SweptSetting(values: axes.map { contradiction.values[$0] }, score: nil)
      }
  }

  private func curve(_ axis: Int, file: String, isCurve: Bool) -> Picture {
    let name = results.axes[axis].parameter
    return Picture(
      file: file, heading: "\(results.metric.name) by \(name)",
      chart: SweepCurve(
        title: "\(results.metric.name) by \(name)", source: source, parameter: axisTitle(axis), metric: metricWords,
        settings: settings(axes: [axis]), optimum: results.optimum, base: swept(results.base, axes: [axis]),
        subjects: results.subjects.map(shortName), isCurve: isCurve))
  }

  private var heatMap: Picture {
    let title = "\(results.metric.name) by \(results.axes[0].parameter) and \(results.axes[1].parameter)"
    return Picture(
      file: "heat-map.png", heading: title,
      chart: SweepHeatMap(
        title: title, source: source, parameters: (axisTitle(0), axisTitle(1)), metric: metricWords,
        best: best, settings: settings(axes: [0, 1]),
        optimum: results.optimum, base: swept(results.base, axes: [0, 1]), subjects: results.subjects.count))
  }

  private var best: SweepHeatMap.Best {
    switch results.metric.direction {
    case .higherIsBetter: .highest
    case .lowerIsBetter: .lowest
    case .zeroIsBest: .nearestToZero
    }
  }
}
