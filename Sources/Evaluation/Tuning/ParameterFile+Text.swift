extension ParameterFile {
  /// The file; the same parameters give the same bytes.
  public var yaml: String {
    var lines = [
      "# Parameters that bench tune found. Take them with --parameters in bench run, compare, gate, sweep and replay.",
      "# On the subjects of tuned_on their score is optimistic: a gate refuses to judge them there.",
      "detector: \(tuning.detector)", "values:",
    ]
    lines += values.sorted { $0.key < $1.key }.map { "  \($0.key): \(Self.text($0.value))" }
    lines += [
      "tuned_on:", "  suite: \(Self.quoted(tuning.suite))", "  suite_version: \(tuning.suiteVersion)",
      "  metric: \(tuning.metric)", "  datasets:",
    ]
    for dataset in tuning.datasets {
      lines += [
        "  - name: \(Self.quoted(dataset.name))", "    content: \(dataset.content)",
        "    subjects: [\(dataset.subjects.map(Self.quoted).joined(separator: ", "))]",
      ]
    }
    lines += [
      "search: { method: \(search.method.rawValue), budget: \(search.budget), seed: \(search.seed) }",
      "expected_on_new_people: \(Self.text(expected))", "in_sample_optimistic: \(Self.text(inSample))",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func text(_ score: Score) -> String {
    let parts = [
      "value: \(score.value.map(text) ?? "n/a")", score.low.map { "low: \(text($0))" },
      score.high.map { "high: \(text($0))" }, "subjects: \(score.subjects)",
    ]
    return "{ \(parts.compactMap { $0 }.joined(separator: ", ")) }"
  }

  private static func text(_ value: Double) -> String {
    Int(exactly: value).map { "\($0)" } ?? "\(value)"
  }

  /// In double quotes, so that a subject called `null` or `1: a` stays a text.
  private static func quoted(_ text: String) -> String {
    "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
  }
}
