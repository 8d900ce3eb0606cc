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
