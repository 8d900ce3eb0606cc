/// What a gate decided, for the reports of its run: they cannot ask programs and git again as the gate did.
public struct GateDecision: Codable, Hashable, Sendable {
  public let outcome: Verdict.Outcome
  /// The outcome as the first word of the verdict: `MAYBE WORSE`.
  public let title: String
  /// One sentence, without a full stop, as reports say it.
  public let finding: String
  /// The verdict's own sentence.
  public let reason: String
  /// Whether that stops the release and the suite's limit: `it passes: the suite stops above 20 %`; empty for an outcome
  /// that no limit decides.
  public let policy: String
  /// Missing parts other than metrics, one sentence each.
  public let missing: [String]
  /// The next steps for them, one sentence each.
  public let remedies: [String]
  /// What the reader must know besides the outcome, one sentence each: how the data grew and what was accepted, too.
  public let findings: [String]

  /// - Parameters:
  ///   - finding: The verdict's in the words of reports.
  ///   - limit: See `Suite.stopAt`.
  public init(_ verdict: Verdict, _ comparison: Comparison, finding: String, stopAt limit: Double) {
    outcome = verdict.outcome
    title = verdict.title
    self.finding = finding
    reason = verdict.reason
    policy = String(verdict.limitWords(stopAt: limit).drop { "; ".contains($0) })
    missing = verdict.missing.lines
    remedies = verdict.missing.remedies
    findings =
      verdict.findings + comparison.growth
      + comparison.acceptedSuiteChanges.map { "Accepted on purpose: \($0)" }
  }
}
