import PoseModel

/// Pairs true instants with predicted ones, one to one, none further apart than `tolerance`.
///
/// As many pairs as possible, and among those matchings one with the smallest sum of distances. The cost is close
/// to that of sorting, however many instants lie within the tolerance of each other.
///
/// - Parameters:
///   - truth: in any order.
///   - predicted: in any order.
///   - tolerance: a pair exactly this far apart matches. Not negative.
/// - Returns: positions in `truth` and `predicted`, in order of time.
/// - Source: Hopcroft and Karp, 1973, for what is maximised; mir_eval.util.match_events counts the same pairs. Karp and
///   Li, Two Special Cases of the Assignment Problem, 1975, for points on a line.
public func matchEvents(
  truth: [Microseconds], predicted: [Microseconds], tolerance: Microseconds
) -> [(truth: Int, predicted: Int)] {
  var events =
    truth.indices.map { MatchingSweep.Event(time: truth[$0], isTrue: true, position: $0) }
    + predicted.indices.map { MatchingSweep.Event(time: predicted[$0], isTrue: false, position: $0) }
  events.sort()
  guard let first = events.first?.time, let last = events.last?.time else { return [] }
  var sweep = MatchingSweep(from: first, through: last, tolerance: tolerance)
  let thresholds = events.map { sweep.admit($0) }

  // Back through time from the end, where nobody waits: an event is skipped where no more of its own kind wait than its
  // threshold. The others pair up in order, since the best pairs do not cross.
  var waiting = 0
  var matched: (truth: [Int], predicted: [Int]) = ([], [])
  for (event, threshold) in zip(events, thresholds).reversed() {
    if event.isTrue, waiting > threshold {
      matched.truth.append(event.position)
      waiting -= 1
    } else if !event.isTrue, -waiting > threshold {
      matched.predicted.append(event.position)
      waiting += 1
    }
  }
  return zip(matched.truth.reversed(), matched.predicted.reversed()).map { (truth: $0, predicted: $1) }
}
