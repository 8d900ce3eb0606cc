import Datasets
import Evaluation
import Foundation
import Plots

/// The report of a run: `report.md`, its charts and `results.json` in a folder of their own.
public struct RunReport: Sendable {
  public let results: RunResults
  /// What the run is held against; `nil` where there is none that fits, `reasonWithoutVerdict` says why.
  public let baseline: Baseline?
  public let comparison: Comparison?
  public let verdict: Verdict?
  public let reasonWithoutVerdict: String?
  /// Of the clip that the counter does worst on.
  public let timeline: (clip: ClipResult, timeline: Timeline)?

  public init(
    _ results: RunResults, baseline: Baseline?, comparison: Comparison?, reasonWithoutVerdict: String?,
    timeline: (clip: ClipResult, timeline: Timeline)?
  ) {
    self.results = results
    self.baseline = baseline
    self.comparison = comparison
    verdict = comparison.map { Verdict($0) }
    self.reasonWithoutVerdict = reasonWithoutVerdict
    self.timeline = timeline
  }

  /// A chart of the report.
  struct Picture {
    var file: String
    var heading: String
    var chart: any Chart
  }

  /// Writes the report into a folder of its own within `folder`, which appears whole, and points `folder/latest` at it.
  ///
  /// - Parameters:
  ///   - time: what to call the run; a number is added where another run has that name.
  ///   - keep: keeps the run under its name before the report appears; where it throws, there is no report.
  /// - Returns: the folder of the report.
  /// - Throws: `DataError` where it can't be written, `PlotError` where a chart can't be drawn.
  public func write(to folder: String, at time: String, keep: (String) throws -> Void) throws -> String {
    let report = try ReportFolder(called: time, in: folder)
    defer { report.discard() }
    let pictures = pictures
    for picture in pictures {
      try report.write(Data(try png(picture.chart, metadata: metadata(report.name))), to: picture.file)
    }
    try report.write(Data(markdown(pictures, run: report.name).utf8), to: "report.md")
    try report.write(try stableJSON(results), to: "results.json")
    try keep(report.name)
    try report.publish()
    try point(latest: "\(folder)/latest", to: report.name)
    return report.destination
  }

  private func point(latest: String, to name: String) throws {
    let link = "\(latest).\(name)"
    try? FileManager.default.removeItem(atPath: link)
    guard symlink(name, link) == 0, rename(link, latest) == 0 else {
      throw DataError(file: latest, expected: "to point it at \(name)", found: ReportFolder.systemReason)
    }
  }

  func metadata(_ run: String) -> [(key: String, value: String)] {
    [
      ("Software", "bench \(results.bench)"), ("Suite", results.suite), ("Run", run),
      ("Content", results.datasets.map { "\($0.name) \($0.content)" }.joined(separator: ", ")),
    ]
  }

  /// `SYNTHETIC squat-sample`: what a chart's numbers come from.
  var sources: String {
    results.datasets.sources
  }
}
