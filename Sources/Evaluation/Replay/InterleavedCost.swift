import Coaching
import PoseModel
import Statistics

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
