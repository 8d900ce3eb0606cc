import ArgumentParser
import Datasets
import Evaluation
import Foundation
import Plots
import Reports

struct DatasetShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Shows what a dataset holds, and draws it.",
    discussion: """
      Examples:
        bench dataset show squat-sample
        bench dataset show repcount-pose --chart card.png --width 400
      """)

  @Argument(help: "The dataset.") var name: String
  @Option(help: ArgumentHelp("Also draws it as a card to this file.", valueName: "png")) var chart: String?
  @OptionGroup var picture: PictureOptions
  @OptionGroup var storage: StoreOptions

  func run() throws {
    let store = try storage.open()
    let dataset = try DatasetCatalogue(project: storage.project, store: store).dataset(named: name)
    let bar = ProgressBar("reading", total: dataset.clipCount)
    let summary: DatasetSummary
    do {
      defer { bar.finish() }
      summary = try DatasetSummary(dataset, in: store) { try bar.update($0) }
    }
    Terminal.out(summary.text)
    if let chart {
      try writeWhole(Data(try picture.png(summary.card, metadata: summary.metadata(bench: Bench.version))), to: chart)
      Terminal.out("chart      \(chart)")
    }
  }
}
