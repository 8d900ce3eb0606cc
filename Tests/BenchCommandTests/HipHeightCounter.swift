import Coaching
import PoseModel

/// A counter of an app's own that has a signal of its own measured, and draws its threshold.
struct HipHeightCounter: Detector {
  /// How high the left hip is over the left ankle.
  struct HipHeight: Signal {
    var name: String { "hip height" }
    var unit: String { "image heights" }

    func measure(_ poses: borrowing PoseColumns, into output: UnsafeMutableBufferPointer<Float>) {
      for frame in 0..<poses.count { output[frame] = poses[.leftAnkle, .y, frame] - poses[.leftHip, .y, frame] }
    }
  }

  static let profile = DetectorProfile(
    name: "hip-height", kind: .reps, exercise: "squat", summary: "Counts by the hip's height.", source: "an app")
  static let parameters: [Parameter] = []

  private var start: Microseconds?

  init(_ values: ParameterValues) throws(ParameterError) {}

  var signals: [any Signal] { [HipHeight()] }
  var guides: [Guide] { [Guide(signal: 0, value: 0.2, label: "down")] }

  mutating func update(
    _ poses: borrowing PoseColumns, _ signals: borrowing SignalColumns, events: inout [Event]
  ) {
    for frame in 0..<signals.count {
      if start == nil, signals[0, frame] < 0.2 { start = poses.time(frame) }
      if let start, signals[0, frame] > 0.3 {
        events.append(Event(poses.time(frame), .rep(Rep(start: start, end: poses.time(frame)))))
        self.start = nil
      }
    }
  }
}
