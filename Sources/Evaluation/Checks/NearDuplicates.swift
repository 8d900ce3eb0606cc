import Datasets

/// The same recording twice under two subjects or in two splits: what was tuned on the one is judged on the other, and one
/// person counts as two.
///
/// Clips of one subject within one split are not compared: a person's reps are alike, and whoever resamples by subject
/// knows.
struct NearDuplicates: DatasetCheck {
  let name = "near-duplicates"
  let title = "the same recording under two subjects or in two splits"
  let threshold = """
    over at least half of the shorter clip, coordinates within 0.05 trunk lengths (root mean square) and 0.4 of how much the \
    movement varies, once the hips' middle, the trunk's length, the frame rate and the start are made the same and both are \
    smoothed over a third of a second; also of what a mirror shows, and played twice or half as fast
    """
  let remedy = "leave one of the two out, or give both the same subject and split"

  private static let distance: Float = 0.05
  private static let share: Float = 0.4

  func findings(across dataset: CheckedDataset) -> [Finding] {
    let members = dataset.members.filter { $0.fingerprint != nil }
    var found: [Finding] = []
    for (index, one) in members.enumerated() {
      let ways = Self.ways(one)
      for other in members[..<index] {
        let isLeak = one.info.split != other.info.split
        guard isLeak || one.info.subject != other.info.subject || one.info.subject.isEmpty,
          let best = Self.best(ways, of: other)
        else { continue }
        found.append(finding(one, other, best.way, best.match, isLeak: isLeak))
      }
    }
    return found
  }

  /// A way in which a recording may be copied, and how the copy looks.
  private struct Way {
    let words: String?
    /// By how much the copy is faster than the other; below 1 the other is looked at as played faster.
    let speed: Double
    let fingerprint: MotionFingerprint
  }

  private static func ways(_ one: CheckedDataset.Member) -> [Way] {
    guard let plain = one.fingerprint else { return [] }
    var ways = [
      Way(words: nil, speed: 1, fingerprint: plain), Way(words: "mirrored", speed: 1, fingerprint: plain.mirrored),
      Way(words: "twice as fast", speed: 2, fingerprint: plain),
    ]
    if let fast = one.fastFingerprint { ways.append(Way(words: "half as fast", speed: 0.5, fingerprint: fast)) }
    return ways
  }

  private static func best(
    _ ways: [Way], of other: CheckedDataset.Member
  ) -> (way: Way, match: MotionFingerprint.Match)? {
    var best: (way: Way, match: MotionFingerprint.Match)?
    for way in ways {
      guard let theirs = way.speed > 1 ? other.fastFingerprint : other.fingerprint,
        let match = theirs.match(way.fingerprint, distance: distance, share: share)
      else { continue }
      if match.distance < best?.match.distance ?? .infinity { best = (way, match) }
    }
    return best
  }

  private func finding(
    _ one: CheckedDataset.Member, _ other: CheckedDataset.Member, _ way: Way, _ match: MotionFingerprint.Match,
    isLeak: Bool
  ) -> Finding {
    // Times of the match are those of whichever was looked at as played faster.
    let (own, theirs) = (way.speed < 1 ? 2.0 : 1, way.speed > 1 ? 2.0 : 1)
    let start = max(0, -match.shift) * own
    var words = ["is \(other.info.name)"] + (way.words.map { [$0] } ?? [])
    if abs(match.shift) > 1 / MotionFingerprint.rate {
      words[words.count - 1] += " from \((max(0, match.shift) * theirs).rounded(toDecimals: 1)) s"
    }
    if isLeak { words.append("of split \(Self.named(one.info.split)) and \(Self.named(other.info.split))") }
    if one.info.subject != other.info.subject {
      words.append("of subject \(Self.named(one.info.subject)) and \(Self.named(other.info.subject))")
    }
    return finding(
      isLeak ? .problem : .warning, in: one.info.name, from: start, to: start + match.overlap * own,
      weight: 1 / (match.distance + 1e-3),
      words.joined(separator: ", ") + ": \(match.distance.rounded(toDecimals: 3)) trunk lengths apart")
  }

  private static func named(_ text: String) -> String { text.isEmpty ? "unknown" : text }
}
