import Datasets
import Evaluation

/// Finds subjects whose names differ only by case or spaces: a person under two names counts as two people.
struct SimilarSubjectNames: DatasetCheck {
  let name = "similar-subjects"
  let title = "people's names that differ only by case or spaces"
  let threshold = "any two names that are equal without case and spaces, and in Unicode's compatibility form"
  let remedy = "give all clips of a person the same subject in clips.csv"

  func findings(across dataset: CheckedDataset) -> [Finding] {
    let similar = SimilarSubjects(Set(dataset.members.map(\.info.subject)))
    return (similar?.groups ?? []).map { group in
      finding(
        .warning, weight: Double(group.count),
        "\(group.joined(separator: " and ")) may be one person, who then counts as \(group.count)")
    }
  }
}
