import PoseModel
import Scoring
import Testing

struct ScoredClipTests {
  @Test func countIsThatOfTheRepsUnlessItIsTold() {
    #expect(Truth(reps: [Rep(0, 1), Rep(2, 3)]).count == 2)
    #expect(Truth(count: 5, reps: [Rep(0, 1)]).count == 5)
    #expect(Truth(reps: []).count == 0)
    #expect(Truth().count == nil)
    #expect(Prediction(reps: [.init(0, 1), .init(2, 3)]).count == 2)
    #expect(Prediction(count: 5, reps: [.init(0, 1)]).count == 5)
    #expect(Prediction(reps: []).count == 0)
    #expect(Prediction().count == nil)
  }
}
