import PoseModel

/// What stands between a movement and its cue in an app: a camera's frame rate and the time a pose estimator takes.
///
/// A frame that arrives while the estimator is busy is dropped, as capture pipelines do that discard late frames. A
/// camera faster than the recording can only see the recording's frames. The detector's own time is left out: it is
/// measured apart and some ten thousand times smaller.
public struct LiveCamera: Hashable, Codable, Sendable {
  /// Frames a second.
  public var fps: Double
  /// From a frame's arrival to its pose.
  public var estimator: Microseconds

  public init(fps: Double, estimator: Microseconds) {
    self.fps = fps
    self.estimator = estimator
  }

  /// The positions of the frames that the estimator gets to see.
  public func framesSeen(_ times: [Microseconds]) -> [Int] {
    var seen: [Int] = []
    guard let first = times.first else { return seen }
    var nextTick = 0
    var busyUntil = first
    for (index, time) in times.enumerated() {
      // Half a microsecond of rounding must not make a 30 fps camera miss a 30 fps recording's frames.
      guard time - first + Microseconds(1) >= Microseconds(frame: nextTick, rate: fps) else { continue }
      nextTick = tick(after: time - first + Microseconds(1))
      guard time >= busyUntil else { continue }
      busyUntil = time + estimator
      seen.append(index)
    }
    return seen
  }

  /// The first tick that comes later than `elapsed`, however long that is.
  private func tick(after elapsed: Microseconds) -> Int {
    var tick = Int(elapsed.seconds * fps)
    while Microseconds(frame: tick, rate: fps) <= elapsed { tick += 1 }
    return tick
  }
}
