/// A suite's file, part by part.
struct SquatSuite {
  var name = "squat"
  var version = 1
  var dataset = "squats"
  var exercise = "squat"
  /// The content hash that the dataset is pinned to.
  var content: String
  /// Lines of YAML.
  var detectors = ["- name: squat-states", "- name: squat-posture"]
  /// Detector, metric and, where it gates, the accepted loss.
  var metrics: [(detector: String, metric: String, margin: Double?)] = [
    ("squat-states", "count.exact", 0.05), ("squat-states", "count.mae", 0.2), ("squat-states", "count.bias", nil),
    ("squat-states", "reps.timing-error", nil), ("squat-posture", "grades.mae", 3),
    ("squat-posture", "grades.human-mae", nil),
  ]
  var matching = "{ instant: end, tolerance_s: 0.5 }"
  /// As `--smooth` takes it; `nil` for none.
  var smoothing: String?
  var stopAt = "0.2"

  init(content: String) { self.content = content }

  /// `suite` stands on line 1, the first detector on line 7, the first metric after `metrics:`.
  var yaml: String {
    let lines =
      ["suite: \(name)", "version: \(version)", "datasets:", "- name: \(dataset)", "  content: \(content)"]
      + ["detectors:"] + detectors
      + ["exercises: [\(exercise)]", "matching: \(matching)"] + (smoothing.map { ["smoothing: \($0)"] } ?? [])
      + ["camera: { fps: 30, estimator_ms: 20 }", "metrics:"]
      + metrics.map { choice in
        "- { detector: \(choice.detector), metric: \(choice.metric)"
          + (choice.margin.map { ", margin: \($0)" } ?? "") + " }"
      } + ["stop_at: \(stopAt)"]
    return lines.joined(separator: "\n") + "\n"
  }
}
