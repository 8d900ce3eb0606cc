/// A field of a CSV file, written in the same form by every writer.
public enum CSVField: Hashable, Sendable {
  case text(String)
  /// Must be finite.
  case number(Double)
  case integer(Int)
  /// A text that is written unchanged.
  case literal(String)
  case flag(Bool)
  case empty

  /// The field as written, in quotation marks only if RFC 4180 requires them.
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

/// Text of a CSV field, protected from execution as a formula.
///
/// A spreadsheet executes fields that begin with `=`, `+`, `-` or `@`, quoted or not, unless they are numbers; some do
/// so after a tab or line end too. A leading apostrophe prevents that (OWASP, CSV Injection). Reading removes exactly
/// what writing added: every text reads back the same.
enum SpreadsheetText {
  static func escape(_ text: String) -> String { isFormula(text[...]) ? "'\(text)" : text }

  static func unescape(_ text: String) -> String {
    text.hasPrefix("'") && isFormula(text.dropFirst()) ? String(text.dropFirst()) : text
  }

  /// Whether it is a formula after any apostrophes; such a text gets one more, to distinguish it from an escaped one.
  private static func isFormula(_ text: Substring) -> Bool {
    let text = text.drop { $0 == "'" }
    guard let first = text.unicodeScalars.first, "=+-@\t\r\n".unicodeScalars.contains(first) else { return false }
    return !Array(text.utf8).withUnsafeBufferPointer { DecimalNumber(whole: $0) != nil }
  }
}
