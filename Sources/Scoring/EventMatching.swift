import PoseModel

/// Pairs true instants with predicted ones, one to one, none further apart than `tolerance`.
///
/// As many pairs as possible, and among those matchings one with the smallest sum of distances. The cost is close
/// to that of sorting, however many instants lie within the tolerance of each other.
///
/// - Parameters:
///   - truth: In any order.
///   - predicted: In any order.
///   - tolerance: A pair exactly this far apart matches. Not negative.
///   - Returns: Indices in `truth` and `predicted`, in time order.
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

  // Back through time from the end, when no event waits: an event is skipped if no more of its own kind wait than its
  // threshold. The others pair up in order, because the best pairs do not cross.
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

/// Processes instants in time order and decides when each is matched.
///
/// Let n instants wait for a later partner: n true ones, or -n predicted ones; never both, as they would be matched
/// with each other. And let cost(n) be the least cost of all that happened so far: a skipped instant costs more than
/// all distances together, a waiting one the time it waits. An instant of the true kind makes
///
///     cost(n) = min(cost(n - 1), cost(n) + skip)
///
/// of it (matched: it waits, or takes one that waits; or skipped), and one of the predicted kind the mirror image. Both
/// keep cost convex, and so does the time that passes, which adds its length to the slopes above 0 and takes it from
/// those below. A convex function is its sorted slopes; taking the minimum above is adding the slope -skip among them.
/// The waiting ones are the latest of their kind, as an earlier one would wait longer: each instant that leaves the
/// tolerance therefore removes the outermost slope.
struct MatchingSweep {
  /// A true or predicted instant and its index in its list.
  struct Event: Comparable {
    var time: Microseconds
    var isTrue: Bool
    var position: Int

    static func < (a: Self, b: Self) -> Bool {
      if a.time != b.time { return a.time < b.time }
      return a.isTrue == b.isTrue ? a.position < b.position : a.isTrue
    }
  }

  /// The cost of letting one more of one kind wait, from 0 outward.
  private struct Side {
    /// In order of time.
    private var seen: [Int64] = []
    /// The slopes outward, minus the time; the outermost and steepest first. There is one for each seen instant that is
    /// still within the tolerance.
    private var slopes: [Int64] = []
    private var forgotten = 0

    private var within: Int { slopes.count - forgotten }

    var innermost: Int64? { within > 0 ? slopes.last : nil }

    mutating func see(_ time: Int64) { seen.append(time) }

    mutating func forget(before time: Int64) {
      while within > 0 && seen[seen.count - within] < time { forgotten += 1 }
    }

    mutating func insertInnermost(_ slope: Int64) { slopes.append(slope) }

    mutating func removeInnermost() { slopes.removeLast() }

    /// Returns how many slopes lie further in.
    mutating func insert(_ slope: Int64) -> Int {
      var (low, high) = (forgotten, slopes.count)
      while low < high {
        let middle = (low + high) / 2
        if slopes[middle] < slope { high = middle } else { low = middle + 1 }
      }
      let inside = slopes.count - low
      slopes.insert(slope, at: low)
      return inside
    }
  }

  private let first: Microseconds
  private let tolerance: Int64
  private let skip: Int64
  private var truth = Side()
  private var predicted = Side()

  init(from first: Microseconds, through last: Microseconds, tolerance: Microseconds) {
    self.first = first
    self.tolerance = tolerance.count
    // No slope differs from ±skip by more than the time passed; this value keeps the two kinds apart.
    skip = (last - first).count + 1
  }

  /// Adds the next event.
  ///
  /// - Returns: The threshold: the event is matched if, counting itself, more of its own kind wait than this.
  mutating func admit(_ event: Event) -> Int {
    let now = (event.time - first).count
    truth.forget(before: now - tolerance)
    predicted.forget(before: now - tolerance)
    return event.isTrue
      ? Self.admit(now, own: &truth, other: &predicted, skip: skip)
      : Self.admit(now, own: &predicted, other: &truth, skip: skip)
  }

  private static func admit(_ now: Int64, own: inout Side, other: inout Side, skip: Int64) -> Int {
    own.see(now)
    // Outward, the new slope is -skip on its own side of 0 and +skip on the other.
    guard let innermost = other.innermost, innermost < skip - now else { return own.insert(-skip - now) }
    let inside = other.insert(skip - now)
    other.removeInnermost()
    own.insertInnermost(-(innermost + now) - now)
    return -inside
  }
}
