import PoseModel
import Scoring
import Testing

struct SegmentSpottingTests {
  private let metrics = SegmentSpotting(labels: ["down", "up"])

  /// Ten frames: down in 0 to 4, up in 5 to 9. All of down is found, and of up two frames, whose overlap of 0.4 is too
  /// little.
  private func clip(scores: [Double] = []) -> LabelledPrediction {
    LabelledPrediction(
      name: "clip", subject: "ann", frames: (0..<10).map { .milliseconds($0 * 100) },
      groundTruth: GroundTruth(intervals: [Segment(0, 500, "down"), Segment(500, 1000, "up")]),
      prediction: Prediction(
        segments: [Segment(0, 500, "down"), Segment(500, 700, "up")], segmentScores: scores))
  }

  @Test func segmentsAndFrames() throws {
    let values = FamilyValues(metrics, [clip()])
    #expect(isClose(try values["segments.map"], 0.5))
    #expect(isClose(try values["segments.frame-accuracy"], 0.7))
    // The three frames of which nothing is said are no label's error.
    #expect(isClose(try values["classes.macro-precision"], 1))
  }

  /// Another down that people do not see, and that is surer than the right one.
  @Test func averagePrecisionFollowsTheScores() throws {
    var two = clip()
    two.prediction.segments = [Segment(0, 500, "down"), Segment(700, 1000, "down")]
    for (scores, expected) in [([0.2, 0.9], 0.5), ([0.9, 0.2], 1.0)] {
      two.prediction.segmentScores = scores
      // Nothing is said of up.
      #expect(isClose(try FamilyValues(metrics, [two])["segments.map"], expected / 2))
    }
  }
}

extension SegmentSpotting: CheckedFamily {
  static func isUndefined(_ metric: String, in cases: UndefinedCases) -> Bool? {
    func isLabelled(_ clip: LabelledPrediction) -> Bool {
      clip.groundTruth.intervals.contains { RandomClips.labels.contains($0.label) }
    }
    switch metric {
    case "segments.map": return !cases.clips.contains(where: isLabelled)
    case "classes.macro-precision": return cases.frames.allSatisfy { $0.said == "none" }
    case "segments.frame-accuracy": return !cases.clips.contains { isLabelled($0) && !$0.frames.isEmpty }
    default: return nil
    }
  }
}
