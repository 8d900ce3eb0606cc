import Foundation
import Statistics

/// Maps values to an axis: 0 at its start, 1 at its end.
public protocol Scale: Sendable {
  /// The position of a value along the axis, outside 0...1 for a value outside the domain; `nil` if the value is not
  /// finite or has no position on this scale.
  func fraction(of value: Double) -> Double?

  /// Round values inside the domain in rising order, at most `limit` unless the scale needs more.
  func ticks(atMost limit: Int) -> [Tick]
}

/// A labelled value on an axis.
public struct Tick: Hashable, Sendable {
  public var value: Double
  public var label: String

  public init(value: Double, label: String) {
    self.value = value
    self.label = label
  }
}

/// A linear scale: equal distances for equal differences.
public struct LinearScale: Scale {
  /// The values at both ends of the axis.
  public let domain: ClosedRange<Double>
  /// Whether ticks are at whole numbers only, as counts need.
  public let isWhole: Bool

  /// A scale from one value to another.
  ///
  /// Bounds that are not finite, farther than 1e300 from 0, or too close together are replaced.
  public init(_ domain: ClosedRange<Double>, isWhole: Bool = false) {
    let lower = Self.drawable(domain.lowerBound, otherwise: 0)
    let upper = Self.drawable(domain.upperBound, otherwise: lower)
    // Below 1e-290 a step would be too small to count.
    let least = max(max(abs(lower), abs(upper)) * 1e-9, 1e-290)
    self.domain = upper - lower > least ? lower...upper : lower - max(0.5, least)...upper + max(0.5, least)
    self.isWhole = isWhole
  }

  /// A scale that contains all finite `values`, with its ends rounded outwards to steps of about 1/`count` of its
  /// length. Without a finite value: 0 to 1.
  ///
  /// - Parameter bounds: The possible values, beyond which the scale does not reach: 0 to 1 for a share; `nil` for any.
  public init(
    covering values: some Sequence<Double>, within bounds: ClosedRange<Double>? = nil, count: Int = 6,
    isWhole: Bool = false
  ) {
    let finite = values.filter { $0.isFinite && abs($0) <= 1e300 }.map { value in
      bounds.map { min(max(value, $0.lowerBound), $0.upperBound) } ?? value
    }
    guard let least = finite.min(), let greatest = finite.max() else {
      self.init(0...1, isWhole: isWhole)
      return
    }
    let tight = LinearScale(least...greatest, isWhole: isWhole).domain
    let step = TickStep(span: tight.upperBound - tight.lowerBound, count: count, least: isWhole ? .one : nil)
    let lower = step.multiple((step.count(in: tight.lowerBound) + 1e-9).rounded(.down))
    let upper = step.multiple((step.count(in: tight.upperBound) - 1e-9).rounded(.up))
    let (low, high) = (min(lower, least), max(upper, greatest))
    let domain = bounds.map { max(low, $0.lowerBound)...min(high, $0.upperBound) } ?? low...high
    self.init(domain, isWhole: isWhole)
  }

  public func fraction(of value: Double) -> Double? {
    guard value.isFinite else { return nil }
    // Halved: the difference of two numbers near 1e300 stays finite.
    return (value / 2 - domain.lowerBound / 2) / (domain.upperBound / 2 - domain.lowerBound / 2)
  }

  public func ticks(atMost limit: Int) -> [Tick] {
    let span = domain.upperBound - domain.lowerBound
    var step = TickStep(span: span, count: max(1, limit), least: isWhole ? .one : nil)
    while true {
      let first = (step.count(in: domain.lowerBound) - 1e-9).rounded(.up)
      let last = (step.count(in: domain.upperBound) + 1e-9).rounded(.down)
      guard last - first + 1 > Double(max(1, limit)) else {
        return stride(from: first, through: last, by: 1).map { count in
          // Avoids a negative zero, which would be written with its sign.
          let value = step.multiple(count) + 0
          return Tick(value: value, label: step.label(value))
        }
      }
      step = step.next
    }
  }

