import Charts
import Evaluation
import Pipeline
import Statistics

extension RunReport {
  static let leadFile = "changes.png"

  /// The picture of the people who changed, then all charts that these results have data for, in the order of the
  /// report.
  var pictures: [ReportPicture] {
    [leadPicture].compactMap(\.self)
      + ChartRecipe.pictures(
        of: ReportedRun(results, replayed: replayed, headings: replayed.map { heading(of: $0.result) }))
  }

  /// Each person before and after, in the metric that decides the verdict; otherwise the clips whose count changed.
  /// `nil` without a change.
  var leadPicture: ReportPicture? {
    guard let comparison, let verdict else { return nil }
    let changes =
      ComparisonRecord(comparison, before: "the baseline", after: "this run", bench: results.bench).changes
    let moved = verdict.metrics.worstFirst.filter { ($0.change.gain ?? 0) != 0 }
    // A pooled metric has no value a person; a metric that decides nothing in its place would mislead.
    let deciding = moved.isEmpty ? verdict.metrics.worstFirst : moved.filter { $0.outcome == moved.first?.outcome }
    let decisive = deciding.lazy.compactMap { metric in
      changes.first { $0.change?.metricID == metric.change.metricID }
    }.first
    return (decisive ?? changes.first).map {
      ReportPicture(file: Self.leadFile, heading: $0.heading, chart: $0.chart)
    }
  }

  /// `cleo_1: counted 0, true 1, missed 1, invented 0`
  func heading(of clip: ClipResult) -> String {
    guard let detector = results.shownDetector, wrong.contains(clip.id) else { return clip.name }
    return "\(clip.name): \(mistakeWords.sentence(results.mistakes(detector, on: clip)))"
  }

  /// The number of people in all datasets.
  var subjects: Int { Set(results.clips.map(\.person)).count }

  /// The share of each score that survives: one row per metric, one column per perturbation at its strongest step.
  /// Empty without robustness results.
  func robustness(_ pictures: [PictureModel]) -> [SectionModel] {
    guard let robustness = results.robustness else { return [] }
    let ladders = robustness.ladders.filter { !$0.steps.isEmpty }
    func unique<T: Hashable>(_ items: [T]) -> [T] {
      var seen: Set<T> = []
      return items.filter { seen.insert($0).inserted }
    }
    // Errors have no surviving share.
    let shared = ladders.filter { $0.survives != nil }
    let steps = unique(shared.map { $0.steps.last?.text ?? "" })
    let rows = unique(shared.map { name($0.metric, of: $0.detector) }).map { metric in
      let own = shared.filter { name($0.metric, of: $0.detector) == metric }
      return RowModel(
        cells: [CellModel(text: metric, isHead: true)]
          + steps.map { step in
            let survives = own.first { $0.steps.last?.text == step }?.survives
            let shade = survives.map { NumberText.fixed(min(max(1 - $0, 0), 1), decimals: 2) }
            return CellModel(text: RobustnessText.share(survives), shade: shade)
          })
    }
    return [
      SectionModel(
        anchor: "robustness", heading: "Robustness",
        table: TableModel(header: ["metric"] + steps, rows: rows, isHeatMap: true),
        notes: [
          "The share of each score that survives each perturbation at its strongest step, one perturbation at a time; "
            + "seed \(robustness.seed). Errors and delays have no such share: they are in results.json."
        ] + (robustness.notes ?? [])),
      SectionModel(heading: "Each perturbation step by step", pictures: pictures, isFolded: true),
    ]
  }
}

/// The surviving scores under each perturbation, as rows of a table.
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
  /// The perturbation of the poses in a sentence.
  public var words: String {
    "\(text), seed \(seed): the poses were corrupted on purpose, so this run has no verdict."
      + (notes ?? []).map { " \($0)." }.joined()
  }

  var warning: WarningModel { WarningModel(label: "Perturbed", about: text, text: words) }
}
