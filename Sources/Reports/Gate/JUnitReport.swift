import Evaluation

/// A gate's verdict as JUnit XML: a test case a gating metric.
///
/// A regression, an improvement to be accepted and, where the policy is `fail`, an inconclusive metric is a failure;
/// what is missing is an error; an inconclusive metric that the policy lets pass is skipped. A gate that could not run
/// is one case with an error.
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
    case .decided(let verdict, _) where verdict.metrics.isEmpty:
      cases = [
        Case(
          classname: report.suite, name: "gate", element: "error", type: verdict.outcome.rawValue,
          message: verdict.reason)
      ]
    case .decided(let verdict, _):
      cases = verdict.metrics.map { metric in
        let element: String? =
          switch metric.outcome {
          case .pass: nil
          case .missing: "error"
          case .inconclusive: metric.outcome.holdsRelease(report.policy) ? "failure" : "skipped"
          case .regression, .improvement: "failure"
          }
        return Case(
          classname: "\(report.suite).\(metric.change.detector)", name: metric.change.metric, element: element,
          type: metric.outcome.rawValue, message: metric.message)
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
    escaped(text).replacing("\"", with: "&quot;").replacing("\n", with: "&#10;").replacing("\t", with: "&#9;")
  }

  /// Without what XML 1.0 has no way to write.
  private static func escaped(_ text: String) -> String {
    let allowed = text.unicodeScalars.filter { scalar in
      scalar.value >= 0x20 && scalar.value != 0xFFFE && scalar.value != 0xFFFF || scalar == "\n" || scalar == "\t"
    }
    return String(String.UnicodeScalarView(allowed))
      .replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
