/// A run's report as the input of its templates, in Markdown, HTML and on a terminal.
///
/// Every value is final text, every choice a flag: templates compute and round nothing.
struct ReportModel: ModelPart {
  var suite = ""
  var suiteVersion = ""
  /// The run's name within its suite: `2026-03-01T10-00-00Z`.
  var run = ""
  var bench = ""
  var verdict = VerdictModel()
  /// Warnings that come before any number.
  var warnings: [WarningModel] = []
  /// The compared data and the results, one sentence each.
  var summary: [String] = []
  /// What the animation of the clip that broke first shows; `nil` for none.
  var animation: String?
  /// The most serious changes of metrics, and for whom.
  var changes: [ChangeModel] = []
  /// The other changes.
  var moreChanges: [ChangeModel] = []
  /// The number of other changes.
  var moreChangesCount: String?
  /// `squat-states.bottomAngle: 90 → 95`
  var changedParameters: [String] = []
  /// Clips on which a prediction differs from the baseline.
  var changedClips: [ClipModel] = []
  var hasChangedClips = false
  /// The number of clips not listed above.
  var moreChangedClips: String?
  /// The suite's own metrics.
  var metrics: [MetricModel] = []
  var otherMetrics: [MetricModel] = []
  var hasOtherMetrics = false
  /// The most important clips: one part or none.
  var clips: [ClipsModel] = []
  /// The player of these clips, in HTML: one or none.
  var player: [PlayerModel] = []
  /// Pictures of all clips together.
  var pictures: [PictureModel] = []
  /// The gating metrics that changed on slices of the clips.
  var changedSlices: [ChangedSliceModel] = []
  var slices: [SliceModel] = []
  /// Why there are no slices.
  var noSlices: String?
  var latency = TableModel()
  var latencyPictures: [PictureModel] = []
  var costs: [String] = []
  /// How much of the scores survives perturbations (one table or none), and what was left out of it.
  var robustness: [RobustnessModel] = []
  var datasets: [DatasetModel] = []
  var detectors: [DetectorModel] = []
  var method: [String] = []
  var versions: [FactModel] = []
  /// The commands that make this report again.
  var commands: [String] = []
  /// Why these may give other results.
  var commandsCaveat: String?
  var limits: [String] = []
}

/// The verdict in a word and a sentence.
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
  /// Its subject in a few words: `squat-sample is no recording of people`.
  var about = ""
  var text = ""
}

/// A metric that changed, and for whom.
struct ChangeModel: ModelPart {
  var detector = ""
  var metric = ""
  /// The plain name: `exact counts`.
  var name = ""
  /// `worse for 2 of 10 subjects (s03, s05), better for 1 (s07), the same for 7`
  var forWhom = ""
  /// The size with its unit.
  var amount = ""
  /// The gain, above 0 for better, with its 95 % interval: `gain +0.067, 95 % −0.121 to 0.255`.
  var gain = ""
  var isBetter = false
  var isWorse = false
  /// Whether the 95 % interval of the gain excludes 0.
  var isShown = false
}

/// The changes on slices of the clips.
struct ChangedSliceModel: ModelPart {
  /// `view`
  var dimension = ""
  /// Whether it is collapsed at first: all dimensions but the view.
  var isFolded = false
  var table = TableModel()
}

struct MetricModel: ModelPart {
  var detector = ""
  var metric = ""
  /// The plain name: `exact counts`.
  var name = ""
  /// The definition in a sentence.
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
  /// The number of subjects with a value on both sides, if others have one on one side only: `8 of 10 subjects`. The
  /// gain is their mean.
  var gainOf: String?
  /// The accepted loss.
  var margin: String?
  /// The verdict on this metric: `pass`.
  var outcome: String?
  /// Its last runs on the same data as a line of blocks, the newest last.
  var trend: String?
  /// `10 of 10`
  var subjects = ""
  /// Clips without a value of their own: `1 of 30`.
  var clipsWithout = ""
  /// How many labelled cases the detector says nothing about; empty for none.
  var unanswered = ""
  /// Whether the value is pooled or a mean of subjects.
  var kind = ""
  /// The best trivial prediction's score and name; empty for none.
  var trivial = ""
  var isWorseThanTrivial = false
  /// The score of people; empty if unknown.
  var humanCeiling = ""
  var isBetter = false
  var isWorse = false
  /// Whether the 95 % interval of the gain excludes 0.
  var isShown = false
}

/// The worst clips of a detector, and those that changed most.
struct ClipsModel: ModelPart {
  /// `Worst and most changed clips`
  var heading = ""
  /// The detector: the first that counts reps, finds strokes, names postures or grades.
  var detector = ""
  /// The worst clips with their errors; the columns depend on the detector's tasks.
  var table = TableModel()
  var hasTable = false
  /// The sentence if no clip is wrong.
  var allRight: String?
  /// The worst clips, then those that changed most.
  var timelines: [PictureModel] = []
  /// Why some or all of them are missing.
  var noTimelines: String?
}

/// A clip whose count differs from the baseline.
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
  /// Whether it is collapsed at first if there is little room.
  var isFolded = false
  /// Whether it is collapsed at first even if there is room.
  var isAside = false
  /// The alternative text.
  var alternative = ""
  var width = ""
  var height = ""
  /// A data URI, only in HTML.
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
  /// Its target within the page.
  var link: String?
}

/// How much of the scores survives corrupted poses.
struct RobustnessModel: ModelPart {
  var table = TableModel()
  /// The seed of random perturbations.
  var seed = ""
  /// Perturbations that the data do not allow, and why.
  var notes: [String] = []
  var pictures: [PictureModel] = []
}

/// A metric's values on slices of the clips.
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
  /// The parameters that differ from their defaults: `bottomAngle 95`.
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

/// A study's report as the input of its templates: a sweep, a tuning, a comparison or a self-test.
struct StudyModel: ModelPart {
  /// `sweep`, `tune`, `compare` or `selftest`.
  var kind = ""
  var suite = ""
  /// The subject of the study, without a full stop.
  var title = ""
  var bench = ""
  /// Warnings that come before any number.
  var warnings: [WarningModel] = []
  /// The results, one sentence each.
  var summary: [String] = []
  var sections: [SectionModel] = []
  var pictures: [PictureModel] = []
  var datasets: [DatasetModel] = []
  var method: [String] = []
  var versions: [FactModel] = []
  /// The commands that make this study again.
  var commands: [String] = []
  /// Why these may give other results.
  var commandsCaveat: String?
  var limits: [String] = []
}

/// A part of a study's report.
struct SectionModel: ModelPart {
  var heading = ""
  /// One paragraph each.
  var texts: [String] = []
  var items: [String] = []
  var table: TableModel?
  /// Whether it is collapsed at first.
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
