import Foundation
import PoseModel

/// A tennis player drawn from the places of the wrists that a test wants to see followed.
struct TennisFigure {
  /// From the neck in body heights, x to the player's own right, y up.
  typealias Place = (x: Double, y: Double)

  var left: Place = (-0.12, -0.28)
  var right: Place = (0.12, -0.28)
  /// Degrees about the long axis: 0 is seen from behind, 180 from the front.
  var turn = 0.0
  /// The hips' turn where it is not the shoulders'.
  var hipTurn: Double?
  /// Degrees from upright, to the picture's right.
  var lean = 0.0
  var confidence: Float = 1

  /// Image heights: the trunk is 0.288 of it.
  static let bodyHeight = 0.5
  static let trunk = 0.288 * bodyHeight

  func frame(at seconds: Double) -> PoseFrame {
    var frame = PoseFrame(time: Microseconds(Int64((seconds * 1e6).rounded())))
    let root = (x: 0.5, y: 0.6)
    let neck = (x: root.x + Self.trunk * sin(lean * .pi / 180), y: root.y - Self.trunk * cos(lean * .pi / 180))
    let square = cos(turn * .pi / 180)
    let side = square < 0 ? -1.0 : 1
    func set(_ joint: Joint, _ x: Double, _ y: Double, z: Double = 0) {
      frame.set(joint, x: Float(x), y: Float(y), z: Float(z), confidence: confidence)
    }
    for (left, right, middle, width, turn) in [
      (Joint.leftShoulder, Joint.rightShoulder, neck, 0.259, turn),
      (.leftHip, .rightHip, root, 0.191, hipTurn ?? turn),
    ] {
      let (x, z) = (cos(turn * .pi / 180) * width / 2, sin(turn * .pi / 180) * width / 2)
      set(left, middle.x - x * Self.bodyHeight, middle.y, z: -z * Self.bodyHeight)
      set(right, middle.x + x * Self.bodyHeight, middle.y, z: z * Self.bodyHeight)
    }
    for (joint, place) in [(Joint.leftWrist, left), (.rightWrist, right), (.nose, (x: 0, y: 0.1))] {
      set(joint, neck.x + side * place.x * Self.bodyHeight, neck.y - place.y * Self.bodyHeight)
    }
    frame.setMidpoints()
    return frame
  }
}

/// A stroke whose contact is known: the wrist is slowly taken back, goes from one place to another with its greatest
/// speed in the middle, and slowly comes back.
struct TennisStroke {
  var hitting: (from: TennisFigure.Place, to: TennisFigure.Place)
  var other: (from: TennisFigure.Place, to: TennisFigure.Place) = ((-0.12, -0.28), (-0.12, -0.28))
  var isLeftHanded = false
  var turn = 0.0
  var duration = 0.5

  static let forehand = TennisStroke(hitting: ((0.35, -0.2), (-0.3, 0.05)), other: ((0.1, -0.05), (-0.15, -0.1)))
  static let oneHandedBackhand = TennisStroke(
    hitting: ((-0.3, -0.2), (0.4, 0.05)), other: ((-0.25, -0.05), (-0.3, -0.1)))
  static let twoHandedBackhand = TennisStroke(
    hitting: ((-0.3, -0.2), (0.3, 0)), other: ((-0.35, -0.15), (0.25, 0.05)))
  static let serve = TennisStroke(hitting: ((0.15, -0.15), (0.1, 0.5)), other: ((-0.1, 0.3), (-0.1, -0.2)))
  /// How long the wrist is taken back, and how long it comes back.
  static let preparation = 1.0

  func seen(from turn: Double) -> TennisStroke { with { $0.turn = turn } }
  var leftHanded: TennisStroke { with { $0.isLeftHanded = true } }

  private func with(_ change: (inout TennisStroke) -> Void) -> TennisStroke {
    var stroke = self
    change(&stroke)
    return stroke
  }

  /// The player `seconds` after contact. The shoulders unwind by 60 degrees, fastest 70 ms before contact.
  func figure(at seconds: Double) -> TennisFigure {
    /// From 0 to 1 around `middle`, as a sine rises.
    func rise(_ seconds: Double, middle: Double, duration: Double) -> Double {
      let share = min(max((seconds - middle) / duration + 0.5, 0), 1)
      return (1 - cos(.pi * share)) / 2
    }
    let away = (duration + Self.preparation) / 2
    let ready =
      1 - rise(seconds, middle: -away, duration: Self.preparation)
      + rise(seconds, middle: away, duration: Self.preparation)
    func place(
      _ path: (from: TennisFigure.Place, to: TennisFigure.Place), ready rest: TennisFigure.Place
    ) -> TennisFigure.Place {
      let share = rise(seconds, middle: 0, duration: duration)
      let x = path.from.x + (path.to.x - path.from.x) * share
      let y = path.from.y + (path.to.y - path.from.y) * share
      let place = (x: x + (rest.x - x) * ready, y: y + (rest.y - y) * ready)
      return (isLeftHanded ? -place.x : place.x, place.y)
    }
    let unwinding = 60 * (1 - rise(seconds, middle: -0.07, duration: duration)) * (1 - ready)
    let hand = place(hitting, ready: (0.12, -0.28))
    let free = place(other, ready: (-0.12, -0.28))
    return TennisFigure(
      left: isLeftHanded ? hand : free, right: isLeftHanded ? free : hand,
      turn: turn + unwinding * (turn > 90 ? -1 : 1), hipTurn: turn)
  }

  /// Strokes with their contacts at `contacts`, between which the player stands ready, until `end`.
  static func frames(
    _ strokes: [(stroke: TennisStroke, contact: Double)], until end: Double, fps: Double = 30
  ) -> [PoseFrame] {
    (0..<Int(end * fps)).map { index in
      let time = Double(index) / fps
      if let next = strokes.first(where: { abs(time - $0.contact) <= 1.25 }) {
        return next.stroke.figure(at: time - next.contact).frame(at: time)
      }
      return TennisFigure(turn: strokes.first?.stroke.turn ?? 0).frame(at: time)
    }
  }
}
