import Coaching
import PoseModel

/// The app's own counter: a squat is a drop of the shoulders towards the ankles, and their way back.
struct ShoulderDropCounter: Detector {
  static let profile = DetectorProfile(
    name: "shoulder-drop", kind: .reps, exercise: "squat",
    summary: "Counts squats by how far the shoulders come down towards the ankles.", source: "the example app",
    joints: [.leftShoulder, .leftAnkle])

  static let drop = Parameter(
    "drop", 0.2, in: 0.05...0.6, .ratio, "The part of the standing height by which the shoulders must come down.",
    source: "the example app")
  static let parameters = [drop]

  private let drop: Float
  /// The greatest height of the shoulders over the ankles so far, which is that of standing.
  private var standing: Float = 0
  private var start: Microseconds?
  private var isLow = false

  init(_ values: ParameterValues) throws(ParameterError) { drop = Float(values[Self.drop]) }

  var signals: [any Signal] { [ShoulderHeight()] }
  var guides: [Guide] { [] }

  mutating func update(
    _ poses: borrowing PoseColumns, _ signals: borrowing SignalColumns, events: inout [Event]
  ) {
    for frame in 0..<signals.count {
      let height = signals[0, frame]
      guard height.isFinite else { continue }
      standing = max(standing, height)
      let down = 1 - height / standing
      if start == nil, down > drop / 2 { start = poses.time(frame) }
      if down > drop { isLow = true }
      guard let start, down < drop / 2 else { continue }
      if isLow { events.append(Event(poses.time(frame), .rep(Rep(start: start, end: poses.time(frame))))) }
      self.start = nil
      isLow = false
    }
  }
}

/// How high the left shoulder is above the left ankle, in image heights.
struct ShoulderHeight: Signal {
  var name: String { "shoulder over ankle" }
  var unit: String { "image heights" }

  func measure(_ poses: borrowing PoseColumns, into output: UnsafeMutableBufferPointer<Float>) {
    for frame in 0..<poses.count {
      // y points down; a joint that was not seen is NaN.
      output[frame] = poses[.leftAnkle, .y, frame] - poses[.leftShoulder, .y, frame]
    }
  }
}
