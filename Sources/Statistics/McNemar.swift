/// The two-sided p value of McNemar's exact test: whether two detectors are right equally often on the same clips.
///
/// Of the clips on which only one is right, each is the one or the other with probability ½ if they are equally good.
/// 1 where there is no such clip, `nil` of a negative count. For clips that are independent of each other.
///
/// - Parameters:
///   - onlyFirst: Clips that the first alone has right.
///   - onlySecond: Clips that the second alone has right.
/// - Source: McNemar, Note on the Sampling Error of the Difference Between Correlated Proportions or Percentages,
///   Psychometrika 12, 1947, with the binomial distribution in place of its approximation.
public func mcNemarExact(onlyFirst: Int, onlySecond: Int) -> Double? {
  guard onlyFirst >= 0, onlySecond >= 0 else { return nil }
  guard onlyFirst != onlySecond else { return 1 }
  return min(1, 2 * binomialCumulative(min(onlyFirst, onlySecond), of: onlyFirst + onlySecond, probability: 0.5))
}
