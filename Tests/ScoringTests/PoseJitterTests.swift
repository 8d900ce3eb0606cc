import PoseModel
import Scoring
import Testing

struct PoseJitterTests {
  /// A torso of 1 / 2 that stands still, and a knee whose height is given, at frames in milliseconds.
  private func jitter(_ times: [Int], _ knee: [Float?]) -> PoseJitter {
    let poses = PoseSequence(
      times: times,
      [
        .leftShoulder: times.map { _ in (0, 0) }, .rightHip: times.map { _ in (0, 0.5) },
        .leftKnee: knee.map { height in height.map { (0, $0) } },
      ])
    return PoseJitter(poses, joints: [.leftKnee])
  }

  /// y = t²: acceleration 2 a second squared, 4 torsos, and no jerk.
  @Test func accelerationOfAParabola() {
    let jitter = jitter([0, 500, 1000, 1500], [0, 0.25, 1, 2.25])
    #expect(isClose(jitter.acceleration, 4))
    #expect(isClose(jitter.jerk, 0))
  }

  /// y = t³ on uneven frames: the third derivative is 6, 12 torsos.
  @Test func jerkOfACubic() {
    #expect(isClose(jitter([0, 500, 1000, 2000], [0, 0.125, 1, 8]).jerk, 12))
  }

  @Test func steadyMotionOnUnevenFramesHasNone() {
    let jitter = jitter([0, 250, 1000, 1500], [0, 0.25, 1, 1.5])
    #expect(jitter.acceleration == 0)
    #expect(jitter.jerk == 0)
  }

  /// Three windows: 0 1 0 and 1 0 1 of ∓2 each at a second's distance; the gap makes all others.
  @Test func missingJointGivesNothing() {
    let jitter = jitter([0, 1000, 2000, 3000, 4000, 5000, 6000], [0, 1, 0, 1, nil, 5, 9])
    #expect(isClose(jitter.acceleration, 2 / 0.5))
    #expect(isClose(jitter.jerk, 4 / 0.5))
  }

  @Test func poolsByFramesAndCountsClipsWithoutATorso() {
    let still = jitter([0, 1000, 2000], [0, 0, 0])
    let moving = jitter([0, 1000, 2000], [0, 1, 0])
    let none = PoseJitter(PoseSequence(times: [0], [.leftKnee: [(0, 0)]]))
    #expect(isClose((still + moving + none).acceleration, 2))
    #expect((still + moving + none).undefined == 1)
    #expect(moving.jerk == nil)
    #expect(none.acceleration == nil)
    #expect(PoseJitter().acceleration == nil)
  }
}

extension PoseJitter: CheckedFunctions {
  static let measures: [Measure] = [
    Measure(.poseAcceleration) { $0.map { PoseJitter($0.poses.other) }.reduce(PoseJitter(), +).acceleration },
    Measure(.poseJerk) { $0.map { PoseJitter($0.poses.other) }.reduce(PoseJitter(), +).jerk },
  ]
}
