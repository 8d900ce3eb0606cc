/// Raters who were asked and said nothing: a mean over raters is then of others in one clip than in the next.
struct RaterSilence: DatasetCheck {
  let name = "silent-raters"
  let title = "a rater is silent where others speak"
  let threshold = """
    of the clips that a rater labelled at all, ten things or more and more than a fifth of what others graded on a criterion, or \
    judged of a fault, are without this rater's word; or three clips or more and more than a fifth, and nobody stands in: on \
    them are as few other raters as on the clips that this rater did
    """
  let remedy = "have the missing ones rated, or leave that rater out of the criterion"

  func findings(across dataset: CheckedDataset) -> [Finding] {
    var clips: [String: Set<String>] = [:]
    for member in dataset.members {
      for rater in member.labels.grades.map(\.rater) + member.labels.faults.map(\.rater) {
        clips[rater, default: []].insert(member.info.name)
      }
    }
    return RatedItems.all(dataset).flatMap { rated in
      clips.sorted { $0.key < $1.key }.compactMap { rater, own -> Finding? in
        let asked = rated.items.filter { own.contains($0.clip) }
        let silent = asked.filter { $0.ratings[rater] == nil }
        if silent.count >= 10, silent.count * 5 > asked.count {
          let share = Double(silent.count) / Double(asked.count)
          return finding(
            .warning, in: silent[0].clip, weight: share,
            "\(rater), \(rated.subject): nothing on \(silent.count) of \(asked.count)")
        }
        return absence(of: rater, in: rated)
      }
    }
  }

  /// Clips that a rater left out of those that others did on the same criterion.
  private func absence(of rater: String, in rated: RatedItems) -> Finding? {
    let done = rated.items.filter { $0.ratings[rater] != nil }
    let clips = Set(done.map(\.clip))
    let left = rated.items.filter { !clips.contains($0.clip) && !$0.ratings.isEmpty }
    let missing = Set(left.map(\.clip)).sorted()
    let all = missing.count + clips.count
    guard clips.count >= 3, missing.count >= 3, missing.count * 5 > all else { return nil }
    // Where raters take turns, others stand in.
    let others = Double(done.reduce(0) { $0 + $1.ratings.count - 1 }) / Double(done.count)
    let standIns = Double(left.reduce(0) { $0 + $1.ratings.count }) / Double(left.count)
    guard others > 0, standIns < others + 0.25 else { return nil }
    return finding(
      .warning, in: missing[0], weight: Double(missing.count) / Double(all),
      "\(rater), \(rated.subject): nothing on \(missing.count) of \(all) clips")
  }
}
