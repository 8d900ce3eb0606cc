import PoseModel
import Testing

@Suite struct GroundTruthTests {
  @Test func anyLabelCounts() {
    #expect(!GroundTruth().hasLabels)
    #expect(GroundTruth(repCount: 0).hasLabels && GroundTruth(reps: []).hasLabels)
    let judged = GroundTruth(faults: [GroundTruth.Fault(rep: nil, rater: "a", name: "shallow", present: false)])
    #expect(judged.hasLabels && !judged.hasMovements)
    #expect(GroundTruth(grades: [GroundTruth.Grade(rep: 0, rater: "a", criterion: "form", value: 3)]).hasLabels)
  }
}
