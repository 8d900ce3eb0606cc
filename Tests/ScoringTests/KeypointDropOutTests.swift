import PoseModel
import Scoring
import Testing

struct KeypointDropOutTests {
  private let poses = PoseSequence(
    times: [0, 10], [.leftKnee: [(0, 0), nil], .rightKnee: [(0, 0), (1, 1)]], confidence: 0.5)

  @Test func missingJointsAreCounted() {
    #expect(KeypointDropOut(poses, joints: [.leftKnee, .rightKnee]).value == 1 / 4.0)
    #expect(KeypointDropOut(poses, joints: [.nose]).value == 1)
  }

  @Test func unsureJointsAreMissing() {
    #expect(KeypointDropOut(poses, joints: [.leftKnee, .rightKnee], confidence: 0.5).value == 1 / 4.0)
    #expect(KeypointDropOut(poses, joints: [.leftKnee, .rightKnee], confidence: 0.51).value == 1)
  }

  @Test func poolsAndIsUndefinedWithoutFrames() {
    let one = KeypointDropOut(poses, joints: [.leftKnee])
    #expect((one + KeypointDropOut(poses, joints: [.rightKnee])).value == 1 / 4.0)
    #expect(KeypointDropOut().value == nil)
    #expect(KeypointDropOut(poses, joints: []).value == nil)
  }
}

extension KeypointDropOut: CheckedFunctions {
  static let measures: [Measure] = [
    Measure(.keypointDropOut) { clips in
      clips.map { KeypointDropOut($0.poses.other, joints: [.leftKnee, .nose, .neck]) }
        .reduce(KeypointDropOut(), +).value
    }
  ]
}
