import Datasets

/// Finds the same recording under two subjects or in two splits: parameters tuned on one copy are judged on the other,
/// and one person counts as two.
///
/// Clips of one subject in one split are not compared: a person's reps look alike, and resampling by subject allows for
/// that.
struct NearDuplicates: DatasetCheck {
  let name = "near-duplicates"
  let title = "the same recording under two people or in two splits"
  let threshold = """
    over at least half of the shorter clip, coordinates within 0.05 trunk lengths (root mean square) and within 0.4 of \
    the movement's own variation, after aligning the hips, trunk length, frame rate and start and smoothing over a \
    third of a second; also finds mirrored copies and copies played twice or half as fast
    """
  let remedy = "leave one of the two out, or give both the same subject and split in clips.csv"

  static let distance: Float = 0.05
  static let share: Float = 0.4

  func findings(across dataset: CheckedDataset) -> [Finding] {
    let members = dataset.members.filter { $0.fingerprint != nil }
    let search = CopySearch(
      members.map { member in
        CopySearch.Movement(
          fingerprint: member.fingerprint, subject: member.info.subject, split: member.info.split)
      }, distance: Self.distance, share: Self.share)
    return search.copies().map { finding(members[$0.one], members[$0.other], $0.way, $0.match) }
  }

  private func finding(
    _ one: CheckedDataset.Member, _ other: CheckedDataset.Member, _ way: CopySearch.Way,
    _ match: MotionMatch
  ) -> Finding {
    let isLeak = one.info.split != other.info.split
    // The match's times refer to the sped-up clip; these factors convert them back.
    let (own, theirs) = (way == .halfAsFast ? 2.0 : 1, way == .twiceAsFast ? 2.0 : 1)
    let start = max(0, -match.shift) * own
    var words = ["is \(other.info.name)"] + (way == .same ? [] : [way.rawValue])
    if abs(match.shift) > 1 / MotionFingerprint.rate {
      words[words.count - 1] += " from \((max(0, match.shift) * theirs).rounded(toDecimals: 1)) s"
    }
    if isLeak { words.append("of split \(Self.named(one.info.split)) and \(Self.named(other.info.split))") }
    if one.info.subject != other.info.subject {
      words.append("of \(Self.named(one.info.subject)) and \(Self.named(other.info.subject))")
    }
    return finding(
      isLeak ? .problem : .warning, in: one.info.name, from: start, to: start + match.overlap * own,
      weight: 1 / (match.distance + 1e-3),
      words.joined(separator: ", ") + ": \(match.distance.rounded(toDecimals: 3)) trunk lengths apart")
  }

  private static func named(_ text: String) -> String { text.isEmpty ? "unknown" : text }
}
