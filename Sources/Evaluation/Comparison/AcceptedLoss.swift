import Files
import Foundation
import Pipeline
import Scoring
import Statistics

/// A loss that a person accepted on purpose. The baseline records its size and the reason.
///
/// It holds for one step only: from the previous baseline's value to this baseline's value. A gate that compares with
/// the previous baseline allows this much loss and no more.
public struct AcceptedLoss: OfMetric, Codable, Hashable, Sendable {
  /// The maximum number of characters of a reason.
  public static let longestReason = 300

  public var detector: String
  public var metric: String
  /// The metric's value in the previous baseline; `nil` if it was undefined.
  public var before: Double?
  public var after: Double?
  /// The subjects' mean loss, in the metric's unit, at least 0; for a cost, how much longer an update takes, as a ratio
  /// minus 1.
  public var loss: Double
  /// How many subjects lost their value; `nil` for none.
  public var undefined: Int?
  /// One line.
  public var because: String

  /// `nil` if the metric lost nothing.
  init?(_ change: MetricChange, because: String) {
    let loss = max(0, -(change.gain ?? 0))
    let undefined = change.undefinedSubjects.count
    guard loss > 0 || undefined > 0 else { return nil }
    // The cost of an update is never measured the same twice.
    if change.cost != nil, (change.interval?.high ?? 0) >= 0 { return nil }
    (detector, metric, self.because) = (change.detector, change.metric, because)
    (before, after, self.loss) = (change.before, change.after, loss)
    self.undefined = undefined > 0 ? undefined : nil
  }

  /// `exact counts of squat-states 0.633 → 0.333, a loss of 0.300: "asked for by physiotherapists"`
  public var words: String {
    func number(_ value: Double?) -> String { NumberText.value(value, unit: "") }
    let lost = undefined.map { ", undefined for \(NumberText.count($0, "more person"))" } ?? ""
    return
      "\(Metric.plainName(of: metric)) of \(detector) \(number(before)) → \(number(after)), a loss of \(number(loss))\(lost): \"\(because)\""
  }

  /// A reason as a baseline may keep it, without surrounding spaces.
  ///
  /// - Throws: `EvaluationError.usage` if it has no word, is too long or more than one line, or has invisible characters.
  public static func reason(_ text: String) throws -> String {
    let reason = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard isReason(reason), reason.contains(where: \.isLetter) else {
      throw EvaluationError.usage(
        "--because: expected a reason in one line of at most \(longestReason) characters, found \(Excerpt.of(reason))")
    }
    return reason
  }

  /// It is printed on terminals and in CI's logs.
  private static func isReason(_ text: String) -> Bool {
    !text.isEmpty && text.unicodeScalars.count <= longestReason && text.visible == text && !text.contains("\n")
  }

  public init(from decoder: any Decoder) throws {
    let file = try decoder.container(keyedBy: CodingKeys.self)
    detector = try file.decode(String.self, forKey: .detector)
    metric = try file.decode(String.self, forKey: .metric)
    before = try file.decodeIfPresent(Double.self, forKey: .before)
    after = try file.decodeIfPresent(Double.self, forKey: .after)
    loss = try file.decode(Double.self, forKey: .loss)
    undefined = try file.decodeIfPresent(Int.self, forKey: .undefined)
    because = try file.decode(String.self, forKey: .because)
    guard Self.isReason(because) else {
      throw DecodingError.dataCorruptedError(
        forKey: .because, in: file,
        debugDescription: "expected a reason of one line and 1 to \(Self.longestReason) characters")
    }
    guard loss >= 0, loss.isFinite, undefined ?? 1 > 0 else {
      throw DecodingError.dataCorruptedError(forKey: .loss, in: file, debugDescription: "expected a loss of 0 or more")
    }
  }
}

