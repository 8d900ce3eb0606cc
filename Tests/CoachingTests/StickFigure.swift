import Foundation
import PoseModel

/// A person drawn from the angles that a test wants to see measured: seen from the side, facing right.
struct StickFigure {
  /// Hip–knee–ankle, degrees.
  var knee: Double
  /// Shoulders over hips from the vertical, degrees.
  var lean = 0.0
  /// How far the knee is in front of the ankle, image heights.
  var travel = 0.0
  var confidence: Float = 1

  /// The shank's and the thigh's length, image heights.
  static let shank = 0.2
  static let thigh = 0.2

  func frame(at seconds: Double) -> PoseFrame {
    var frame = PoseFrame(time: Microseconds(Int64((seconds * 1e6).rounded())))
    let ankle = (x: 0.5, y: 0.9)
    let knee = (x: ankle.x + travel, y: ankle.y - (Self.shank * Self.shank - travel * travel).squareRoot())
    // The thigh's direction: the shank's, turned by the knee's angle.
    let shank = atan2(ankle.y - knee.y, ankle.x - knee.x)
    let thigh = shank + self.knee * .pi / 180
    let hip = (x: knee.x + Self.thigh * cos(thigh), y: knee.y + Self.thigh * sin(thigh))
    let shoulder = (x: hip.x + 0.25 * sin(lean * .pi / 180), y: hip.y - 0.25 * cos(lean * .pi / 180))
    for side in Side.allCases {
      for (joint, point) in [
        (side.ankle, ankle), (side.knee, knee), (side.hip, hip), (side.shoulder, shoulder),
      ] {
        frame.set(joint, x: Float(point.x), y: Float(point.y), confidence: confidence)
      }
    }
    frame.setMidpoints()
    return frame
  }
}

extension PoseFrame {
  /// A depth makes a frame one in space; joints without their own have 0.
  mutating func setHips(depth: Float) {
    for hip in [Joint.leftHip, .rightHip] {
      set(hip, x: self[hip, .x], y: self[hip, .y], z: depth, confidence: self[hip, .confidence])
    }
  }

  /// Upper arms that hang from the shoulders and forearms at this angle to them, degrees, as sure as the shoulders.
  mutating func bendArms(to elbow: Double) {
    let turn = elbow * .pi / 180
    for (shoulder, elbow, wrist) in [
      (Joint.leftShoulder, Joint.leftElbow, Joint.leftWrist), (.rightShoulder, .rightElbow, .rightWrist),
    ] {
      let (x, y, confidence) = (self[shoulder, .x], self[shoulder, .y], self[shoulder, .confidence])
      set(elbow, x: x, y: y + 0.15, confidence: confidence)
      set(wrist, x: x + Float(0.12 * sin(turn)), y: y + 0.15 - Float(0.12 * cos(turn)), confidence: confidence)
    }
  }
}
