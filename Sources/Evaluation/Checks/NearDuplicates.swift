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
    smoothed over a third of a second; also of what a mirror shows
    """
  let remedy = "leave one of the two out, or give both the same subject and split"

  private static let distance: Float = 0.05
  private static let share: Float = 0.4

  func findings(across dataset: CheckedDataset) -> [Finding] {
    let members = dataset.members.filter { $0.fingerprint != nil }
    var found: [Finding] = []
    for (index, one) in members.enumerated() {
      guard let fingerprint = one.fingerprint else { continue }
      let mirrored = fingerprint.mirrored
      for other in members[..<index] {
        let isLeak = one.info.split != other.info.split
        guard isLeak || one.info.subject != other.info.subject || one.info.subject.isEmpty,
          let theirs = other.fingerprint
        else { continue }
        let same = theirs.match(fingerprint, distance: Self.distance, share: Self.share)
        let turned = theirs.match(mirrored, distance: Self.distance, share: Self.share)
        guard let match = [same, turned].compactMap(\.self).min(by: { $0.distance < $1.distance }) else { continue }
        let isMirrored = match.distance != same?.distance
        let start = max(0, -match.shift)
        found.append(
          finding(
            isLeak ? .problem : .warning, in: one.info.name, from: start, to: start + match.overlap,
            weight: 1 / (match.distance + 1e-3),
            "is \(other.info.name)\(isMirrored ? ", mirrored," : "")"
              + (abs(match.shift) > 1 / MotionFingerprint.rate
                ? " from \(max(0, match.shift).rounded(toDecimals: 1)) s" : "")
              + (isLeak ? ", of split \(Self.named(one.info.split)) and \(Self.named(other.info.split))" : "")
              + (one.info.subject != other.info.subject
                ? ", of subject \(Self.named(one.info.subject)) and \(Self.named(other.info.subject))" : "")
              + ": \(match.distance.rounded(toDecimals: 3)) trunk lengths apart"))
      }
    }
    return found
  }

  private static func named(_ text: String) -> String { text.isEmpty ? "unknown" : text }
}
