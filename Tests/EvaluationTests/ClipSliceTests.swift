import PoseModel
import Scoring
import Testing

@testable import Evaluation
@testable import Pipeline

@Suite struct ClipSliceTests {
  /// Two of three raters of a rep saw the fault in the first clip, one of two in the second; all have a `setup`, which
  /// makes no slice. The bands are 2 to 3, 4 to 7 and 8 to 15.
  @Test func aClipIsInASliceOfEachLabelAndOfItsReps() {
    func fault(_ rater: String, _ present: Bool) -> GroundTruth.Fault {
      GroundTruth.Fault(rep: 0, rater: rater, name: "shallow", present: present)
    }
    let setup = LabelledInstant(time: .zero, label: "setup")
    let truths = [
      GroundTruth(events: [setup], faults: [fault("a", true), fault("b", true), fault("c", false)]),
      GroundTruth(
        events: [setup, LabelledInstant(time: .zero, label: "impact")], faults: [fault("a", true), fault("b", false)]),
      GroundTruth(events: [setup]),
    ]
    let clips = [10, 7, 4].map { (count: Int) in
      ClipResult(
        name: "clip \(count)", dataset: "data", subject: "anna", exercise: "squat", view: "", fps: 30, frames: 1,
        duration: 1, trueCount: count, trueReps: nil, outcomes: [:])
    }
    #expect(
      ClipSlice.all(of: clips, truths: truths).map { "\($0.dimension.rawValue) \($0.value) \($0.members)" } == [
        "label with impact [1]", "label with shallow [0]", "label without impact [0, 2]",
        "label without shallow [1, 2]", "reps 4 to 7 [1, 2]", "reps 8 to 15 [0]",
      ])
  }

  private func clip(_ name: String, view: String, fps: Double) -> ClipResult {
    ClipResult(
      name: name, dataset: "data", subject: name, exercise: "squat", view: view, fps: fps, frames: 1, duration: 1,
      trueCount: nil, trueReps: nil, outcomes: [:])
  }

  /// What all clips share is no slice; frame rates stand in order of size; an unknown view has a name.
  @Test func slicesAreWhatPartsOfTheClipsShare() {
    let clips = [
      clip("a", view: "side", fps: 120), clip("b", view: "", fps: 30), clip("c", view: "side", fps: 29.97),
    ]
    let slices = ClipSlice.all(of: clips)
    #expect(
      slices.map { "\($0.dimension.rawValue) \($0.value) \($0.members)" } == [
        "view side [0, 2]", "view unknown [1]", "fps 29.97 [2]", "fps 30 [1]", "fps 120 [0]", "subject data/a [0]",
        "subject data/b [1]", "subject data/c [2]",
      ])
  }
}
