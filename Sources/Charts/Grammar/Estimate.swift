import Evaluation
import Statistics

/// A value with its interval.
public struct Estimate: Hashable, Sendable {
  public var value: Double
  /// The interval's bounds; `nil` if undefined.
  public var lower: Double?
  public var upper: Double?

  public init(_ value: Double, lower: Double? = nil, upper: Double? = nil) {
    self.value = value
    self.lower = lower
    self.upper = upper
  }

  /// The interval; `nil` if a bound is not a number or the bounds are in the wrong order.
  var interval: ClosedRange<Double>? {
    guard let lower, let upper, lower.isFinite, upper.isFinite, lower <= upper else { return nil }
    return lower...upper
  }

  /// "0.82 (0.75 to 0.88)"; without brackets if there is no interval.
  func text(decimals: Int = 2) -> String { text { NumberText.fixed($0, decimals: decimals) } }

  /// The value and both bounds, which a scale must contain; a missing bound is NaN.
  var values: [Double] { [value, interval?.lowerBound ?? .nan, interval?.upperBound ?? .nan] }

  /// "−0.38 (−0.91 to +0.15)"; without brackets if there is no interval.
  var signedText: String { text { NumberText.signed($0, keepingZeros: true) } }

  private func text(_ number: (Double) -> String) -> String {
    number(value) + (interval.map { " (\(number($0.lowerBound)) to \(number($0.upperBound)))" } ?? "")
  }
}

extension NumberText {
  /// `Too few people for a finding: 2 clips of 1 person`; `nil` for enough people to pass a gate, or an unknown number.
  static func tooFew(_ people: Int?, _ kind: String, _ number: Int) -> String? {
    guard let people, people < GateRule.fewestSubjects else { return nil }
    return "Too few people for a finding: \(size(kind, number, subjects: people))"
  }
}

extension Estimate {
  /// A share of simulated cases.
  init(_ share: SimulatedShare) {
    self.init(share.value, lower: share.interval?.low, upper: share.interval?.high)
  }
}
