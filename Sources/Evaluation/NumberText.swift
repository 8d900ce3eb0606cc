import Statistics

/// Numbers as people read them, the same in the terminal and in reports.
public enum NumberText {
  /// With as many decimals as the unit bears: reps and shares 3, milliseconds and points 1.
  public static func value(_ value: Double?, unit: String) -> String {
    guard let value, !value.isNaN else { return "n/a" }
    return fixed(value, decimals: decimals(unit))
  }

  /// With its unit, unless it is undefined: `0.250 reps`, `0.900`, `n/a`.
  public static func quantity(_ value: Double?, unit: String) -> String {
    let text = self.value(value, unit: unit)
    return text == "n/a" || unit.isEmpty ? text : "\(text) \(unit)"
  }

  public static func interval(_ metric: RunResults.MetricResult) -> String {
    guard let interval = metric.interval else { return "n/a" }
    return "\(value(interval.low, unit: metric.unit)) to \(value(interval.high, unit: metric.unit))"
  }

  /// `−0.121 to 0.255`; `nil` for none.
  public static func interval(_ interval: Interval?, unit: String) -> String? {
    interval.map { "\(value($0.low, unit: unit)) to \(value($0.high, unit: unit))" }
  }

  /// With its sign: `+0.125`, `−0.125`, `0`.
  public static func signed(_ value: Double?, unit: String) -> String {
    guard let value, !value.isNaN else { return "n/a" }
    let text = fixed(abs(value), decimals: decimals(unit))
    if text.allSatisfy({ $0 == "0" || $0 == "." }) { return value == 0 ? "0" : "±0" }
    return (value < 0 ? "−" : "+") + text
  }

  private static func decimals(_ unit: String) -> Int { unit == "ms" || unit == "points" ? 1 : 3 }

  /// Rounded half away from zero, without a sign on zero.
  public static func fixed(_ value: Double, decimals: Int) -> String {
    guard value.isFinite else { return value.isNaN ? "n/a" : value > 0 ? "∞" : "−∞" }
    let negative = value < 0
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let scaled = (abs(value) * scale).rounded()
    guard scaled < 1e15 else { return "\(value)" }
    let whole = Int(scaled)
    let digits = String(whole)
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    let text =
      decimals == 0 ? padded : "\(padded.dropLast(decimals)).\(padded.suffix(decimals))"
    return negative && whole != 0 ? "−\(text)" : text
  }

  /// A parameter's value without needless decimals.
  public static func plain(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
  }
}
