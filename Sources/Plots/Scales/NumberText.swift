import Foundation

/// Numbers as the charts and their tables write them.
enum NumberText {
  static let missing = "n/a"

  /// A value with a fixed number of decimals and a true minus sign; "n/a" where it is not finite.
  static func fixed(_ value: Double, decimals: Int) -> String {
    guard value.isFinite else { return missing }
    guard abs(value) < 1e15 else { return significant(value) }
    let text = String(format: "%.\(decimals)f", abs(value))
    // What rounds to nothing has no sign.
    let isZero = text.allSatisfy { $0 == "0" || $0 == "." }
    return value < 0 && !isZero ? "−\(text)" : text
  }

  /// A value with at most `decimals` decimals, without closing zeros: a count is "12", a mean count "12.5".
  static func plain(_ value: Double, decimals: Int = 2) -> String {
    var text = fixed(value, decimals: decimals)
    guard text.contains("."), !text.contains("e") else { return text }
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text
  }

  /// As `plain`, or as `fixed` where zeros are kept, with a plus sign above 0.
  static func signed(_ value: Double, decimals: Int = 2, keepingZeros: Bool = false) -> String {
    let text = keepingZeros ? fixed(value, decimals: decimals) : plain(value, decimals: decimals)
    let isZero = text.allSatisfy { $0 == "0" || $0 == "." }
    return value > 0 && value.isFinite && !isZero ? "+\(text)" : text
  }

  /// Three significant digits; closing zeros behind the point are kept where numbers stand in a column.
  static func significant(_ value: Double, keepingZeros: Bool = false) -> String {
    guard value.isFinite else { return missing }
    let size = abs(value)
    if size >= 1e7 || (size > 0 && size < 1e-4) {
      return String(format: "%.3g", value).replacing("-", with: "−", maxReplacements: value < 0 ? 1 : 0)
    }
    // What rounds up to four digits has one decimal less: 9.996 is "10.0".
    let decimals = size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3
    return keepingZeros ? fixed(value, decimals: decimals) : plain(value, decimals: decimals)
  }

  /// A whole number and what it counts: "1 clip", "3 clips".
  static func count(_ number: Int, _ singular: String) -> String {
    number == 1 ? "1 \(singular)" : "\(number) \(singular)s"
  }

  /// How much a chart rests on: "24 clips of 8 subjects", or without the subjects where they are not known.
  static func size(_ singular: String, _ number: Int, subjects: Int?) -> String {
    let things = count(number, singular)
    return subjects.map { "\(things) of \(count($0, "subject"))" } ?? things
  }
}
