import Evaluation
import Scoring
import Statistics

extension EstimatorAgreement {
  /// The agreement of two estimators on one screen.
  ///
  /// - Parameters:
  ///   - other: The dataset of the other estimator.
  ///   - reference: The dataset of the reference.
  ///   - caveats: Sentences on the data.
  public func screen(of other: String, beside reference: String, caveats: [String]) -> [TextBlock] {
    let size = "\(NumberText.count(clips.count, "clip")) of \(NumberText.count(subjects, "person"))"
    let left = leftOut.joined(separator: ", ")
    let parts: [[TextBlock]] = [
      conclusion(of: other, beside: reference).blocks, caveats.map { TextBlock.words($0, .unsure) },
      [.gap, .line("\(other) against \(reference): \(size)"), .gap],
      [results.block(undefined: "clip")], angleTable("\(other) − \(reference)"),
      detectorTable("\(other) − \(reference), reps"), notes.isEmpty ? [] : [.gap], notes.map { TextBlock.words($0) },
      leftOut.isEmpty ? [] : [.gap, .line("left out, in one dataset only: \(left)")],
    ]
    return parts.flatMap(\.self)
  }

  private func angleTable(_ difference: String) -> [TextBlock] {
    let header = ["angle (degrees)", difference, "limits of agreement", "ICC(2,1)", "frames"]
    let rows = angles.map { angle in
      [
        angle.angle, angle.limits.bias.text(decimals: 1), angle.limits.range(decimals: 1), angle.correlation.text,
        "\(angle.frames)",
      ]
    }
    return [TextBlock].table(header, rows, right: [1, 2, 3, 4])
  }

  private func detectorTable(_ difference: String) -> [TextBlock] {
    let header = ["detector", "exercise", "same count", difference, "same reps (F1)", "clips"]
    let rows = detectors.map { effect in
      [
        effect.detector, effect.exercise, effect.same.text, effect.difference.text, effect.reps.text,
        "\(effect.clips)",
      ]
    }
    return [TextBlock].table(header, rows, right: [2, 3, 4, 5])
  }
}

extension RaterReport {
  /// The agreement of raters on one screen.
  ///
  /// - Parameter caveats: Sentences on the data.
  public func screen(of dataset: String, caveats: [String]) -> [TextBlock] {
    let parts: [[TextBlock]] = [
      conclusion.blocks, caveats.map { TextBlock.words($0, .unsure) }, grades?.blocks(of: dataset) ?? [], repTables,
      faultTable,
    ]
    return parts.flatMap(\.self)
  }

  private var repTables: [TextBlock] {
    let shares = reps.map { pair in
      [pair.raters.joined(separator: ", "), "\(pair.matched) of \(pair.marked)", pair.share.text, "\(pair.clips)"]
    }
    let instants = reps.flatMap { pair in
      pair.differences.map { difference in
        [
          pair.raters.joined(separator: ", "), "\(difference.instant.rawValue)s", "\(difference.count)",
          NumberText.fixed(difference.median, decimals: 2), difference.limits.bias.text(decimals: 2),
          difference.limits.range(decimals: 2),
        ]
      }
    }
    let header = ["raters", "seconds between", "reps", "median apart", "second − first", "limits of agreement"]
    return [TextBlock].table(["raters", "same reps", "share", "clips"], shares, right: [1, 2, 3])
      + [TextBlock].table(header, instants, right: [2, 3, 4, 5])
  }

  private var faultTable: [TextBlock] {
    let rows = faults.map { fault in
      [
        fault.fault, fault.present.map { NumberText.fixed($0, decimals: 3) } ?? NumberText.missing, fault.same.text,
        fault.ac1.text, fault.kappa.text, "\(fault.items)",
      ]
    }
    return [TextBlock].table(
      ["fault", "present", "same judgement", "AC1", "κ", "items"], rows, right: [1, 2, 3, 4, 5])
  }
}

extension RaterAgreement {
  fileprivate func blocks(of dataset: String) -> [TextBlock] {
    let header = ["raters", "rank correlation", "κ, quadratic", "second − first", "limits of agreement"]
    let rows = pairs.map { pair in
      [
        pair.raters.joined(separator: ", "), pair.spearman.text, pair.kappa.text,
        pair.limits.map { NumberText.fixed($0.bias.value, decimals: 1) } ?? NumberText.missing,
        pair.limits?.range(decimals: 1) ?? NumberText.missing,
      ]
    }
    let size = "\(raters.count) raters, \(rated) graded, \(ratedByAll) by all of them"
    let head: [TextBlock] = [
      .gap, .line("\(dataset), \(criterion.name): \(size)"), .gap, results.block(undefined: "rater"),
    ]
    return head + [TextBlock].table(header, rows, right: [1, 2, 3, 4])
  }
}

extension [TextBlock] {
  /// A gap and a table; nothing without rows.
  fileprivate static func table(_ header: [String], _ rows: [[String]], right: Set<Int>) -> [TextBlock] {
    rows.isEmpty ? [] : [.gap, .columns(TextTable([header] + rows, right: right))]
  }
}

extension [AgreementResult] {
  /// - Parameter noun: What may have no result: `clip`.
  fileprivate func block(undefined noun: String) -> TextBlock {
    let rows = map { result -> [String] in
      let unit = result.metric.unit
      let undefined = result.undefined == 0 ? "" : "\(NumberText.count(result.undefined, noun)) n/a"
      let notes = [result.metric.plainName, unit, result.method ?? "", undefined].filter { !$0.isEmpty }
      return [
        result.metric.name, NumberText.value(result.value, unit: unit),
        NumberText.interval(result.interval, unit: unit) ?? "", notes.joined(separator: ", "),
      ]
    }
    return .columns(TextTable([["metric", "value", "95 % interval", ""]] + rows, right: [1, 2]))
  }
}

extension AgreementResult {
  /// `0.749 (0.688 to 0.805)`
  fileprivate var text: String { NumberText.agreement(value, interval, decimals: 3) }
}

extension AgreementLimits.Level {
  fileprivate func text(decimals: Int) -> String { NumberText.agreement(value, interval, decimals: decimals) }
}

extension AgreementLimits {
  /// `−10.4 to 23.3`
  fileprivate func range(decimals: Int) -> String {
    [lower, upper].map { level in
      level.map { NumberText.fixed($0.value, decimals: decimals) } ?? NumberText.missing
    }.joined(separator: " to ")
  }
}

extension NumberText {
  fileprivate static func agreement(_ value: Double?, _ interval: Interval?, decimals: Int) -> String {
    guard let value else { return missing }
    let range = interval.map { " (\(fixed($0.low, decimals: decimals)) to \(fixed($0.high, decimals: decimals)))" }
    return fixed(value, decimals: decimals) + (range ?? "")
  }
}
