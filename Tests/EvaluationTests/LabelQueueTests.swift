import Datasets
import Evaluation
import Testing

@Suite struct LabelQueueTests {
  private func clip(_ name: String, _ person: String, _ view: String, _ rate: Double = 30) -> Clip.Info {
    Clip.Info(name: name, subject: person, exercise: "squat", view: view, fps: rate, split: "")
  }

  /// Anna has a label from the front. Ben and cleo are new, cleo from another side at another rate; then people with as
  /// many clips take turns, the rarer view first.
  @Test func newPeopleComeFirst() {
    let clips = [
      clip("a1", "anna", "front"), clip("a2", "anna", "front"), clip("a3", "anna", "side"),
      clip("b1", "ben", "front"), clip("b2", "ben", "side", 29.97), clip("c1", "cleo", "side", 60),
      clip("c2", "cleo", "side"),
    ]
    let queue = LabelQueue(clips, labelled: [true, false, false, false, false, false, false])
    #expect(queue.entries.map { clips[$0.clip].name } == ["c1", "b1", "a3", "b2", "c2", "a2"])
    #expect(
      queue.entries.map(\.why) == [
        "a new person", "a new person", "1 clip of anna so far", "1 clip of ben so far", "1 clip of cleo so far",
        "2 clips of anna so far",
      ])
  }

  @Test func aViewAndARateThatNobodyHasAreNamed() {
    let clips = [clip("a", "anna", "front"), clip("b", "anna", "side"), clip("c", "anna", "front", 60)]
    let queue = LabelQueue(clips, labelled: [true, false, false])
    #expect(queue.entries.map(\.why) == ["a new view: side", "a new frame rate: 60 a second"])
  }

  @Test func labelledClipsAreLeftOut() {
    #expect(LabelQueue([clip("a", "anna", "front")], labelled: [true]).entries.isEmpty)
  }
}
