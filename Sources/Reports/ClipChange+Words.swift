import Evaluation

extension ClipChange {
  /// `14 → 13, true 14`
  public var words: String {
    func number(_ value: Double?) -> String {
      kind == .grade ? NumberText.value(value, unit: "points") : value.map(NumberText.plain) ?? "n/a"
    }
    let values = "\(number(before)) → \(number(after))"
    return switch kind {
    case .count: values + (truth.map { ", true \(NumberText.plain($0))" } ?? "")
    case .grade: "mean grade \(values)" + (truth.map { ", raters \(number($0))" } ?? "")
    case .times: "reps at other times, \(values) matched" + (truth.map { " of \(NumberText.plain($0))" } ?? "")
    }
  }
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
