import ArgumentParser
import Evaluation
import Foundation
import Plots
import Reports

struct HistoryDrawCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "draw", abstract: "Draws a metric over the runs that were kept, with intervals and releases.",
    discussion: """
      Examples:
        bench history draw count.mae --suite squat --detector squat-states
        bench history draw count.mae --suite squat --release any
      """)

  @Argument(help: "The metric.") var metric: String

  @OptionGroup var options: HistoryOptions

  @OptionGroup var picture: PictureOptions

  @Option(help: ArgumentHelp("Where to draw it. (default: history-<suite>-<metric>.png)", valueName: "file"))
  var output: String?

  func run() throws {
    let trend = try options.trend(of: metric, in: options.storage.open())
    let chart = try MetricHistory(trend)
    let path = output ?? "history-\(trend.points.last?.run.suite ?? "")-\(metric).png"
    let metadata = [
      (key: "Software", value: "bench \(Bench.version)"), (key: "Suite", value: trend.points.last?.run.suite ?? ""),
      (key: "Run", value: trend.points.last?.run.id ?? ""), (key: "Content", value: trend.points.last?.run.data ?? ""),
    ]
    try writeWhole(Data(try picture.png(chart, metadata: metadata)), to: path)
    Terminal.out("drew \(path): \(chart.subtitle)")
  }
}
