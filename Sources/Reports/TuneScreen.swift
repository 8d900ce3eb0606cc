import Evaluation

/// A tuning on one screen.
public struct TuneScreen {
  private let report: TuneReport
  private let datasets: [String]
  private let folder: String
  private let file: String

  /// - Parameters:
  ///   - datasets: Those that replaced the suite's.
  ///   - folder: The folder of the report.
  ///   - file: The path of the parameter file.
  public init(_ report: TuneReport, on datasets: [String], in folder: String, file: String) {
    (self.report, self.datasets, self.folder, self.file) = (report, datasets, folder, file)
  }

  private var results: TuneResults { report.results }

  public var blocks: [TextBlock] {
    let choices = report.choiceRows.enumerated().map { TextTable.Row($1, $0 == 0 ? .dim : nil) }
    let scores = report.scoreRows.enumerated().map { index, cells -> TextTable.Row in
      let tones: [Tone?] = [.dim, .bold, nil]
      return TextTable.Row(cells, index < tones.count ? tones[index] : .unsure)
    }
    let parts: [[TextBlock]] = [
      report.conclusion(file: file, datasets: datasets).blocks, [.gap, .suite(results.suite, results.suiteVersion)],
      results.datasets.blocks, results.perturbation?.blocks ?? [],
      [.fact("tune", report.planWords)], Self.fact("untuned", report.leftAloneWords),
      Self.fact("skipped", report.contradictionWords), [.gap, .columns(TextTable(choices, right: [1, 2]))],
      [.gap, .columns(TextTable(scores, right: [1, 2])), .gap, .fact("gain", report.gainWords)],
      Self.fact("delay", report.delayWords), Self.fact("nested", report.procedureWords),
      Self.fact("phantoms", report.phantomWords), Self.fact("worse", report.sideEffectWords, .unsure),
      [.gap, .unbroken("wrote", file), .unbroken("report", "\(folder)/tune.md"), .optimistic(TuneResults.honesty)],
    ]
    return parts.flatMap(\.self)
  }

  private static func fact(_ label: String, _ text: String?, _ tone: Tone? = nil) -> [TextBlock] {
    text.map { [TextBlock.fact(label, $0, tone)] } ?? []
  }
}
