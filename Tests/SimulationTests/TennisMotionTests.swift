import Datasets
import PoseModel
import Simulation
import Testing

struct TennisMotionTests {
  private static let generator = MotionGenerator(
    name: "test", exercises: [Tennis()], seed: 1, subjects: 8, clipsPerSubject: 2)
  private static let motions = (0..<16).compactMap { generator.scene($0).motion as? TennisMotion }

  private func wrist(_ motion: TennisMotion) -> Joint { motion.hand == .left ? .leftWrist : .rightWrist }

  private func speed(_ motion: TennisMotion, _ joint: Joint, _ time: Double) -> Double {
    motion.joints(at: time - 0.001)[joint].way(to: motion.joints(at: time + 0.001)[joint]) / 0.002
  }

  @Test func contactIsWhereTheHittingWristIsFastest() {
    #expect(Self.motions.count == 16)
    for motion in Self.motions.prefix(6) {
      for (event, swing) in zip(motion.groundTruth.events, motion.groundTruth.intervals) {
        #expect(event.label == swing.label && swing.start < event.time && event.time < swing.end)
        let peak =
          ExerciseScenes.times(swing.start..<swing.end, every: 0.004)
          .max { speed(motion, wrist(motion), $0) < speed(motion, wrist(motion), $1) } ?? 0
        #expect(abs(peak - event.time) < 0.006, "\(event)")
        // Slower than a world-class player's, faster than anything else that the arm does.
        let fastest = speed(motion, wrist(motion), event.time)
        #expect(fastest > 4 && fastest < 15, "\(event): \(fastest) m/s")
      }
    }
  }

  @Test func nothingElseIsAsFastAsAStroke() {
    for motion in Self.motions.prefix(6) {
      let swings = motion.groundTruth.intervals
      for time in ExerciseScenes.times(0.01..<motion.duration - 0.01, every: 0.02) {
        guard !swings.contains(where: { $0.start - 0.05 < time && time < $0.end + 1.1 }) else { continue }
        #expect(speed(motion, wrist(motion), time) < 3.5, "\(time)")
      }
    }
  }

  @Test func strokesAreOfEveryKindAndBothHands() {
    let labels = Set(Self.motions.flatMap { $0.groundTruth.events.map(\.label) })
    #expect(labels == ["forehand", "backhand", "serve"])
    #expect(Set(Self.motions.map(\.hand)) == [.left, .right])
    // The clip in which nothing but half-swings and steps happens.
    #expect(Self.motions.filter { $0.groundTruth.events.isEmpty }.count == 1)
  }

  /// Ahead of the shoulders; of a serve above the head.
  @Test func contactIsAheadOfTheBody() {
    for motion in Self.motions {
      for event in motion.groundTruth.events {
        let joints = motion.joints(at: event.time)
        #expect(joints[wrist(motion)].x > joints[.neck].x, "\(event)")
        let isAbove = joints[wrist(motion)].z > joints[.nose].z
        #expect(isAbove == (event.label == "serve"), "\(event)")
      }
    }
  }

  /// A forehand comes from the hitting side and ends across the body, a backhand the other way round.
  @Test func strokesCrossTheBody() {
    for motion in Self.motions {
      let out = motion.hand == .left ? 1.0 : -1
      for (event, swing) in zip(motion.groundTruth.events, motion.groundTruth.intervals) where event.label != "serve" {
        let way =
          motion.joints(at: event.time + 0.05)[wrist(motion)] - motion.joints(at: event.time - 0.05)[wrist(motion)]
        #expect((way.y * out < 0) == (event.label == "forehand"), "\(swing)")
      }
    }
  }
}
