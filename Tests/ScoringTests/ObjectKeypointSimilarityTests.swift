import Foundation
import PoseModel
import Scoring
import Testing

struct ObjectKeypointSimilarityTests {
  /// A box of 1 / 2 by 1 / 2: s² = 1 / 4.
  private let reference = PoseSequence(
    times: [0, 10], [.leftHip: [(0.25, 0.25), nil], .leftKnee: [(0.75, 0.75), (0, 0)], .leftToe: [(0, 1), (0, 0)]])

  /// The knee is 1 / 8 off: exp(−(1 / 64) / (2 · 1 / 4 · (2 · 0.087)²)); the toe has no spread, so is not compared.
  @Test func eachJointIsJudgedByHowExactlyPeoplePlaceIt() {
    let other = PoseSequence(times: [0], [.leftHip: [(0.25, 0.25)], .leftKnee: [(0.75, 0.875)], .leftToe: [nil]])
    let tally = ObjectKeypointSimilarity(reference: reference, other: other)
    #expect(isClose(tally.value, (1 + exp(-1 / 32.0 / (0.174 * 0.174))) / 2))
    #expect(tally.undefined == 1)
  }

  @Test func jointThatIsNotFoundCountsNothing() {
    let other = PoseSequence(times: [0], [.leftHip: [(0.25, 0.25)]])
    #expect(ObjectKeypointSimilarity(reference: reference, other: other).value == 1 / 2.0)
    let none = PoseSequence(times: [], [:])
    #expect(ObjectKeypointSimilarity(reference: reference, other: none).value == 0)
  }

  @Test func poolsByFrames() {
    let perfect = ObjectKeypointSimilarity(reference: reference, other: reference)
    let none = ObjectKeypointSimilarity(reference: reference, other: PoseSequence(times: [], [:]))
    #expect((perfect + none + perfect).value == 2 / 3.0)
    #expect((perfect + none).undefined == 2)
  }

  @Test func withoutABoxIsUndefined() {
    let line = PoseSequence(times: [0], [.leftHip: [(0.25, 0.25)], .leftKnee: [(0.25, 0.75)]])
    #expect(ObjectKeypointSimilarity(reference: line, other: line).value == nil)
    #expect(ObjectKeypointSimilarity().value == nil)
  }
}

extension ObjectKeypointSimilarity: CheckedFunctions {
  static let measures: [Measure] = [
    Measure(.objectKeypointSimilarity) { clips in
      clips.map { ObjectKeypointSimilarity(reference: $0.poses.reference, other: $0.poses.other) }
        .reduce(ObjectKeypointSimilarity(), +).value
    }
  ]
}
