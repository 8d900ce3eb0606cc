import Datasets
import Foundation
import PoseModel
import Simulation
import Testing

/// Clips in which nobody exercises: without a rep, and moving as their names say.
struct NegativeTests {
  private static let subjects = 0..<8

  private func generator(_ name: String) throws -> MotionGenerator {
    MotionGenerator(
      name: "test", exercises: [try #require(Exercises.named(name))], seed: 3, subjects: Self.subjects.count,
      clipsPerSubject: 1)
  }

  private func scenes(_ name: String) throws -> [ClipScene] {
    let generator = try generator(name)
    return Self.subjects.map { generator.scene(subject: $0, clip: 0) }
  }

  private func motions(_ name: String) throws -> [any SimulatedMotion] { try scenes(name).map(\.motion) }

  @Test(arguments: ExerciseScenes.negatives) func nothingIsARep(name: String) throws {
    for scene in try scenes(name) {
      let clip = scene.clip()
      #expect(clip.info.exercise == name)
      #expect(clip.labels == GroundTruth(repCount: 0, reps: []))
    }
  }

  @Test(arguments: ExerciseScenes.negatives) func aClipLasts12To30Seconds(name: String) throws {
    for scene in try scenes(name) {
      #expect(Negative.durations == 12...30 && Negative.durations.contains(scene.motion.duration))
      let end = try #require(scene.clip().keypoints?.times.last)
      #expect(Negative.durations.contains(end.seconds), "\(scene.info.name): \(end.seconds) s")
    }
  }

  @Test(arguments: ExerciseScenes.negatives) func aSeedGivesTheSameClipAgain(name: String) throws {
    func bits() throws -> [[UInt32]] {
      try scenes(name).prefix(2).map { try #require($0.clip().keypoints).values.map(\.bitPattern) }
    }
    let first = try bits()
    // A failing comparison of thousands of numbers would print them all.
    let isSame = try bits() == first
    let differs = first[0] != first[1]
    #expect(isSame && differs)
  }

  @Test(arguments: ["standing", "feet-hidden", "bobbing"]) func feetStayWhereTheyAre(name: String) throws {
    for motion in try motions(name) {
      let first = motion.joints(at: 0)
      for time in ExerciseScenes.times(0..<motion.duration) {
        let joints = motion.joints(at: time)
        for joint in [Joint.leftAnkle, .rightAnkle, .leftToe, .rightToe, .leftHeel, .rightHeel] {
          #expect(first[joint].way(to: joints[joint]) < 1e-6, "\(joint) at \(time) s of \(name)")
        }
      }
    }
  }

  /// A step swings one foot, so that at any time the other one stays: it turns about its ball at most.
  @Test(arguments: ["walking", "reaching"]) func oneFootIsAlwaysOnTheFloor(name: String) throws {
    for motion in try motions(name) {
      for time in ExerciseScenes.times(0..<motion.duration - 0.01, every: 0.05) {
        let (now, next) = (motion.joints(at: time), motion.joints(at: time + 0.01))
        let slide = [Joint.leftToe, .rightToe].map { now[$0].way(to: next[$0]) }.min() ?? 1
        #expect(slide < 1e-3, "\(slide) m in 10 ms at \(time) s of \(name)")
      }
    }
  }

  /// Standing bends the knees by 4 to 8 degrees, a dip by 18 to 28: 180 - 28 = 152.
  @Test func bobbingBendsTheKneesLittle() throws {
    for motion in try motions("bobbing") {
      let angles = ExerciseScenes.times(0..<motion.duration, every: 0.02).map { motion.joints(at: $0).kneeAngle(.left) }
      let (least, greatest) = try (#require(angles.min()), #require(angles.max()))
      #expect(least > 151.9 && least < 162.5 && greatest > 171.9 && greatest < 176.1, "\(least) to \(greatest)")
    }
  }

  /// The leg that the hips move over bends by up to 23 degrees where the feet are farthest apart.
  @Test func standingStaysUpright() throws {
    for motion in try motions("standing") {
      for time in ExerciseScenes.times(0..<motion.duration) {
        let joints = motion.joints(at: time)
        #expect(joints.kneeAngle(.left) > 150 && joints.kneeAngle(.right) > 150 && joints.trunkLean < 15)
      }
    }
  }

  /// Back and forth: to either side of the image's middle, and facing either way.
  @Test func walkingCrossesTheImageBothWays() throws {
    for scene in try scenes("walking") {
      let times = ExerciseScenes.times(0..<scene.motion.duration)
      let places = try times.map {
        try #require(scene.camera.project(scene.motion.joints(at: $0)[.root])).x
      }
      let (leftmost, rightmost) = try (#require(places.min()), #require(places.max()))
      #expect(leftmost < 0.35 && rightmost > 0.65, "\(scene.info.name)")
      let steps = zip(places, places.dropFirst()).map { $1 - $0 }
      #expect(steps.contains { $0 > 0.02 } && steps.contains { $0 < -0.02 }, "\(scene.info.name)")
    }
  }

  /// One hand comes near the phone and, at another time, near the knees' height of 0.285 of the stature or lower.
  @Test func reachingGoesToThePhoneAndTheFloor() throws {
    for scene in try scenes("reaching") {
      let motion = scene.motion
      let postures = ExerciseScenes.times(0..<motion.duration).map { motion.joints(at: $0) }
      let wrists = postures.flatMap { [$0[.leftWrist], $0[.rightWrist]] }
      let away = wrists.map { wrist in
        let way = wrist - scene.camera.position
        return (way.x * way.x + way.y * way.y).squareRoot()
      }
      #expect(try #require(away.min()) < 0.3 * motion.body.stature, "\(scene.info.name)")
      let lowest = try #require(wrists.map(\.z).min())
      #expect(lowest > 0 && lowest < 0.3 * motion.body.stature, "\(scene.info.name)")
    }
  }

  /// Upright at both ends and on hands and toes in between, with elbows that stay far from a push-up's 80 degrees.
  @Test func gettingDownHasNoPushUp() throws {
    for motion in try motions("getting-down") {
      let stature = motion.body.stature
      func height(_ time: Double) -> Double { motion.joints(at: time)[.neck].z / stature }
      #expect(height(0) > 0.75 && height(motion.duration) > 0.75)
      let lying = ExerciseScenes.times(0..<motion.duration).map { motion.joints(at: $0) }.filter {
        $0[.root].z < 0.35 * stature && $0[.leftAnkle].x < $0[.neck].x - 0.7 * stature
      }
      #expect(!lying.isEmpty)
      for joints in lying {
        #expect(joints.angle(at: .leftElbow, between: .leftShoulder, and: .leftWrist) > 120)
      }
    }
  }

  /// The camera sees no ankle, and the recording has them at the lower edge: within 0.2 of the image's height, but for
  /// outliers.
  @Test func hiddenFeetAreInventedAtTheLowerEdge() throws {
    for scene in try scenes("feet-hidden") {
      let keypoints = try #require(scene.clip().keypoints)
      for (keypoint, joint) in [(15, Joint.leftAnkle), (16, .rightAnkle)] {
        for time in ExerciseScenes.times(0..<scene.motion.duration) {
          let seen = try #require(scene.camera.project(scene.motion.joints(at: time)[joint]))
          #expect(seen.y > 1, "\(joint) at \(time) s of \(scene.info.name)")
        }
        let heights = try #require(keypoints.column(keypoint, .y)).filter { !$0.isNaN }
        #expect(2 * heights.count > keypoints.frameCount)
        #expect(heights.allSatisfy { $0 <= 1 })
        #expect(Double(heights.count { $0 > 0.8 }) > 0.95 * Double(heights.count), "\(scene.info.name)")
        #expect(Set(heights).count > 20)
      }
    }
  }

  @Test func theSampleHasAllOfThem() throws {
    let recipe = try DatasetRecipe(
      URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "../../datasets/negatives-sample"
      ).standardizedFileURL.path)
    #expect(
      recipe.generator.exercises.map { $0.name }
        == ["standing", "walking", "reaching", "getting-down", "feet-hidden", "bobbing"])
    #expect(ExerciseScenes.negatives == recipe.generator.exercises.map { $0.name })
    #expect(recipe.clipCount == 48)
    #expect(try recipe.clip(3 * 8).info.name == "s01_getting-down_side_1")
  }

  /// Names are unique, and no exercise is among the negatives.
  @Test func namesAreOfOneThingEach() {
    let names = Exercises.generated.map { $0.name }
    #expect(Set(names).count == names.count && names.count == Exercises.all.count + 6)
  }
}
