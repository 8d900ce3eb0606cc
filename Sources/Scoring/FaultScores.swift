import PoseModel

/// How well the scores of faults separate reps that have them from those that do not.
///
/// For a detector that is scored in full (`DetectorTasks.spots`) and says how certain a fault is. A case is a fault of a
/// rep, or of a clip if whole clips were judged, which then has its highest score. A case without a score has the
/// probability 0 or, where scores are no probabilities, one below all others; it is also counted as unanswered.
public struct FaultScores: MetricFamily {
  public static let title = BinaryScores.title

  /// A fault that raters judged.
  public struct Case: Hashable, Codable, Sendable {
    /// `nil` if the system gave none.
    var score: Double?
    var isPresent: Bool
  }

  public typealias Tally = [Case]

  public var matching: RepMatching
  public var faults: [String]

  public init(matching: RepMatching, faults: [String]) {
    self.matching = matching
    self.faults = faults
  }

  public init?(for detector: ScoredDetector) {
    guard detector.tasks.spots, !detector.tasks.faults.isEmpty else { return nil }
    self.init(matching: detector.matching, faults: detector.tasks.faults)
  }

  public let metrics = BinaryScores.metrics(for: .everything(matching: RepMatching(instant: .end, tolerance: .zero)))

  public func tally(_ clip: LabelledPrediction) -> Tally {
    let judged = clip.prediction.judged
    let pairs = matching.pairs(truth: clip.groundTruth.reps ?? [], predicted: judged.map(\.rep))
    let judgedOf = Dictionary(uniqueKeysWithValues: pairs.map { ($0.truth, judged[$0.predicted]) })
    return faults.flatMap { fault in
      Dictionary(grouping: clip.groundTruth.faults.filter { $0.name == fault }, by: \.rep).map { rep, words in
        let about = rep.map { [judgedOf[$0]].compactMap(\.self) } ?? judged
        return Case(
          score: about.compactMap { $0.scores[fault] }.max(),
          isPresent: 2 * words.count(where: \.present) > words.count)
      }
    }
  }

  public func pool(_ a: Tally, _ b: Tally) -> Tally { a + b }

  public func contributes(_ tally: Tally) -> [Bool] { metrics.map { _ in !tally.isEmpty } }

  public func unanswered(_ tally: Tally) -> [Int] {
    let count = tally.count { $0.score == nil }
    return metrics.map { _ in count }
  }

  /// A case without a score is below all others, as in `values`.
  public func valuesWithoutEach(_ tallies: [Tally]) -> [[Double?]] {
    valuesWithoutEach(tallies) { ($0.score ?? -.infinity) < ($1.score ?? -.infinity) }
  }

  public func values(_ tally: Tally) -> [Double?] {
    let areProbabilities = tally.allSatisfy { $0.score.map((0...1).contains) ?? true }
    let scores = BinaryScores(
      tally.map { .init(score: $0.score ?? (areProbabilities ? 0 : -.infinity), isPositive: $0.isPresent) })
    return [
      scores.areaUnderROC, scores.averagePrecision, scores.brier, ReliabilityCurve(scores)?.expectedError,
    ]
  }
}
