import PoseModel
import Scoring
import Testing

struct StrokeMetricsTests {
  private let metrics = StrokeMetrics(tolerance: .milliseconds(250), labels: ["forehand", "backhand"])

  private func stroke(_ label: String, _ contact: Int) -> Prediction.Stroke {
    .init(
      segment: Segment(contact - 400, contact + 300, label), contact: .milliseconds(contact),
      reported: .milliseconds(contact + 300))
  }

  private func event(_ label: String, _ time: Int) -> LabelledInstant {
    LabelledInstant(time: .milliseconds(time), label: label)
  }

  /// Three true strokes and a bounce; one found 100 ms late, one 50 ms early under the wrong name, one missed, one made up.
  @Test func strokesAreFoundByTheirContactsAndNamedApart() throws {
    let clip = ScoredClip(
      Truth(events: [
        event("forehand", 1000), event("bounce", 1500), event("backhand", 3000), event("forehand", 5000),
      ]),
      Prediction(strokes: [stroke("forehand", 1100), stroke("forehand", 2950), stroke("backhand", 8000)]))
    let values = FamilyValues(metrics, [clip])
    #expect(isClose(try values["strokes.precision"], 2.0 / 3))
    #expect(isClose(try values["strokes.recall"], 2.0 / 3))
    #expect(isClose(try values["strokes.accuracy"], 0.5))
    #expect(isClose(try values["strokes.timing-error"], 75))
    #expect(isClose(try values["strokes.timing-bias"], 25))
    #expect(isClose(try values["strokes.forehand.precision"], 0.5))
    #expect(isClose(try values["strokes.forehand.recall"], 0.5))
    #expect(isClose(try values["strokes.backhand.precision"], 0))
    #expect(isClose(try values["strokes.backhand.f1"], 0))
  }

  /// The same strokes: one forehand right, the backhand called a forehand, a forehand missed, a backhand made up.
  @Test func confusionHoldsMissedAndMadeUpStrokes() {
    let clip = ScoredClip(
      Truth(events: [
        event("forehand", 1000), event("bounce", 1500), event("backhand", 3000), event("forehand", 5000),
      ]),
      Prediction(strokes: [stroke("forehand", 1100), stroke("forehand", 2950), stroke("backhand", 8000)]))
    let matrix = metrics.confusion(clip)
    #expect(matrix.labels == ["forehand", "backhand", "none"])
    #expect(matrix.counts == [[1, 0, 1], [1, 0, 0], [0, 1, 0]])
  }

  /// A clip of somebody who does not play: every stroke that is seen there is one too many.
  @Test func aClipWithoutStrokesCountsFalseOnes() throws {
    let values = FamilyValues(metrics, [ScoredClip(Truth(), Prediction(strokes: [stroke("backhand", 500)]))])
    #expect(isClose(try values["strokes.precision"], 0))
    #expect(try values["strokes.recall"] == nil)
  }
}
