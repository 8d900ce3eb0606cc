/// A report as the input of its templates: of a run, a comparison, a sweep, a tuning or a self-test, in Markdown, HTML, on
/// a terminal and for a pull request.
///
/// Every value is final text, every choice a flag: renderers compute, word and round nothing.
struct ReportModel: ModelPart {
  var suite = ""
  /// The verdict in a word: `REGRESSION`; `nil` for a study.
  var outcome: String?
  /// The finding in a sentence without a full stop; the title of a study.
  var title = ""
  var isPass = false
  var isRegression = false
  /// Warnings that come before any number.
  var warnings: [WarningModel] = []
  /// What was found and what to do next, a sentence or two each.
  var summary: [String] = []
  /// The picture that explains the finding: one or none.
  var lead: [PictureModel] = []
  /// What the animation of the clip that broke first shows; `nil` for none.
  var animation: String?
  /// The clips to look at, the first one first, in HTML: one player or none.
  var player: [PlayerModel] = []
  var sections: [SectionModel] = []
  /// The script that sorts and filters tables, in HTML.
  var script: [InlineScript] = []
}

/// Where a report is read.
enum ReportForm {
  /// Markdown with pictures beside it.
  case file
  /// One file of HTML that plays some clips.
  case page(played: Set<String>)
  case terminal
  /// Markdown for a comment on a pull request, with at most so many clips.
  case comment(clips: Int)
}

/// A part of a report: texts, items, commands, a table, notes on it and pictures, in this order.
struct SectionModel: ModelPart {
  /// The forms that have the section.
  enum Place { case everywhere, page, file }

  /// Its anchor within the page, for the sections that the page's head lists.
  var anchor: String?
  var heading = ""
  /// One paragraph each.
  var texts: [String] = []
  var items: [String] = []
  var commands: [String] = []
  var table: TableModel?
  /// What explains the table, one paragraph each.
  var notes: [String] = []
  var pictures: [PictureModel] = []
  /// Whether it is collapsed at first, as a part of the section before it.
  var isFolded = false
  var place = Place.everywhere
  /// Whether a comment on a pull request has it.
  var isShort = false
  /// Whether a terminal has it, if `place` allows it.
  var isOnTerminal = true

  private var isEmpty: Bool {
    texts.isEmpty && items.isEmpty && commands.isEmpty && notes.isEmpty && pictures.isEmpty
      && (table?.rows.isEmpty ?? true)
  }
}

extension SectionModel {
  /// Whether a form shows it.
  func isShown(in form: ReportForm) -> Bool {
    guard !isEmpty else { return false }
    return switch form {
    case .file: place != .page
    case .page: place != .file
    case .terminal: place == .everywhere && isOnTerminal
    case .comment: place == .everywhere && isShort
    }
  }
}

struct WarningModel: ModelPart {
  /// `SYNTHETIC`, `Tuned`, `Perturbed` or `Note`.
  var label = ""
  /// Its subject in a few words.
  var about = ""
  var text = ""
}

struct PictureModel: ModelPart {
  /// Within the report's folder.
  var file = ""
  var heading = ""
  /// The finding and the amount of data.
  var alternative = ""
  var width = ""
  var height = ""
  /// Data URIs, only in HTML.
  var light: String?
  var dark: String?
  /// The element that shows its files in either theme, only in Markdown.
  var element = RawText(text: "")
  /// The same facts as text, only in HTML; without rows if they are shown elsewhere or too many.
  var table: [TableModel] = []
}

/// A table of text.
struct TableModel: ModelPart {
  var header: [String] = []
  var rows: [RowModel] = []
  /// Whether its rows are clips, which a page can filter.
  var isFiltered = false
  /// Whether the cells are shades of a scale.
  var isHeatMap = false
}

struct RowModel: ModelPart {
  var cells: [CellModel] = []
  var isFailed = false
  var isChanged = false
  /// The camera view, for filtering.
  var view: String?
  /// Better or worse beyond chance.
  var isBetter = false
  var isWorse = false
}

struct CellModel: ModelPart {
  var text = ""
  /// Whether it names the row.
  var isHead = false
  /// Whether it shows by colour that the row is better or worse.
  var isGain = false
  /// Its target within the page.
  var link: String?
  /// The darkness of its shade in a heat map: `0.35`.
  var shade: String?
}

extension TableModel {
  /// From rows of text, the first of which names the columns.
  init(_ rows: [[String]]) {
    header = rows.first ?? []
    self.rows = rows.dropFirst().map { RowModel($0) }
  }
}

extension RowModel {
  /// The first text names the row.
  init(_ texts: [String], gain: Int? = nil) {
    cells = texts.enumerated().map { CellModel(text: $1, isHead: $0 == 0, isGain: $0 == gain) }
  }
}

/// Something that made a report, and which.
struct FactModel {
  var name: String
  var value: String
}

extension InlineScript {
  /// Sorts and filters tables.
  static var tables: InlineScript { InlineScript(ReportTemplates.tables) }
}
