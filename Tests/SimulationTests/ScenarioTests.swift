import Datasets
import Files
import PoseModel
import Simulation
import Testing

/// Each scenario shows what it says, in the true motion of every exercise that has scenarios.
struct ScenarioTests {
  private static let names = Exercises.all.filter { $0 is any ScenarioExercise }.map { $0.name }
  private static let withReps = names.filter { $0 != "plank" }
  private static let subjects = 0..<5

  private func generator(_ name: String, _ scenarios: Scenario...) throws -> MotionGenerator {
    MotionGenerator(
      name: "test", exercises: [try #require(Exercises.named(name))], scenarios: scenarios, seed: 2,
      subjects: Self.subjects.count, clipsPerSubject: 1)
  }

  private func truths(_ name: String, _ scenario: Scenario) throws -> [MotionGroundTruth] {
    let generator = try generator(name, scenario)
    return Self.subjects.map { generator.scene(subject: $0, clip: 0).motion.groundTruth }
  }

  private func reps(_ name: String, _ scenario: Scenario) throws -> [[MotionGroundTruth.Rep]] {
    try truths(name, scenario).map { try #require($0.reps) }
  }

  @Test func theTrainersExercisesHaveThem() {
    #expect(Set(Self.names).isSuperset(of: ["squat", "plank", "push-up", "lunge"]))
    #expect(!Self.names.contains("tennis"))
  }

  /// 92 is what a rep without a fault or haste is worth.
  @Test(arguments: withReps) func perfectFormHasNoFault(name: String) throws {
    for reps in try reps(name, .perfectForm) {
      #expect((5...8).contains(reps.count))
      for rep in reps {
        #expect(rep.form.severities.allSatisfy { $0.severity == 0 } && rep.form.quality == 92, "\(rep.form)")
      }
    }
  }

  @Test(arguments: names) func perfectFormHasNoHalfRep(name: String) throws {
    for scenario in [Scenario.perfectForm, .needsCorrection(severity: 0.8), .fullWorkflow] {
      let generator = try generator(name, scenario)
      for subject in Self.subjects {
        let motion = generator.scene(subject: subject, clip: 0).motion
        #expect((motion as? SetMotion)?.halfReps.isEmpty != false)
        #expect((motion as? SquatMotion)?.halfReps.isEmpty != false)
      }
    }
  }

  /// A squat's severity is measured on the joints of a body that sways; elsewhere it is what moves the joints.
  @Test(arguments: withReps) func needsCorrectionHasTheFaultInEveryRep(name: String) throws {
    for severity in [0.5, 0.8, 1] {
      var shown: Set<String> = []
      for reps in try reps(name, .needsCorrection(severity: severity)) {
        #expect((5...8).contains(reps.count))
        let worst = reps.compactMap { rep in rep.form.severities.max { $0.severity < $1.severity }?.fault }
        #expect(Set(worst).count == 1 && worst.count == reps.count)
        shown.formUnion(worst)
        for judged in reps.flatMap(\.form.severities) {
          let expected = judged.fault == worst.first ? severity : 0
          #expect(abs(judged.severity - expected) <= (name == "squat" ? 0.05 : 0), "\(judged) for \(expected)")
        }
      }
      // Five subjects show each of up to five faults in turn.
      let known = (Exercises.named(name) as? any RepetitionExercise)?.faults.count ?? SquatFault.usual.count
      #expect(shown.count == known)
    }
  }

  @Test func aPlankIsHeldAsTheScenarioSays() throws {
    for truth in try truths("plank", .perfectForm) {
      #expect(truth.intervals.map(\.label) == ["correct"])
      #expect(truth.whole?.quality == 92)
    }
    for truth in try truths("plank", .needsCorrection(severity: 0.6)) {
      #expect(truth.intervals.count == 1 && truth.intervals[0].label != "correct")
      #expect(truth.whole?.severities.map(\.severity).sorted() == [0, 0.6])
    }
    for truth in try truths("plank", .fullWorkflow) {
      let labels = truth.intervals.map(\.label)
      #expect(labels.count == 6 && labels[0] == "correct" && labels[1] != "correct" && labels[4] == labels[1])
      #expect(truth.intervals[3].start - truth.intervals[2].end > 3.5)
    }
  }

  @Test(arguments: withReps) func aFullWorkflowIsTwoSetsWithSomeFaults(name: String) throws {
    for reps in try reps(name, .fullWorkflow) {
      let pauses = zip(reps, reps.dropFirst()).filter { $1.start - $0.end > 3.5 }
      #expect(pauses.count == 1 && (8...12).contains(reps.count))
      let faulty = reps.filter { $0.form.severities.contains { $0.severity > 0.2 } }
      #expect(!faulty.isEmpty && faulty.count < reps.count)
    }
  }

  /// Who stands for the exercise or gets down on the floor for it comes from outside the image and leaves it; the others
  /// are there throughout.
  @Test(arguments: names) func aFullWorkflowBeginsAndEndsAway(name: String) throws {
    let generator = try generator(name, .fullWorkflow)
    let walks =
      ["squat", "plank"].contains(name) || Exercises.named(name) is any StandingExercise
      || Exercises.named(name) is any ProneExercise
    for subject in Self.subjects {
      let motion = generator.scene(subject: subject, clip: 0).motion
      let middle = motion.joints(at: motion.duration / 2)[.root]
      for time in [0, motion.duration] {
        let way = motion.joints(at: time)[.root].way(to: middle)
        #expect(walks ? way > 1 : way < 0.5, "\(name) at \(time) s: \(way) m")
      }
    }
  }

  /// Nobody jumps from one place to another between two frames, and nobody goes through the floor.
  @Test(arguments: ["push-up", "plank"]) func gettingDownIsOneMovement(name: String) throws {
    let generator = try generator(name, .fullWorkflow)
    for subject in Self.subjects {
      let motion = generator.scene(subject: subject, clip: 0).motion
      var before = motion.joints(at: 0)
      for time in ExerciseScenes.times(0..<motion.duration, every: 0.02).dropFirst() {
        let now = motion.joints(at: time)
        for joint in Joint.allCases {
          // A foot that swings is the fastest. At 1.25 m/s, which nobody here exceeds, it makes two steps' way in nine tenths
          // of a step's time and at its peak is half as fast again: 1.25 * 2 / 0.9 * 1.5 = 4.2 m/s, while its heel comes down.
          let way = before[joint].way(to: now[joint])
          #expect(way < 0.09, "\(joint) of \(name) moves \(way) m in 20 ms at \(time) s")
          #expect(now[joint].z > -0.02 * motion.body.stature, "\(joint) of \(name) at \(time) s")
        }
        before = now
      }
      // Upright on the feet, down on hands or elbows, upright again.
      let heights = [0.0, 0.5, 1].map { motion.joints(at: $0 * motion.duration)[.neck].z / motion.body.stature }
      #expect(heights[0] > 0.75 && heights[1] < 0.4 && heights[2] > 0.75, "\(heights)")
    }
  }

  @Test func scenariosOfOneDatasetDifferInNothingElse() throws {
    let all = [Scenario.perfectForm, .needsCorrection(severity: 0.8), .fullWorkflow]
    let generator = MotionGenerator(
      name: "test", exercises: [Lunge(), Plank()], scenarios: all, seed: 2, subjects: 2, clipsPerSubject: 2)
    #expect(generator.clipCount == 24)
    let names = (0..<24).map { generator.scene($0).info.name }
    #expect(
      names.prefix(3) == [
        "s01_lunge_perfect-form_side_1", "s01_lunge_perfect-form_oblique_2", "s02_lunge_perfect-form_oblique_1",
      ])
    #expect(names[4] == "s01_lunge_needs-correction_side_1" && names[12] == "s01_plank_perfect-form_side_1")
    #expect(Set(names).count == 24 && names.allSatisfy(PortableName.isValid))
    for (one, other) in [(0, 4), (0, 8), (13, 21)] {
      let (a, b) = (generator.scene(one), generator.scene(other))
      #expect(a.motion.body == b.motion.body && a.camera.position == b.camera.position)
    }
    #expect(generator.manifest.source.hasSuffix("perfect-form, needs-correction at severity 0.8, full-workflow"))
    // Alone, a scenario is the same.
    let alone = try self.generator("lunge", .perfectForm).scene(subject: 0, clip: 0)
    #expect(alone.motion.groundTruth == generator.scene(0).motion.groundTruth)
  }

  @Test(arguments: names) func segmentsKeepTheirLengths(name: String) throws {
    let generator = try generator(name, .needsCorrection(severity: 1), .fullWorkflow)
    for scenario in 0..<2 {
      let motion = generator.scene(scenario: scenario, subject: 1, clip: 0).motion
      let segments: [(Joint, Joint, Double)] = [
        (.leftHip, .leftKnee, motion.body.thigh), (.rightKnee, .rightAnkle, motion.body.shank),
        (.leftShoulder, .leftElbow, motion.body.upperArm), (.rightElbow, .rightWrist, motion.body.forearm),
      ]
      for time in ExerciseScenes.times(0..<motion.duration, every: 0.2) {
        let joints = motion.joints(at: time)
        for (a, b, length) in segments {
          #expect(abs(joints.distance(a, b) - length) < 1e-9, "\(a) to \(b) at \(time) s of \(name)")
        }
      }
    }
  }
}
