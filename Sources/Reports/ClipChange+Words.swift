import Evaluation

extension ClipChange {
  /// `14 → 13, true 14`
  public var words: String {
    func number(_ value: Double?) -> String {
      switch kind {
      case .grade: NumberText.value(value, unit: "points")
      case .labels: value.map { NumberText.fixed($0, decimals: 1) } ?? "n/a"
      case .count, .strokes, .faults, .times: value.map(NumberText.plain) ?? "n/a"
      }
    }
    let values = "\(number(before)) → \(number(after))"
    return switch kind {
    case .count: values + (truth.map { ", true \(NumberText.plain($0))" } ?? "")
    case .strokes: "strokes " + (parts.map(Self.words) ?? "wrong \(values)")
    case .labels: "wrong for \(values) s"
    case .grade: "mean grade \(values)" + (truth.map { ", raters \(number($0))" } ?? "")
    case .faults: "misjudged \(values)"
    case .times: "reps at other times, \(values) matched" + (truth.map { " of \(NumberText.plain($0))" } ?? "")
    }
  }

  /// `missed 0 → 2, made up 1`, without what is right on both sides.
  private static func words(_ parts: [Part]) -> String {
    parts.filter { $0.before > 0 || $0.after > 0 }.map(\.words).joined(separator: ", ")
  }

  /// The same where nothing says before it what it is about: `counted 14 → 13, true 14`
  var sentence: String { kind == .count ? "counted \(words)" : words }
}

extension ClipChange.Part {
  /// `missed 0 → 2`
  fileprivate var words: String { "\(name) \(before)" + (before == after ? "" : " → \(after)") }
}

extension [ClipChange] {
  /// `9 nearer to the truth, 3 farther`; empty where nothing changed.
  public var nearness: String {
    [
      (count { ($0.gain ?? 0) > 0 }, "nearer to the truth"), (count { ($0.gain ?? 0) < 0 }, "farther"),
      (count { ($0.gain ?? 0) == 0 }, "as far"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }
}
