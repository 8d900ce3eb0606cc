import PoseModel
import RealModule

/// Finds the eight events of a golf swing: address, toe-up, mid-backswing, top, mid-downswing, impact, mid-follow-through
/// and finish.
///
/// In a swing the wrists' height goes high, low and high again, while the golfer stands upright on the spot with both
/// hands on the club. The unit of time is a 24th of the time between the two
/// rises, about a frame of 1/30 s in real time, which makes slow motion look like any other swing. A linear rule
/// predicts each event from these crossings, from others like them and from the joints around a first estimate. The
/// finish is the most likely time given how the wrists come to rest. Address to mid-follow-through are reported 13
/// units after the wrists came down, or up to a quarter later, the finish 28 units after: a recording that ends before
/// has no finish.
///
/// A left-hander's swing is mirrored. Frames above 30 a second are left out; a lower rate is used as it is. Without the
/// club, the toe-up is a guess from the arms. A practice swing counts as a swing.
///
/// - Source: the events and their tolerance: McNally et al., GolfDB: A Video Database for Golf Swing Sequencing, 2019.
///   The weights are learned from 58 of its swings by `training/golf-events/train.py`.
public struct GolfEvents: Detector {
  /// The events in their order, by their names in labels.
  enum Name: String, CaseIterable {
    case address
    case toeUp = "toe_up"
    case midBackswing = "mid_backswing"
    case top
    case midDownswing = "mid_downswing"
    case impact
    case midFollowThrough = "mid_follow_through"
    case finish
  }

  public static let profile = DetectorProfile(
    name: "golf-events", kind: .swing, exercise: "golf-swing",
    summary: "Finds the eight events of a golf swing from the wrists' path, by linear rules learned from labels.",
    source: "events of GolfDB (McNally et al. 2019); learned from 58 of its swings",
    joints: [.leftWrist, .leftElbow, .leftShoulder, .leftHip],
    tasks: [.strokes(Name.allCases.map(\.rawValue)), .spots],
    trainedOn: "golf-swing")

  static let minimumDepth = Parameter(
    "minimumDepth", 0.6, in: 0.2...2, .trunkLengths,
    "How far the wrists must go down between two highs to make a swing.",
    source: "between a waggle, some 0.2, and the 1 or more of a swing")
  static let minimumConfidence = Parameter(
    "minimumConfidence", 0, in: 0...1, .ratio, "Joints at or below this confidence are ignored.",
    source: "0: the guessed position of a hidden arm is better than none")

  public static let parameters = [minimumDepth, minimumConfidence]

  /// The latest of three frames' heights below which the wrists are low, in trunk lengths above the hips.
  private static let low: Float = 0.45
  /// Frames a second.
  private static let rate = 30.0
  /// Frames from the wrists' rise to the first search, and how many times longer the next wait is.
  private static let firstWait: Float = 8
  private static let waitGrowth: Float = 1.25
  private static let longestWait: Float = 150
  /// Units from the wrists' fall to the reports.
  private static let followThrough: Float = 13
  /// The gap between frames after which earlier frames are dropped.
  private static let longestGap = Microseconds(1_000_000)

  private let depth: Float
  private let confidence: Float
  private var gate = FrameGate(stride: 1, maximumRate: Self.rate)
  private var frames = GolfFrames()
  private var recent = SIMD3<Float>(repeating: .nan)
  private var recentCount = 0
  private var lowFrames = 0
  private var wait: Float = 0
  /// The frame of the next search; `nil` before the wrists rose.
  private var nextSearch: Int?
  /// The swing whose finish is not yet known, and the first frame that it was found in.
  private var open: (swing: GolfSwing, origin: Int)?
  /// The index of the last swing's last frame, among all ever seen: hands that stay high after it do not begin a swing.
  private var finished = -1

  public init(_ values: ParameterValues) {
    depth = Float(values[Self.minimumDepth])
    confidence = Float(values[Self.minimumConfidence])
  }

  public var countingRule: CountingRule? {
    CountingRule(
      signal: "wrist height", unit: Parameter.Unit.trunkLengths.rawValue, steps: [],
      range: CountingRule.Limit(Double(depth), by: Self.minimumDepth.name))
  }

  /// The wrists' height above the hips, in trunk lengths.
  public var countedValue: Float { frames.newestHeight }

