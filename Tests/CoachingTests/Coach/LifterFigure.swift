import Foundation
import PoseModel

/// A lifter drawn from the leans of the body's segments, seen from the side and facing right; a test gives the leans that
/// it wants to see measured.
///
/// Hip angle = 180 − trunk − thigh, knee angle = 180 − thigh − shank, back angle = 180 − |head − trunk|, in degrees.
struct LifterFigure {
  /// Forward, degrees from the vertical.
  var shank = 0.0
  /// The hips behind the knees, degrees from the vertical.
  var thigh = 0.0
  /// Forward, degrees from the vertical.
  var trunk = 0.0
  /// Of the ear over the shoulder; `nil` is in line with the trunk.
  var head: Double?
  /// How far the wrists are in front of the ankles, image heights; `nil` is under the shoulders.
  var bar: Double?

  static let shankLength = 0.2
  static let thighLength = 0.2
  static let trunkLength = 0.25

  static func between(_ a: Self, _ b: Self, _ share: Double) -> Self {
    func mix(_ x: Double, _ y: Double) -> Double { x + (y - x) * share }
    var figure = LifterFigure(
      shank: mix(a.shank, b.shank), thigh: mix(a.thigh, b.thigh), trunk: mix(a.trunk, b.trunk))
    if let x = a.head, let y = b.head { figure.head = mix(x, y) }
    if let x = a.bar, let y = b.bar { figure.bar = mix(x, y) }
    return figure
  }

  /// Frames from one posture to the next, `steps` for each way, at 30 a second.
  static func frames(_ postures: [Self], steps: Int, from start: Int = 0) -> [PoseFrame] {
    var figures: [Self] = []
    for (a, b) in zip(postures, postures.dropFirst()) {
      for step in 0..<steps { figures.append(between(a, b, Double(step) / Double(steps))) }
    }
    if let last = postures.last { figures += Array(repeating: last, count: 20) }
    return figures.enumerated().map { $1.frame(at: Microseconds(frame: start + $0, rate: 30)) }
  }

  func frame(at time: Microseconds) -> PoseFrame {
    func step(_ from: (x: Double, y: Double), _ length: Double, forward lean: Double) -> (x: Double, y: Double) {
      (from.x + length * sin(lean * .pi / 180), from.y - length * cos(lean * .pi / 180))
    }
    var frame = PoseFrame(time: time)
    let ankle = (x: 0.5, y: 0.9)
    let knee = step(ankle, Self.shankLength, forward: shank)
    let hip = step(knee, Self.thighLength, forward: -thigh)
    let shoulder = step(hip, Self.trunkLength, forward: trunk)
    let ear = step(shoulder, 0.1, forward: head ?? trunk)
    let wrist = (x: bar.map { ankle.x + $0 } ?? shoulder.x, y: shoulder.y + 0.25)
    let elbow = (x: 0.5 * (wrist.x + shoulder.x), y: 0.5 * (wrist.y + shoulder.y))
    for (joints, place) in [
      ([Joint.leftAnkle, .rightAnkle], ankle), ([.leftKnee, .rightKnee], knee), ([.leftHip, .rightHip], hip),
      ([.leftShoulder, .rightShoulder], shoulder), ([.leftEar, .rightEar, .nose], ear),
      ([.leftWrist, .rightWrist], wrist), ([.leftElbow, .rightElbow], elbow),
    ] {
      for joint in joints { frame.set(joint, x: Float(place.x), y: Float(place.y)) }
    }
    frame.setMidpoints()
    return frame
  }
}
