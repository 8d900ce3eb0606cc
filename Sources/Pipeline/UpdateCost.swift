import Coaching
import PoseModel
import Statistics

/// The cost of a detector in an app: nanoseconds per frame, signals included, one frame per call.
///
/// Timed in blocks of frames, because timing a single frame would measure the clock; `clockFloor` is the time of an
/// empty block.
public struct UpdateCost: Codable, Sendable {
  /// Frames per timed block.
  public static let blockSize = 64

  /// Nanoseconds per frame, one value per block, clip by clip.
  public private(set) var byClip: [[Double]] = []
  /// Nanoseconds per frame of an empty interval.
  public private(set) var floor: [Double] = []

  public init() {}

  /// The cost on one clip.
  public init(samples: [Double], floor: [Double]) {
    byClip = [samples]
    self.floor = floor
  }

  /// The cost on one clip, from the nanoseconds per frame that another program reports; a rest shorter than a block is
  /// left out.
  package init(told: [Double]) {
    let blocks = stride(from: 0, through: told.count - Self.blockSize, by: Self.blockSize)
    byClip = [blocks.compactMap { mean(Array(told[$0..<$0 + Self.blockSize])) }]
  }

  /// Nanoseconds per frame, one value per block.
  public var samples: [Double] { byClip.flatMap(\.self) }

  public mutating func add(_ other: UpdateCost) {
    byClip += other.byClip
    floor += other.floor
  }

  /// Replays the whole blocks of a clip; a shorter rest is not timed.
  package mutating func measure(_ setting: DetectorSetting, on poses: PoseSequence) {
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

  /// The median, and those of the other quantiles that this many samples support: see `samplesNeeded(forQuantile:)`.
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

/// A detector's update time as a multiple of a reference's, measured alternately in one process.
public struct CostRatio: Codable, Hashable, Sendable {
  /// The metric's name in suites, runs and baselines.
  public static let metric = "cost.ratio"

  /// The median ratio of each clip, in the order of the run's clips; clips shorter than a timed block have none.
  public var byClip: [Double]

  public init(byClip: [Double]) { self.byClip = byClip }

  /// The median over the clips; `nil` without clips.
  public var median: Double? { quantile(0.5, of: byClip) }

  /// The 95 % interval on the median, whose ends are ratios of clips; `nil` with fewer than six clips, too few for an
  /// interval.
  public var interval: Interval? { .quantile(0.5, of: byClip) }

  /// The probability of at least this many clips above the bound if the median were at most the bound: the sign test.
  public func pAbove(_ bound: Double) -> Double {
    signTest(successes: byClip.count { $0 > bound }, of: byClip.count)
  }

  /// The probability of at least this many clips below the bound if the median were at least the bound.
  public func pBelow(_ bound: Double) -> Double {
    signTest(successes: byClip.count { $0 < bound }, of: byClip.count)
  }
}

/// Measures the ratio of two computations' times on a clip's frames, alternating between them.
///
/// Each block of frames is run four times in the order A B B A: drift that is even over the four runs, such as from
/// heating, affects both alike. Each run has its own detector, which sees every frame once, in order. A block's ratio
/// is the time of both A over that of both B; a clip's ratio is the median over its blocks, which a few interrupted
/// blocks do not change.
///
/// - Source: Kalibera and Jones, Rigorous Benchmarking in Reasonable Time, ISMM 2013, for a ratio of times with an
///   interval as the quantity to report; Georges, Buytaert and Eeckhout, Statistically Rigorous Java Performance
///   Evaluation, OOPSLA 2007, for intervals in place of best times.
package struct InterleavedCost {
  /// Frames per timed block.
  package static let blockSize = UpdateCost.blockSize

  /// The timed computation on one frame.
  package typealias Update = (PoseFrame) -> Void

  /// The median ratio of a clip's blocks; `nil` for a clip shorter than a block.
  ///
  /// - Parameters:
  ///   - a: Makes a fresh instance of the timed computation.
  ///   - b: Makes a fresh instance of the reference.
  ///   - nanoseconds: Returns the time that its argument takes.
  package static func ratio(
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

  /// A fresh detector of the setting, called as in an app.
  package static func update(of setting: DetectorSetting) -> Update {
    func live(_ base: some PoseObserver) -> Update {
      var detector = LiveDetector(base)
      return { frame in _ = detector.update(frame) }
    }
    return live(setting.detector())
  }

  package static func reference() -> Update {
    var sum: Float = 0
    return { frame in sum += ReferenceLoop.update(frame) }
  }
}

/// A fixed computation on a frame; its cost shows the current speed of the machine.
///
/// The cosine of the angle at each joint between its two neighbours in the order of `Joint.allCases`: differences,
/// products, a square root and a quotient for each of 19 joints, the arithmetic of detectors. It belongs to no
/// detector, and no change of a detector can make it faster or slower.
enum ReferenceLoop {
  /// The sum of the known cosines.
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