  public mutating func update(
    _ poses: borrowing PoseColumns, _ signals: borrowing SignalColumns, events: inout [Event]
  ) {
    for frame in 0..<poses.count {
      let time = poses.time(frame)
      guard gate.lets(through: time) else { continue }
      if let last = frames.lastTime, time - last > Self.longestGap { forget() }
      frames.append(poses, frame, at: time, above: confidence)
      let now = frames.total - 1
      if let (swing, origin) = open,
        Float(now - origin) >= swing.fall + GolfSwing.hold * swing.unit
      {
        open = nil
        reportFinish(swing, origin, at: time, &events)
      }
      guard isDue(frames.newestHeight, now), open == nil else { continue }
      guard let anchor = frames.anchor(depth: depth, after: finished - frames.oldest), frames.showGolfer(anchor),
        let swing = GolfSwing(anchor, in: frames, after: Self.followThrough)
      else { continue }
      finished = frames.oldest + Int(swing.fall + GolfSwing.hold * swing.unit)
      open = (swing, frames.oldest)
      nextSearch = nil
      var earliest: Float = 0
      for (name, place) in zip(Name.allCases, swing.events()) {
        earliest = Float.maximum(earliest, place)
        report(name, frames.time(at: earliest), at: time, &events)
      }
    }
  }

  /// Whether to search for a swing on this frame: some time after the wrists rose, and after ever longer waits.
  private mutating func isDue(_ height: Float, _ now: Int) -> Bool {
    if height.isFinite {
      recent = SIMD3(recent.y, recent.z, height)
      recentCount += 1
    }
    guard recentCount >= 3 else { return false }
    let median = Float.maximum(
      Float.minimum(recent.x, recent.y), Float.minimum(Float.maximum(recent.x, recent.y), recent.z))
    if median < Self.low {
      lowFrames += 1
    } else {
      if lowFrames >= 2 {
        nextSearch = now + Int(Self.firstWait)
        wait = Self.firstWait
      }
      lowFrames = 0
    }
    guard let due = nextSearch, now >= due else { return false }
    wait *= Self.waitGrowth
    nextSearch = wait < Self.longestWait ? now + Int(wait) : nil
    return true
  }

  private mutating func forget() {
    frames.removeAll()
    (recentCount, lowFrames, nextSearch, open) = (0, 0, nil, nil)
  }

  private func reportFinish(_ swing: GolfSwing, _ origin: Int, at time: Microseconds, _ events: inout [Event]) {
    let place = swing.finish(in: frames, shiftedBy: Float(origin - frames.oldest))
    report(.finish, frames.time(at: place), at: time, &events)
  }

  private func report(_ name: Name, _ time: Microseconds, at now: Microseconds, _ events: inout [Event]) {
    let stroke = Stroke(start: time, contact: time, end: time, label: name.rawValue)
    events.append(Event(time: time, reported: now, kind: .stroke(stroke)))
  }
}

/// The last 20 seconds of a golfer's joints, and the search for a swing in them.
struct GolfFrames: Sendable {
  /// At 30 a second: the slowest of GolfDB's slow-motion swings takes 11 s from address to finish.
  static let capacity = 600
  static let joints: [Joint] = [
    .leftWrist, .rightWrist, .leftElbow, .rightElbow, .leftShoulder, .rightShoulder, .leftHip, .rightHip, .leftKnee,
    .rightKnee, .nose,
  ]
  static let columns = 22

  /// The wrists' height going high, low, high.
  struct Anchor {
    /// Frames of the crossings of `level`, counted from the oldest frame.
    var rise = 0
    var fall = 0
    var secondRise = 0
    /// In trunk lengths above the hips.
    var level: Float = 0
    /// In image heights.
    var trunk: Float = 0
    var score = -Float.infinity
  }

  /// Frames ever seen.
  private(set) var total = 0
  private(set) var lastTime: Microseconds?
  /// The newest wrists' height above the hips, in trunk lengths of that frame; NaN if unknown.
  private(set) var newestHeight = Float.nan
  private var held = 0
  private var times = ContiguousArray(repeating: Microseconds.zero, count: capacity)
  /// A column for each coordinate of each joint; frame n is at n modulo `capacity`.
  private var values = ContiguousArray(repeating: Float.nan, count: capacity * columns)
  private var work = ContiguousArray(repeating: Float(0), count: 4 * capacity)

  var count: Int { held }
  /// The index of the oldest frame kept, among all ever seen.
  var oldest: Int { total - held }

  mutating func removeAll() {
    (held, lastTime, newestHeight) = (0, nil, .nan)
  }

  mutating func append(
    _ poses: borrowing PoseColumns, _ frame: Int, at time: Microseconds, above confidence: Float
  ) {
    let slot = total % Self.capacity
    times[slot] = time
    for index in 0..<Self.joints.count {
      let place = poses.place(of: Self.joints[index], frame)
      let isSeen = place.confidence > confidence && place.x.isFinite && place.y.isFinite
      values[2 * index * Self.capacity + slot] = isSeen ? place.x : .nan
      values[(2 * index + 1) * Self.capacity + slot] = isSeen ? place.y : .nan
    }
    total += 1
    held = min(held + 1, Self.capacity)
    lastTime = time
    func value(_ column: Int) -> Float { values[column * Self.capacity + slot] }
    let x = (value(8) + value(10) - value(12) - value(14)) / 2
    let y = (value(9) + value(11) - value(13) - value(15)) / 2
    newestHeight = (value(13) + value(15) - value(1) - value(3)) / 2 / (x * x + y * y).squareRoot()
  }

