import Testing

@testable import Evaluation

@Suite struct ClipSliceTests {
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
