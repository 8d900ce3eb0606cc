import PoseModel
import RealModule

/// The evidence against a count: movements that may or may not be reps, and time in which reps may have been missed.
///
/// All are relative to the person's own reps, and mean the same for every exercise and counter.
public struct CountDoubts: Hashable, Sendable {
  /// Movements of 30 to 75 % of the usual size, and larger ones that did not count.
  public var unclear: Int
  /// Intervals between two reps longer than one and a half times the median interval.
  public var longGaps: Int
  /// Time before the first rep and after the last one, in median intervals beyond one each.
  public var idle: Double
  /// Share of the frames in which the counted movement was not seen.
  public var unseen: Double

  public init(unclear: Int, longGaps: Int, idle: Double, unseen: Double) {
    self.unclear = unclear
    self.longGaps = longGaps
    self.idle = idle
    self.unseen = unseen
  }

  /// The probability that the count is off by one rep at most, 0 to 1.
  ///
  /// A logistic regression on 82 RepCount videos, counted by `reps-any` and by the counter of each exercise, times the
  /// share of the time that was seen: a rep may hide in the rest. `training/count-confidence/train.py` makes it and
  /// measures it on videos left out.
  public var confidence: Double {
    let (unclear, longGaps) = (Double.log(1 + Double(unclear)), Double.log(1 + Double(longGaps)))
    let evidence = 2.9 - 0.96 * unclear - 0.93 * longGaps - 0.63 * Double.log(1 + idle)
    return (1 - unseen) / (1 + Double.exp(-evidence))
  }
}

/// Collects the evidence against a count, frame by frame and without allocating.
struct DoubtWatch: Sendable {
  /// A movement of less than this share of the usual size is none.
  private static let (least, clear): (Float, Float) = (0.3, 0.75)
  /// An interval longer than this many medians is a gap.
  private static let gap = 1.5
  /// Assumed while there are fewer than two reps, in seconds.
  private static let usualInterval = 3.0

  /// The number of intervals by their length, in steps of a tenth on a logarithmic scale from 0.1 s to a minute.
  private var intervals = SIMD64<Int32>(repeating: 0)
  private var (frames, unseen) = (0, 0)
  private var (begin, now) = (Microseconds.zero, Microseconds.zero)
  private var (first, last): (Microseconds?, Microseconds?)
  private var unclear = 0

  mutating func see(_ isSeen: Bool, at time: Microseconds) {
    if frames == 0 { begin = time }
    now = time
    frames += 1
    if !isSeen { unseen += 1 }
  }

  /// Takes frames of a signal that are NaN where it is not seen.
  ///
  /// - Precondition: At least one frame.
  mutating func see(_ values: UnsafeBufferPointer<Float>, _ range: Range<Int>, at poses: borrowing PoseColumns) {
    if frames == 0 { begin = poses.time(range.lowerBound) }
    now = poses.time(range.upperBound - 1)
    frames += range.count
    var missing: Int32 = 0
    for index in range { missing &+= values[index].isFinite ? 0 : 1 }
    unseen += Int(missing)
  }

  /// Takes a movement.
  ///
  /// - Parameter size: As a share of the usual one; 1 while none is usual.
  mutating func move(by size: Float, counts: Bool) {
    if size > Self.least, size < Self.clear || !counts { unclear += 1 }
  }

  /// Takes a rep. One that is reported after later ones fills no gap: where a counter had to look twice, doubt remains.
  ///
  /// - Parameter turn: Any instant of the rep that is the same in all of them.
  mutating func count(_ turn: Microseconds) {
    guard let last else {
      (first, self.last) = (turn, turn)
      return
    }
    guard turn > last else {
      first = min(first ?? turn, turn)
      return
    }
    intervals[Self.place(of: (turn - last).seconds)] += 1
    self.last = turn
  }

  var doubts: CountDoubts {
    let total = Int(intervals.wrappedSum())
    var (median, below) = (Self.usualInterval, 0)
    for place in 0..<intervals.scalarCount where total > 0 {
      below += Int(intervals[place])
      if 2 * below >= total {
        median = Self.middle(of: place)
        break
      }
    }
    let gaps = (0..<intervals.scalarCount).reduce(0) {
      Self.middle(of: $1) > Self.gap * median ? $0 + Int(intervals[$1]) : $0
    }
    let around =
      if let first, let last {
        max(0, (first - begin).seconds / median - 1) + max(0, (now - last).seconds / median - 1)
      } else { (now - begin).seconds / median }
    return CountDoubts(
      unclear: unclear, longGaps: gaps, idle: around, unseen: frames > 0 ? Double(unseen) / Double(frames) : 0)
  }

  private static func place(of seconds: Double) -> Int {
    min(63, max(0, Int(10 * Double.log(max(seconds, 0.1) / 0.1))))
  }
  private static func middle(of place: Int) -> Double { 0.1 * Double.exp((Double(place) + 0.5) / 10) }
}
