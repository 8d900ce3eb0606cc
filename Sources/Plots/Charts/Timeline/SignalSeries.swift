/// A signal over time, as a detector saw it.
public struct SignalSeries: Hashable, Sendable {
  public var name: String
  public var unit: String
  /// Seconds from the clip's start, rising; one for each value.
  public var times: [Double]
  /// NaN where the signal is missing.
  public var values: [Float]
  /// The values at which the detector changes its mind.
  public var thresholds: [Threshold]

  public init(name: String, unit: String, times: [Double], values: [Float], thresholds: [Threshold] = []) {
    self.name = name
    self.unit = unit
    self.times = times
    self.values = values
    self.thresholds = thresholds
  }

  /// Each frame that has a time, with its value.
  var frames: [(time: Double, value: Double)] {
    zip(times, values).filter { $0.0.isFinite }.map { (time: $0.0, value: Double($0.1)) }
  }

  /// All that its scale must cover.
  var levels: [Double] { frames.map(\.value) + thresholds.map(\.value) }

  /// The times over which the signal is missing, each from halfway to the frame before to halfway to the one behind.
  var gaps: [ClosedRange<Double>] {
    let frames = frames
    func edge(_ left: Int, _ right: Int) -> Double {
      let (low, high) = (max(left, 0), min(right, frames.count - 1))
      return (frames[low].time + frames[high].time) / 2
    }
    var gaps: [ClosedRange<Double>] = []
    var start: Int?
    for index in 0...frames.count {
      let isMissing = index < frames.count && !frames[index].value.isFinite
      if isMissing {
        start = start ?? index
      } else if let first = start {
        let (left, right) = (edge(first - 1, first), edge(index - 1, index))
        gaps.append(min(left, right)...max(left, right))
        start = nil
      }
    }
    return gaps
  }
}
