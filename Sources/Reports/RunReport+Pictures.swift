import Charts
import Evaluation
import Pipeline
import Statistics

extension RunReport {
  /// The charts that these results have data for, in the order of the report.
  var pictures: [ReportPicture] {
    ChartRecipe.pictures(
      of: ReportedRun(results, replayed: replayed, headings: replayed.map { heading(of: $0.result) }))
  }

  /// `cleo_1: counted 0, true 1, 1 rep missed or invented`
  func heading(of clip: ClipResult) -> String {
    guard let detector = results.shownDetector, results.worstClips(detector).contains(where: { $0.id == clip.id })
    else { return clip.name }
    return "\(clip.name): \(mistakeWords.sentence(results.mistakes(detector, on: clip)))"
  }

  /// The number of people in all datasets.
  var subjects: Int { Set(results.clips.map(\.person)).count }

  /// Empty if the run has no robustness ladders.
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

/// The scores that survive each perturbation, as rows of a table.
public enum RobustnessText {
  public static let header = ["perturbation", "detector", "metric", "recorded", "perturbed", "survives"]

  /// One row per ladder, at its strongest step.
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
  /// The corruption of the poses, in a sentence.
  public var words: String {
    "\(text), seed \(seed): the poses are not as they were recorded, and nothing here gates."
      + (notes ?? []).map { " \($0)." }.joined()
  }

  var warning: WarningModel { WarningModel(label: "Perturbed", about: text, text: words) }
}
