import Coaching
import PoseModel

/// A counter of an app's own that reads the joints itself: a rep is a hip that goes below a height and comes back.
struct HipDropCounter: Detector {
  static let profile = DetectorProfile(
    name: "hip-drop", kind: .reps, exercise: "squat", summary: "Counts dips of the left hip.", source: "an app")

  static let low = Parameter(
    "low", 0.7, in: 0...1, .imageHeights, "The hip must get below this, from the top of the picture.", source: "an app")
  static let parameters = [low]

  private let low: Float
  private var start: Microseconds?

  init(_ values: ParameterValues) throws(ParameterError) { low = Float(values[Self.low]) }

  mutating func update(
    _ poses: borrowing PoseColumns, _ signals: borrowing SignalColumns, events: inout [Event]
  ) {
    for frame in 0..<poses.count {
      let height = poses[.leftHip, .y, frame]
      if start == nil, height > low { start = poses.time(frame) }
      if let start, height < low - 0.1 {
        events.append(Event(poses.time(frame), .rep(Rep(start: start, end: poses.time(frame)))))
        self.start = nil
      }
    }
  }
}
