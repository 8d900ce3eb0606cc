import Charts
import Evaluation
import Statistics

extension RunReport {
  /// The charts that these results have something for, in the order of the report.
  var pictures: [ReportPicture] {
    ChartRecipe.pictures(
      of: ReportedRun(results, replayed: replayed, headings: replayed.map { heading(of: $0.result) }))
  }

  /// `cleo_1: counted 0, true 1, 1 rep missed or invented`
  private func heading(of clip: ClipResult) -> String {
    guard let detector = results.shownDetector, results.worstClips(detector).contains(where: { $0.id == clip.id })
    else { return clip.name }
    return "\(clip.name): \(mistakeWords.sentence(results.mistakes(detector, on: clip)))"
  }

  /// How many people there are in all datasets.
  var subjects: Int { Set(results.clips.map(\.person)).count }

  /// None where the run climbed no ladder.
  func robustness(_ pictures: [PictureModel]) -> [RobustnessModel] {
    results.robustness.map { robustness in
      [
        RobustnessModel(
          table: TableModel([RobustnessText.header] + RobustnessText.rows(robustness)), seed: "\(robustness.seed)",
          notes: robustness.notes ?? [], pictures: pictures)
      ]
    } ?? []
  }
}

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

extension RunResults.Perturbation {
  /// How the poses were corrupted on purpose, in a sentence.
  public var words: String {
    "\(text), seed \(seed): the poses are not as they were recorded, and nothing here gates."
      + (notes ?? []).map { " \($0)." }.joined()
  }

  var warning: WarningModel { WarningModel(label: "Perturbed", about: text, text: words) }
}
