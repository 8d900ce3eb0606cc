import Evaluation
import Files
import Foundation
import Statistics

/// A gate's result for CI systems: a verdict, or why there is none.
public struct GateReport: Sendable {
  public enum Result: Sendable {
    case decided(Verdict, RunResults)
    /// Something that the gate needs is missing.
    case missing(String)
    /// A file or a program is wrong. The first line says what; others are the program's own.
    case failed(String)
  }

  public let suite: String
  public let result: Result
  public let stopAt: Double
  /// Why the clip that lost most is wrong; `nil` if unknown.
  public let why: String?

  /// - Parameter stopAt: The suite's limit; irrelevant if no suite could be read.
  public init(suite: String, _ result: Result, stopAt: Double = GateRule.stopAt, why: String? = nil) {
    self.suite = suite
    self.result = result
    self.stopAt = stopAt
    self.why = why
  }

  /// The result in one line.
  var headline: String {
    switch result {
    case .decided(let verdict, _): "\(verdict.title): \(verdict.finding)\(verdict.limitWords(stopAt: stopAt))"
    case .missing(let reason): "MISSING: \(reason)"
    case .failed(let reason): "ERROR: \(reason)"
    }
  }

  /// The gating metrics, the worst first; empty if the gate could not run.
  var worstFirst: [Verdict.MetricVerdict] {
    guard case .decided(let verdict, _) = result else { return [] }
    return verdict.metrics.worstFirst
  }

  /// Missing parts other than metrics, and how to supply them.
  var missing: [String] {
    guard case .decided(let verdict, _) = result, !verdict.missing.isEmpty else { return [] }
    return verdict.missing.lines.map { "\($0). \(verdict.missing.remedies.joined(separator: ". "))" }
  }
}

extension Verdict.MetricVerdict {
  /// The reason, why it stops where that is the suite's choice, and the data that would decide it.
  func message(stopAt limit: Double) -> String {
    reason + (stopReason(at: limit).map { "; it stops: \($0)" } ?? "") + (detail.map { ". \($0)" } ?? "")
  }
}

/// A gate's verdict as JUnit XML: one test case per gating metric.
///
/// A failure is a regression, an improvement to accept, or a metric that is more likely to be worse than the suite
/// allows. Missing parts are errors; those of the suite and its baseline are separate cases. A metric that may be worse
/// and does not stop the release is skipped; an accepted loss passes with its reason. A gate that could not run is one
/// case with an error.
///
/// - Source: the schema that Jenkins and GitLab read, github.com/jenkinsci/xunit-plugin, `junit-10.xsd`.
public struct JUnitReport: Sendable {
  private struct Case {
    var classname: String
    var name: String
    /// `failure`, `error`, `skipped` or none, and its text.
    var element: String?
    var type = ""
    var message: String
  }

  private let suite: String
  private let cases: [Case]

  public init(_ report: GateReport) {
    suite = report.suite
    switch report.result {
    case .missing(let reason):
      cases = [Case(classname: report.suite, name: "gate", element: "error", type: "missing", message: reason)]
    case .failed(let reason):
      cases = [Case(classname: report.suite, name: "gate", element: "error", type: "error", message: reason)]
    case .decided(let verdict, _) where verdict.metrics.isEmpty && report.missing.isEmpty:
      cases = [
        Case(
          classname: report.suite, name: "gate", element: "error", type: verdict.outcome.rawValue,
          message: verdict.reason)
      ]
    case .decided(let verdict, _):
      cases =
        verdict.metrics.map { metric in
          let element: String? =
            switch metric.outcome {
            case .pass, .acceptedLoss: nil
            case .missing: "error"
            case .maybeWorse: metric.holdsRelease(stopAt: report.stopAt) ? "failure" : "skipped"
            case .regression, .improvement: "failure"
            }
          return Case(
            classname: "\(report.suite).\(metric.change.detector)", name: metric.change.metric, element: element,
            type: metric.outcome.rawValue, message: metric.message(stopAt: report.stopAt))
        }
        + report.missing.enumerated().map { index, message in
          Case(
            classname: report.suite, name: "suite and baseline \(index + 1)", element: "error", type: "missing",
            message: message)
        }
    }
  }

  public var xml: String {
    func count(_ element: String) -> Int { cases.count { $0.element == element } }
    let counts =
      "tests=\"\(cases.count)\" failures=\"\(count("failure"))\" errors=\"\(count("error"))\" "
      + "skipped=\"\(count("skipped"))\""
    let name = Self.attribute("bench gate \(suite)")
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites \(counts)>\n"
      + "  <testsuite name=\"\(name)\" \(counts)>\n"
      + cases.map(Self.lines).joined() + "  </testsuite>\n</testsuites>\n"
  }

  private static func lines(_ testCase: Case) -> String {
    let start =
      "    <testcase classname=\"\(attribute(testCase.classname))\" name=\"\(attribute(testCase.name))\" time=\"0\""
    guard let element = testCase.element else {
      return start + ">\n      <system-out>\(escaped(testCase.message))</system-out>\n    </testcase>\n"
    }
    let type = element == "skipped" ? "" : " type=\"\(attribute(testCase.type))\""
    return start + ">\n      <\(element) message=\"\(attribute(testCase.message))\"\(type)/>\n    </testcase>\n"
  }

  private static func attribute(_ text: String) -> String {
    escaped(text).replacing("\"", with: "&quot;").replacing("\n", with: "&#10;")
  }

  /// Without the two non-control characters that XML 1.0 cannot represent.
  private static func escaped(_ text: String) -> String {
    let allowed = text.visible.unicodeScalars.filter { $0.value != 0xFFFE && $0.value != 0xFFFF }
    return String(String.UnicodeScalarView(allowed))
      .replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}

/// A gate's results in Bencher Metric Format: one benchmark per detector, one measure per metric, with the interval
/// over subjects.
///
/// A metric without a value is absent, because the format has no undefined value. A gate that could not run writes an
/// error instead of measures, which Bencher refuses, so no stale number is recorded.
///
/// - Source: bencher.dev/docs/reference/bencher-metric-format.
public struct BencherReport: Encodable, Sendable {
  struct Measure: Encodable, Sendable {
    var value: Double
    var lower: Double?
    var upper: Double?

    enum CodingKeys: String, CodingKey {
      case value
      case lower = "lower_value"
      case upper = "upper_value"
    }
  }

  private var benchmarks: [String: [String: Measure]] = [:]
  private var error: String?

  public init(_ report: GateReport) {
    switch report.result {
    case .missing(let reason), .failed(let reason): error = reason
    case .decided(let verdict, let results):
      for metric in results.metrics where metric.isListed {
        guard let value = metric.value, value.isFinite else { continue }
        let benchmark = "\(results.suite)/\(metric.detector)"
        benchmarks[benchmark, default: [:]][metric.metric] = Measure(
          value: value, lower: metric.interval?.low, upper: metric.interval?.high)
      }
      if verdict.outcome == .missing { error = verdict.reason }
    }
  }

  public func encode(to encoder: any Encoder) throws {
    if let error { return try ["error": error].encode(to: encoder) }
    try benchmarks.encode(to: encoder)
  }
}
