import Evaluation

/// What changed since the baseline, as `results.json` holds it. A gain is above 0 for better, in the metric's unit; `low`
/// and `high` are its 95 % interval.
struct ChangeNumbers: Encodable {
  struct Answer: Encodable {
    var outcome: Verdict.Outcome
    var reason: String
    var detail: String?
    /// What is missing beside metrics; `nil` for nothing.
    var missing: [String]?
  }

  /// Of the suite's metrics, and of the clips.
  struct Summary: Encodable {
    var metrics: Int
    var better: Int
    var worse: Int
    var neither: Int
    /// Whose gain has a 95 % interval that leaves 0 out.
    var shown: Int
    /// Changed clips by how they were filmed.
    var changedClips: [String: Int]
  }

  var format = 3
  var verdict: Answer
  var summary: Summary
  /// With the gate's outcome where they gate; costs last.
  var metrics: [MetricChange]
  var slices: [SliceChange]
  /// `squat-states.bottomAngle: 90.0 → 95.0`
  var parameters: [String]
  /// Counts that are others than at the baseline.
  var counts: [ClipChange]
  /// Of what else the detectors said of a clip.
  var answers: [ClipChange]

  init(_ comparison: Comparison, _ verdict: Verdict, summary: Summary, slices: [SliceChange]) {
    self.verdict = Answer(
      outcome: verdict.outcome, reason: verdict.reason, detail: verdict.detail,
      missing: verdict.missing.isEmpty ? nil : verdict.missing.lines)
    (self.summary, self.slices) = (summary, slices)
    metrics = (comparison.metrics + comparison.costs).map(verdict.decided)
    parameters = comparison.changedParameters
    (counts, answers) = (comparison.changedCounts, comparison.changedAnswers)
  }
}
