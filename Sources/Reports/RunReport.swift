import Datasets
import Evaluation
import Foundation
import Plots

/// The report of a run: `report.md`, its charts and `results.json` in a folder of their own.
public struct RunReport: Sendable {
  public let results: RunResults
  /// `nil` where there is no baseline to compare with, `reasonWithoutVerdict` says why.
  public let comparison: Comparison?
  public let verdict: Verdict?
  public let reasonWithoutVerdict: String?
  /// Of the clip that the counter does worst on.
  public let timeline: (clip: ClipResult, timeline: Timeline)?

  public init(
    _ results: RunResults, comparison: Comparison?, reasonWithoutVerdict: String?,
    timeline: (clip: ClipResult, timeline: Timeline)?
  ) {
    self.results = results
    self.comparison = comparison
    verdict = comparison.map(Verdict.init)
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
    let name = try reserveName(time, in: folder)
    let staging = Self.staging(name, in: folder)
    let destination = "\(folder)/\(name)"
    defer { try? FileManager.default.removeItem(atPath: staging) }
    let pictures = pictures
    for picture in pictures {
      let bytes = try png(picture.chart, metadata: metadata(name))
      try writeWhole(Data(bytes), to: "\(staging)/\(picture.file)")
    }
    try writeWhole(Data(markdown(pictures, run: name).utf8), to: "\(staging)/report.md")
    try writeWhole(try stableJSON(results), to: "\(staging)/results.json")
    try keep(name)
    guard rename(staging, destination) == 0 else {
      throw DataError(file: destination, expected: "to put the report there", found: systemReason)
    }
    try point(latest: "\(folder)/latest", to: name)
    return destination
  }

  private static func staging(_ name: String, in folder: String) -> String { "\(folder)/.\(name)" }

  /// Makes the folder that a report is staged in; that it can be made only once reserves the name among runs at once.
  private func reserveName(_ time: String, in folder: String) throws -> String {
    let path = "\(folder)/\(time)"
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw DataError(file: path, expected: "to write a report here", found: "no folder that can be made")
    }
    for number in 1... {
      let name = number == 1 ? time : "\(time)-\(number)"
      if mkdir(Self.staging(name, in: folder), 0o755) == 0 {
        if !FileManager.default.fileExists(atPath: "\(folder)/\(name)") { return name }
        rmdir(Self.staging(name, in: folder))
      } else if errno != EEXIST {
        break
      }
    }
    throw DataError(file: path, expected: "to write a report here", found: systemReason)
  }

  /// Why the last system call failed, in the system's words.
  private var systemReason: String { String(cString: strerror(errno)).lowercased() }

  private func point(latest: String, to name: String) throws {
    let link = "\(latest).\(name)"
    try? FileManager.default.removeItem(atPath: link)
    guard symlink(name, link) == 0, rename(link, latest) == 0 else {
      throw DataError(file: latest, expected: "to point it at \(name)", found: systemReason)
    }
  }

  private func metadata(_ run: String) -> [(key: String, value: String)] {
    [
      ("Software", "bench \(results.bench)"), ("Suite", results.suite), ("Run", run),
      ("Content", results.datasets.map { "\($0.name) \($0.content)" }.joined(separator: ", ")),
    ]
  }

  /// `SYNTHETIC squat-sample`: what a chart's numbers come from.
  var sources: String {
    results.datasets.map { "\($0.origin == .synthetic ? "SYNTHETIC " : "")\($0.name)" }.joined(separator: ", ")
  }
}
