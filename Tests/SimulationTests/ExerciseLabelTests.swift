import Datasets
import PoseModel
import Simulation
import Testing

/// Labels stand where the motion itself says, measured on its joints.
struct ExerciseLabelTests {
  /// A measure that is least or greatest where a rep turns.
  private static func measure(_ name: String, _ joints: JointPositions) -> Double {
    func elbow() -> Double { joints.angle(at: .leftElbow, between: .leftShoulder, and: .leftWrist) }
    return switch name {
    case "lunge": joints[.root].z
    case "bench-press": joints[.leftWrist].z + joints[.rightWrist].z
    case "deadlift": -joints[.neck].z
    case "sit-up": -joints[.neck].z
    case "pull-up": joints.distance(.leftShoulder, .leftWrist)
    case "shoulder-press", "front-raise", "jumping-jack": -(joints[.leftElbow].z - joints[.leftShoulder].z)
    default: elbow()
    }
  }

  private static let names = ExerciseScenes.names.filter { Exercises.named($0) is any RepetitionExercise }

  @Test(arguments: names) func repsTurnWhereTheMotionTurns(name: String) throws {
    var count = 0
    for scene in try ExerciseScenes.scenes(name) {
      let motion = scene.motion
      func extremes(_ span: Range<Double>) throws -> (least: Double, range: Double) {
        let values = ExerciseScenes.times(span, every: 0.01).map { Self.measure(name, motion.joints(at: $0)) }
        let least = try #require(values.min())
        return (least, try #require(values.max()) - least)
      }
      let reps = try #require(motion.groundTruth.reps)
      for (index, rep) in reps.enumerated() {
        count += 1
        let before = try extremes(max(index > 0 ? reps[index - 1].end : 0, rep.start - 0.15)..<rep.turn)
        let after = try extremes(rep.turn..<min(index + 1 < reps.count ? reps[index + 1].start : 1e9, rep.end + 0.15))
        // A body that sways or swings moves the measure by a little more.
        let turn = Self.measure(name, motion.joints(at: rep.turn))
        #expect(turn < before.least + 0.02 * before.range && turn < after.least + 0.02 * after.range)
        // Just out of the posture that it starts from, and almost in the one that it ends in.
        let start = Self.measure(name, motion.joints(at: rep.start)) - before.least
        let end = Self.measure(name, motion.joints(at: rep.end)) - after.least
        #expect(start > 0.8 * before.range && end > 0.8 * after.range, "\(scene.info.name) \(rep.start)")
      }
    }
    #expect(count > 15)
  }

  @Test(arguments: names) func halfRepsStopShortOfEveryRep(name: String) throws {
    let exercise = try ExerciseScenes.repetition(name)
    var halves = 0
    for scene in try ExerciseScenes.scenes(name) {
      let motion = try #require(scene.motion as? SetMotion)
      let worst = exercise.faults.map { exercise.range(with: Severities([$0: 1])).turn }.min() ?? 1
      let bound = Self.measure(
        name, exercise.joints(of: motion.subject, at: Moment(depth: (worst + exercise.halfReps.upperBound) / 2)))
      for half in motion.halfReps {
        halves += 1
        let deepest = ExerciseScenes.times(half, every: 0.02).map { Self.measure(name, motion.joints(at: $0)) }.min()
        #expect(try #require(deepest) > bound - 0.02)
      }
    }
    // The clip without reps alone has four.
    #expect(halves >= 4)
  }

  @Test(arguments: ExerciseScenes.names) func labelsAndNumbersAreRounded(name: String) throws {
    let clip = try ExerciseScenes.generator(name).scene(subject: 0, clip: 0).clip()
    for value in try #require(clip.keypoints).values where !value.isNaN {
      #expect(value == (value * Precision.steps).rounded() / Precision.steps)
    }
    let times =
      (clip.labels.reps ?? []).flatMap { [$0.start, $0.end] } + clip.labels.events.map(\.time)
      + clip.labels.intervals.flatMap { [$0.start, $0.end] }
    #expect(!times.isEmpty)
    #expect(times.allSatisfy { $0.count % 1000 == 0 })
  }

  @Test(arguments: ExerciseScenes.names) func labelsLieWithinTheirClips(name: String) throws {
    for scene in try ExerciseScenes.scenes(name) {
      let clip = scene.clip()
      let end = try #require(clip.keypoints?.times.last)
      #expect(end.seconds > 8 && end.seconds < 48, "\(scene.info.name): \(end.seconds) s")
      var last = Microseconds.zero
      for rep in clip.labels.reps ?? [] {
        let turn = try #require(rep.turn)
        #expect(last <= rep.start && rep.start < turn && turn < rep.end && rep.end <= end)
        last = rep.end
      }
      last = .zero
      for interval in clip.labels.intervals {
        #expect(last <= interval.start && interval.start < interval.end && interval.end <= end)
        last = interval.end
      }
    }
  }

  @Test(arguments: names) func thereIsOneClipWithoutReps(name: String) throws {
    let generator = try ExerciseScenes.generator(name)
    for subject in 0..<6 {
      for clip in 0..<2 {
        let count = generator.scene(subject: subject, clip: clip).labels().repCount ?? -1
        #expect((count == 0) == (subject == 1 && clip == 1))
      }
    }
  }
}
