import Datasets
import PoseModel
import Simulation
import Testing

/// A fault changes the angle or distance that it is about, by what its severity says.
struct ExerciseFaultTests {
  private let subject = Subject(stature: 1.75)

  /// The joints at the turn of a rep with one fault, or at a part of the way there.
  private func joints(_ name: String, _ fault: String, _ severity: Double, at part: Double = 1) throws -> JointPositions
  {
    let exercise = try ExerciseScenes.repetition(name)
    let chosen = try #require(exercise.faults.first { $0.name == fault }, "\(fault) of \(name)")
    let severities = Severities([chosen: severity])
    let range = exercise.range(with: severities)
    return exercise.joints(
      of: subject, at: Moment(depth: range.start + (range.turn - range.start) * part, severities: severities, time: 0.5)
    )
  }

  private func elbow(_ joints: JointPositions, _ side: Side = .left) -> Double {
    side == .left
      ? joints.angle(at: .leftElbow, between: .leftShoulder, and: .leftWrist)
      : joints.angle(at: .rightElbow, between: .rightShoulder, and: .rightWrist)
  }

  private func hip(_ joints: JointPositions) -> Double { joints.angle(at: .root, between: .neck, and: .leftAnkle) }

  @Test func hipsOfAPushUpBendByWhatTheSeveritySays() throws {
    for severity in [0, 0.25, 0.5, 1] {
      for part in [0, 0.5, 1] {
        let high = try joints("push-up", "hips_high", severity, at: part)
        let sag = try joints("push-up", "hips_sag", severity, at: part)
        // At the middle of the hips, in the plane of the body, between neck and the middle of the ankles.
        func bend(_ joints: JointPositions) -> Double {
          let (neck, root) = (joints[.neck], joints[.root])
          let ankle = (joints[.leftAnkle] + joints[.rightAnkle]) / 2
          let (a, b, c) = (neck.way(to: root), root.way(to: ankle), neck.way(to: ankle))
          return (a * a + b * b - c * c) / (2 * a * b)
        }
        // cos(180 - 30 s) and cos(180 - 20 s).
        let cosines: [Double: (Double, Double)] = [
          0: (-1, -1), 0.25: (-0.991445, -0.996195), 0.5: (-0.965926, -0.984808), 1: (-0.866025, -0.939693),
        ]
        let expected = try #require(cosines[severity])
        #expect(abs(bend(high) - expected.0) < 1e-4 && abs(bend(sag) - expected.1) < 1e-4)
      }
      let line = try joints("push-up", "hips_high", 0)[.root].z
      if severity > 0 {
        #expect(try joints("push-up", "hips_high", severity)[.root].z > line)
        #expect(try joints("push-up", "hips_sag", severity)[.root].z < line)
      }
    }
  }

  /// From 173 degrees at depth 0 to 80 at depth 1, shallow ones to 1 - 0.45 s, unlocked ones from 0.28 s.
  @Test func elbowsOfAPushUp() throws {
    for severity in [0, 0.5, 1] {
      #expect(abs(elbow(try joints("push-up", "shallow", severity)) - (80 + 93 * 0.45 * severity)) < 1e-6)
      #expect(abs(elbow(try joints("push-up", "no_lockout", severity, at: 0)) - (173 - 93 * 0.28 * severity)) < 1e-6)
    }
  }

  /// The change of a measure with the severity of a fault: at least so much from 0 to 1, and about half at a half.
  struct Effect: Sendable, CustomStringConvertible {
    var exercise: String
    var fault: String
    var part = 1.0
    /// Signed: the measure at severity 1 less that at severity 0 is beyond it.
    var change: Double
    var measure: @Sendable (JointPositions) -> Double
    var description: String { "\(exercise) \(fault)" }
  }

  private static func leftElbow(_ joints: JointPositions) -> Double {
    joints.angle(at: .leftElbow, between: .leftShoulder, and: .leftWrist)
  }
  private static func shoulder(_ joints: JointPositions) -> Double {
    joints.angle(at: .leftShoulder, between: .leftHip, and: .leftElbow)
  }

