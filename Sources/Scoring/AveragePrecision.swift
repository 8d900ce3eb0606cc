/// Interpolated average precision of detections in order of falling score: the mean, over all true things, of the best
/// precision that is reached at or after the one that finds it.
///
/// 0...1; `nil` where there is nothing to find.
///
/// - Parameters:
///   - hits: for each detection whether it finds something that none before it found.
///   - count: how many true things there are.
/// - Source: Everingham et al., The Pascal Visual Object Classes Challenge: A Retrospective, 2015: the area under the precision that
///   decreases monotonically.
func interpolatedAveragePrecision(hits: [Bool], of count: Int) -> Double? {
  guard count > 0 else { return nil }
  var found = hits.count { $0 }
  var (best, sum) = (0.0, 0.0)
  for (position, isHit) in hits.enumerated().reversed() where isHit {
    best = max(best, Double(found) / Double(position + 1))
    sum += best
    found -= 1
  }
  return sum / Double(count)
}
