import PoseModel

/// Runs a detector in an app: takes one frame and returns its events.
///
///     var counter = LiveDetector(try SquatStates(replacing: ["bottomAngle": 95]))
///     for event in counter.update(frame) { … }
///
/// Measures the detector's signals on the frame and calls the same `update` as a replay does, so an app and a replay
/// always agree. Allocates only when an event is returned.
public struct LiveDetector<Base: PoseObserver>: Sendable {
  @usableFromInline var detector: Base
  @usableFromInline var reader: FrameReader

  public init(_ base: Base) {
    detector = base
    reader = FrameReader(base)
  }

  /// The detector after the frames so far.
  public var base: Base { detector }

  /// Takes the next frame and returns the events that the detector reports on it.
  ///
  /// - Parameter frame: Later than every earlier frame.
  // Always inlined: if the detector's type is chosen at run time, finding the fields of this generic type would cost as
  // much on every frame as a simple detector. Its caller must find them only once.
  @inlinable @inline(__always)
  public mutating func update(_ frame: PoseFrame) -> [Event] { reader.update(&detector, frame) }
}

/// Measures an observer's signals on single frames.
@usableFromInline
struct FrameReader: Sendable {
  private let measurement: any FrameMeasurement
  private let columns: [Int]
  private var values: [Float]
  private var events: [Event] = []

  init(_ observer: some PoseObserver) {
    let count = observer.signals.count
    measurement = observer.measurement
    columns = Array(0..<count)
    values = [Float](repeating: .nan, count: count)
  }

  /// The observer's events on the frame.
  @usableFromInline
  mutating func update(_ observer: inout some PoseObserver, _ frame: PoseFrame) -> [Event] {
    if !events.isEmpty { events.removeAll(keepingCapacity: true) }
    frame.withPoses { poses in
      Self.update(&observer, poses, measurement, columns: columns, values: &values, events: &events)
    }
    return events
  }

  private static func update(
    _ observer: inout some PoseObserver, _ poses: borrowing PoseColumns, _ measurement: some FrameMeasurement,
    columns: [Int], values: inout [Float], events: inout [Event]
  ) {
    values.withUnsafeMutableBufferPointer { values in
      measurement.measure(poses, into: values)
      columns.withUnsafeBufferPointer { columns in
        observer.update(
          poses,
          SignalColumns(values: UnsafeBufferPointer(values), columns: columns, stride: 1, first: 0, count: 1),
          events: &events)
      }
    }
  }
}
