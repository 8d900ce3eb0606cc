import PoseModel

/// Measures an observer's signals on one frame.
public protocol FrameMeasurement: Sendable {
  /// - Parameters:
  ///   - poses: of one frame.
  ///   - values: one a signal, in the order of the observer's signals.
  func measure(_ poses: borrowing PoseColumns, into values: UnsafeMutableBufferPointer<Float>)
}

/// Signals that are measured one after the other.
struct SignalList: FrameMeasurement {
  private let signals: [any Signal]

  init(_ signals: [any Signal]) { self.signals = signals }

  func measure(_ poses: borrowing PoseColumns, into values: UnsafeMutableBufferPointer<Float>) {
    for index in signals.indices {
      signals[index].measure(poses, into: UnsafeMutableBufferPointer(rebasing: values[index..<index + 1]))
    }
  }
}
