import PoseModel
import RealModule
import Scoring
import Testing

struct CountConfidenceTests {
  private let family = CountConfidence()

  /// A clip of five reps.
  private func clip(_ confidence: Double?, counted: Int) -> LabelledPrediction {
    LabelledPrediction(GroundTruth(repCount: 5), Prediction(count: counted, countConfidence: confidence))
  }

  /// Right, right, wrong, right and wrong by falling confidence; one rep too many is right.
  private var five: [LabelledPrediction] {
    [clip(0.2, counted: 8), clip(0.9, counted: 5), clip(0.6, counted: 3), clip(0.8, counted: 6), clip(0.5, counted: 5)]
  }

  @Test func theSurestAreCounted() throws {
    let values = FamilyValues(family, five)
    #expect(isClose(try values["count.coverage"], 4 / 5.0))
    #expect(isClose(try values["count.off-by-one-covered"], 3 / 4.0))
    #expect(isClose(try values["count.off-by-one-80"], 3 / 4.0))
  }

  /// In steps of a fifth c: 1 up to 2/5, then 2/5 c, then 1 − 1/5 c, then 3/5 c.
  @Test func theAreaIsTheMeanAccuracyOverAllCoverages() throws {
    let expected =
      2 / 5.0 + 2 / 5.0 * Double.log(3 / 2.0) + (1 / 5.0 - 1 / 5.0 * Double.log(4 / 3.0))
      + 3 / 5.0 * Double.log(5 / 4.0)
    #expect(isClose(try FamilyValues(family, five)["count.confidence-area"], expected))
  }

  @Test func meaninglessConfidencesSayNoMoreThanTheCounts() throws {
    let values = FamilyValues(family, [6, 5, 4, 9].map { clip(0.7, counted: $0) })
    for name in ["count.off-by-one-80", "count.confidence-area", "count.off-by-one-covered"] {
      #expect(isClose(try values[name], 3 / 4.0), "\(name)")
    }
  }

  /// Two of three clips are the first, which is right, and half of the two others, of which half are right.
  @Test func equalConfidencesShareTheirAccuracy() throws {
    let clips = [clip(1, counted: 5), clip(0.3, counted: 5), clip(0.3, counted: 9)]
    let curve = CoverageCurve([(1, true), (0.3, true), (0.3, false)])
    #expect(isClose(curve.accuracy(at: 2 / 3.0), (1 / 3.0 + 1 / 6.0) / (2 / 3.0)))
    // 80 % are 2.4 clips: the first, and 1.4 of which half are right.
    #expect(isClose(try FamilyValues(family, clips)["count.off-by-one-80"], (1 + 1.4 / 2) / 2.4))
  }

  @Test func aClipWithoutAConfidenceIsTheLeastSure() throws {
    var clips = five
    clips[0].prediction.countConfidence = nil
    let (values, told) = (FamilyValues(family, clips), FamilyValues(family, five))
    for metric in family.metrics.map(\.name) { #expect(try values[metric] == told[metric], "\(metric)") }
    #expect(family.unanswered(family.tally(clips[0])) == [1, 1, 1, 1])
    #expect(try FamilyValues(family, [clip(nil, counted: 5)])["count.coverage"] == nil)
  }

  @Test func onlyCountersThatTellAreScored() {
    var detector = ScoredDetector(
      DetectorTasks(counts: true), matching: RepMatching(instant: .end, tolerance: .zero))
    #expect(CountConfidence(for: detector) == nil)
    detector.tasks.givesConfidence = true
    #expect(CountConfidence(for: detector) != nil)
    detector.tasks.counts = false
    #expect(CountConfidence(for: detector) == nil)
  }
}

extension CountConfidence: CheckedFamily {
  static func isUndefined(_ metric: String, in cases: UndefinedCases) -> Bool? {
    let confidences = cases.counted.compactMap(\.prediction.countConfidence)
    switch metric {
    case "count.coverage", "count.off-by-one-80", "count.confidence-area": return confidences.isEmpty
    case "count.off-by-one-covered": return !confidences.contains { $0 >= 0.5 }
    default: return nil
    }
  }
}
