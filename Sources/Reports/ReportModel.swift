/// A run's report as its renderings are filled with it, in Markdown, HTML and on a terminal.
///
/// Every value is text as it is to be read, every choice a flag: a rendering has nothing to compute or to round.
struct ReportModel: ModelPart {
  var suite = ""
  var suiteVersion = ""
  /// The run's name within its suite: `2026-03-01T10-00-00Z`.
  var run = ""
  var bench = ""
  var verdict = VerdictModel()
  /// What a reader must know before any number.
  var warnings: [WarningModel] = []
  /// What is held against what, a sentence each.
  var summary: [String] = []
  /// By how much the metrics that changed most gravely did, and for whom.
  var changes: [ChangeModel] = []
  /// The same of the others that changed.
  var moreChanges: [ChangeModel] = []
  /// How many these are.
  var moreChangesCount: String?
  /// `squat-states.bottomAngle: 90 → 95`
  var changedParameters: [String] = []
  /// Clips of which a detector says something else than at the baseline.
  var changedClips: [ClipModel] = []
  var hasChangedClips = false
  /// How many are not listed above.
  var moreChangedClips: String?
  /// The suite's own metrics.
  var metrics: [MetricModel] = []
  var otherMetrics: [MetricModel] = []
  var hasOtherMetrics = false
  /// The clips that matter, one part or none.
  var clips: [ClipsModel] = []
  /// Of all clips together.
  var pictures: [PictureModel] = []
  /// The gating metrics that changed on clips that have something in common.
  var changedSlices: [ChangedSliceModel] = []
  var slices: [SliceModel] = []
  /// Why there are no slices.
  var noSlices: String?
  var latency = TableModel()
  var latencyPictures: [PictureModel] = []
  var costs: [String] = []
  /// What survives of the scores when things go wrong, one table or none, and what was left out of it.
  var robustness: [RobustnessModel] = []
  var datasets: [DatasetModel] = []
  var detectors: [DetectorModel] = []
  var method: [String] = []
  var versions: [FactModel] = []
  /// The commands that make this report again.
  var commands: [String] = []
  /// Why these may not do so.
  var commandsCaveat: String?
  var limits: [String] = []
}

/// Whether the run is good enough, in a word and a sentence.
struct VerdictModel: ModelPart {
  /// `PASS`, `REGRESSION`, `INCONCLUSIVE`, `MISSING`, `IMPROVEMENT` or `NO VERDICT`.
  var outcome = ""
  /// Without a full stop.
  var reason = ""
  /// What to do next, in a sentence.
  var advice = ""
  var isPass = false
  var isRegression = false
}

struct WarningModel: ModelPart {
  /// `SYNTHETIC`, `Tuned`, `Perturbed` or `Note`.
  var label = ""
  /// What it is about, in a few words: `squat-sample is no recording of people`.
  var about = ""
  var text = ""
}

/// A metric that changed, and for whom.
struct ChangeModel: ModelPart {
  var detector = ""
  var metric = ""
  /// What a person calls it: `exact counts`.
  var name = ""
  /// `worse for 2 of 10 subjects (s03, s05), better for 1 (s07), the same for 7`
  var forWhom = ""
  /// By how much, with its unit.
  var amount = ""
  /// The gain, above 0 for better, with its 95 % interval: `gain +0.067, 95 % −0.121 to 0.255`.
  var gain = ""
  var isBetter = false
  var isWorse = false
  /// Whether the 95 % interval of the gain leaves 0 out.
  var isShown = false
}

/// What changed on the clips that have something in common.
struct ChangedSliceModel: ModelPart {
  /// `view`
  var dimension = ""
  /// Whether it is to be opened by who wants it: all but the view.
  var isFolded = false
  var table = TableModel()
}

