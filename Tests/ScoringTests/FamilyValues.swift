import PoseModel
import Scoring
import Testing

/// What a family says of clips, by the metric's name.
struct FamilyValues {
  private let values: [String: Double?]

  init(_ family: some MetricFamily, _ clips: [LabelledPrediction]) {
    let values = family.values(ofClips: clips)
    self.values = Dictionary(uniqueKeysWithValues: zip(family.metrics.map(\.name), values))
  }

  /// `nil` where the metric is undefined; throws where there is no such metric.
  subscript(name: String) -> Double? {
    get throws { try #require(values[name], "no metric \(name)") }
  }
}

extension MetricFamily {
  /// The values of the clips pooled in their order; of no clips those of a clip of which nobody said anything.
  func values(ofClips clips: [LabelledPrediction]) -> [Double?] {
    let nothing = LabelledPrediction(name: "", subject: "", groundTruth: GroundTruth(), prediction: Prediction())
    return values(clips.dropFirst().reduce(tally(clips.first ?? nothing)) { pool($0, tally($1)) })
  }
}

extension Microseconds {
  static func milliseconds(_ count: Int) -> Microseconds { Microseconds(Int64(count) * 1000) }
}

extension Rep {
  /// Milliseconds.
  init(_ start: Int, _ end: Int, turn: Int? = nil) {
    self.init(start: .milliseconds(start), end: .milliseconds(end), turn: turn.map { .milliseconds($0) })
  }
}

extension Prediction.CountedRep {
  /// Milliseconds; reported at its end if not told otherwise.
  init(_ start: Int, _ end: Int, reported: Int? = nil) {
    self.init(rep: Rep(start, end), reported: .milliseconds(reported ?? end))
  }
}

extension LabelledPrediction {
  /// A clip whose name does not matter.
  init(_ truth: GroundTruth, _ prediction: Prediction) {
    self.init(name: "clip", subject: "subject", groundTruth: truth, prediction: prediction)
  }
}

/// Whether both are there and differ by no more than rounding does.
func isClose(_ a: Double?, _ b: Double, within tolerance: Double = 1e-12) -> Bool {
  a.map { abs($0 - b) <= tolerance } ?? false
}
