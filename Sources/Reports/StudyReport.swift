import Charts
import Datasets
import Evaluation
import Foundation

/// The report of a sweep, a tuning, a comparison or a self-test.
///
/// It is written as `<kind>.md`, with its numbers in `<kind>.json` and its charts, into a folder of its own,
/// `<kind>-<time>`.
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
  /// What it was found on.
  let datasets: [RunResults.DatasetCard]
  /// Title, warnings, summary, sections and method; what all kinds have is added.
  let content: StudyModel
  let pictures: [ReportPicture]
  /// Every number, as `<kind>.json` holds it.
  public let json: Data
  /// Files beside the report, but for pictures and numbers.
  var attachments: [(file: String, bytes: Data)] = []
  /// What its pictures say of themselves, beside suite, name and content.
  var marks: [(key: String, value: String)] = []

  /// Writes the report into a folder of its own within `folder`, which appears whole.
  ///
  /// - Parameter html: whether it is also written as one HTML file that needs no other.
  /// - Returns: the folder of the report.
  /// - Throws: `DataError` where it can't be written, `ChartError` where a chart can't be drawn.
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

  /// What is written into every picture.
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
