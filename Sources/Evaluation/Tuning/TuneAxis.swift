import Coaching

/// A parameter that a search varies, and the values that it may take: a lattice, so that equal settings are found equal
/// and a person can type what is found.
public struct TuneAxis: Hashable, Sendable {
  public let parameter: Parameter
  /// Ascending, at least one, none of them twice.
  public let levels: [Double]
  /// The level that is nearest to the suite's value: where a search begins.
  let start: Int

  /// A range has at most so many steps.
  static let stepLimit = 100.0

  /// The values of a sweep's axis, or for a range multiples of 1, 2 or 5 times a power of ten, its ends, and the suite's
  /// own value where it lies within.
  ///
  /// - Parameter base: the suite's value.
  init(_ parameter: Parameter, over extent: SweepAxis.Extent, base: Double) {
    self.parameter = parameter
    let levels: [Double]
    switch extent {
    case .values(let values): levels = values.sorted()
    case .range(let range):
      let ends = [range.lowerBound, range.upperBound]
      let own = range.contains(base) ? [base] : []
      levels = Array(Set(ends + own + Self.multiples(in: range))).sorted()
    }
    self.levels = levels
    start = levels.indices.min { abs(levels[$0] - base) < abs(levels[$1] - base) } ?? 0
  }

  private static func multiples(in range: ClosedRange<Double>) -> [Double] {
    let span = range.upperBound - range.lowerBound
    // A power of ten is divided by, not multiplied with, so that 3 steps of 0.1 are 0.3.
    var (unit, scale) = (1.0, 1.0)
    while span / unit > stepLimit { unit *= 10 }
    while unit == 1, scale < 1e9, span * scale * 10 <= stepLimit { scale *= 10 }
    let step = [0.1, 0.2, 0.5, 1].first { span * scale / (unit * $0) <= stepLimit + 1e-9 } ?? 1
    let first = (range.lowerBound * scale / (unit * step) - 1e-9).rounded(.up)
    let last = (range.upperBound * scale / (unit * step) + 1e-9).rounded(.down)
    guard first <= last else { return [] }
    return stride(from: first, through: last, by: 1).map { count in
      let value = ((count * step * unit / scale) * 1e9).rounded() / 1e9
      return min(max(value, range.lowerBound), range.upperBound)
    }
  }
}
