/// What the templates of a study's report are filled with: a sweep's, a tuning's, a comparison's or a self-test's;
/// described key by key in docs/templates.md.
struct StudyModel: ModelPart {
  /// The version of these keys: raised where one is renamed, removed or means something else.
  var model = ReportTemplates.model
  /// `sweep`, `tune`, `compare` or `selftest`.
  var kind = ""
  var suite = ""
  /// What was studied, without a full stop.
  var title = ""
  /// The study's name within its suite: `sweep-2026-03-01T10-00-00Z`.
  var study = ""
  /// ISO 8601, UTC.
  var created = ""
  var bench = ""
  /// What a reader must know before any number.
  var warnings: [WarningModel] = []
  /// What came of it, a sentence each.
  var summary: [String] = []
  var sections: [SectionModel] = []
  var pictures: [PictureModel] = []
  var datasets: [DatasetModel] = []
  var method: [String] = []
  var versions: [FactModel] = []
  /// The commands that make this study again.
  var commands: [String] = []
  /// Why these may not do so.
  var commandsCaveat: String?
  var limits: [String] = []
}

/// A part of a study's report.
struct SectionModel: ModelPart {
  var heading = ""
  /// A paragraph each.
  var texts: [String] = []
  var items: [String] = []
  var table: TableModel?
  /// Whether it is to be opened by who wants it.
  var isFolded = false
}
