import Datasets
import PoseModel
import Simulation
import Testing

/// What holds for the true motion of every exercise and negative: a body of fixed lengths that moves as a body can.
struct ExerciseMotionTests {
  @Test(arguments: ExerciseScenes.namesAndNegatives) func segmentsKeepTheirLengths(name: String) throws {
    for scene in try ExerciseScenes.scenes(name) {
      let body = scene.motion.body
      let segments: [(Joint, Joint, Double)] = [
        (.leftHip, .leftKnee, body.thigh), (.rightHip, .rightKnee, body.thigh), (.leftKnee, .leftAnkle, body.shank),
        (.rightKnee, .rightAnkle, body.shank), (.leftHip, .rightHip, body.hipBreadth),
        (.leftShoulder, .rightShoulder, body.shoulderBreadth), (.leftShoulder, .leftElbow, body.upperArm),
        (.rightShoulder, .rightElbow, body.upperArm), (.leftElbow, .leftWrist, body.forearm),
        (.rightElbow, .rightWrist, body.forearm),
      ]
      for time in ExerciseScenes.times(0..<scene.motion.duration) {
        let joints = scene.motion.joints(at: time)
        for (a, b, length) in segments {
          #expect(abs(joints.distance(a, b) - length) < 1e-9, "\(a) to \(b) at \(time) s of \(name) \(scene.info.name)")
        }
        // Only a rounded back brings hips and shoulders together: by 7 % at most, the chord of an arc of 75 degrees.
        let trunk = joints.distance(.root, .neck) / body.trunk
        #expect(trunk < 1 + 1e-9 && trunk > (name == "deadlift" ? 0.929 : 1 - 1e-9))
      }
    }
  }

  @Test(arguments: ExerciseScenes.namesAndNegatives) func nothingGoesThroughTheFloor(name: String) throws {
    for scene in try ExerciseScenes.scenes(name) {
      // Toes turn about the ball of the foot on the way down to the floor, as in `gettingDownIsOneMovement`.
      let lowest = name == "getting-down" ? -0.02 * scene.motion.body.stature : -0.005
      for time in ExerciseScenes.times(0..<scene.motion.duration) {
        let joints = scene.motion.joints(at: time)
        for joint in Joint.allCases {
          #expect(joints[joint].z > lowest, "\(joint) at \(time) s of \(name) \(scene.info.name)")
        }
      }
    }
  }

  /// No joint moves faster than 10 m/s, which the wrists of a jumping jack come near to, so within a millisecond no farther than
  /// 10 mm; the hitting wrist of a serve half as far again.
  @Test(arguments: ExerciseScenes.namesAndNegatives) func motionNeverJumps(name: String) throws {
    let limit = name == "tennis" ? 0.015 : 0.01
    for scene in try ExerciseScenes.scenes(name) {
      let motion = scene.motion
      let seams = (motion as? SetMotion)?.exerciseSpans.flatMap { [$0.lowerBound, $0.upperBound] } ?? []
      for time in seams + ExerciseScenes.times(0..<motion.duration, every: 0.031) {
        let before = motion.joints(at: time - 0.0005)
        let after = motion.joints(at: time + 0.0005)
        for joint in Joint.allCases {
          #expect(before[joint].way(to: after[joint]) < limit, "\(joint) at \(time) s of \(name) \(scene.info.name)")
        }
      }
    }
  }

  /// What rests on the floor, a bench or a bar while the exercise is done.
  private static let contacts: [String: [Joint]] = [
    "push-up": [.leftWrist, .rightWrist, .leftToe, .rightToe, .leftAnkle, .rightAnkle],
    "bench-press": [.root, .neck, .leftAnkle, .rightAnkle, .leftToe, .rightToe],
    "pull-up": [.leftWrist, .rightWrist], "sit-up": [.root, .leftHip, .leftAnkle, .rightAnkle, .leftToe],
    "deadlift": [.leftAnkle, .rightAnkle, .leftToe, .rightToe, .leftHeel],
    "front-raise": [.leftAnkle, .rightAnkle, .leftToe, .rightHeel],
    "shoulder-press": [.leftAnkle, .rightAnkle, .leftToe, .rightHeel],
    "biceps-curl": [.leftAnkle, .rightAnkle, .leftToe, .rightHeel],
  ]

  @Test(arguments: contacts.keys.sorted()) func contactsStayWhereTheyAre(name: String) throws {
    for scene in try ExerciseScenes.scenes(name) {
      let motion = try #require(scene.motion as? SetMotion)
      let spans = motion.exerciseSpans
      let first = motion.joints(at: try #require(spans.first).lowerBound)
      for time in spans.flatMap({ ExerciseScenes.times($0) }) {
        let joints = motion.joints(at: time)
        for joint in Self.contacts[name] ?? [] {
          #expect(first[joint].way(to: joints[joint]) < 1e-6, "\(joint) at \(time) s of \(name) \(scene.info.name)")
        }
      }
    }
  }

  /// The foot behind turns about its ball, and the one that steps comes down flat and stays.
  @Test func aLungeStandsOnItsFeet() throws {
    let lunge = try ExerciseScenes.repetition("lunge")
    let subject = Subject(stature: 1.7)
    let standing = lunge.joints(of: subject, at: Moment(depth: 0))
    for fault in [nil] + lunge.faults.map(Optional.some) {
      let severities = Severities(fault.map { [$0: 1] } ?? [:])
      let landed = lunge.joints(of: subject, at: Moment(depth: 0.46, severities: severities))
      for depth in stride(from: 0.0, through: 1, by: 0.02) {
        let joints = lunge.joints(of: subject, at: Moment(depth: depth, severities: severities))
        #expect(joints[.rightToe].way(to: standing[.rightToe]) < 1e-6, "\(depth)")
        if depth > 0.46 { #expect(joints[.leftAnkle].way(to: landed[.leftAnkle]) < 1e-6, "\(depth)") }
        if depth > 0.46 { #expect(abs(joints[.leftToe].z) < 1e-6 && abs(joints[.leftHeel].z) < 1e-6, "\(depth)") }
      }
    }
  }

  /// Seen from the side knees bend forward and elbows backward, as they do.
  @Test(arguments: ["front-raise", "shoulder-press", "biceps-curl", "deadlift", "lunge", "jumping-jack"])
  func jointsBendTheWayTheyDo(name: String) throws {
    let exercise = try ExerciseScenes.repetition(name)
    for depth in stride(from: 0.0, through: 1, by: 0.1) {
      let joints = exercise.joints(of: Subject(stature: 1.8), at: Moment(depth: depth))
      for (hip, knee, ankle) in [
        (Joint.leftHip, Joint.leftKnee, Joint.leftAnkle), (.rightHip, .rightKnee, .rightAnkle),
      ] {
        let part = (joints[hip].z - joints[knee].z) / (joints[hip].z - joints[ankle].z)
        let line = joints[hip].x + (joints[ankle].x - joints[hip].x) * part
        #expect(joints[knee].x > line - 0.01, "\(name) at \(depth)")
      }
      // Flexion turns the forearm upwards ahead of the upper arm.
      let upper = joints[.leftElbow] - joints[.leftShoulder]
      let fore = joints[.leftWrist] - joints[.leftElbow]
      #expect(upper.z * fore.x - upper.x * fore.z < 0.02, "\(name) at \(depth)")
    }
  }
}
