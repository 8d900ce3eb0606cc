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
    let clip = LabelledPrediction(
      GroundTruth(events: [
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
    let clip = LabelledPrediction(
      GroundTruth(events: [
        event("forehand", 1000), event("bounce", 1500), event("backhand", 3000), event("forehand", 5000),
      ]),
      Prediction(strokes: [stroke("forehand", 1100), stroke("forehand", 2950), stroke("backhand", 8000)]))
    let matrix = metrics.tally(clip).confusion
    #expect(matrix.labels == ["forehand", "backhand", "none"])
    #expect(matrix.counts == [[1, 0, 1], [1, 0, 0], [0, 1, 0]])
  }

  /// A clip of somebody who does not play: every stroke that is seen there is one too many.
  @Test func aClipWithoutStrokesCountsFalseOnes() throws {
    let values = FamilyValues(
      metrics, [LabelledPrediction(GroundTruth(repCount: 0), Prediction(strokes: [stroke("backhand", 500)]))])
    #expect(isClose(try values["strokes.precision"], 0))
    #expect(try values["strokes.recall"] == nil)
  }

  /// Nobody said what happens in the clip: nothing that is seen there is right or wrong.
  @Test func aClipWithoutLabelsIsNotScored() throws {
    let values = FamilyValues(
      metrics, [LabelledPrediction(GroundTruth(repCount: 3), Prediction(strokes: [stroke("backhand", 500)]))])
    for name in ["strokes.precision", "strokes.recall", "strokes.f1"] { #expect(try values[name] == nil) }
  }
}

extension StrokeMetrics: CheckedFamily {
  static func isUndefined(_ metric: String, in cases: UndefinedCases) -> Bool? {
    let strokes = cases.strokes
    if let label = RandomClips.labels.first(where: { metric.hasPrefix("strokes.\($0).") }) {
      let isThere = strokes.contains { $0.truth.contains { $0.label == label } }
      let isSaid = strokes.contains { $0.predicted.contains { $0.segment.label == label } }
      return switch metric {
      case "strokes.\(label).precision": !isSaid
      case "strokes.\(label).recall": !isThere
      case "strokes.\(label).f1": !isThere && !isSaid
      default: nil
      }
    }
    return switch metric {
    case "strokes.precision": strokes.allSatisfy(\.predicted.isEmpty)
    case "strokes.recall": strokes.allSatisfy(\.truth.isEmpty)
    case "strokes.f1": strokes.allSatisfy { $0.truth.isEmpty && $0.predicted.isEmpty }
    case "strokes.accuracy", "strokes.timing-error", "strokes.timing-bias":
      !strokes.contains { clip in
        clip.truth.contains { event in
          clip.predicted.contains { ($0.contact - event.time).magnitude <= cases.matching.tolerance ?? .zero }
        }
      }
    default: nil
    }
  }
}
