/// The chance of at least so many successes of trials that are as likely to fail: the sign test, one-sided.
///
/// 1 of no trials. Exact for the median of any continuous distribution; a value equal to the bound counts as a failure,
/// which can only raise it.
///
/// - Parameter successes: 0...trials.
/// - Source: Conover, Practical Nonparametric Statistics, 3rd edition, 1999, section 3.4.
public func signTest(successes: Int, of trials: Int) -> Double {
  1 - binomialCumulative(successes - 1, of: trials, probability: 0.5)
}
