import Reports
import Testing

@testable import BenchCommand

/// Labelled lines, steps and tables of a command's screen, 24 columns wide.
@Suite struct TerminalLayoutTests {
  private static func text(_ blocks: [TextBlock]) -> String {
    TerminalLayout(width: 24, tableWidth: 24).text(blocks)
  }

  /// Fifteen columns for the text after nine for the label.
  @Test func laterLinesStandBelowTheText() {
    #expect(
      Self.text([.fact("cost", "two times as long as\nthe  loop")])
        == "cost     two times as\n         long as the\n         loop")
  }

  @Test func aLongLabelKeepsASpace() {
    #expect(Self.text([.fact("perturbed", "a b")]) == "perturbed a b")
    #expect(Self.text([.labelled("↓", "a b", indent: 2), .labelled("", "c", indent: 2)]) == "↓ a b\n  c")
    #expect(
      Self.text([.labelled("  ", "two times as long as the loop", indent: 4)]) == "  two times as long as\n    the loop"
    )
  }

  @Test func aPathStaysOnItsLine() {
    #expect(Self.text([.unbroken("report", "a folder/of many words.md")]) == "report   a folder/of many words.md")
    #expect(Self.text([.words("six seven eight nine ten")]) == "six seven eight nine ten")
    #expect(Self.text([.words("six seven eight nine tens")]) == "six seven eight nine\ntens")
  }

  @Test func aCommandThatDoesNotFitHasALineOfItsOwn() {
    #expect(Self.text([.step(.init("see", "bench run"))]) == "next     see bench run")
    #expect(Self.text([.step(.init("see why:", "bench run"))]) == "next     see why:\n         bench run")
    #expect(Self.text([.step(.init("label the clips"))]) == "next     label the clips")
  }

  @Test func aRowHasItsNoteBelowAndIsIndented() {
    let rows = [TextTable.Row(["a", "1"], note: "twice as long as before"), TextTable.Row(["long", "23"])]
    #expect(
      Self.text([.columns(TextTable(rows, right: [1], indent: 2))])
        == "  a      1\n    twice as long as\n    before\n  long  23")
  }

  @Test func tonesKeepTheirWords() {
    let text: TonedText = "\("not sure", .bold, .unsure): \(7) of \(8)"
    #expect(text.parts.map(\.text) == ["not sure", ": 7 of 8"])
    #expect(text.parts.map(\.tones) == [[.bold, .unsure], []])
    // Four columns for the first line; a line feed between two words of a tone has it too.
    let wrapped = text.wrapped(to: 10, indent: 1, from: 6)
    #expect(wrapped.parts.map(\.text) == ["not\n sure", ": 7\n of 8"])
    #expect(wrapped.parts.map(\.tones) == [[.bold, .unsure], []])
  }
}
