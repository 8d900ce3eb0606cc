import Foundation
import PoseModel

/// A person seen from the side, facing right, built from the ankle up by how far each segment leans forward from the vertical.
///
/// Lengths are shares of a stature of 0.8 image heights (Drillis and Contini 1966).
struct SideFigure {
  /// Degrees: 0 upright, 90 level to the right, -90 level to the left.
  var shank = 0.0
  var thigh = 0.0
  var trunk = 0.0
  /// From shoulder to elbow and from elbow to wrist: 180 hangs down.
  var upperArm = 180.0
  var forearm = 180.0
  var confidence: Float = 1

  func frame(at seconds: Double = 0) -> PoseFrame {
    var frame = PoseFrame(time: Microseconds(Int64((seconds * 1e6).rounded())))
    func from(_ start: (x: Double, y: Double), _ length: Double, _ lean: Double) -> (x: Double, y: Double) {
      (start.x + 0.8 * length * sin(lean * .pi / 180), start.y - 0.8 * length * cos(lean * .pi / 180))
    }
    let ankle = (x: 0.8, y: 0.9)
    let knee = from(ankle, 0.246, shank)
    let hip = from(knee, 0.245, thigh)
    let shoulder = from(hip, 0.288, trunk)
    let elbow = from(shoulder, 0.186, upperArm)
    let wrist = from(elbow, 0.146, forearm)
    let nose = from(shoulder, 0.12, trunk)
    func set(_ joint: Joint, _ point: (x: Double, y: Double)) {
      frame.set(joint, x: Float(point.x), y: Float(point.y), confidence: confidence)
    }
    set(.nose, nose)
    for side in Side.allCases {
      set(side.ankle, ankle)
      set(side.knee, knee)
      set(side.hip, hip)
      set(side.shoulder, shoulder)
      set(side == .left ? .leftElbow : .rightElbow, elbow)
      set(side == .left ? .leftWrist : .rightWrist, wrist)
    }
    frame.setMidpoints()
    return frame
  }
}
