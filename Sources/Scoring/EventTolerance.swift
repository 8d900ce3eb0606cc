import PoseModel

/// When an event happened: the time, and the frame of the recording that is nearest to it.
public struct EventInstant: Hashable, Sendable {
  public var time: Microseconds
  /// 0 is the first.
  public var frame: Int

  public init(time: Microseconds, frame: Int) {
    self.time = time
    self.frame = frame
  }

  /// Halfway between two frames is the earlier one; `nil` where there are no frames.
  ///
  /// - Parameter frames: when each frame was taken, in order.
  public init?(time: Microseconds, frames: [Microseconds]) {
    guard !frames.isEmpty else { return nil }
    var (low, high) = (0, frames.count)
    while low < high {
      let middle = (low + high) / 2
      if frames[middle] < time { low = middle + 1 } else { high = middle }
    }
    let isEarlierNearer = low == frames.count || (low > 0 && time - frames[low - 1] <= frames[low] - time)
    self.init(time: time, frame: isEarlierNearer ? low - 1 : low)
  }
}

/// How far apart two instants may be to be the same event; exactly this far still is.
public enum EventTolerance: Hashable, Sendable {
  case time(Microseconds)
  /// Frames of the recording, whatever its frame rate.
  case frames(Int)

  /// Pairs true events with predicted ones, one to one, as many as possible, as `matchEvents` does.
  ///
  /// - Returns: positions in `truth` and `predicted`, in order of time.
  public func pairs(truth: [EventInstant], predicted: [EventInstant]) -> [(truth: Int, predicted: Int)] {
    matchEvents(truth: truth.map(position), predicted: predicted.map(position), tolerance: span)
  }

  /// Whether the distance is within the tolerance; `nil` where it is not.
  func distance(_ a: EventInstant, _ b: EventInstant) -> Microseconds? {
    let distance = (position(a) - position(b)).magnitude
    return distance <= span ? distance : nil
  }

  /// On the axis that the tolerance is measured on: a frame counts as one there.
  private func position(_ instant: EventInstant) -> Microseconds {
    switch self {
    case .time: instant.time
    case .frames: Microseconds(Int64(instant.frame))
    }
  }

  private var span: Microseconds {
    switch self {
    case .time(let time): time
    case .frames(let count): Microseconds(Int64(count))
    }
  }
}
