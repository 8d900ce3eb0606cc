/// A field to be written to a CSV file, in the one form that every writer gives it.
public enum CSVField: Hashable, Sendable {
  case text(String)
  /// Must be finite.
  case number(Double)
  case integer(Int)
  /// A text that is written as it is.
  case literal(String)
  case flag(Bool)
  case empty

  /// The field as it stands in the file, in quotation marks only where RFC 4180 asks for them.
  public var encoded: String {
    switch self {
    case .text(let text): Self.quoted(SpreadsheetText.escape(text))
    case .number(let number): number.shortestDecimal
    case .integer(let integer): String(integer)
    case .literal(let text): text
    case .flag(let flag): flag ? "1" : "0"
    case .empty: ""
    }
  }

  /// A row with the line feed that ends it.
  public static func row(_ fields: [CSVField]) -> String {
    fields.map(\.encoded).joined(separator: ",") + "\n"
  }

  private static func quoted(_ text: String) -> String {
    guard text.utf8.contains(where: { #",""#.utf8.contains($0) || $0 == 0x0A || $0 == 0x0D }) else { return text }
    return "\"\(text.replacing("\"", with: "\"\""))\""
  }
}

/// Text of a CSV field that a spreadsheet must not take for a formula.
///
/// A spreadsheet runs what begins with `=`, `+`, `-` or `@`, quoted or not, unless it is a number; some do so behind a tab
/// or the end of a line too. An apostrophe before it stops that (OWASP, CSV Injection). Reading takes away just what writing has added, so every text reads back the
/// same.
enum SpreadsheetText {
  static func escape(_ text: String) -> String { isFormula(text[...]) ? "'\(text)" : text }

  static func unescape(_ text: String) -> String {
    text.hasPrefix("'") && isFormula(text.dropFirst()) ? String(text.dropFirst()) : text
  }

  /// Whether it is a formula but for any apostrophes before it: those too get one more, to tell them from escaped ones.
  private static func isFormula(_ text: Substring) -> Bool {
    let text = text.drop { $0 == "'" }
    guard let first = text.unicodeScalars.first, "=+-@\t\r\n".unicodeScalars.contains(first) else { return false }
    return !Array(text.utf8).withUnsafeBufferPointer { DecimalNumber(whole: $0) != nil }
  }
}