struct MetricModel: ModelPart {
  var detector = ""
  var metric = ""
  /// What a person calls it: `exact counts`.
  var name = ""
  /// What it is, in a sentence.
  var summary = ""
  /// `reps, lower is better`
  var reading = ""
  var unit = ""
  var value = ""
  /// `0.272 to 0.594`, or `n/a`.
  var interval = ""
  /// How the interval was computed.
  var intervalBy = ""
  var baseline = ""
  /// Above 0 is better: `+0.125`, `unchanged`, or `n/a`.
  var gain = ""
  /// The 95 % interval of the gain: `−0.121 to 0.255`.
  var gainInterval: String?
  /// How many subjects have a value on both sides, whose mean the gain is, where others have one on one side:
  /// `8 of 10 subjects`.
  var gainOf: String?
  /// The loss that is accepted.
  var margin: String?
  /// The verdict on this metric: `pass`.
  var outcome: String?
  /// Its last runs on the same data as a line of blocks, the newest last.
  var trend: String?
  /// `10 of 10`
  var subjects = ""
  /// Clips without a value of their own: `1 of 30`.
  var clipsWithout = ""
  /// How many labelled cases the detector says nothing of; empty for none.
  var unanswered = ""
  /// Whether the value is pooled or a mean of subjects.
  var kind = ""
  /// What the best trivial answer scores, and which it is; empty for none.
  var trivial = ""
  var isWorseThanTrivial = false
  /// What people reach; empty where it is not known.
  var humanCeiling = ""
  var isBetter = false
  var isWorse = false
  /// Whether the 95 % interval of the gain leaves 0 out.
  var isShown = false
}

/// The clips that a detector gets most wrong, and those that changed most.
struct ClipsModel: ModelPart {
  /// `Worst and most changed clips`
  var heading = ""
  /// Whose clips they are: the first that counts reps, finds strokes, names postures or grades.
  var detector = ""
  /// The worst clips and what is wrong with them; its columns depend on what the detector does.
  var table = TableModel()
  var hasTable = false
  /// What is said where no clip is wrong.
  var allRight: String?
  /// Of the worst clips, then of those that changed most.
  var timelines: [PictureModel] = []
  /// Why some or all of them are missing.
  var noTimelines: String?
}

/// A clip whose count is another than at the baseline.
struct ClipModel: ModelPart {
  var name = ""
  var view = ""
  var detector = ""
  /// `counted 14 → 13, true 14`
  var change = ""
  var isBetter = false
  var isWorse = false
}

struct PictureModel: ModelPart {
  /// Within the report's folder.
  var file = ""
  var heading = ""
  /// Whether it is to be opened by who wants it where there is little room.
  var isFolded = false
  /// Whether it is to be opened by who wants it where there is room too.
  var isAside = false
  /// What it shows, for those who do not see it.
  var alternative = ""
  var width = ""
  var height = ""
  /// A data URI, in HTML alone.
  var light: String?
  var dark: String?
  /// Drawn for the width of a phone, a data URI too.
  var narrowLight: String?
  var narrowDark: String?
  /// The same facts as text.
  var table = TableModel()
}

/// A table of text.
struct TableModel: ModelPart {
  var header: [String] = []
  var rows: [RowModel] = []
}

struct RowModel: ModelPart {
  var cells: [CellModel] = []
}

struct CellModel: ModelPart {
  /// Of the column.
  var label = ""
  var text = ""
}

/// What survives of the scores when things go wrong with the poses.
struct RobustnessModel: ModelPart {
  var table = TableModel()
  /// Of what is random.
  var seed = ""
  /// Perturbations that the data do not allow, and why.
  var notes: [String] = []
  var pictures: [PictureModel] = []
}

/// A metric's values on the clips that have something in common.
struct SliceModel: ModelPart {
  /// `view`
  var dimension = ""
  var table = TableModel()
}

struct DatasetModel: ModelPart {
  var name = ""
  var version = ""
  /// `SYNTHETIC` or `recorded`.
  var origin = ""
  var caveat: String?
  var licence = ""
  var source = ""
  var clips = ""
  var subjects = ""
  /// The content hash.
  var content = ""
}

struct DetectorModel: ModelPart {
  var name = ""
  var summary = ""
  /// The parameters that are not at their defaults: `bottomAngle 95`.
  var changed: String?
  var parameters: [ParameterModel] = []
}

struct ParameterModel: ModelPart {
  /// The detector's name.
  var owner = ""
  var name = ""
  var value = ""
  var isChanged = false
}

struct FactModel: ModelPart {
  var name = ""
  var value = ""
}

/// A study's report as its renderings are filled with it: a sweep's, a tuning's, a comparison's or a self-test's.
struct StudyModel: ModelPart {
  /// `sweep`, `tune`, `compare` or `selftest`.
  var kind = ""
  var suite = ""
  /// What was studied, without a full stop.
  var title = ""
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

extension TableModel {
  /// From rows of text, the first of which names the columns.
  init(_ rows: [[String]]) {
    header = rows.first ?? []
    self.rows = rows.dropFirst().map { row in
      RowModel(
        cells: row.enumerated().map { column, text in
          CellModel(label: column < header.count ? header[column] : "", text: text)
        })
    }
  }
}
