import Evaluation
import Plots
import PoseModel

extension RunReport {
  /// The report as GitHub-flavoured Markdown; every picture has its facts beside it as a table.
  func markdown(_ pictures: [Picture], run: String) -> String {
    var sections = [
      "# \(results.suite): \(headline)", Markdown.warnings(results.datasets),
      results.tuningSentences.map { "> **Tuned.** \($0)" }.joined(separator: "\n>\n"), "## Metrics",
      metricTable(results.metrics.filter(\.isListed)),
    ]
    let others = results.metrics.filter { !$0.isListed }
    if !others.isEmpty {
      sections.append(Markdown.details("All other metrics", metricTable(others)))
    }
    if !results.costLines.isEmpty {
      sections.append("## Update cost\n\n" + results.costLines.map { "- \($0)" }.joined(separator: "\n"))
    }
    sections.append(changes)
    for picture in pictures {
      sections += [
        "## \(picture.heading)", "![\(picture.chart.title): \(picture.chart.subtitle)](\(picture.file))",
        Markdown.details("The same as text", Markdown.table(picture.chart.table)),
      ]
    }
    sections += ["## Data", dataTable, "## Detectors", detectorTable, "## How this was computed", method(run), limits]
    return sections.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
  }

  /// The verdict and why, in a sentence.
  var headline: String {
    guard let verdict else { return "no verdict: \(reasonWithoutVerdict ?? "there is no baseline")" }
    return "\(verdict.outcome.rawValue.uppercased()): \(verdict.reason)"
  }

  private func metricTable(_ metrics: [RunResults.MetricResult]) -> String {
    let rows = metrics.map { metric -> [String] in
      let change = comparison?.changes.first { $0.detector == metric.detector && $0.metric == metric.metric }
      return [
        metric.detector, metric.metric, "\(NumberText.value(metric.value, unit: metric.unit)) \(metric.unit)",
        NumberText.interval(metric), NumberText.value(change?.before, unit: metric.unit),
        change.map { $0.isUnchanged ? "unchanged" : "\(NumberText.signed($0.gain, unit: metric.unit))" } ?? "n/a",
        metric.margin.map(NumberText.plain) ?? "", "\(metric.definedSubjects) of \(metric.bySubject.count)",
        "\(metric.undefinedClips) of \(metric.clips)", metric.interval?.method ?? "n/a",
      ]
    }
    return Markdown.table(
      [
        [
          "detector", "metric", "value", "95 % interval", "baseline", "gain", "margin",
          "subjects with a value",
          "clips without one", "interval by",
        ]
      ] + rows)
  }

  private var changes: String {
    guard let comparison else { return "" }
    var lines = comparison.changedParameters.map { "- \($0)" }
    lines += comparison.changedCounts.map { change in
      "- \(change.clip): \(change.detector) counted \(change.before) → \(change.after), "
        + (change.truth.map { "true \($0)" } ?? "true count unknown")
    }
    return "## What changed since the baseline\n\n"
      + (lines.isEmpty ? "No parameter and no count." : lines.joined(separator: "\n"))
  }

  private var dataTable: String {
    Markdown.table(
      [["dataset", "version", "origin", "clips", "subjects", "licence", "source", "content"]]
        + results.datasets.map {
          [
            $0.name, $0.version, $0.origin == .synthetic ? "SYNTHETIC" : "recorded", "\($0.clips)", "\($0.subjects)",
            $0.licence, $0.source, $0.content,
          ]
        })
  }

  private var detectorTable: String {
    Markdown.table(
      [["detector", "what it does", "parameters"]]
        + results.detectors.map { detector in
          [
            detector.name, detector.summary,
            detector.parameters.sorted { $0.key < $1.key }.map { name, value in
              "\(name) \(NumberText.plain(value))\(detector.changed.contains(name) ? " (not the default)" : "")"
            }.joined(separator: ", "),
          ]
        })
  }

  private func method(_ run: String) -> String {
    """
    - bench \(results.bench), suite \(results.suite) version \(results.suiteVersion), run \(run).
    - A rep is found when its \(results.matching.instant) is within \(results.matching.toleranceSeconds) s of a true \
    rep's; reps are paired one to one, as many as possible.
    - A subject's value comes from all its clips together. The value shown is the mean of the subjects' values and the \
    interval is Student's t interval on that mean: subjects, not reps, are the sample. It is n/a with fewer than two \
    subjects. Where each subject has one clip, a share of clips has Wilson's interval. Where most subjects have no \
    value of their own, as one clip has no correlation, the value is that of all clips together and its interval a BCa \
    bootstrap of whole subjects; such a value does not gate.
    - Report latency is from the labelled end of a rep to its report, in the recording's time. Live latency is what is \
    added between camera and cue by a camera of \(NumberText.plain(results.camera.fps)) fps and a pose estimator that takes \
    \(NumberText.plain(results.camera.estimator.milliseconds)) ms a frame and drops those that arrive meanwhile.
    - \(smoothing)
    - Update cost is what one frame costs in an app, timed in blocks of frames on the machine of this run. \
    Nanoseconds are not compared; a suite may ask for a ratio that is measured in turns, block by block in the order \
    A B B A, on an otherwise idle process.
    - `results.json` beside this report holds every number.
    """
  }

  private var smoothing: String {
    guard let text = results.smoothing, let smoothing = try? Smoothing(text) else {
      return "Detectors see the poses as they were recorded, without smoothing."
    }
    return
      "Every pose goes through `\(text)` before a detector sees it, which \(smoothing.delayText); the delay is part of "
      + "both latencies. What the filter itself costs is not part of the update cost."
  }

  private var limits: String {
    let synthetic = results.datasets.contains { $0.origin == .synthetic }
    let subjects = results.datasets.map(\.subjects).reduce(0, +)
    return "## What this cannot say\n\n"
      + (synthetic
        ? "- Results on synthetic data show that the tool works and what a change does there. They are no evidence about people.\n"
        : "")
      + "- \(subjects) subject\(subjects == 1 ? "" : "s") say little about people unlike them: the intervals speak of "
      + "people drawn like these."
  }
}
