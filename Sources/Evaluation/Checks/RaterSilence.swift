/// Raters who were asked and said nothing: a mean over raters is then of others in one clip than in the next.
struct RaterSilence: DatasetCheck {
  let name = "silent-raters"
  let title = "a rater is silent where others speak"
  let threshold = """
    of the clips that a rater labelled at all, ten things or more and more than a fifth of what others graded on a criterion, or \
    judged of a fault, are without this rater's word
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
        guard silent.count >= 10, silent.count * 5 > asked.count else { return nil }
        let share = Double(silent.count) / Double(asked.count)
        return finding(
          .warning, in: silent[0].clip, weight: share,
          "\(rater), \(rated.subject): nothing on \(silent.count) of \(asked.count)")
      }
    }
  }
}
