import Foundation

/// A distance between ticks that reads well: 1, 2 or 5 times a power of ten.
///
/// After P. Heckbert, "Nice Numbers for Graph Labels", Graphics Gems (1990), pp. 61–63. The factor and the power are
/// kept apart so that a tick is one division or product of whole numbers, and its label has as many decimals as it
/// needs.
struct TickStep: Equatable {
  var factor: Int
  var exponent: Int

  /// The smallest such step of which no more than `count` fit into `span`, and at least `least`.
  ///
  /// - Parameters:
  ///   - span: above 0, finite.
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

  /// The next longer one: 1, 2, 5, 10.
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

  /// How often the step goes into a value.
  func count(in value: Double) -> Double {
    value / self.value
  }

  func label(_ value: Double) -> String {
    abs(value) < 1e7 && exponent > -7
      ? NumberText.fixed(value, decimals: max(0, -exponent)) : NumberText.significant(value)
  }
}
