/// How amounts of perturbations are written.
enum PerturbationAmount {
  /// `2%` or `0.02`, as a share of 0...1.
  static func share(_ text: String, of what: String, upTo most: Double = 1) throws(PerturbationError) -> Double {
    let isPercent = text.hasSuffix("%")
    let number = Double(isPercent ? String(text.dropLast()) : text).map { isPercent ? $0 / 100 : $0 }
    guard let number, number.isFinite, number >= 0, number <= most else {
      throw PerturbationError(expected: "0% to \(plain(most * 100))% of \(what)", found: quoted(text))
    }
    return number
  }

  /// A number, perhaps with one of these units after it, of which the first is 1.
  static func number(
    _ text: String, units: [(suffix: String, factor: Double)], in range: ClosedRange<Double>, expected: String
  ) throws(PerturbationError) -> Double {
    var (digits, factor) = (text, 1.0)
    // The longest first: ms ends with s.
    for unit in units.sorted(by: { $0.suffix.count > $1.suffix.count }) where text.hasSuffix(unit.suffix) {
      (digits, factor) = (String(text.dropLast(unit.suffix.count)), unit.factor)
      break
    }
    guard let number = Double(digits), range.contains(number * factor) else {
      throw PerturbationError(expected: expected, found: quoted(text))
    }
    return number * factor
  }

  /// Without needless decimals.
  static func plain(_ number: Double) -> String {
    // A share times a hundred is seldom a round number of binary digits.
    let rounded = (number * 1e6).rounded() / 1e6
    return rounded == rounded.rounded() && abs(rounded) < 1e15 ? "\(Int(rounded))" : "\(rounded)"
  }

  static func quoted(_ text: String) -> String { text.isEmpty ? "nothing" : "\"\(text.prefix(40))\"" }
}