  /// Degrees, or metres for distances.
  static let effects: [Effect] = [
    Effect(exercise: "lunge", fault: "shallow", change: 35) { $0.kneeAngle(.left) },
    Effect(exercise: "lunge", fault: "knee_forward", change: 0.24) { $0[.leftKnee].x - $0[.leftToe].x },
    Effect(exercise: "lunge", fault: "forward_lean", change: 30) { $0.trunkLean },
    Effect(exercise: "deadlift", fault: "rounded_back", part: 0, change: -0.03) { $0.distance(.root, .neck) },
    Effect(exercise: "deadlift", fault: "bar_drift", part: 0.5, change: 0.2) { $0[.leftWrist].x - $0[.leftAnkle].x },
    Effect(exercise: "deadlift", fault: "hips_first", part: 0.25, change: 15) { $0.trunkLean },
    Effect(exercise: "deadlift", fault: "no_lockout", change: 15) { $0.trunkLean },
    Effect(exercise: "bench-press", fault: "shallow", change: 0.15) { $0[.leftWrist].z },
    Effect(exercise: "bench-press", fault: "no_lockout", part: 0, change: -30) { leftElbow($0) },
    Effect(exercise: "bench-press", fault: "uneven", change: 0.2) { $0[.leftWrist].z - $0[.rightWrist].z },
    Effect(exercise: "bench-press", fault: "elbow_flare", part: 0.7, change: 15) { shoulder($0) },
    Effect(exercise: "pull-up", fault: "shallow", change: -0.15) { $0[.nose].z - $0[.leftWrist].z },
    Effect(exercise: "pull-up", fault: "no_lockout", part: 0, change: -45) { leftElbow($0) },
    Effect(exercise: "pull-up", fault: "swinging", part: 0, change: 0.2) { abs($0[.root].x - $0[.leftWrist].x) },
    Effect(exercise: "sit-up", fault: "shallow", change: 30) { $0.trunkLean },
    Effect(exercise: "jumping-jack", fault: "arms_low", change: -60) { shoulder($0) },
    Effect(exercise: "jumping-jack", fault: "feet_narrow", change: -0.3) { $0.distance(.leftAnkle, .rightAnkle) },
    Effect(exercise: "front-raise", fault: "shallow", change: -35) { shoulder($0) },
    Effect(exercise: "front-raise", fault: "swinging", change: 20) { $0.trunkLean },
    Effect(exercise: "shoulder-press", fault: "shallow", part: 0, change: 15) { leftElbow($0) },
    Effect(exercise: "shoulder-press", fault: "no_lockout", change: -20) { leftElbow($0) },
    Effect(exercise: "shoulder-press", fault: "leaning_back", change: 20) { $0.trunkLean },
    Effect(exercise: "biceps-curl", fault: "shallow", change: 40) { leftElbow($0) },
    Effect(exercise: "biceps-curl", fault: "leaning_back", change: 18) { $0.trunkLean },
    Effect(exercise: "biceps-curl", fault: "elbow_forward", change: 28) { shoulder($0) },
  ]

  @Test(arguments: effects) func aFaultGrowsWithItsSeverity(effect: Effect) throws {
    let values = try [0, 0.25, 0.5, 0.75, 1].map {
      effect.measure(try joints(effect.exercise, effect.fault, $0, at: effect.part))
    }
    let change = values[4] - values[0]
    #expect(effect.change > 0 ? change > effect.change : change < effect.change, "\(effect): \(values)")
    // Leaning back passes the upright, where the lean itself is least.
    guard !effect.fault.hasPrefix("leaning") && effect.fault != "swinging" else { return }
    for (less, more) in zip(values, values.dropFirst()) {
      #expect((more - less) * change > 0, "\(effect): \(values)")
    }
  }

  @Test func everyFaultIsTested() {
    let tested = Set(Self.effects.map(\.description))
    for exercise in Exercises.all.compactMap({ $0 as? any RepetitionExercise }) where exercise.name != "push-up" {
      for fault in exercise.faults { #expect(tested.contains("\(exercise.name) \(fault.name)")) }
    }
  }

  /// Bars are straight and rigid: hands stay as far apart as they took it, a deadlift's over one spot.
  @Test func barsKeepTheirLength() throws {
    for (name, fault) in [("bench-press", "uneven"), ("bench-press", "shallow"), ("deadlift", "hips_first")] {
      let first = try joints(name, fault, 1, at: 0)
      for part in [0.2, 0.4, 0.6, 0.8, 1] {
        let now = try joints(name, fault, 1, at: part)
        #expect(abs(now.distance(.leftWrist, .rightWrist) - first.distance(.leftWrist, .rightWrist)) < 1e-9)
        if name == "deadlift" { #expect(abs(now[.leftWrist].x - first[.leftWrist].x) < 1e-9) }
      }
    }
    // Between plates of 45 cm.
    for fault in ["rounded_back", "no_lockout"] {
      #expect(abs(try joints("deadlift", fault, 1, at: 0)[.leftWrist].z - 0.225) < 1e-6)
    }
  }

  /// The chin is about a third of the way from the neck's joint to the nose: above the bar in a good rep only.
  @Test func theChinClearsTheBar() throws {
    func chin(_ severity: Double) throws -> Double {
      let joints = try joints("pull-up", "shallow", severity)
      return joints[.neck].z + 0.5 * (joints[.nose].z - joints[.neck].z) - joints[.leftWrist].z
    }
    #expect(try chin(0) > 0 && chin(1) < -0.1)
  }

  @Test func ratersSeeWhatIsThere() throws {
    for name in ExerciseScenes.names where name != "tennis" {
      let generator = try ExerciseScenes.generator(name)
      let faults = (0..<12).flatMap { generator.scene($0).labels().faults }
      let known = (Exercises.named(name) as? any RepetitionExercise)?.faults ?? Plank().faults
      #expect(Set(faults.map(\.name)).isSubset(of: Set(known.map(\.name))))
      #expect(faults.contains { $0.present } && faults.contains { !$0.present }, "\(name)")
    }
  }
}
