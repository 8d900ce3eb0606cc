import Evaluation

/// What is left of the scores under each perturbation, as rows of a table.
public enum RobustnessText {
  public static let header = ["perturbation", "detector", "metric", "recorded", "perturbed", "survives"]

  /// One a ladder, at its strongest step.
  public static func rows(_ robustness: Robustness) -> [[String]] {
    robustness.ladders.compactMap { ladder in
      guard let last = ladder.steps.last else { return nil }
      return [
        last.text, ladder.detector, ladder.metric, NumberText.value(ladder.undisturbed.value, unit: ladder.unit),
        NumberText.value(last.score.value, unit: ladder.unit), share(ladder.survives),
      ]
    }
  }

  static func share(_ survives: Double?) -> String {
    survives.map { NumberText.fixed($0 * 100, decimals: 0) + " %" } ?? "n/a"
  }
}

extension RunResults {
  /// What went wrong with the poses on purpose, in a sentence; `nil` for nothing.
  public var perturbationText: String? {
    perturbation.map {
      "\($0.text), seed \($0.seed): the poses are not as they were recorded, and nothing here gates."
        + ($0.notes ?? []).map { " \($0)." }.joined()
    }
  }
}
