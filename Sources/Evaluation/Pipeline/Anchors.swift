import Scoring

/// What stands beside a detector's metrics: what a trivial answer scores on the same clips, and what people reach.
///
/// Trivial answers are scored as a detector's are, from the labels alone and once for a run.
struct Anchors: Sendable {
  private let metrics: [String: Metric]
  /// By answer, the values of the metrics that it is an answer to.
  private let scores: [(answer: TrivialAnswer, values: [String: Double])]

  /// - Parameters:
  ///   - families: a detector's.
  ///   - clips: with their ground truth; what was predicted is not looked at.
  init(of families: [any MetricFamily], on clips: [LabelledPrediction]) {
    let all = families.flatMap(\.metrics)
    metrics = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let labels = families.flatMap(\.labels)
    scores = TrivialAnswer.allCases.compactMap { answer in
      let answered = Set(all.filter { $0.trivial.contains(answer) }.map(\.name))
      let own = families.filter { family in family.metrics.contains { answered.contains($0.name) } }
      guard !own.isEmpty else { return nil }
      let tallies = zip(clips, answer.predictions(of: clips, labels: labels)).map { clip, prediction in
        var clip = clip
        clip.prediction = prediction
        return [ClipTallies(clip, of: own)]
      }
      let results = TallyTable(subjects: clips.map(\.subject), clips: tallies, families: [own])
        .results(of: 0, called: answer.rawValue, inference: false)
      return (
        answer,
        Dictionary(
          results.compactMap { result in
            answered.contains(result.metric) ? result.value.map { (result.metric, $0) } : nil
          }, uniquingKeysWith: { first, _ in first })
      )
    }
  }

  /// The results with what stands beside them.
  func beside(_ results: [RunResults.MetricResult]) -> [RunResults.MetricResult] {
    results.map { result in
      var result = result
      result.trivial = trivial(result.metric, result.direction)
      let ceiling = metrics[result.metric]?.humanCeiling
      result.humanCeiling = ceiling.flatMap { ceiling in results.first { $0.metric == ceiling }?.value }
      return result
    }
  }

  /// The best one; of equal ones the first.
  private func trivial(_ metric: String, _ direction: Metric.Direction) -> RunResults.TrivialScore? {
    scores.compactMap { score in
      score.values[metric].map { RunResults.TrivialScore(value: $0, answer: score.answer) }
    }.min { direction.loss(from: $1.value, to: $0.value) < 0 }
  }
}
