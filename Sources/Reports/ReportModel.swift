/// The input of a report's templates, for every kind of report (run, comparison, sweep, tuning, self-test) and form
/// (Markdown, HTML, terminal, pull request).
///
/// Every value is final text and every choice is a flag: renderers compute, phrase and round nothing.
struct ReportModel: ModelPart {
  var suite = ""
  /// The verdict's title: `REGRESSION`; `nil` for a study.
  var outcome: String?
  /// The finding in a sentence without a full stop; the title of a study.
  var title = ""
  var isPass = false
  var isRegression = false
  /// Warnings that come before any number.
  var warnings: [WarningModel] = []
  /// The findings and the next step, one or two sentences each.
  var summary: [String] = []
  /// The picture that explains the finding; at most one.
  var lead: [PictureModel] = []
  /// The alternative text of the animation of the clip that broke first; `nil` without an animation.
  var animation: String?
  /// The address of the animation in a comment; `nil` to name the file.
  var animationAddress: String?
  /// The player of the most important clips, only in HTML; at most one.
  var player: [PlayerModel] = []
  var sections: [SectionModel] = []
  /// The script that sorts and filters tables, in HTML.
  var script: [InlineScript] = []
}

/// The form of a report.
enum ReportForm {
  /// Markdown with pictures beside it.
  case file
  /// One HTML file, with the clips that it can play.
  case page(played: Set<String>)
  case terminal
  /// Markdown for a comment on a pull request, with a maximum number of clips.
  case comment(clips: Int)
}

/// A section of a report: texts, items, commands, a table, notes on the table and pictures, in this order.
struct SectionModel: ModelPart {
  /// The forms that include the section.
  enum Place { case everywhere, page, file }

  /// The anchor within the page, for sections in its table of contents.
  var anchor: String?
  /// The id of a section that other parts of the page link to, and which its head does not list.
  var target: String?
  var heading = ""
  /// One paragraph each.
  var texts: [String] = []
  var items: [String] = []
  var commands: [String] = []
  var table: TableModel?
  /// Explanations of the table, one paragraph each.
  var notes: [String] = []
  var pictures: [PictureModel] = []
  /// Whether the section is collapsed at first, as part of the section before it.
  var isFolded = false
  var place = Place.everywhere
  /// Whether a comment on a pull request includes the section.
  var isShort = false
  /// Whether the terminal includes the section, if `place` allows it.
  var isOnTerminal = true

  private var isEmpty: Bool {
    texts.isEmpty && items.isEmpty && commands.isEmpty && notes.isEmpty && pictures.isEmpty
      && (table?.rows.isEmpty ?? true)
  }
}

extension SectionModel {
  /// Whether a form includes the section.
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
  /// The topic in a few words.
  var about = ""
  var text = ""
}

struct PictureModel: ModelPart {
  struct Shape: ModelPart {
    /// Data URIs.
    var light = ""
    var dark = ""
    var width = ""
    var height = ""
  }

  /// The file within the report's folder.
  var file = ""
  var heading = ""
  /// The finding and the amount of data.
  var alternative = ""
  /// The picture as it is shown on a phone, and on a desktop; only in HTML, one each.
  var narrow: [Shape] = []
  var wide: [Shape] = []
  /// The HTML element that shows the file of the reader's theme, only in Markdown.
  var element = RawText(text: "")
  /// The chart's data as text, only in HTML; without rows if shown elsewhere or too long.
  var table: [TableModel] = []
}

/// A table of text.
struct TableModel: ModelPart {
  var header: [String] = []
  var rows: [RowModel] = []
  /// Whether the rows are clips, which a page can filter.
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
  /// The person, for filtering.
  var person: String?
  /// Better or worse beyond chance.
  var isBetter = false
  var isWorse = false
}

struct CellModel: ModelPart {
  var text = ""
  /// Whether the cell names the row.
  var isHead = false
  /// Whether the cell's colour shows if the row is better or worse, and the cell stays in sight on a phone.
  var isGain = false
  /// Whether the cell says why, and stays in sight on a phone.
  var isReason = false
  /// The link target within the page.
  var link: String?
  /// The darkness of the cell in a heat map, 0 to 1: `0.35`.
  var shade: String?
}

extension TableModel {
  /// A table from rows of text; the first row names the columns.
  init(_ rows: [[String]]) {
    header = rows.first ?? []
    self.rows = rows.dropFirst().map { RowModel($0) }
  }
}

extension RowModel {
  /// A row of text; the first cell names the row.
  init(_ texts: [String], gain: Int? = nil) {
    cells = texts.enumerated().map { CellModel(text: $1, isHead: $0 == 0, isGain: $0 == gain) }
  }
}

/// A program or input that made a report, with its version.
struct FactModel {
  var name: String
  var value: String
}

extension InlineScript {
  /// The script that sorts and filters tables.
  static var tables: InlineScript { InlineScript(ReportTemplates.tables) }
}
