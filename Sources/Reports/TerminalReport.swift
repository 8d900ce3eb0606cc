import Files
import Foundation

/// A part of a terminal's output, laid out to the terminal's width.
public enum TextBlock: Equatable, Sendable {
  case heading(String)
  case paragraph(String)
  case item(String)
  /// A line that is not broken, such as a command.
  case code(String)
  /// The first row names the columns.
  case table([[String]])
  /// An empty line; several in a row are one.
  case gap
  /// A label, and a text whose lines start at the column `indent`, the first one at once after a label that ends with a
  /// space. Words are never broken; a text that is not to be broken, such as a path, stays on one line.
  case labelled(TonedText, TonedText, indent: Int = 9, isBroken: Bool = true)
  /// The next step, whose command stays on one line.
  case step(Conclusion.Step)
  case columns(TextTable)

  /// `cost     an update of squat-states takes 2.1 times as long as the fixed loop`
  public static func fact(_ label: String, _ text: String, _ tone: Tone? = nil) -> TextBlock {
    .labelled(TonedText(label), TonedText(text, tone))
  }

  /// A label with something to copy, such as a path.
  public static func unbroken(_ label: String, _ text: String) -> TextBlock {
    .labelled(TonedText(label), TonedText(text), isBroken: false)
  }

  /// Text without a label.
  public static func words(_ text: String, _ tone: Tone? = nil) -> TextBlock {
    .labelled("", TonedText(text, tone), indent: 0)
  }

  /// A line that is not broken.
  public static func line(_ text: TonedText) -> TextBlock { .labelled("", text, indent: 0, isBroken: false) }
}

extension [TextBlock] {
  /// A line that is not broken for each text.
  public static func lines(_ texts: [String]) -> Self { texts.map { .line(TonedText($0)) } }
}

extension Conclusion {
  /// The first lines of a command's output.
  public var blocks: [TextBlock] { [.words(finding, .bold)] + next.map(TextBlock.step) }
}

extension RunReport {
  /// The report for a terminal, without pictures.
  public var terminal: [TextBlock] {
    (model([], for: .terminal).blocks + [.gap, .paragraph("Charts and methods are in report.md.")])
      .oneLine
  }
}

extension StudyReport {
  /// The report for a terminal, without pictures.
  public func terminal(by origin: Origin) -> [TextBlock] {
    model(named: kind, by: origin, [], for: .terminal).blocks.oneLine
  }
}

extension ReportModel {
  fileprivate var blocks: [TextBlock] {
    [.heading("\(suite): \(outcome.map { "\($0): " } ?? "")\(title)"), .gap] + summary.map(TextBlock.paragraph) + [.gap]
      + warnings.map { .paragraph("\($0.label): \($0.text)") } + sections.flatMap(\.blocks)
  }
}

extension SectionModel {
  fileprivate var blocks: [TextBlock] {
    let table: [TextBlock] =
      table.map { $0.rows.isEmpty ? [] : [.gap, .table([$0.header] + $0.rows.map { $0.cells.map(\.text) }), .gap] }
      ?? []
    return [.gap, .heading(heading), .gap] + texts.map(TextBlock.paragraph) + items.map(TextBlock.item)
      + commands.map(TextBlock.code) + table + notes.map(TextBlock.paragraph)
  }
}

extension [TextBlock] {
  /// The blocks with each text on one line, without terminal control characters.
  var oneLine: [TextBlock] {
    map { block in
      switch block {
      case .heading(let text): .heading(text.visibleLine)
      case .paragraph(let text): .paragraph(text.visibleLine)
      case .item(let text): .item(text.visibleLine)
      case .code(let text): .code(text.visibleLine)
      case .table(let rows): .table(rows.map { $0.map(\.visibleLine) })
      case .gap: .gap
      // A command's screen, whose texts become one line where they are broken.
      case .labelled, .step, .columns: block
      }
    }
  }
}
