import Files
import Foundation
import TestSupport
import Testing

@Suite struct NumericCSVTests {
  struct Row: Equatable {
    var line: Int
    var key: Int?
    var values: [String]
  }

  /// The rows of a file with the columns `b`, `a`, `b` by `k`.
  private func rows(_ text: String, columns: [String] = ["b", "a", "b"], key: String? = "k") throws -> [Row] {
    var rows: [Row] = []
    try NumericCSV(InputFile("a.csv", text: text), columns: columns, key: key).forEachRow { row in
      rows.append(
        Row(
          line: row.line, key: key == nil ? nil : try row.integer(),
          values: row.values.map { $0.isNaN ? "none" : "\($0)" }))
    }
    return rows
  }

  private func error(_ text: String) -> String { errorText { _ = try rows(text) } }

  private static let text = "k,a,other,b\n1,0.5,squat,-2e1\n2,,up,NaN\n\n10,-0.125,,nan\n"
  private static let expected = [
    Row(line: 2, key: 1, values: ["-20.0", "0.5", "-20.0"]), Row(line: 3, key: 2, values: ["none", "none", "none"]),
    Row(line: 5, key: 10, values: ["none", "-0.125", "none"]),
  ]

  /// However lines end and whatever stands before them; a quotation mark in a column that nobody asks for has libcsv read
  /// the file, a byte beyond ASCII too.
  @Test(arguments: [
    text, "\u{FEFF}" + text, text.replacingOccurrences(of: "\n", with: "\r\n"), text.trimmingCharacters(in: .newlines),
    text.replacingOccurrences(of: "squat", with: "\"squat\""), text.replacingOccurrences(of: "up", with: "höch"),
    text.replacingOccurrences(of: "\n", with: "\r"),
    text.replacingOccurrences(of: "k,a,other,b", with: "\"k\",\"a\",\"other\",\"b\""),
    text.replacingOccurrences(of: "k,a,other,b", with: "k,a,other,b").replacingOccurrences(of: "0.5", with: "\"0.5\""),
  ]) func rowsAreTheSame(_ text: String) throws {
    #expect(try rows(text) == Self.expected)
  }

  @Test(arguments: ["\n", "\r\n", "\u{FEFF}\n\n"]) func emptyLinesMayComeFirst(_ lines: String) throws {
    #expect(try rows(lines + Self.text).map(\.key) == Self.expected.map(\.key))
  }

  @Test func linesWithinQuotationMarksCount() throws {
    let text = Self.text.replacingOccurrences(of: "squat", with: "\"a\nb\"")
    #expect(try rows(text).map(\.line) == [2, 4, 6])
  }

  @Test func rowsMayHaveNoKey() throws {
    #expect(
      try rows(Self.text, columns: ["a"], key: nil)
        == [
          Row(line: 2, key: nil, values: ["0.5"]), Row(line: 3, key: nil, values: ["none"]),
          Row(line: 5, key: nil, values: ["-0.125"]),
        ])
    #expect(try rows("k,a,b\n").isEmpty)
    #expect(try rows("k,a,b").isEmpty)
  }

  /// The key may be one of the numbers too.
  @Test func timesAreReadInTheirUnit() throws {
    var times: [Int] = []
    var values: [Float] = []
    let file = InputFile("a.csv", text: "t,a\n33.3333,1\n1e30,2\n")
    let words = errorText {
      try NumericCSV(file, columns: ["t"], key: "t").forEachRow { row in
        times.append(try row.microseconds(unit: 1e3))
        values.append(row.values[0])
      }
    }
    #expect(times == [33_333] && values == [33.3333])
    #expect(words == "a.csv:3: expected a time in column t, found \"1e30\"")
  }

  static let wrong: [(text: String, words: String)] = [
    ("", "a.csv:1: expected a header with b, a, k, found an empty file"),
    ("k,a\n", "a.csv:1: expected column b, found only \"k\", \"a\""),
    ("k,a,b,b\n", "a.csv:1: expected each column once, found column b twice"),
    ("k,a,b\n1,2\n", "a.csv:2: expected 3 fields, found 2"),
    ("k,a,b\n1,2,3,4\n", "a.csv:2: expected 3 fields, found 4"),
    ("k,a,b\n1,2,3\n1,low,3\n", "a.csv:3: expected a number in column a, found \"low\""),
    ("k,a,b\n1,2 ,3\n", "a.csv:2: expected a number in column a, found \"2 \""),
    ("k,a,b\n1,1e39,3\n", "a.csv:2: expected a number within ±3.4e38 in column a, found \"1e39\""),
    ("k,a,b\n1.5,2,3\n", "a.csv:2: expected a whole number in column k, found \"1.5\""),
    (",a,b,k\n1,2,3,\n", "a.csv:2: expected a whole number in column k, found an empty field"),
    ("k,a,b\n1,2\0,3\n", "a.csv:2: expected text, found a NUL character"),
  ]

  @Test(arguments: wrong) func whatIsWrongIsNamed(_ text: String, _ words: String) {
    #expect(error(text).hasPrefix(words))
    // Through libcsv it is the same.
    guard !text.isEmpty, !text.contains("\0") else { return }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : $0 + ",\"\"" }
    let quoted = lines.joined(separator: "\n").replacingOccurrences(of: "b,\"\"\n", with: "b,\"c\"\n")
    if !words.contains("fields"), !words.contains("found only") { #expect(error(quoted).hasPrefix(words)) }
  }
}
