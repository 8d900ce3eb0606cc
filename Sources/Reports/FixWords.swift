import Evaluation
import Files
import Pipeline
import Statistics

extension ParameterFix {
  /// What each change mends and breaks, a sentence without a full stop each; of no change, why there is none.
  ///
  /// `bottomAngle 90 → 109.3 finds this rep, the clip counts 1, true 4; of 35 other clips 3 change (2 of 12 people; front
  /// 3), 1 becomes right, 2 wrong (s03, s06); phantoms a minute 2.6 → 3.4`
  public var sentences: [String] {
    guard !isNeedless else { return ["none needed: the count is right"] }
    guard changes.isEmpty else { return changes.map(sentence) }
    return ["no change of a single parameter " + (mistake == .count ? "counts \(number(truth))" : "mends this")]
  }

  /// What is to be mended, as a report of the clip calls it; `nil` for the count.
  ///
  /// `misnamed stroke 2`
  public var subject: String? {
    switch mistake {
    case .count: nil
    case .missed(let index): "missed \(noun) \(index + 1)"
    case .misnamed(let index): "misnamed \(noun) \(index + 1)"
    case .invented(let index): "invented \(noun) \(index + 1)"
    }
  }

  private func sentence(_ change: Change) -> String {
    let values = "\(NumberText.significant(change.before)) → \(NumberText.significant(change.after))"
    let counts = change.counted.map { ", the clip counts \($0)" + (truth.map { ", true \($0)" } ?? "") } ?? ""
    let effect =
      switch mistake {
      case .count: "counts \(number(truth))"
      case .missed: "finds this\(counts)"
      case .misnamed: "names this as labelled"
      case .invented: "drops this\(counts)"
      }
    return (["\(change.parameter.name) \(values) \(effect)", harm(change)] + [phantoms(change)].compactMap(\.self))
      .joined(separator: "; ")
  }

  private func harm(_ change: Change) -> String {
    let all = "of \(NumberText.count(others.clips, "other clip"))"
    guard !change.changed.isEmpty else { return "\(all) none changes" }
    let people = Set(change.changed.map(\.person)).count
    let views = Dictionary(grouping: change.changed.filter { !$0.view.isEmpty }, by: \.view)
      .sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.count)" }
    let whose = ["\(people) of \(NumberText.count(others.people, "person"))", views.joined(separator: ", ")]
      .filter { !$0.isEmpty }.joined(separator: "; ")
    let (right, wrong, changed) = (change.mended.count, change.broken.count, change.changed.count)
    return "\(all) \(changed) \(changed == 1 ? "changes" : "change") (\(whose)), \(right) "
      + "\(right == 1 ? "becomes" : "become") right, \(wrong) wrong"
      + (wrong > 0 ? " (\(Excerpt.list(change.people)))" : "")
  }

  private func phantoms(_ change: Change) -> String? {
    guard let (before, after) = change.phantoms, before != after else { return nil }
    return "phantoms a minute \(NumberText.fixed(before, decimals: 1)) → \(NumberText.fixed(after, decimals: 1))"
  }

  private func number(_ value: Int?) -> String { value.map(String.init) ?? "n/a" }
}
