import RealModule

/// I_x(a, b), the regularised incomplete beta function, for x in 0...1 and a, b > 0.
///
/// - Parameter complement: 1 - x, for callers that know it more exactly than a subtraction gives it.
/// - Source: NIST Digital Library of Mathematical Functions, 8.17.22, the continued fraction, evaluated by Lentz's
///   method as modified by Thompson and Barnett, Coulomb and Bessel Functions, 1986.
func regularizedIncompleteBeta(_ x: Double, a: Double, b: Double, complement: Double? = nil) -> Double {
  let y = complement ?? 1 - x
  if x <= 0 { return 0 }
  if y <= 0 { return 1 }
  // The fraction converges fast below the mean; above it, use I_x(a, b) = 1 - I_{1-x}(b, a) (8.17.4).
  if x > (a + 1) / (a + b + 2) { return 1 - betaFraction(y, x, a: b, b: a) }
  return betaFraction(x, y, a: a, b: b)
}

private func betaFraction(_ x: Double, _ y: Double, a: Double, b: Double) -> Double {
  var c = 1.0
  var d = 1 / nonzero(1 - (a + b) * x / (a + 1))
  var fraction = d
  func multiply(_ term: Double) {
    d = 1 / nonzero(1 + term * d)
    c = nonzero(1 + term / c)
    fraction *= c * d
  }
  for step in 1..<100_000 {
    let m = Double(step)
    multiply(m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)))
    multiply(-(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)))
    if abs(c * d - 1) < 1e-16 { break }
  }
  let logX = x < 0.5 ? Double.log(x) : .log(onePlus: -y)
  let logY = y < 0.5 ? Double.log(y) : .log(onePlus: -x)
  return .exp(a * logX + b * logY - logBeta(a, b)) * fraction / a
}

/// ln B(a, b) = ln Γ(a) + ln Γ(b) - ln Γ(a + b).
///
/// Of large arguments through Stirling's series, whose large parts cancel on paper: subtracting ln Γ of 10⁶ from that
/// of 10⁶ + 1 would leave nine digits.
///
/// - Source: NIST Digital Library of Mathematical Functions, 5.11.1.
func logBeta(_ a: Double, _ b: Double) -> Double {
  let large = max(a, b)
  let small = min(a, b)
  guard large >= 15 else { return .logGamma(a) + .logGamma(b) - .logGamma(a + b) }
  // ln Γ(large) - ln Γ(large + small), with ln(large + small) written as ln(large) + ln(1 + small / large).
  let growth = Double.log(onePlus: small / large)
  let ratio =
    small - small * .log(large) - (large + small - 0.5) * growth + stirlingRest(large) - stirlingRest(large + small)
  return .logGamma(small) + ratio
}

/// ln Γ(x) - ((x - ½) ln x - x + ½ ln 2π), for x of at least 15.
private func stirlingRest(_ x: Double) -> Double {
  let square = 1 / (x * x)
  // B_2k / (2k (2k - 1)): 1/12, -1/360, 1/1260, -1/1680, 1/1188, -691/360360.
  let series =
    1.0 / 12
    + square
    * (-1.0 / 360 + square * (1.0 / 1260 + square * (-1.0 / 1680 + square * (1.0 / 1188 - square * 691 / 360_360))))
  return series / x
}

private func nonzero(_ value: Double) -> Double { abs(value) < 1e-300 ? 1e-300 : value }
