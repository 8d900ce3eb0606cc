import Coaching
import PoseModel
import Statistics

/// What an app pays for a detector: nanoseconds a frame, signals included, one frame a call.
///
/// Timed in blocks of frames, since an interval around one frame would measure the clock; `clockFloor` is what an empty
/// block measures.
public struct UpdateCost: Sendable {
  /// Frames a timed block.
  public static let blockSize = 64

  /// Nanoseconds a frame, one a block, clip by clip.
  public private(set) var byClip: [[Double]] = []
  /// Nanoseconds a frame of an interval around nothing.
  public private(set) var floor: [Double] = []

  public init() {}

  /// Of one clip.
  public init(samples: [Double], floor: [Double]) {
    byClip = [samples]
    self.floor = floor
  }

  /// Nanoseconds a frame, one a block.
  public var samples: [Double] { byClip.flatMap(\.self) }

  public mutating func add(_ other: UpdateCost) {
    byClip += other.byClip
    floor += other.floor
  }

  /// Replays the whole blocks of a clip; a shorter rest is not timed.
  mutating func measure(_ setting: DetectorSetting, on poses: PoseSequence) {
    var samples: [Double] = []
    func run(_ base: some PoseObserver) {
      var detector = LiveDetector(base)
      var frame = PoseFrame()
      let clock = ContinuousClock()
      for start in stride(from: 0, through: poses.frameCount - Self.blockSize, by: Self.blockSize) {
        let frames = (start..<start + Self.blockSize).map { poses.frame($0) }
        let empty = clock.measure {}
        let spent = clock.measure {
          for index in frames.indices {
            frame = frames[index]
            _ = detector.update(frame)
          }
        }
        samples.append(spent.nanoseconds / Double(Self.blockSize))
        floor.append(empty.nanoseconds / Double(Self.blockSize))
      }
    }
    run(setting.detector())
    byClip.append(samples)
  }

  /// The median, and of the others those that this many samples support: see `samplesNeeded(forQuantile:)`.
  public var quantiles: [(p: Double, value: Double)] {
    let sorted = samples.sorted()
    return [0.5, 0.9, 0.99, 0.999].compactMap { p in
      let needed = samplesNeeded(forQuantile: p) ?? .max
      guard p == 0.5 || sorted.count >= needed, let value = quantile(p, ofSorted: sorted) else {
        return nil
      }
      return (p, value)
    }
  }
}

extension Duration {
  var nanoseconds: Double { Double(components.seconds) * 1e9 + Double(components.attoseconds) / 1e9 }
}

/// How many times as long a detector's update takes as something else, measured in turns in one process.
public struct CostRatio: Codable, Hashable, Sendable {
  /// What suites, runs and baselines call it.
  public static let metric = "cost.ratio"

  /// A clip's median, in the order of the run's clips; clips shorter than a timed block have none.
  public var byClip: [Double]

  public init(byClip: [Double]) { self.byClip = byClip }

  /// The median of the clips; `nil` of none.
  public var median: Double? { quantile(0.5, of: byClip) }

  /// The 95 % interval on the median whose ends are clips' ratios; `nil` of fewer than six clips, which none has.
  public var interval: Interval? { .quantile(0.5, of: byClip) }

  /// The chance of so many clips above the bound if the median were at most the bound: the sign test.
  public func pAbove(_ bound: Double) -> Double {
    signTest(successes: byClip.count { $0 > bound }, of: byClip.count)
  }

  /// The chance of so many clips below the bound if the median were at least the bound.
  public func pBelow(_ bound: Double) -> Double {
    signTest(successes: byClip.count { $0 < bound }, of: byClip.count)
  }
}

/// A detector's cost beside a fixed loop and, where the baseline's parameters are others, beside those.
public struct MeasuredCostRatios: Codable, Hashable, Sendable {
  public var toReference: CostRatio
  /// `nil` where the baseline has the same parameters, or none that this detector takes.
  public var toBaseline: CostRatio?
  /// How many times as long is accepted; `nil` where the suite does not gate on it.
  public var margin: Double?
}

/// Measures how many times as long one thing takes on a clip's frames as another, in turns.
///
/// Each block of frames is done four times in the order A B B A: what drifts evenly over the four, as a clock that heats
/// down does, falls on both alike. Each of the four has a detector of its own, so that all see every frame once, in
/// order. A block's ratio is the time of both A over that of both B, and a clip's the median of its blocks', which a few
/// blocks that the system interrupted do not move.
///
/// - Source: Kalibera and Jones, Rigorous Benchmarking in Reasonable Time, ISMM 2013, for a ratio of times with an
///   interval as the quantity to report; Georges, Buytaert and Eeckhout, Statistically Rigorous Java Performance
///   Evaluation, OOPSLA 2007, for intervals in place of best times.
struct InterleavedCost {
  /// Frames a timed block.
  static let blockSize = UpdateCost.blockSize

  /// What is timed: takes a frame.
  typealias Update = (PoseFrame) -> Void

  /// The median ratio of a clip's blocks; `nil` for a clip shorter than a block.
  ///
  /// - Parameters:
  ///   - a: makes what is timed, fresh.
  ///   - b: what it is divided by.
  ///   - nanoseconds: the time that its argument takes.
  static func ratio(
    of a: () -> Update, to b: () -> Update, on poses: PoseSequence,
    nanoseconds: (() -> Void) -> Double = { ContinuousClock().measure($0).nanoseconds }
  ) -> Double? {
    let turns = [a(), b(), b(), a()]
    var ratios: [Double] = []
    for start in stride(from: 0, through: poses.frameCount - blockSize, by: blockSize) {
      let frames = (start..<start + blockSize).map { poses.frame($0) }
      let times = turns.map { update in nanoseconds { for frame in frames { update(frame) } } }
      let (first, second) = (times[0] + times[3], times[1] + times[2])
      if first > 0 && second > 0 { ratios.append(first / second) }
    }
    return quantile(0.5, of: ratios)
  }

  /// A fresh detector of the setting, fed as an app feeds it.
  static func update(of setting: DetectorSetting) -> Update {
    func live(_ base: some PoseObserver) -> Update {
      var detector = LiveDetector(base)
      return { frame in _ = detector.update(frame) }
    }
    return live(setting.detector())
  }

  static func reference() -> Update {
    var sum: Float = 0
    return { frame in sum += ReferenceLoop.update(frame) }
  }
}

/// A fixed computation on a frame, whose cost says how fast the machine is just now.
///
/// The cosine of the angle at each joint between its two neighbours in the order of `Joint.allCases`: differences,
/// products, a square root and a quotient for each of 19 joints, the arithmetic that detectors do. It belongs to no
/// detector, so no detector's change can make it faster or slower.
enum ReferenceLoop {
  /// The sum of the cosines that are known.
  @inline(never)
  static func update(_ frame: PoseFrame) -> Float {
    let joints = Joint.allCases
    var sum: Float = 0
    for middle in 1..<joints.count - 1 {
      let (before, here, after) = (joints[middle - 1], joints[middle], joints[middle + 1])
      let (ax, ay) = (frame[before, .x] - frame[here, .x], frame[before, .y] - frame[here, .y])
      let (bx, by) = (frame[after, .x] - frame[here, .x], frame[after, .y] - frame[here, .y])
      let cosine = (ax * bx + ay * by) / ((ax * ax + ay * ay) * (bx * bx + by * by)).squareRoot()
      if !cosine.isNaN { sum += cosine }
    }
    return sum
  }
}
