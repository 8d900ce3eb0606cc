import Datasets

/// Finds people who are in two splits: parameters tuned on their clips are then judged on the same people.
struct SubjectsInSplits: DatasetCheck {
  let name = "subjects-in-splits"
  let title = "people are in more than one split"
  let threshold = "any person with clips in two named splits"
  let remedy = "give all clips of a person the same split in clips.csv"

  func findings(across dataset: CheckedDataset) -> [Finding] {
    let subjects = Dictionary(grouping: dataset.members.filter { !$0.info.split.isEmpty && !$0.info.subject.isEmpty }) {
      $0.info.subject
    }
    return subjects.sorted { $0.key < $1.key }.compactMap { subject, members in
      let splits = Dictionary(grouping: members, by: \.info.split).sorted { $0.key < $1.key }
      guard splits.count > 1 else { return nil }
      let words = splits.map { "\($0.value.count) in \($0.key) (\($0.value[0].info.name))" }
      return finding(
        .problem, weight: Double(members.count), "\(subject): clips " + words.joined(separator: ", "))
    }
  }
}