extension [AcceptedLoss] {
  /// The accepted losses of a change, summed over all steps from its old value; `nil` if none.
  ///
  /// A change that was accepted twice has two steps; the second begins where the first ended.
  func total(of change: MetricChange) -> AcceptedLoss? {
    var rest = filter { $0.metricID == change.metricID }
    var total: AcceptedLoss?
    var value = change.before
    // Of several from one value only the last counts: it replaced the others.
    while let index = rest.lastIndex(where: { isSame($0.before, value) }) {
      let step = rest.remove(at: index)
      value = step.after
      guard var sum = total else {
        total = step
        continue
      }
      (sum.after, sum.loss) = (step.after, sum.loss + step.loss)
      sum.undefined = (sum.undefined ?? 0) + (step.undefined ?? 0)
      if sum.because != step.because { sum.because += "; \(step.because)" }
      total = sum
    }
    return total
  }
}

extension Baseline {
  /// Keeps the losses that are accepted with it.
  ///
  /// - Parameters:
  ///   - losses: `nil` without a reason.
  ///   - earlier: The losses in the baseline that it replaces.
  ///   - base: The baseline that the losses are measured from: all of them, so that they replace those accepted since
  ///     then.
  public mutating func accept(_ losses: [AcceptedLoss]?, besides earlier: [AcceptedLoss], since base: Baseline?) {
    let old = Set(base?.acceptedLosses ?? [])
    let kept = losses == nil || base == nil ? earlier : earlier.filter { old.contains($0) }
    acceptedLosses = kept + (losses ?? []).filter { !kept.contains($0) }
    if acceptedLosses?.isEmpty == true { acceptedLosses = nil }
  }
}

extension Comparison {
  /// The losses of the gating metrics and of detectors that collapsed without gating, to be kept with a reason.
  public func losses(because reason: String) -> [AcceptedLoss] {
    let collapsed = CollapseWatch(self).collapsed.map(\.change)
    return ((metrics + costs).filter { $0.margin != nil } + collapsed).compactMap { AcceptedLoss($0, because: reason) }
  }
}

extension Comparison {
  /// The losses that the change's baseline accepts beyond those of the run, one sentence each; without costs, which are
  /// never measured the same twice.
  var acceptedBeyondTheRun: [String] {
    metrics.compactMap { change -> String? in
      guard let accepted = acceptedLosses.total(of: change) else { return nil }
      let loss = max(0, -(change.gain ?? 0))
      let undefined = change.undefinedSubjects.count
      guard accepted.loss > loss && !isSame(accepted.loss, loss) || (accepted.undefined ?? 0) > undefined else {
        return nil
      }
      func words(_ loss: Double, _ undefined: Int) -> String {
        NumberText.value(loss, unit: "")
          + (undefined > 0 ? " and of the value of \(NumberText.count(undefined, "person"))" : "")
      }
      return "the baseline accepts a loss of \(words(accepted.loss, accepted.undefined ?? 0)) for "
        + "\(change.metric) of \(change.detector), this run shows \(words(loss, undefined))"
    }
  }
}

/// Whether two values are equal apart from rounding on another machine.
func isSame(_ a: Double?, _ b: Double?) -> Bool {
  guard let a, let b else { return a == nil && b == nil }
  return a == b || abs(a - b) <= 1e-9 * max(1, abs(a), abs(b))
}

extension MetricChange {
  /// Whether the change is no worse than the accepted loss; for a cost, not proven to be worse.
  func isWithin(_ accepted: AcceptedLoss) -> Bool {
    // A value below the floor stays below it: only a suite with another floor allows it.
    guard obstacle == nil, !isBelowFloor, after.map(\.isFinite) ?? true, gains.values.allSatisfy(\.isFinite) else {
      return false
    }
    let loss = -((cost == nil ? gain : interval?.high ?? gain) ?? 0)
    return loss <= accepted.loss + 1e-9 * max(1, accepted.loss) && undefinedSubjects.count <= accepted.undefined ?? 0
  }
}

extension Verdict.MetricVerdict {
  /// The same verdict, with this loss marked as accepted on purpose.
  func accepting(_ losses: [AcceptedLoss]) -> Self {
    guard outcome != .pass, outcome != .improvement, let accepted = losses.total(of: change),
      change.isWithin(accepted)
    else { return self }
    let size = change.gain.map { " by \(NumberText.quantity(abs($0), unit: change.unit))" } ?? ""
    return Self(
      change, .acceptedLoss,
      reason: "\(Metric.plainName(of: change.metric)) of \(change.detector) \(change.verb) worse\(size), "
        + "accepted because \"\(accepted.because)\"")
  }
}
