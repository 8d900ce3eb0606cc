import Evaluation

/// The changes since the baseline, in `results.json`. A gain above 0 is better, in the metric's unit; `low` and `high`
/// are its 95 % interval.
struct ChangeNumbers: Encodable {
  struct Answer: Encodable {
    var outcome: Verdict.Outcome
    var reason: String
    var detail: String?
    /// Missing parts other than metrics; `nil` for none.
    var missing: [String]?
    /// Besides the outcome, one sentence each; `nil` for none.
    var findings: [String]?
  }

  /// Counts over the suite's metrics, and over the clips.
  struct Summary: Encodable {
    var metrics: Int
    var better: Int
    var worse: Int
    var neither: Int
    /// Metrics whose change is more than chance can explain.
    var shown: Int
    /// Changed clips by camera view.
    var changedClips: [String: Int]
  }

  var format = 3
  var verdict: Answer
  var summary: Summary
  /// Gating metrics include the gate's outcome; costs come last.
  var metrics: [MetricChange]
  var slices: [SliceChange]
  /// `squat-states.bottomAngle: 90.0 → 95.0`
  var parameters: [String]
  /// Counts that differ from the baseline.
  var counts: [ClipChange]
  /// Other changed predictions of the detectors.
  var answers: [ClipChange]

  /// - Parameter decision: What a gate decided, which knows more than the comparison; `nil` if no gate made the run.
  init(
    _ comparison: Comparison, _ verdict: Verdict, _ decision: GateDecision?, summary: Summary, slices: [SliceChange]
  ) {
    let missing = decision?.missing ?? verdict.missing.lines
    let findings = decision?.findings ?? verdict.findings
    self.verdict = Answer(
      outcome: decision?.outcome ?? verdict.outcome, reason: decision?.reason ?? verdict.reason,
      detail: verdict.detail, missing: missing.isEmpty ? nil : missing, findings: findings.isEmpty ? nil : findings)
    (self.summary, self.slices) = (summary, slices)
    metrics = (comparison.metrics + comparison.costs).map(verdict.decided)
    parameters = comparison.changedParameters
    (counts, answers) = (comparison.changedCounts, comparison.changedAnswers)
  }
}
