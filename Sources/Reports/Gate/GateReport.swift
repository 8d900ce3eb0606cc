import Evaluation

/// What a gate said, as CI systems are told it: a verdict, or why there can be none.
public struct GateReport: Sendable {
  public enum Result: Sendable {
    case decided(Verdict, RunResults)
    /// Something that the gate needs is missing.
    case missing(String)
  }

  public let suite: String
  public let result: Result
  public let policy: Suite.InconclusivePolicy

  /// - Parameter policy: what an inconclusive metric is; the strict one where no suite could be read.
  public init(suite: String, _ result: Result, policy: Suite.InconclusivePolicy = .fail) {
    self.suite = suite
    self.result = result
    self.policy = policy
  }

  /// One line.
  var headline: String {
    switch result {
    case .decided(let verdict, _): "\(verdict.outcome.rawValue.uppercased()): \(verdict.reason)"
    case .missing(let reason): "MISSING: \(reason)"
    }
  }

  /// The gating metrics, the worst first; none where the gate could not run.
  var worstFirst: [Verdict.MetricVerdict] {
    guard case .decided(let verdict, _) = result else { return [] }
    return verdict.metrics.worstFirst
  }
}

extension Verdict.MetricVerdict {
  /// The reason and what it would take to decide, for a message of its own.
  var message: String { reason + (detail.map { ". \($0)" } ?? "") }
}

extension [Verdict.MetricVerdict] {
  /// Those that hold a release most firmly first; equal ones in their order.
  var worstFirst: [Verdict.MetricVerdict] {
    enumerated().sorted { ($0.element.outcome.rank, $0.offset) < ($1.element.outcome.rank, $1.offset) }.map(\.element)
  }
}

extension Verdict.Outcome {
  fileprivate var rank: Int {
    switch self {
    case .regression: 0
    case .missing: 1
    case .improvement: 2
    case .inconclusive: 3
    case .pass: 4
    }
  }

  /// Whether this outcome of a metric holds the release.
  func holdsRelease(_ policy: Suite.InconclusivePolicy) -> Bool {
    switch self {
    case .pass: false
    case .inconclusive: policy == .fail
    case .regression, .missing, .improvement: true
    }
  }
}
