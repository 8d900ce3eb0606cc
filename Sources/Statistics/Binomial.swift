/// The probability of at most `successes` in so many independent trials.
///
/// - Parameter probability: Of a success, 0...1.
/// - Source: NIST Digital Library of Mathematical Functions, 8.17.5.
func binomialCumulative(_ successes: Int, of trials: Int, probability: Double) -> Double {
  if successes < 0 { return 0 }
  if successes >= trials { return 1 }
  return regularizedIncompleteBeta(
    1 - probability, a: Double(trials - successes), b: Double(successes + 1), complement: probability)
}
