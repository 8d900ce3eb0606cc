import Foundation

/// Quantiles of the F distribution, slowly: the density, which is a beta's, is summed up.
enum FDistribution {
  static func quantile(_ probability: Double, _ numerator: Double, _ denominator: Double) -> Double {
    let (a, b) = (numerator / 2, denominator / 2)
    var (low, high) = (0.0, 1.0)
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if beta(middle, a, b) < probability { low = middle } else { high = middle }
    }
    return denominator * low / (numerator * (1 - low))
  }

  /// The regularised incomplete beta function by Simpson's rule, x = sin²θ taking the poles away for a, b ≥ 1 / 2.
  private static func beta(_ x: Double, _ a: Double, _ b: Double) -> Double {
    let scale = 2 * exp(lgamma(a + b) - lgamma(a) - lgamma(b))
    let (steps, end) = (400, asin(x.squareRoot()))
    let sum = (0...steps).reduce(0.0) { sum, step in
      let angle = end * Double(step) / Double(steps)
      let weight = step == 0 || step == steps ? 1.0 : (step % 2 == 1 ? 4 : 2)
      return sum + weight * pow(sin(angle), 2 * a - 1) * pow(cos(angle), 2 * b - 1)
    }
    return min(scale * sum * end / Double(steps) / 3, 1)
  }
}