  /// The time of a place between two kept frames.
  func time(at place: Float) -> Microseconds {
    let bounded = Float.minimum(Float.maximum(place, 0), Float(held - 1))
    let index = min(Int(bounded), max(held - 2, 0))
    let start = times[(oldest + index) % Self.capacity]
    let end = times[(oldest + min(index + 1, held - 1)) % Self.capacity]
    let share = Double(bounded - Float(index))
    return start + Microseconds(Int64((Double((end - start).count) * share).rounded()))
  }

  /// Writes a column with gaps bridged: linear between two known values, constant before the first and after the last;
  /// 0 if none is known.
  func fill(_ column: Int, into output: inout ContiguousArray<Float>, at start: Int) {
    Self.fill(values, column, oldest..<total, into: &output, at: start)
  }

  /// Not a method of `self`, because `output` may be a part of it: every write would then copy `output`.
  private static func fill(
    _ values: ContiguousArray<Float>, _ column: Int, _ frames: Range<Int>,
    into output: inout ContiguousArray<Float>, at start: Int
  ) {
    var known: Int?
    let held = frames.count
    for index in 0..<held {
      let value = values[column * capacity + (frames.lowerBound + index) % capacity]
      output[start + index] = value
      guard value.isFinite else { continue }
      let gap = (known ?? -1) + 1
      if gap < index {
        let from = known.map { output[start + $0] } ?? value
        for place in gap..<index {
          let share = known.map { Float(place - $0) / Float(index - $0) } ?? 0
          output[start + place] = from + (value - from) * share
        }
      }
      known = index
    }
    let rest = known.map { output[start + $0] } ?? 0
    for place in ((known ?? -1) + 1)..<max(held, (known ?? -1) + 1) { output[start + place] = rest }
  }

  /// The best swing in view, or `nil`.
  ///
  /// Scans the height at three smoothings and five levels: the deepest low between two highs of which the first lasts 1
  /// to 8 times as long as the low, at a level near 0.6.
  ///
  /// - Parameters:
  ///   - depth: The least depth, in trunk lengths.
  ///   - first: The wrists rise after this frame, counted from the oldest.
  mutating func anchor(depth: Float, after first: Int) -> Anchor? {
    guard held > 8 else { return nil }
    let trunk = measureTrunkAndHeight()
    guard trunk > 0 else { return nil }
    var best: Anchor?
    for unit: Float in [1, 2, 3.5] {
      GolfSmoothing.smooth(&work, from: Self.capacity, to: 2 * Self.capacity, via: 3 * Self.capacity, held, unit: unit)
      for level: Float in [0.3, 0.45, 0.6, 0.75, 0.9] { scan(level, after: first, &best) }
    }
    guard var found = best, found.score >= depth else { return nil }
    found.trunk = trunk
    return found
  }

  /// Whether the body is a golfer's: on the spot from the wrists' first rise to the second and, once they fell, upright
  /// with both hands on a club.
  ///
  /// The limits are a quarter or more beyond the extremes of the 58 swings that the rules are learned from.
  mutating func showGolfer(_ anchor: Anchor) -> Bool {
    /// The sum of columns, each with its weight, on some frames.
    func sums(_ weights: KeyValuePairs<Int, Float>, _ range: Range<Int>) -> [Float] {
      var sums = [Float](repeating: 0, count: range.count)
      for (column, weight) in weights {
        Self.fill(values, column, oldest..<total, into: &work, at: 0)
        for index in range { sums[index - range.lowerBound] += weight * work[index] / anchor.trunk }
      }
      return sums
    }
    func median(_ values: [Float]) -> Float { values.sorted()[(values.count - 1) / 2] }
    func spread(_ values: [Float]) -> Float { (values.max() ?? 0) - (values.min() ?? 0) }
    let (down, swing) = (anchor.fall..<anchor.secondRise, anchor.rise..<anchor.secondRise)
    let hands = zip(sums([0: 1, 2: -1], down), sums([1: 1, 3: -1], down)).map { ($0 * $0 + $1 * $1).squareRoot() }
    return median(hands) <= Self.widestGrip
      && median(sums([13: 0.5, 15: 0.5, 9: -0.5, 11: -0.5], down)) >= Self.leastUpright
      && spread(sums([13: 0.5, 15: 0.5], swing)) <= Self.highestStep
      && spread(sums([12: 0.5, 14: 0.5], swing)) <= Self.widestStep
  }

