import Foundation
import PoseModel

/// A person drawn from the front, all 14 joints of the AI coach guide, who can squat and let the knees cave in.
struct FrontFigure {
  /// 1 standing, 0 with level thighs.
  var height = 1.0
  /// Knees' distance divided by that of the ankles.
  var separation = 1.0
  var confidence: Float = 1
  var missing: [Joint] = []

  func frame(at time: Microseconds = .zero) -> PoseFrame {
    var frame = PoseFrame(time: time)
    let places: [(left: Joint, right: Joint, half: Double, y: Double)] = [
      (.leftAnkle, .rightAnkle, 0.1, 0.9), (.leftKnee, .rightKnee, 0.1 * separation, 0.7),
      (.leftHip, .rightHip, 0.08, 0.7 - 0.2 * height), (.leftShoulder, .rightShoulder, 0.1, 0.45 - 0.2 * height),
      (.leftElbow, .rightElbow, 0.12, 0.57 - 0.2 * height), (.leftWrist, .rightWrist, 0.12, 0.69 - 0.2 * height),
    ]
    for (left, right, half, y) in places {
      frame.set(left, x: Float(0.5 + half), y: Float(y), confidence: confidence)
      frame.set(right, x: Float(0.5 - half), y: Float(y), confidence: confidence)
    }
    frame.set(.nose, x: 0.5, y: Float(0.38 - 0.2 * height), confidence: confidence)
    frame.setMidpoints()
    for joint in missing { frame.set(joint, x: .nan, y: .nan, confidence: 0) }
    return frame
  }

  /// A squat of 1.5 s each way down to `height`, at 30 frames a second.
  static func squat(to height: Double, separation: Double = 1, from start: Int = 0) -> [PoseFrame] {
    (0...110).map { index in
      let share = index <= 45 ? Double(index) / 45 : max(2 - Double(index) / 45, 0)
      return FrontFigure(height: 1 + (height - 1) * share, separation: 1 + (separation - 1) * share)
        .frame(at: Microseconds(frame: start + index, rate: 30))
    }
  }
}
