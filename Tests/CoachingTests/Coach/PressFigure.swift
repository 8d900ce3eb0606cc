import Foundation
import PoseModel

/// A person on a bench seen from the feet: the wrists straight above the shoulders, the elbows out to the sides.
struct PressFigure {
  /// Elbow angles, degrees.
  var left: Double
  var right: Double
  /// Angle of the upper arms with the trunk in the picture, by where the hips are drawn; `nil` leaves the hips out.
  var hip: SIMD2<Float>?

  static let upperArm = 0.15
  static let forearm = 0.12

  init(_ elbow: Double, right: Double? = nil) {
    left = elbow
    self.right = right ?? elbow
  }

  /// The wrist's height over the shoulder, by the law of cosines.
  static func reach(_ elbow: Double) -> Double {
    (upperArm * upperArm + forearm * forearm - 2 * upperArm * forearm * cos(elbow * .pi / 180)).squareRoot()
  }

  func frame(at time: Microseconds) -> PoseFrame {
    var frame = PoseFrame(time: time)
    for (elbow, sign, joints) in [
      (left, 1.0, (Joint.leftShoulder, Joint.leftElbow, Joint.leftWrist, Joint.leftHip)),
      (right, -1.0, (.rightShoulder, .rightElbow, .rightWrist, .rightHip)),
    ] {
      let reach = Self.reach(elbow)
      // Where the elbow is along the line from shoulder to wrist, and how far beside it.
      let along = (Self.upperArm * Self.upperArm - Self.forearm * Self.forearm + reach * reach) / (2 * reach)
      let aside = max(Self.upperArm * Self.upperArm - along * along, 0).squareRoot()
      let x = 0.5 + sign * 0.1
      frame.set(joints.0, x: Float(x), y: 0.6)
      frame.set(joints.1, x: Float(x + sign * aside), y: Float(0.6 - along))
      frame.set(joints.2, x: Float(x), y: Float(0.6 - reach))
      if let hip { frame.set(joints.3, x: Float(x) + Float(sign) * hip.x, y: 0.6 + hip.y) }
    }
    frame.setMidpoints()
    return frame
  }

  /// One press from `top` down to `bottom` and up again, a second each way, and a moment at the top.
  static func press(
    from top: Double = 175, to bottom: Double, difference: Double = 0, hip: SIMD2<Float>? = nil, start: Int = 0
  ) -> [PoseFrame] {
    (0...80).map { index in
      let share = index <= 30 ? Double(index) / 30 : max(2 - Double(index) / 30, 0)
      let elbow = top + (bottom - top) * share
      var figure = PressFigure(elbow, right: elbow - difference)
      figure.hip = hip
      return figure.frame(at: Microseconds(frame: start + index, rate: 30))
    }
  }
}
