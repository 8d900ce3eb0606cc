import PoseModel

/// Reads an exercise's signals off a detector's columns, frame by frame, and computes the speeds among them.
struct ExerciseMeasurement: Sendable {
  /// What is measured on the poses.
  let signals: [any Signal]
  /// One for each of the exercise's signals, for the last frame read; NaN where it is not known.
  private(set) var values: [Float]
  /// Where each of the exercise's signals begins in `signals`.
  private let columns: [Int]
  /// Of those that are speeds.
  private var speeds: [JointSpeed?]

  init(_ exerciseSignals: [ExerciseSignal], _ visibility: Visibility) {
    var signals: [any Signal] = []
    var columns: [Int] = []
    for signal in exerciseSignals {
      columns.append(signals.count)
      signals += signal.signals(visibility)
    }
    self.signals = signals
    self.columns = columns
    values = [Float](repeating: .nan, count: exerciseSignals.count)
    speeds = exerciseSignals.map { if case .speed = $0.measure { JointSpeed() } else { nil } }
  }

  mutating func read(_ signals: borrowing SignalColumns, _ frame: Int, at time: Microseconds) {
    for index in values.indices {
      let column = columns[index]
      let value = signals[column, frame]
      // The speed's columns are its point's two coordinates.
      values[index] =
        speeds[index] == nil
        ? value : speeds[index]?.add(SIMD2(value, signals[column + 1, frame]), at: time) ?? .nan
    }
  }

  /// A line over the exercise's signal for a threshold; none for a speed, which is not drawn.
  func guide(_ signal: Int, _ value: Double, _ label: String) -> [Guide] {
    speeds[signal] == nil ? [Guide(signal: columns[signal], value: value, label: label)] : []
  }
}
