import Evaluation

/// What a detector gets wrong on a clip, in the words for what it does.
public struct ClipMistakeWords {
  /// The detector's.
  private let kind: String

  public init(kind: String) { self.kind = kind }

  var header: [String] {
    switch kind {
    case "reps": ["counted", "true", "wrong reps"]
    case "swing": ["strokes", "missed", "false", "misnamed"]
    case "posture": ["labelled", "wrong"]
    default: ["labelled", "wrong", "graded", "off by", "judged", "misjudged"]
    }
  }

  func cells(_ mistakes: ClipMistakes) -> [String] {
    func count(_ value: Int?) -> String { value.map(String.init) ?? "n/a" }
    func quantity(_ value: Double?, _ unit: String) -> String {
      value.map { "\(NumberText.fixed($0, decimals: 1)) \(unit)" } ?? "n/a"
    }
    let seconds = [quantity(mistakes.labelledSeconds, "s"), quantity(mistakes.wrongSeconds, "s")]
    return switch kind {
    case "reps": [count(mistakes.counted), count(mistakes.trueCount), count(mistakes.wrongReps)]
    case "swing":
      [mistakes.strokes, mistakes.missedStrokes, mistakes.falseStrokes, mistakes.misnamedStrokes].map(count)
    case "posture": seconds
    default:
      seconds + [
        count(mistakes.graded), quantity(mistakes.gradeDistance, "points"), count(mistakes.judged),
        count(mistakes.misjudged),
      ]
    }
  }

  /// `counted 0, true 4, 4 reps missed or made up`
  public func sentence(_ mistakes: ClipMistakes) -> String {
    func reps(_ count: Int) -> String { "\(count) rep\(count == 1 ? "" : "s")" }
    func fixed(_ value: Double) -> String { NumberText.fixed(value, decimals: 1) }
    switch kind {
    case "reps":
      let numbers = [mistakes.counted, mistakes.trueCount].map { $0.map(String.init) ?? "n/a" }
      return "counted \(numbers[0]), true \(numbers[1])"
        + (mistakes.wrongReps.map { ", \(reps($0)) missed or made up" } ?? "")
    case "swing":
      let parts = zip(
        ["missed", "made up", "misnamed"], [mistakes.missedStrokes, mistakes.falseStrokes, mistakes.misnamedStrokes])
      let words = parts.map { "\($0) \($1.map(String.init) ?? "n/a")" }.joined(separator: ", ")
      return words + (mistakes.strokes.map { ", of \($0) stroke\($0 == 1 ? "" : "s")" } ?? "")
    default:
      let seconds = mistakes.wrongSeconds.flatMap { wrong in
        mistakes.labelledSeconds.map { "wrong for \(fixed(wrong)) of \(fixed($0)) s" }
      }
      let grades = mistakes.gradeDistance.map { "grades off by \(fixed($0)) points" }
      let faults = mistakes.misjudged.flatMap { wrong in mistakes.judged.map { "\(wrong) of \($0) misjudged" } }
      return [seconds, grades, faults].compactMap(\.self).joined(separator: ", ")
    }
  }

  /// What is said where no clip is wrong.
  public var allRight: String {
    switch kind {
    case "reps": "No clip has a wrong count or a wrong rep."
    case "swing": "No stroke is missed, made up or taken for another."
    case "posture": "Nothing that people labelled is taken for something else."
    default: "No clip is graded, judged or named otherwise than by people."
    }
  }
}