  private static func drawable(_ bound: Double, otherwise fallback: Double) -> Double {
    bound.isFinite ? min(max(bound, -1e300), 1e300) : fallback
  }
}

/// A logarithmic scale: equal distances for equal ratios. Values of 0 or below have no position.
public struct LogScale: Scale {
  /// The exponents of ten at both ends of the axis, integers unless the domain was given.
  private let exponents: ClosedRange<Double>
  private let label: @Sendable (Double) -> String

  /// A scale from the power of ten below all positive finite `values` to the one above them. Without values: 1 to 10.
  ///
  /// - Parameters:
  ///   - label: Formats a tick.
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

  /// Powers of ten; every second, third or so on if there are too many; also 2 and 5 times them if they fit.
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
  ///   - keepingZeros: Whether to write "1.00 ms", for a column of numbers.
  public static func duration(nanoseconds: Double, keepingZeros: Bool = false) -> String {
    guard nanoseconds.isFinite else { return NumberText.missing }
    let units: [(size: Double, name: String)] = [(1e9, "s"), (1e6, "ms"), (1e3, "µs")]
    // 999.5 ns reads "1 µs", not "1000 ns".
    let unit = units.first { abs(nanoseconds) >= $0.size * 0.9995 } ?? (1, "ns")
    return "\(NumberText.significant(nanoseconds / unit.size, keepingZeros: keepingZeros)) \(unit.name)"
  }
}

/// A scale with a band of equal width per name, in the given order; the value of a name is its index.
public struct CategoryScale: Scale {
  public let names: [String]

  public init(_ names: [String]) {
    self.names = names
  }

  /// The width of a band as a share of the axis.
  public var band: Double { 1 / Double(max(1, names.count)) }

  /// The middle of the band.
  public func fraction(of value: Double) -> Double? {
    guard value.isFinite, value > -0.5, value < Double(names.count) - 0.5 else { return nil }
    return (value + 0.5) * band
  }

  /// All names or, if they do not fit, every second, third or so on.
  public func ticks(atMost limit: Int) -> [Tick] {
    let step = max(1, (names.count + max(1, limit) - 1) / max(1, limit))
    return stride(from: 0, to: names.count, by: step).map { Tick(value: Double($0), label: names[$0]) }
  }
}

/// A round distance between ticks: 1, 2 or 5 times a power of ten.
///
/// Factor and power are separate: a tick is one division or product of integers, and its label has the necessary
/// decimals.
///
/// - Source: Heckbert, Nice Numbers for Graph Labels, Graphics Gems, 1990, pp. 61–63.
struct TickStep: Equatable {
  var factor: Int
  var exponent: Int

  /// The smallest step that fits into `span` at most `count` times and is at least `least`.
  ///
  /// - Parameters:
  ///   - span: Above 0, finite.
  init(span: Double, count: Int, least: TickStep? = nil) {
    let rough = span / Double(max(1, count))
    factor = 1
    exponent = Int(log10(rough).rounded(.down))
    while value < rough * (1 - 1e-9) { self = next }
    if let least, value < least.value { self = least }
  }

  init(factor: Int, exponent: Int) {
    self.factor = factor
    self.exponent = exponent
  }

  static let one = TickStep(factor: 1, exponent: 0)

  var value: Double { multiple(1) }

  /// The next longer step: 1, 2, 5, 10.
  var next: TickStep {
    switch factor {
    case 1: TickStep(factor: 2, exponent: exponent)
    case 2: TickStep(factor: 5, exponent: exponent)
    default: TickStep(factor: 1, exponent: exponent + 1)
    }
  }

  func multiple(_ count: Double) -> Double {
    let product = count * Double(factor)
    return exponent < 0 ? product / pow(10, Double(-exponent)) : product * pow(10, Double(exponent))
  }

  /// The value divided by the step.
  func count(in value: Double) -> Double {
    value / self.value
  }

  func label(_ value: Double) -> String {
    abs(value) < 1e7 && exponent > -7
      ? NumberText.fixed(value, decimals: max(0, -exponent)) : NumberText.significant(value)
  }
}
