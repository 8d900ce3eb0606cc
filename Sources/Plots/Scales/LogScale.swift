import Foundation

/// Equal distances for equal ratios. A value of 0 or below has no place on it.
public struct LogScale: Scale {
  /// The powers of ten at the axis' two ends, whole unless the domain was given.
  private let exponents: ClosedRange<Double>
  private let label: @Sendable (Double) -> String

  /// A scale from the power of ten below all positive finite `values` to the one above; none: 1 to 10.
  ///
  /// - Parameters:
  ///   - label: how a tick is written.
  public init(
    covering values: some Sequence<Double>, label: @escaping @Sendable (Double) -> String = { LogScale.plain($0) }
  ) {
    let positive = values.filter { $0.isFinite && $0 > 0 }.map(log10)
    let lower = ((positive.min() ?? 0) + 1e-9).rounded(.down)
    let upper = ((positive.max() ?? 1) - 1e-9).rounded(.up)
    exponents = lower...max(upper, lower + 1)
    self.label = label
  }

  /// The values at the axis' two ends.
  public var domain: ClosedRange<Double> { pow(10, exponents.lowerBound)...pow(10, exponents.upperBound) }

  public func fraction(of value: Double) -> Double? {
    guard value.isFinite, value > 0 else { return nil }
    return (log10(value) - exponents.lowerBound) / (exponents.upperBound - exponents.lowerBound)
  }

  /// Powers of ten, each second, third or so on where there are too many; with 2 and 5 times them where there is room.
  public func ticks(atMost limit: Int) -> [Tick] {
    let limit = max(1, limit)
    let decades = Int(exponents.upperBound - exponents.lowerBound)
    let factors: [Double] = 3 * decades + 1 <= limit ? [1, 2, 5] : [1]
    let stride = max(1, (decades + limit) / limit)
    var ticks: [Tick] = []
    for exponent in Swift.stride(from: exponents.lowerBound, through: exponents.upperBound, by: Double(stride)) {
      for factor in factors {
        let value = factor * pow(10, exponent)
        if value > 0, value.isFinite, value <= domain.upperBound * (1 + 1e-9) {
          ticks.append(Tick(value: value, label: label(value)))
        }
      }
    }
    return ticks
  }

  /// The default label: three significant digits.
  public static func plain(_ value: Double) -> String { NumberText.significant(value) }

  /// A time given in nanoseconds, in the unit that keeps it short: "500 ns", "20 µs", "1 ms", "2 s".
  ///
  /// - Parameters:
  ///   - keepingZeros: whether to write "1.00 ms", as in a column of numbers.
  public static func duration(nanoseconds: Double, keepingZeros: Bool = false) -> String {
    guard nanoseconds.isFinite else { return NumberText.missing }
    let units: [(size: Double, name: String)] = [(1e9, "s"), (1e6, "ms"), (1e3, "µs")]
    // 999.5 ns reads "1 µs", not "1000 ns".
    let unit = units.first { abs(nanoseconds) >= $0.size * 0.9995 } ?? (1, "ns")
    return "\(NumberText.significant(nanoseconds / unit.size, keepingZeros: keepingZeros)) \(unit.name)"
  }
}
