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