  /// The median distance of the wrists, the shoulders' median height above the hips, and the hips' ways up and across,
  /// in trunk lengths.
  private static let widestGrip: Float = 0.85
  private static let leastUpright: Float = 0.55
  private static let highestStep: Float = 0.5
  private static let widestStep: Float = 0.8

  /// The median trunk length, in image heights; leaves the heights in the second quarter of `work`.
  mutating func measureTrunkAndHeight() -> Float {
    let capacity = Self.capacity
    for index in 0..<held { work[index] = 0 }
    for (axis, first) in [8, 9].enumerated() {
      for column in [first, first + 2, first + 4, first + 6] {
        Self.fill(values, column, oldest..<total, into: &work, at: 3 * capacity)
        let sign: Float = column < 12 ? 0.5 : -0.5
        for index in 0..<held {
          work[(axis + 1) * capacity + index] =
            (column == first ? 0 : work[(axis + 1) * capacity + index]) + sign * work[3 * capacity + index]
        }
      }
    }
    for index in 0..<held {
      let (x, y) = (work[capacity + index], work[2 * capacity + index])
      work[index] = (x * x + y * y).squareRoot()
    }
    let trunk = GolfSmoothing.median(&work, 0..<held)
    for column in [13, 15, 1, 3] {
      Self.fill(values, column, oldest..<total, into: &work, at: 3 * capacity)
      let sign: Float = (column > 4 ? 0.5 : -0.5) / trunk
      for index in 0..<held {
        work[capacity + index] =
          (column == 13 ? 0 : work[capacity + index]) + sign * work[3 * capacity + index]
      }
    }
    return trunk
  }

  private func scan(_ level: Float, after first: Int, _ best: inout Anchor?) {
    let heights = 2 * Self.capacity
    var previous: (start: Int, end: Int, high: Float)?
    var lowest = Float.infinity
    var index = 0
    while index < held {
      guard work[heights + index] > level else {
        lowest = Float.minimum(lowest, work[heights + index])
        index += 1
        continue
      }
      let start = index
      var high = -Float.infinity
      while index < held, work[heights + index] > level {
        high = Float.maximum(high, work[heights + index])
        index += 1
      }
      if let before = previous, before.start > first {
        let gap = start - before.end
        let hold = before.end - before.start
        if gap >= 4, hold >= gap, hold <= 8 * gap {
          let score =
            Float.minimum(Float.minimum(before.high, high), Self.highest) - lowest
            - Self.levelCost * abs(level - Self.usualLevel)
          if score > (best?.score ?? -.infinity) + Self.margin {
            best = Anchor(rise: before.start, fall: before.end, secondRise: start, level: level, score: score)
          }
        }
      }
      previous = (start, index, high)
      lowest = .infinity
    }
  }

  /// Wrists above the shoulders all count alike.
  private static let highest: Float = 1.3
  private static let usualLevel: Float = 0.6
  private static let levelCost: Float = 0.3
  /// A later candidate must be better by this, in trunk lengths.
  private static let margin: Float = 0.02
}

/// A median, then a Gaussian, both as wide as a swing is slow.
enum GolfSmoothing {
  /// Smooths `count` values; the first and last value are repeated beyond the ends.
  static func smooth(
    _ values: inout ContiguousArray<Float>, from: Int, to: Int, via: Int, _ count: Int, unit: Float
  ) {
    let half = Int(0.75 * unit)
    values.withUnsafeMutableBufferPointer { values in
      withUnsafeTemporaryAllocation(of: Float.self, capacity: 2 * half + 1) { window in
        for index in 0..<count {
          guard half > 0 else {
            values[via + index] = values[from + index]
            continue
          }
          for offset in -half...half {
            let value = values[from + min(max(index + offset, 0), count - 1)]
            var place = offset + half
            while place > 0, window[place - 1] > value {
              window[place] = window[place - 1]
              place -= 1
            }
            window[place] = value
          }
          values[via + index] = window[half]
        }
      }
      let deviation = 0.45 * unit
      let reach = max(1, Int(3 * deviation + 0.5))
      withUnsafeTemporaryAllocation(of: Float.self, capacity: 2 * reach + 1) { weights in
        var sum: Float = 0
        for offset in -reach...reach {
          let z = Float(offset) / deviation
          weights[offset + reach] = Float.exp(-0.5 * z * z)
          sum += weights[offset + reach]
        }
        for index in 0..<count {
          var total: Float = 0
          for offset in -reach...reach {
            total += weights[offset + reach] * values[via + min(max(index + offset, 0), count - 1)]
          }
          values[to + index] = total / sum
        }
      }
    }
  }

  /// The lower median of a range, which is reordered.
  static func median(_ values: inout ContiguousArray<Float>, _ range: Range<Int>) -> Float {
    values.withUnsafeMutableBufferPointer {
      value(ofRank: (range.count - 1) / 2, reordering: UnsafeMutableBufferPointer(rebasing: $0[range]))
    }
  }
}
