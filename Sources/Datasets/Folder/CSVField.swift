import PoseModel

/// A field to be written to a CSV file, in the one form that every writer gives it.
public enum CSVField: Hashable, Sendable {
  case text(String)
  /// Must be finite.
  case number(Double)
  case integer(Int)
  /// Seconds, exact to the microsecond.
  case time(Microseconds)
  case flag(Bool)
  case empty

  /// The field as it stands in the file, in quotation marks only where RFC 4180 asks for them.
  public var encoded: String {
    switch self {
    case .text(let text): Self.quoted(SpreadsheetText.escape(text))
    case .number(let number): number.shortestDecimal
    case .integer(let integer): String(integer)
    case .time(let time): time.decimalSeconds
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
