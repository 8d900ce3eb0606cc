import Foundation
import Statistics

/// How gains are spread over people in a simulation; each has mean 0.
public enum GainFamily: String, CaseIterable, Codable, Sendable {
  /// Normal differences.
  case normal
  /// Exponential values before and after.
  case exponential
  /// Log-normal values (σ = 1) before and after.
  case logNormal = "log-normal"
  /// Poisson counts (mean 1) before and after, on three clips a subject.
  case counts
  /// Shares of three clips that are right before and after; people's own rates are uniform on 0.2…0.8.
  case shares
  /// A loss that people suffer unequally: exponential.
  case exponentialLoss = "unequal loss, exponential"
  /// A loss that people suffer unequally: log-normal, σ = 0.5.
  case logNormalLoss = "unequal loss, log-normal"

  /// Whether before and after are alike, which makes differences symmetric: what nothing having changed means.
  public var isExchangeable: Bool { self != .exponentialLoss && self != .logNormalLoss }

  /// Whether a subject's value is made of few clips; such gains have no reps to correlate.
  public var isDiscrete: Bool { self == .counts || self == .shares }

  /// One difference.
  func difference(_ random: inout SeededGenerator) -> Double {
    switch self {
    case .normal: random.normal()
    case .exponential: Self.exponential(&random) - Self.exponential(&random)
    case .logNormal: exp(random.normal()) - exp(random.normal())
    case .counts: (0..<3).reduce(0) { sum, _ in sum + Self.poisson(&random) - Self.poisson(&random) } / 3
    case .shares:
      Self.shareDifference(rate: 0.2 + 0.6 * random.unit(), &random)
    case .exponentialLoss: 1 - Self.exponential(&random)
    case .logNormalLoss: exp(0.125) - exp(0.5 * random.normal())
    }
  }

  private static func exponential(_ random: inout SeededGenerator) -> Double { -log(1 - random.unit()) }

  /// Of mean 1, by the product of uniform numbers (Knuth, The Art of Computer Programming 2, section 3.4.1).
  private static func poisson(_ random: inout SeededGenerator) -> Double {
    var count = 0.0
    var product = random.unit()
    while product > exp(-1) {
      count += 1
      product *= random.unit()
    }
    return count
  }

  private static func shareDifference(rate: Double, _ random: inout SeededGenerator) -> Double {
    var difference = 0.0
    for _ in 0..<3 {
      if random.unit() < rate { difference += 1 }
      if random.unit() < rate { difference -= 1 }
    }
    return difference / 3
  }
}
