import Datasets
import Evaluation

/// Reports the `RecurringSubjects` of a dataset and the other datasets of its suites.
struct SubjectsAcrossDatasets: DatasetCheck {
  let name = "subjects-across-datasets"
  let title = "people's names recur in another dataset of a suite"
  let threshold =
    "any name that two datasets of a suite share, unless they or the suite say whether it is the same person"
  let remedy =
    "if they are the same people, write the same people: name in both dataset.yaml, or people: shared in the suite; if not, "
    + "people: separate in the suite"

  func findings(across dataset: CheckedDataset) -> [Finding] {
    let own = RecurringSubjects.Dataset(dataset.manifest, subjects: Set(dataset.members.map(\.info.subject)))
    return dataset.suites.filter { $0.suite.people == nil }.compactMap { suite, _ in
      let others = dataset.neighbours.filter { other in
        suite.datasets.contains { $0.name == other.name } && other.people != own.people
          && !other.subjects.isDisjoint(with: own.subjects)
      }
      guard let recurring = RecurringSubjects([own] + others) else { return nil }
      return finding(.warning, weight: Double(recurring.subjects.count), "suite \(suite.name): \(recurring.words)")
    }
  }
}
