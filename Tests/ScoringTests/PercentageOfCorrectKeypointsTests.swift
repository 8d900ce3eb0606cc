import PoseModel
import Scoring
import Testing

struct PercentageOfCorrectKeypointsTests {
  /// A torso from (0, 0) to (3 / 8, 1 / 2): 5 / 8 long. A head from the neck at (0, 0): 1 / 4 long.
  private let reference = PoseSequence(
    times: [0, 10],
    [
      .leftShoulder: [(0, 0), (0, 0)], .rightHip: [(0.375, 0.5), nil], .neck: [(0, 0), nil], .nose: [(0, -0.25), nil],
      .leftKnee: [(0.5, 0.5), (0.5, 0.5)],
    ])

  private func other(_ knee: (x: Float, y: Float)?, times: [Int] = [0]) -> PoseSequence {
    PoseSequence(times: times, [.leftKnee: [knee]])
  }

  private func tally(_ other: PoseSequence, _ share: Double, _ scale: PoseScale) -> PercentageOfCorrectKeypoints {
    PercentageOfCorrectKeypoints(reference: reference, other: other, joints: [.leftKnee], within: share, of: scale)
  }

  /// 1 / 8 off is 1 / 5 of the torso and 1 / 2 of the head.
  @Test func distanceIsMeasuredByThePose() {
    #expect(tally(other((0.625, 0.5)), 0.2, .torso).value == 1)
    #expect(tally(other((0.625, 0.5)), 0.199, .torso).value == 0)
    #expect(tally(other((0.5, 0.375)), 0.5, .head).value == 1)
    #expect(tally(other((0.5, 0.375)), 0.499, .head).value == 0)
  }

  @Test func frameWithoutAScaleIsCountedAsSuch() {
    #expect(tally(other((0.5, 0.5)), 0.2, .torso).framesWithoutScale == 1)
  }

  @Test func jointOrFrameThatTheOtherLacksIsNotCorrect() {
    #expect(tally(other(nil), 0.2, .torso).value == 0)
    #expect(tally(other((0.5, 0.5), times: [5]), 0.2, .torso).value == 0)
  }

  /// Of shoulder, hip, neck, nose, knee and the root, which is at the only hip, the other has the knee.
  @Test func jointsThatTheReferenceHasAreCompared() {
    let all = PercentageOfCorrectKeypoints(reference: reference, other: other((0.5, 0.5)), within: 0.2, of: .torso)
    #expect(all.value == 1 / 6.0)
    #expect((all + tally(other((0.5, 0.5)), 0.2, .torso)).value == 2 / 7.0)
  }

  @Test func nothingToCompareIsUndefined() {
    #expect(PercentageOfCorrectKeypoints().value == nil)
    let swapped = PercentageOfCorrectKeypoints(
      reference: other((0.5, 0.5)), other: reference, within: 0.2, of: .torso)
    #expect(swapped.value == nil)
    #expect(swapped.framesWithoutScale == 1)
  }
}

extension PercentageOfCorrectKeypoints: CheckedFunctions {
  static let measures: [Measure] = [
    Measure(.percentageOfCorrectKeypoints) { clips in
      clips.map {
        PercentageOfCorrectKeypoints(reference: $0.poses.reference, other: $0.poses.other, within: 0.5, of: .torso)
      }.reduce(PercentageOfCorrectKeypoints(), +).value
    }
  ]
}
