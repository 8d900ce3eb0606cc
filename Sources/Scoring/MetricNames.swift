extension Metric {
  /// The first part of a metric's name: what of a prediction it is about.
  public enum Topic: String, CaseIterable, Hashable, Sendable {
    case count, reps, latency, grades, faults, strokes, events, classes, segments, scores, cues, keypoints

    /// `nil` for a name that begins with none of them, such as `cost.ratio`.
    public init?(of name: String) { self.init(rawValue: String(name.prefix { $0 != "." })) }
  }

  public var topic: Topic? { Topic(of: name) }

  /// The plain name: `exact counts` for `count.exact`.
  public var plainName: String { Self.plainName(of: name) }

  /// The plain name of a metric's key; the key itself if it has none.
  ///
  /// Names of faults, strokes and postures appear as in the labels.
  public static func plainName(of key: String) -> String {
    if let name = names[key] { return name }
    let parts = key.split(separator: ".").map(String.init)
    if parts.count == 3, let words = labels[parts[0]] {
      let label = parts[1].replacing("_", with: " ")
      switch parts[2] {
      case "precision": return "true \(label) \(words.predicted)"
      case "recall": return "\(label) \(words.labelled) found"
      case "f1": return "\(label) \(words.labelled) found (F1)"
      default: break
      }
    }
    // A percentile: `latency.report.p90`.
    if let last = parts.last, last.first == "p", last.dropFirst().first?.isNumber == true,
      let name = percentiles[parts.dropLast().joined(separator: ".")]
    {
      return "\(name), \(last.dropFirst())th percentile"
    }
    if parts.count == 2, parts[0] == "segments", parts[1].hasPrefix("f1-") {
      return "segments found (F1, overlap \(parts[1].dropFirst(3)) %)"
    }
    return key
  }

  /// Whether the plain name is a plural: exact counts are worse, a count error is.
  public static func isPlural(_ key: String) -> Bool {
    let name = plainName(of: key)
    guard name != key else { return false }
    // Of `coverage of counts` the coverage.
    let head = name.firstRange(of: " of ").map { name[..<$0.lowerBound] } ?? name[...]
    return head.split(separator: " ").contains { plurals.contains(String($0.prefix { $0.isLetter })) }
  }

  private static let plurals: Set<String> = [
    "counts", "cues", "detections", "events", "faults", "frames", "joints", "labels", "positives", "reports", "reps",
    "segments", "strokes",
  ]

  /// The words, by topic, for what has a label and for what is predicted to have it.
  private static let labels: [String: (labelled: String, predicted: String)] = [
    "faults": ("faults", "reports"), "strokes": ("strokes", "detections"), "classes": ("frames", "frames"),
  ]

  private static let percentiles = ["latency.report": "report delay", "latency.live": "live delay"]

  private static let names = MetricFamilies.all.reduce(into: ["cost.ratio": "update cost"]) { names, group in
    names.merge(group.plainNames) { first, _ in first }
  }
}
