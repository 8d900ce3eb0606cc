import PoseModel

/// Goes through instants in order of time and says of each when it is to be matched.
///
/// Let n instants wait for a partner that is yet to come: n true ones, or -n predicted ones; never both, for they would
/// rather have each other. And let cost(n) be the least cost of all that happened so far: a skipped instant costs more
/// than all distances together, a waiting one the time it waits. An instant of the true kind makes
///
///     cost(n) = min(cost(n - 1), cost(n) + skip)
///
/// of it (matched: it waits, or takes one that waits; or skipped), and one of the predicted kind the mirror image. Both
/// keep cost convex, and so does the time that passes, which adds its length to the slopes above 0 and takes it from
/// those below. A convex function is its sorted slopes; taking the minimum above is adding the slope -skip among them.
/// Those who wait are the latest of their kind, for an earlier one would wait longer: so each instant that falls out of
/// the tolerance takes the outermost slope with it.
struct MatchingSweep {
  /// A true or predicted instant and where it stands in its list.
  struct Event: Comparable {
    var time: Microseconds
    var isTrue: Bool
    var position: Int

    static func < (a: Self, b: Self) -> Bool {
      if a.time != b.time { return a.time < b.time }
      return a.isTrue == b.isTrue ? a.position < b.position : a.isTrue
    }
  }

  /// What it costs to let one more of one kind wait, from 0 outward.
  private struct Side {
    /// In order of time.
    private var seen: [Int64] = []
    /// Slopes outward, less the time; the outermost, which is the steepest, first. Those not forgotten are one for each
    /// of the seen that are within the tolerance of now.
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
    // No slope differs from ±skip by more than the time that has passed, so this much keeps the two kinds apart.
    skip = (last - first).count + 1
  }

  /// Takes the next event.
  ///
  /// - Returns: the threshold: the event is matched where, it included, more of its own kind wait than this.
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
