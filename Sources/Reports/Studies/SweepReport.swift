import Datasets
import Evaluation
import Foundation
import Plots

/// The report of a sweep; beside it `sweep.csv` has a row a setting.
public struct SweepReport: Sendable {
  public let results: SweepResults

  public init(_ results: SweepResults) { self.results = results }

  /// `count.mae (reps, lower is better)`
  public var metricWords: String { results.metric.words }

  /// `bottomAngle 90, standingAngle 160`
  public func words(_ values: [Double]) -> String {
    zip(results.axes, values).map { "\($0.parameter) \(NumberText.plain($1))" }.joined(separator: ", ")
  }

  /// How large the plateau is and, on one axis, from where to where.
  public var plateauWords: String {
    let plateau = results.settings.filter(\.isOnPlateau)
    guard let optimum = results.optimum else { return "none: no setting has a value" }
    let count =
      "\(plateau.count) of \(results.settings.count) settings are within noise of \(words(results.settings[optimum].values))"
    let spans = results.axes.indices.compactMap { axis -> String? in
      let values = plateau.map { $0.values[axis] }
      guard let low = values.min(), let high = values.max(), low < high else { return nil }
      return "\(results.axes[axis].parameter) \(NumberText.plain(low)) to \(NumberText.plain(high))"
    }
    let base = results.base.isOnPlateau ? "the default is among them" : "the default is not"
    return ([count] + spans + [base]).joined(separator: "; ")
  }

  /// Which values of the optimum are the first or last of those tried; `nil` where none is.
  public var edgeWords: String? {
    guard let optimum = results.optimum, results.sampling == nil else { return nil }
    let edges = results.axes.indices.compactMap { axis -> String? in
      let values = results.settings.map { $0.values[axis] }
      let value = results.settings[optimum].values[axis]
      // Of two values each is an end.
      guard Set(values).count > 2, value == values.min() || value == values.max() else { return nil }
      return "\(results.axes[axis].parameter) \(NumberText.plain(value))"
    }
    guard !edges.isEmpty else { return nil }
    return
      "\(edges.joined(separator: " and ")) \(edges.count == 1 ? "is" : "are") at the end of what was tried: a better "
      + "one may lie beyond"
  }

  /// What to expect of the choice on new people, `nil` where that can't be said.
  public var expectationWords: String? {
    guard let expected = results.expectation else { return nil }
    let unit = results.metric.unit
    let choices = expected.choices.prefix(4).map { "\(words(results.settings[$0.setting].values)) for \($0.folds)" }
    let others = expected.choices.count - choices.count
    return NumberText.quantity(expected.value, unit: unit)
      + " (95 % \(NumberText.bounds(expected.interval, unit: unit))), each of \(expected.definedSubjects) subjects scored at "
      + "the setting that is best for the others: \(choices.joined(separator: ", "))"
      + (others > 0 ? " and \(others) more" : "")
  }

  /// `squat-sample/s03 (bottomAngle 72)`: subjects whom nothing on the plateau suits best.
  public var outlierWords: [String] {
    results.outliers.map { outlier in
      let others = outlier.settings.count - 1
      return "\(outlier.subject) (\(words(results.settings[outlier.settings[0]].values))"
        + (others > 0 ? " and \(others) other setting\(others == 1 ? "" : "s"))" : ")")
    }
  }

  /// `SYNTHETIC squat-sample`
  var sources: String { results.datasets.sources }
}
