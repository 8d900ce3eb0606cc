import Charts
import Evaluation
import Files
import Pipeline
import Scoring
import Statistics

/// The agreement of raters and of estimators as tidy tables: a row for each value.
extension RaterReport {
  public var table: ChartTable {
    let of = grades.map { agreement in
      agreement.results.map { row(agreement.criterion.name, "all", $0) }
        + agreement.pairs.flatMap { pair -> [[ChartTable.Cell]] in
          let raters = pair.raters.joined(separator: ", ")
          return [
            row(agreement.criterion.name, raters, pair.spearman), row(agreement.criterion.name, raters, pair.kappa),
          ] + rows(agreement.criterion.name, raters, pair.limits, unit: "points", decimals: 1)
        }
    }
    return .agreement(
      "judged",
      (of ?? [])
        + reps.flatMap { pair -> [[ChartTable.Cell]] in
          let raters = pair.raters.joined(separator: ", ")
          return [row("reps", raters, pair.share)]
            + pair.differences.flatMap {
              rows("rep \($0.instant.rawValue)", raters, $0.limits, unit: "s", decimals: 3)
            }
        }
        + faults.flatMap { fault in
          [fault.same, fault.ac1, fault.kappa].map { row("fault: \(fault.fault)", "all", $0) }
        })
  }
}

extension EstimatorAgreement {
  public var table: ChartTable {
    .agreement(
      "compared",
      results.map { row("keypoints", "", $0) }
        + angles.flatMap { angle in
          rows(angle.angle, "", angle.limits, unit: "degrees", decimals: 1) + [row(angle.angle, "", angle.correlation)]
        }
        + detectors.flatMap { effect in
          [effect.same, effect.difference, effect.reps].map { row("\(effect.detector), \(effect.exercise)", "", $0) }
        })
  }
}

extension RatedClips {
  /// The ratings themselves: a row for each rep or whole clip and each criterion or fault, a column for each rater.
  ///
  /// A fault is 1 if present, 0 if not; a missing rating is empty.
  ///
  /// - Parameter criterion: `nil` for all criteria and faults.
  /// - Throws: `EvaluationError.missing` without ratings.
  public func grades(criterion: String?) throws -> ChartTable {
    let wanted = criterion.map { name in criteria.filter { $0 == name } } ?? criteria
    let judged =
      wanted.map { (name: $0, items: GradedItems(self, criterion: $0)) }
      + (criterion == nil ? faults.map { (name: "fault: \($0)", items: GradedItems(self, fault: $0)) } : [])
    let raters = Set(judged.flatMap(\.items.raters)).sorted()
    guard !raters.isEmpty else {
      throw EvaluationError.missing(
        what: "dataset \(dataset)",
        expected: criteria.isEmpty ? "grades or faults" : "grades by one of \(criteria.joined(separator: ", "))",
        found: criterion.map { NearNames.question($0, in: criteria) } ?? "none")
    }
    return ChartTable(
      ["clip", "subject", "rep", "criterion"], raters.map { .init($0) },
      rows: judged.flatMap { name, items in
        items.items.map { item in
          ChartTable.row(
            [.text(item.clip), .text(item.subject), item.rep.map { .count($0 + 1) } ?? .empty, .text(name)],
            raters.map { rater in item.ratings[rater].map { .number($0) } ?? .empty })
        }
      })
  }
}

extension ChartTable {
  fileprivate static func agreement(_ what: String, _ rows: [[Cell]]) -> ChartTable {
    ChartTable([Column(what), "raters", "metric", "unit", "value", "low", "high", "interval", "people"], rows: rows)
      .withoutEmptyColumns
  }

  /// Without the columns that have no text in any row, such as that of raters for estimators.
  private var withoutEmptyColumns: ChartTable {
    let kept = columns.indices.filter { column in !rows.allSatisfy { $0[column] == .text("") } }
    return ChartTable(kept.map { columns[$0] }, rows: rows.map { row in kept.map { row[$0] } })
  }
}

private func row(_ what: String, _ raters: String, _ result: AgreementResult) -> [ChartTable.Cell] {
  row(
    what, raters, result.metric.name, result.metric.unit, decimals: NumberText.decimals(result.metric.unit),
    result.value, result.interval, method: result.method, of: result.subjects)
}

private func rows(
  _ what: String, _ raters: String, _ limits: AgreementLimits?, unit: String, decimals: Int
) -> [[ChartTable.Cell]] {
  guard let limits else { return [] }
  let levels: [(String, AgreementLimits.Level?, String)] = [
    ("bias", limits.bias, "t on subject means"), ("limit-lower", limits.lower, "BCa over subjects"),
    ("limit-upper", limits.upper, "BCa over subjects"),
  ]
  return levels.map { name, level, method in
    row(
      what, raters, name, unit, decimals: decimals, level?.value, level?.interval, method: method, of: limits.subjects)
  }
}

private func row(
  _ what: String, _ raters: String, _ name: String, _ unit: String, decimals: Int, _ value: Double?,
  _ interval: Interval?, method: String?, of subjects: Int
) -> [ChartTable.Cell] {
  let numbers = [value, interval?.low, interval?.high].map { ChartTable.Cell.number($0, .fixed(decimals)) }
  return [.text(what), .text(raters), .text(name), .text(unit)] + numbers
    + [.text(interval == nil ? "" : method ?? ""), .count(subjects)]
}
