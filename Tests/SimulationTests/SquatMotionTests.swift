import Datasets
import PoseModel
import Simulation
import Testing

struct SquatMotionTests {
  /// Of every habit, every view, with and without walking, and the one without reps.
  private static let scenes = (0..<10).compactMap { subject in
    SquatScene(squats(seed: 1, subjects: 10, clipsPerSubject: 3).scene(subject: subject, clip: subject % 3))
  }

  @Test func allScenesAreSquats() { #expect(Self.scenes.count == 10) }

  private func times(_ range: Range<Double>, every step: Double = 0.1) -> [Double] {
    Array(stride(from: range.lowerBound, to: range.upperBound, by: step))
  }

  @Test(arguments: 0..<scenes.count) func segmentsKeepTheirLengths(index: Int) {
    let scene = Self.scenes[index]
    let body = scene.motion.body
    let segments: [(Joint, Joint, Double)] = [
      (.leftHip, .leftKnee, body.thigh), (.rightHip, .rightKnee, body.thigh), (.leftKnee, .leftAnkle, body.shank),
      (.rightKnee, .rightAnkle, body.shank), (.root, .neck, body.trunk), (.leftHip, .rightHip, body.hipBreadth),
      (.leftShoulder, .rightShoulder, body.shoulderBreadth), (.leftShoulder, .leftElbow, body.upperArm),
      (.rightElbow, .rightWrist, body.forearm),
    ]
    for time in times(0..<scene.motion.duration) {
      let joints = scene.motion.joints(at: time)
      for (a, b, length) in segments {
        #expect(abs(joints.distance(a, b) - length) < 1e-9, "\(a) to \(b) at \(time) s of \(scene.info.name)")
      }
    }
  }

  /// Heels may rise, but toes stay where they are and no ankle goes anywhere.
  @Test(arguments: 0..<scenes.count) func feetStayPlanted(index: Int) {
    let scene = Self.scenes[index]
    for span in scene.motion.plantedSpans {
      let first = scene.motion.joints(at: span.lowerBound)
      for time in times(span) {
        let joints = scene.motion.joints(at: time)
        for toe in [Joint.leftToe, .rightToe] {
          #expect((joints[toe] - first[toe]).components.allSatisfy { abs($0) < 1e-6 })
          #expect(abs(joints[toe].z) < 1e-6)
        }
        for (heel, ankle) in [(Joint.leftHeel, Joint.leftAnkle), (.rightHeel, .rightAnkle)] {
          #expect(joints[heel].z > -1e-6 && joints[heel].z < 0.09)
          #expect((joints[ankle] - first[ankle]).components.allSatisfy { abs($0) < 0.07 })
        }
      }
    }
  }

  /// Nobody falls: over planted feet the centre of mass stays between heels and toes.
  @Test(arguments: 0..<scenes.count) func bodyStaysInBalance(index: Int) {
    let scene = Self.scenes[index]
    for time in scene.motion.plantedSpans.flatMap({ times($0) }) {
      let joints = scene.motion.joints(at: time)
      let centre = scene.motion.body.centreOfMass(joints)
      #expect(centre.x > joints[.leftHeel].x + 0.03 && centre.x < joints[.leftToe].x - 0.03)
      #expect(abs(centre.y) < 0.02)
    }
  }

  /// No joint of a person who exercises moves faster than 7 m/s, so within a millisecond no farther than 7 mm.
  @Test(arguments: 0..<scenes.count) func motionNeverJumps(index: Int) {
    let scene = Self.scenes[index]
    let motion = scene.motion
    let seams = motion.plantedSpans.flatMap { [$0.lowerBound, $0.upperBound] }
    for time in seams + times(0..<motion.duration, every: 0.073) {
      let before = motion.joints(at: time - 0.0005)
      let after = motion.joints(at: time + 0.0005)
      for joint in Joint.allCases {
        let way = (after[joint] - before[joint]).components.map { $0 * $0 }.reduce(0, +).squareRoot()
        #expect(way < 0.007, "\(joint) at \(time) s of \(scene.info.name)")
      }
    }
  }

  /// The knee angle itself, not the programme, says how deep each squat went.
  @Test(arguments: 0..<scenes.count) func repsAreDeepAndHalfRepsAreNot(index: Int) {
    let scene = Self.scenes[index]
    let motion = scene.motion
    func deepest(_ range: Range<Double>) -> Double {
      times(range, every: 0.02).map { time in
        let joints = motion.joints(at: time)
        return (joints.kneeAngle(.left) + joints.kneeAngle(.right)) / 2
      }.min() ?? 180
    }
    for rep in motion.reps {
      let angle = deepest(rep.start..<rep.end)
      #expect(angle > 25 && angle < 105.5)
      #expect(abs(angle - rep.kneeAngle) < 0.1)
    }
    for span in motion.halfReps {
      let angle = deepest(span)
      #expect(angle > 114.5 && angle < 140.5)
    }
  }

  /// Both knees below 110 degrees at once happens in full squats only, and once in each.
  @Test(arguments: 0..<scenes.count) func nothingElseIsAsDeepAsARep(index: Int) {
    let scene = Self.scenes[index]
    let motion = scene.motion
    var count = 0
    var below = false
    for time in times(0..<motion.duration, every: 0.02) {
      let joints = motion.joints(at: time)
      let deep = joints.kneeAngle(.left) < 110 && joints.kneeAngle(.right) < 110
      if deep && !below { count += 1 }
      below = deep
    }
    #expect(count == motion.reps.count)
  }

  @Test(arguments: 0..<scenes.count) func repsBeginAndEndTenDegreesOutOfStanding(index: Int) {
    let scene = Self.scenes[index]
    for rep in scene.motion.reps {
      let standing = 180 - scene.motion.standingKneeFlexion
      for time in [rep.start, rep.end] {
        #expect(abs(scene.motion.joints(at: time).kneeAngle(.left) - (standing - 10)) < 0.05)
      }
      #expect(scene.motion.joints(at: rep.turn).kneeAngle(.right) < 106)
    }
  }
}

extension SIMD3<Double> {
  fileprivate var components: [Double] { [x, y, z] }
}
