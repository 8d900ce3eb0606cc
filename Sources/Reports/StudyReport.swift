import Charts
import Datasets
import Evaluation
import Foundation

/// The report of a sweep, a tuning, a comparison or a self-test.
///
/// The folder `<kind>-<time>` has the report as `<kind>.md`, its numbers as `<kind>.json`, and its charts.
public struct StudyReport: Sendable {
  /// The time, command and machine of a study.
  public struct Origin: Sendable {
    /// ISO 8601, UTC.
    var created: String
    var origin: RunOrigin

    public init(created: String, origin: RunOrigin) { (self.created, self.origin) = (created, origin) }
  }

  /// `sweep`
  public let kind: String
  let suite: String
  /// The version of bench.
  let version: String
  /// The datasets of the study.
  let datasets: [RunResults.DatasetCard]
  /// Title, warnings, summary, sections and method, without the parts common to all kinds.
  let content: StudyContent
  let pictures: [ReportPicture]
  /// All numbers, as `<kind>.json`.
  public let json: Data
  /// Files of the report other than pictures and numbers.
  var attachments: [(file: String, bytes: Data)] = []
  /// The clips that the page plays; empty for a study without clips.
  var played: [Player.Entry] = []
  /// Metadata of the pictures other than suite, name and content.
  var marks: [(key: String, value: String)] = []

  /// Writes the report into its own folder within `folder`, atomically.
  ///
  /// - Parameter html: Whether to also write one self-contained HTML file.
  /// - Returns: The folder of the report.
  /// - Throws: `DataError` if it cannot be written, `ChartError` if a chart cannot be drawn.
  public func write(
    to folder: String, by origin: Origin, html: Bool = false
  ) throws -> String {
    let report = try ReportFolder(called: "\(kind)-\(origin.created.replacing(":", with: "-"))", in: folder)
    defer { report.discard() }
    let files = try pictures.files(metadata: metadata(report.name))
    let text = try ReportTemplates.render(
      "report", .markdown, model(named: report.name, by: origin, pictures.beside, for: .file))
    try report.write(Data(text.utf8), to: "\(kind).md")
    if html {
      let player = try Player(Player.fitting(played)).model
      let drawn = try pictures.inline()
      var page = model(
        named: report.name, by: origin, player.isEmpty ? drawn : drawn.fitting(beside: player), for: .page(played: []))
      (page.player, page.script) = (player, [.tables])
      try report.write(Data(try ReportTemplates.render("report", .html, page).utf8), to: "\(kind).html")
    }
    for file in files { try report.write(file.data, to: file.name) }
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

  func model(
    named name: String, by origin: Origin, _ pictures: [DrawnPicture], for form: ReportForm
  ) -> ReportModel {
    var model = ReportModel()
    (model.suite, model.title, model.summary) = (suite, content.title, content.summary)
    model.warnings = datasets.warnings + content.warnings
    model.lead = pictures.prefix(1).map(\.model)
    let versions =
      [
        FactModel(name: kind, value: name), FactModel(name: "made", value: origin.created),
        FactModel(name: "bench", value: version),
      ] + origin.origin.facts
    let data =
      datasets.isEmpty
      ? ["No recordings: the study is simulated; marked settings use the values of a baseline."]
      : datasets.map(\.sentence)
    let sections =
      content.sections + [
        SectionModel(anchor: "pictures", heading: "Pictures", pictures: pictures.dropFirst().map(\.model)),
        SectionModel(anchor: "method", heading: "Data and method", items: data),
        .making(origin.origin.commands(on: datasets), caveat: origin.origin.commandsCaveat), .versions(versions),
        SectionModel(heading: "How numbers are computed", items: content.method, isFolded: true),
        SectionModel(heading: "Limits", items: content.limits + datasets.limits),
      ]
    model.sections = sections.filter { $0.isShown(in: form) }
    return model
  }
}

/// The parts of a report that are specific to a study.
struct StudyContent {
  /// The title without a full stop.
  var title = ""
  /// Warnings other than those about the datasets.
  var warnings: [WarningModel] = []
  /// The results, one or two sentences each.
  var summary: [String] = []
  var sections: [SectionModel] = []
  /// The method of each number, one or two sentences each.
  var method: [String] = []
  var limits: [String] = []
}
