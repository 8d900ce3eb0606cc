/// Names that are also names of files: letters, digits, `.`, `_` and `-`, not beginning with `.`
///
/// The portable filename character set of POSIX.1-2017, 3.282, without hidden files.
public enum PortableName {
  public static let description = "a name of letters, digits, '.', '_' and '-' that does not begin with '.'"

  public static func isValid(_ text: String) -> Bool {
    !text.isEmpty && !text.hasPrefix(".") && text.utf8.allSatisfy { isLetterOrDigit($0) || "._-".utf8.contains($0) }
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: false
    }
  }
}

extension PortableName {
  /// The text with whatever can't stand in such a name replaced by `-`; empty where nothing of it can.
  public static func near(_ text: String) -> String {
    let letters = text.unicodeScalars.map { isValid("a\($0)") ? Character($0) : "-" }
    return String(String(letters).drop { ".-_".contains($0) }.reversed().drop { ".-_ ".contains($0) }.reversed())
  }

  /// Such a name for what stands at a path: the last part of it without its ending; `nil` where nothing of it can.
  public static func near(pathOf path: String) -> String? {
    guard let last = path.split(separator: "/").last else { return nil }
    let point = last.lastIndex(of: ".").flatMap { $0 > last.startIndex ? $0 : nil }
    let name = near(String(last[..<(point ?? last.endIndex)]))
    return name.isEmpty ? nil : name
  }
}
