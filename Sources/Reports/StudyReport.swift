import Charts
import Datasets
import Evaluation
import Foundation

/// The report of a sweep, a tuning, a comparison or a self-test.
///
/// It is written as `<kind>.md`, with its numbers in `<kind>.json` and its charts, into its own folder `<kind>-<time>`.
public struct StudyReport: Sendable {
  /// How a study was made.
  public struct Origin: Sendable {
    /// ISO 8601, UTC.
    var created: String
    var origin: RunOrigin

    public init(created: String, origin: RunOrigin) { (self.created, self.origin) = (created, origin) }
  }

  /// `sweep`
  public let kind: String
  let suite: String
  /// Of bench.
  let version: String
  /// The datasets of the study.
  let datasets: [RunResults.DatasetCard]
  /// Title, warnings, summary, sections and method; parts common to all kinds are added.
  let content: StudyModel
  let pictures: [ReportPicture]
  /// All numbers, in the form of `<kind>.json`.
  public let json: Data
  /// Further files of the report, besides pictures and numbers.
  var attachments: [(file: String, bytes: Data)] = []
  /// Further metadata of its pictures, besides suite, name and content.
  var marks: [(key: String, value: String)] = []

  /// Writes the report into its own folder within `folder`, which appears atomically.
  ///
  /// - Parameter html: Whether to write it also as one self-contained HTML file.
  /// - Returns: The folder of the report.
  /// - Throws: `DataError` if it cannot be written, `ChartError` if a chart cannot be drawn.
  public func write(
    to folder: String, by origin: Origin, html: Bool = false
  ) throws -> String {
    let report = try ReportFolder(called: "\(kind)-\(origin.created.replacing(":", with: "-"))", in: folder)
    defer { report.discard() }
    let drawn = try pictures.drawn(metadata: metadata(report.name), inline: html)
    let model = model(named: report.name, by: origin, drawn.map(\.model))
    try report.write(Data(try ReportTemplates.render("study", .markdown, model).utf8), to: "\(kind).md")
    if html { try report.write(Data(try ReportTemplates.render("study", .html, model).utf8), to: "\(kind).html") }
    for picture in drawn { try report.write(Data(picture.light.bytes), to: picture.file) }
    for attachment in attachments { try report.write(attachment.bytes, to: attachment.file) }
    try report.write(json, to: "\(kind).json")
    try report.publish()
    return report.destination
  }

  /// The metadata of every picture.
  func metadata(_ name: String) -> [(key: String, value: String)] {
    let content = datasets.contents
    return [(key: "Software", value: "bench \(version)"), (key: "Suite", value: suite), (key: "Run", value: name)]
      + (content.isEmpty ? [] : [(key: "Content", value: content)]) + marks
  }

  func model(named name: String, by origin: Origin, _ pictures: [PictureModel]) -> StudyModel {
    var model = content
    (model.kind, model.suite, model.bench) = (kind, suite, version)
    model.warnings = datasets.warnings + content.warnings
    model.pictures = pictures
    model.datasets = datasets.map(DatasetModel.init)
    model.versions =
      [
        FactModel(name: kind, value: name), FactModel(name: "made", value: origin.created),
        FactModel(name: "bench", value: version),
      ] + origin.origin.facts
    model.commands = origin.origin.commands(on: datasets)
    model.commandsCaveat = origin.origin.commandsCaveat
    model.limits += datasets.limits
    return model
  }
}
