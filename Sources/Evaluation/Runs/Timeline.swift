import Coaching
import Datasets
import PoseModel

/// What a detector saw of a clip over time, to look at.
public struct Timeline: Sendable {
  public struct Series: Sendable {
    public var name: String
    public var unit: String
    /// One a frame, NaN where a joint was missing.
    public var values: [Float]
    public var guides: [Guide]
  }

  /// Seconds, one a frame.
  public var times: [Double]
  /// In the order of the detector's signals.
  public var series: [Series]
  public var events: [Event]

  public init(_ setting: DetectorSetting, on poses: PoseSequence) {
    let signals = setting.signals
    let table = SignalTable(signals, on: poses)
    times = poses.times.map(\.seconds)
    series = signals.enumerated().map { index, signal in
      Series(
        name: signal.name, unit: signal.unit, values: Array(table.values(of: signal)),
        guides: setting.guides.filter { $0.signal == index })
    }
    events = Replay.events(of: setting, on: poses, table)
  }
}
