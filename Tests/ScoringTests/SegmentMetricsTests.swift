import PoseModel
import Scoring
import Testing

struct SegmentMetricsTests {
  private let metrics = SegmentMetrics(labels: ["correct", "hips_high"])
  private let frames = (0..<10).map { Microseconds.milliseconds($0 * 100) }

  /// Of ten frames two are labelled with something else; of the other eight six are right, one has no word and one the
  /// wrong one.
  @Test func framesCountThatPeopleLabelled() throws {
    let clip = LabelledPrediction(
      name: "clip", subject: "subject", frames: frames,
      groundTruth: GroundTruth(intervals: [
        Segment(0, 400, "correct"), Segment(400, 800, "hips_high"), Segment(800, 1000, "talking"),
      ]),
      prediction: Prediction(segments: [Segment(0, 500, "correct"), Segment(500, 700, "hips_high")]))
    #expect(metrics.tally(clip).frames.labels == ["correct", "hips_high", "none"])
    #expect(metrics.tally(clip).frames.counts == [[4, 0, 0], [1, 2, 1], [0, 0, 0]])
    let values = FamilyValues(metrics, [clip])
    #expect(isClose(try values["classes.accuracy"], 0.75))
    #expect(isClose(try values["classes.balanced-accuracy"], 0.75))
    #expect(isClose(try values["classes.correct.precision"], 0.8))
    #expect(isClose(try values["classes.correct.recall"], 1))
    #expect(isClose(try values["classes.hips_high.precision"], 1))
    #expect(isClose(try values["classes.hips_high.recall"], 0.5))
    // Overlaps are 400 of 500 ms and 200 of 400 ms.
    #expect(isClose(try values["segments.f1-50"], 1))
    #expect(isClose(try values["segments.edit"], 1))
  }

  @Test func whatNobodyLabelledIsNoFalseAlarm() throws {
    let clip = LabelledPrediction(
      name: "clip", subject: "subject", frames: frames,
      groundTruth: GroundTruth(intervals: [Segment(0, 300, "correct")]),
      prediction: Prediction(segments: [Segment(0, 300, "correct"), Segment(300, 1000, "hips_high")]))
    let values = FamilyValues(metrics, [clip])
    #expect(isClose(try values["classes.accuracy"], 1))
    #expect(isClose(try values["segments.f1-50"], 1))
    #expect(try values["classes.hips_high.precision"] == nil)
  }
}

extension SegmentMetrics: CheckedFamily {
  static func isUndefined(_ metric: String, in cases: UndefinedCases) -> Bool? {
    let frames = cases.frames
    if let label = RandomClips.labels.first(where: { metric.hasPrefix("classes.\($0).") }) {
      let isThere = frames.contains { $0.truth == label }
      let isSaid = frames.contains { $0.said == label }
      return switch metric {
      case "classes.\(label).precision": !isSaid
      case "classes.\(label).recall": !isThere
      case "classes.\(label).f1": !isThere && !isSaid
      default: nil
      }
    }
    return switch metric {
    case "classes.accuracy", "classes.balanced-accuracy", "classes.macro-f1": frames.isEmpty
    case "classes.mcc": Set(frames.map(\.truth)).count < 2 || Set(frames.map(\.said)).count < 2
    case "segments.f1-10", "segments.f1-25", "segments.f1-50", "segments.edit":
      !cases.clips.contains { $0.groundTruth.intervals.contains { RandomClips.labels.contains($0.label) } }
    default: nil
    }
  }
}
