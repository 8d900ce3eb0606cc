import PoseModel

extension Float {
  /// The shortest decimal that reads back as this finite number: `0.1`, `3`, `1e-05`.
  public var shortestDecimal: String { withoutFraction(description) }
}

extension Double {
  /// The shortest decimal that reads back as this finite number: `0.1`, `3`, `1e-05`.
  public var shortestDecimal: String { withoutFraction(description) }
}

extension Microseconds {
  /// The time in seconds as files and messages hold it, exact and without trailing zeros: `12.5`.
  var decimalSeconds: String {
    let (whole, fraction) = count.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
    let sign = count < 0 ? "-" : ""
    guard fraction > 0 else { return "\(sign)\(whole)" }
    var digits = String(fraction)
    digits = String(repeating: "0", count: 6 - digits.utf8.count) + digits
    while digits.last == "0" { digits.removeLast() }
    return "\(sign)\(whole).\(digits)"
  }
}

private func withoutFraction(_ text: String) -> String { text.hasSuffix(".0") ? String(text.dropLast(2)) : text }
