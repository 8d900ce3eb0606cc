/// Numbers as text, the same in the terminal, in reports and in charts.
///
/// Minus is a true minus sign (−), and a number that rounds to zero has no sign.
public enum NumberText {
  /// The text for undefined values.
  public static let missing = "n/a"

  // MARK: Values of metrics

  /// A value with the decimals of its unit: reps and shares 3, reps a minute 2, milliseconds and points 1.
  public static func value(_ value: Double?, unit: String) -> String {
    guard let value, !value.isNaN else { return missing }
    return fixed(value, decimals: decimals(unit))
  }

  /// A value with its unit, unless undefined: `0.250 reps`, `0.900`, `n/a`.
  public static func quantity(_ value: Double?, unit: String) -> String {
    let text = self.value(value, unit: unit)
    return text == missing || unit.isEmpty ? text : "\(text) \(unit)"
  }

  /// An interval: `−0.121 to 0.255`; `nil` for none.
  public static func interval(_ interval: Interval?, unit: String) -> String? {
    interval.map { "\(value($0.low, unit: unit)) to \(value($0.high, unit: unit))" }
  }

  /// A value with its sign: `+0.125`, `−0.125`, `0`; `±0` for a nonzero value that rounds to zero.
  public static func signed(_ value: Double?, unit: String) -> String {
    guard let value, !value.isNaN else { return missing }
    let text = fixed(abs(value), decimals: decimals(unit))
    if isZero(text) { return value == 0 ? "0" : "±0" }
    return (value < 0 ? "−" : "+") + text
  }

  // MARK: Plain numbers

  /// A number with a fixed number of decimals; `∞` and `n/a` for values without decimals.
  ///
  /// Rounds half away from zero. A number is halfway if its decimal form is: 0.2125 is `0.213`, although its binary
  /// value is slightly less.
  public static func fixed(_ value: Double, decimals: Int) -> String {
    guard value.isFinite else { return value.isNaN ? missing : value > 0 ? "∞" : "−∞" }
    let size = abs(value)
    guard size < 1e15 else { return significant(value) }
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let scaled = (size * scale).rounded()
    let (whole, part): (Int, Int)
    if scaled < 1e15 {
      (whole, part) = Int(scaled).quotientAndRemainder(dividingBy: Int(scale))
    } else {
      // Not enough digits for the product: the decimals are handled separately.
      let decimals = Int(((size - size.rounded(.down)) * scale).rounded())
      (whole, part) = (Int(size) + decimals / Int(scale), decimals % Int(scale))
    }
    let sign = value < 0 && (whole, part) != (0, 0) ? "−" : ""
    guard decimals > 0 else { return "\(sign)\(whole)" }
    let digits = String(part)
    return "\(sign)\(whole).\(String(repeating: "0", count: max(0, decimals - digits.count)))\(digits)"
  }

  /// A number with all of its digits, as typed for a parameter: `90`, `0.3`, `-0.05`.
  public static func plain(_ value: Double) -> String {
    guard value.isFinite else { return fixed(value, decimals: 0) }
    return value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
  }

  /// A number with at most this many decimals and without trailing zeros: a count is `12`, a mean count `12.5`.
  public static func plain(_ value: Double, decimals: Int) -> String {
    guard value.isFinite else { return missing }
    let text = fixed(value, decimals: decimals)
    return text.contains("e") ? text : withoutClosingZeros(text)
  }

  /// A number with a plus sign above 0, without trailing zeros unless they are kept.
  public static func signed(_ value: Double, decimals: Int = 2, keepingZeros: Bool = false) -> String {
    guard value.isFinite else { return missing }
    let text = keepingZeros ? fixed(value, decimals: decimals) : plain(value, decimals: decimals)
    return value > 0 && !isZero(text) ? "+\(text)" : text
  }

  /// Three significant digits; trailing zeros after the point are kept in columns of numbers.
  ///
  /// Between 0.0001 and 1 three decimals, from ten million on and below 0.0001 a power of ten: `1.23e+07`.
  public static func significant(_ value: Double, keepingZeros: Bool = false) -> String {
    guard value.isFinite else { return missing }
    let size = abs(value)
    if size >= 1e7 || (size > 0 && size < 1e-4) { return scientific(value) }
    // A number that rounds up to four digits has one decimal less: 9.996 is "10.0".
    let decimals = size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3
    return keepingZeros ? fixed(value, decimals: decimals) : plain(value, decimals: decimals)
  }

  // MARK: Counts

  /// A count with its noun: `1 clip`, `3 clips`, `2 more people`.
  public static func count(_ number: Int, _ singular: String) -> String {
    let person = "person"
    let plural = singular.hasSuffix(person) ? "\(singular.dropLast(person.count))people" : "\(singular)s"
    return "\(number) \(number == 1 ? singular : plural)"
  }

  /// The amount of data: `24 clips of 8 people`, or without the people if unknown.
  public static func size(_ singular: String, _ number: Int, subjects: Int?) -> String {
    let things = count(number, singular)
    return subjects.map { "\(things) of \(count($0, "person"))" } ?? things
  }

  /// A p value to three decimals: `0.031`, `<0.001`.
  public static func probability(_ p: Double?) -> String {
    guard let p, p.isFinite else { return "n/a" }
    return p < 0.001 ? "<0.001" : fixed(p, decimals: 3)
  }

  /// The decimals of a metric's values by its unit.
  public static func decimals(_ unit: String) -> Int {
    switch unit {
    case "ms", "points": 1
    case "reps/min": 2
    default: 3
    }
  }

  private static func isZero(_ text: String) -> Bool { text.allSatisfy { $0 == "0" || $0 == "." } }

  private static func withoutClosingZeros(_ text: String) -> String {
    guard text.contains(".") else { return text }
    let end = text.lastIndex { $0 != "0" } ?? text.startIndex
    return String(text[end] == "." ? text[..<end] : text[...end])
  }

  /// Three digits, without trailing zeros, and a power of ten: `1.2e+07`.
  private static func scientific(_ value: Double) -> String {
    var (mantissa, exponent) = (abs(value), 0)
    while mantissa >= 9.995 {
      mantissa /= 10
      exponent += 1
    }
    while mantissa < 0.9995 {
      mantissa *= 10
      exponent -= 1
    }
    let digits = withoutClosingZeros(fixed(mantissa, decimals: 2))
    let power = String(abs(exponent))
    return "\(value < 0 ? "−" : "")\(digits)e\(exponent < 0 ? "-" : "+")\(power.count < 2 ? "0" : "")\(power)"
  }
}
