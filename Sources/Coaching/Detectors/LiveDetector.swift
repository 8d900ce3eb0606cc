import PoseModel

/// A detector in an app: one frame in, what it has to say of it out.
///
///     var counter = LiveDetector(try SquatStates(replacing: ["bottomAngle": 95]))
///     for event in counter.update(frame) { … }
///
/// Measures the detector's signals on the frame and calls the same `update` as a replay does, so an app and a replay
/// cannot disagree. Allocates only when an event is returned.
public struct LiveDetector<Base: PoseObserver>: Sendable {
  public private(set) var base: Base
  private let signals: [any Signal]
  private let columns: [Int]
  private var values: [Float]
  private var events: [Event] = []

  public init(_ base: Base) {
    self.base = base
    signals = base.signals
    columns = Array(signals.indices)
    values = [Float](repeating: .nan, count: signals.count)
  }

  /// - Parameter frame: later than every frame before it.
  public mutating func update(_ frame: PoseFrame) -> [Event] {
    events.removeAll(keepingCapacity: true)
    frame.withPoses { poses in
      Self.update(&base, poses, signals: signals, columns: columns, values: &values, events: &events)
    }
    return events
  }

  private static func update(
    _ base: inout Base, _ poses: borrowing PoseColumns, signals: [any Signal], columns: [Int], values: inout [Float],
    events: inout [Event]
  ) {
    values.withUnsafeMutableBufferPointer { values in
      for index in signals.indices {
        signals[index].measure(poses, into: UnsafeMutableBufferPointer(rebasing: values[index..<index + 1]))
      }
      columns.withUnsafeBufferPointer { columns in
        base.update(
          poses,
          SignalColumns(values: UnsafeBufferPointer(values), columns: columns, stride: 1, first: 0, count: 1),
          events: &events)
      }
    }
  }
}
