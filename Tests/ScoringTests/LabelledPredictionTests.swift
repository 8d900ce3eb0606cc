import PoseModel
import Scoring
import Testing

struct LabelledPredictionTests {
  @Test func countIsThatOfTheRepsUnlessItIsTold() {
    #expect(GroundTruth(reps: [Rep(0, 1), Rep(2, 3)]).repCount == 2)
    #expect(GroundTruth(repCount: 5, reps: [Rep(0, 1)]).repCount == 5)
    #expect(GroundTruth(reps: []).repCount == 0)
    #expect(GroundTruth().repCount == nil)
    #expect(Prediction(reps: [.init(0, 1), .init(2, 3)]).count == 2)
    #expect(Prediction(count: 5, reps: [.init(0, 1)]).count == 5)
    #expect(Prediction(reps: []).count == 0)
    #expect(Prediction().count == nil)
  }
}
