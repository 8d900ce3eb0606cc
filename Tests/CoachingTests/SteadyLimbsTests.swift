import Coaching
import Foundation
import PoseModel
import Testing

/// Depth decided by the recording: angles are measured in space only where limbs keep their lengths in it.
@Suite struct SteadyLimbsTests {
  typealias Fixture = ExerciseFixture

  /// Bends of the elbow, from straight to less than 120° and back.
  private func bends() throws -> ExerciseDefinition {
    let angle = 0.0...180
    let rule = RepRule(
      signal: 0, average: nil, start: Fixture.parameter("start", 150, .degrees, in: angle),
      turn: Fixture.parameter("turn", 120, .degrees, in: angle),
      hysteresis: Fixture.parameter("hysteresis", 5, .degrees), attempt: nil,
      cooldown: Fixture.parameter("cooldown", 0),
      minimumDuration: Fixture.parameter("minimumDuration", 0.3), finish: Fixture.parameter("finish", 0), forget: nil,
      phases: ["straight", "bending", "bent", "stretching"], adaptation: nil)
    return ExerciseDefinition(
      name: "bend", summary: "Bends.", source: "the test", joints: [.leftElbow],
      signals: [
        ExerciseSignal(
          "elbow",
          .angle(
            try Fixture.part("shoulder"), try Fixture.part("elbow"), try Fixture.part("wrist")), side: .mean)
      ], rule: .reps(rule), faults: [], praise: nil,
      visibilityThresholds: VisibilityThresholds(
        minimumConfidence: Fixture.parameter("minimumConfidence", 0.3, .ratio),
        usesDepth: .toggle("usesDepth", true, "Depth.", source: "the test")),
      speechCooldown: Fixture.parameter("speechCooldown", 4))
  }

  /// Three bends of 2 s each after 2 s of rest, of forearms that turn towards the camera: in the picture they get
  /// shorter, and the elbow stays straight.
  ///
  /// - Parameter error: By how much the wrists' depth is wrong in every other frame, as a share of the forearm.
  private func reps(error: Float, depth: Bool = true) throws -> Int {
    let frames = (0..<240).map { index -> PoseFrame in
      let time = Double(index) / 30
      let bend = time < 2 ? 0 : 0.5 - 0.5 * cos(2 * Double.pi * (time - 2) / 2)
      var frame = PoseFrame(time: Microseconds(Int64((time * 1e6).rounded())))
      let turn = Float(bend * 85 * Double.pi / 180)
      let wrong = index % 2 == 0 ? error * 0.12 : 0
      for (x, joints) in [
        (Float(0.4), (Joint.leftShoulder, Joint.leftElbow, Joint.leftWrist)),
        (0.6, (.rightShoulder, .rightElbow, .rightWrist)),
      ] {
        let points = [
          (joints.0, SIMD3<Float>(x, 0.2, 0)), (joints.1, SIMD3<Float>(x, 0.35, 0)),
          (joints.2, SIMD3<Float>(x, 0.35 + 0.12 * Foundation.cos(turn), 0.12 * Foundation.sin(turn) + wrong)),
        ]
        for (joint, point) in points {
          if depth {
            frame.set(joint, x: point.x, y: point.y, z: point.z, confidence: 1)
          } else {
            frame.set(joint, x: point.x, y: point.y, confidence: 1)
          }
        }
      }
      return frame
    }
    return try Fixture.events(of: bends(), on: frames).reps.count
  }

  @Test func steadyLimbsAreMeasuredInSpace() throws { #expect(try reps(error: 0) == 3) }

  /// Half a forearm in every other frame makes it longer by a ninth: 5 % of both limbs, thirty times the limit.
  @Test func limbsThatChangeTheirLengthsAreMeasuredInThePicture() throws {
    #expect(try reps(error: 0.5) == 0)
    #expect(try reps(error: 0, depth: false) == 0)
  }
}
