import Pipeline
import Scoring

/// The reference values shown with a detector's metrics: the scores of trivial predictions on the same clips, and of
/// people.
///
/// Trivial predictions are made from the labels alone and scored like a detector's, once per run.
struct Anchors: Sendable {
  private let metrics: [String: Metric]
  /// By trivial prediction, the values of the metrics that it applies to.
  private let scores: [(answer: TrivialAnswer, values: [String: Double])]

  /// - Parameters:
  ///   - families: The detector's.
  ///   - clips: The clips with their ground truth; predictions are ignored.
  init(of families: [any MetricFamily], on clips: [LabelledPrediction]) {
    let all = families.flatMap(\.metrics)
    metrics = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let labels = families.flatMap(\.labels)
    let criterion = families.lazy.compactMap { $0.gradedCriterion }.first
    scores = TrivialAnswer.allCases.compactMap { answer in
      let answered = Set(all.filter { $0.trivial.contains(answer) }.map(\.name))
      let own = families.filter { family in family.metrics.contains { answered.contains($0.name) } }
      guard !own.isEmpty else { return nil }
      let tallies = zip(clips, answer.predictions(of: clips, labels: labels, criterion: criterion)).map {
        clip, prediction in
        var clip = clip
        clip.prediction = prediction
        return [ClipTallies(clip, of: own)]
      }
      let results = TallyTable(
        subjects: clips.map(\.subject), labels: clips.map(\.groundTruth), clips: tallies, families: [own]
      ).results(of: 0, called: answer.rawValue, inference: false)
      return (
        answer,
        Dictionary(
          results.compactMap { result in
            answered.contains(result.metric) ? result.value.map { (result.metric, $0) } : nil
          }, uniquingKeysWith: { first, _ in first })
      )
    }
  }

  /// The results, each with its reference values.
  func beside(_ results: [RunResults.MetricResult]) -> [RunResults.MetricResult] {
    results.map { result in
      var result = result
      result.trivial = trivial(result.metric, result.direction)
      let ceiling = metrics[result.metric]?.humanCeiling
      result.humanCeiling = ceiling.flatMap { ceiling in results.first { $0.metric == ceiling }?.value }
      return result
    }
  }

  /// The best one; the first of equal ones.
  private func trivial(_ metric: String, _ direction: Metric.Direction) -> RunResults.TrivialScore? {
    scores.compactMap { score in
      score.values[metric].map { RunResults.TrivialScore(value: $0, answer: score.answer) }
    }.min { direction.loss(from: $1.value, to: $0.value) < 0 }
  }
}
