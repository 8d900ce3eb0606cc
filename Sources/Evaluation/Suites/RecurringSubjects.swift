import Datasets

/// Subject names shared by several datasets of a suite, if neither the datasets nor the suite say whether they are the
/// same people. Each name then counts once per dataset; if they are the same people, intervals are too narrow and the
/// gate is overconfident.
public struct RecurringSubjects: Sendable {
  /// The parts of a dataset that matter here.
  public struct Dataset: Hashable, Sendable {
    package var name: String
    /// From the manifest, or the dataset's own name.
    package var people: String
    package var subjects: Set<String>

    public init(_ manifest: Manifest, subjects: Set<String>) {
      (name, people) = (manifest.name, manifest.ownPeople)
      self.subjects = subjects.filter { !$0.isEmpty }
    }
  }

  /// Sorted.
  package let subjects: [String]
  /// The datasets that share one of them, sorted.
  package let datasets: [String]

  /// `nil` if no name recurs among different people.
  package init?(_ datasets: [Dataset]) {
    let recurring = Set(datasets.flatMap(\.subjects)).filter { subject in
      Set(datasets.filter { $0.subjects.contains(subject) }.map(\.people)).count > 1
    }
    guard !recurring.isEmpty else { return nil }
    subjects = recurring.sorted()
    self.datasets = datasets.filter { !$0.subjects.isDisjoint(with: recurring) }.map(\.name).sorted()
  }

  /// `8 subject names recur in squats-a and squats-b (s01, s02, s03 and 5 more)`
  package var words: String {
    let shown = subjects.prefix(3).joined(separator: ", ")
    let more = subjects.count > 3 ? " and \(subjects.count - 3) more" : ""
    let last = datasets.last.map { " and \($0)" } ?? ""
    return "\(subjects.count) \(subjects.count == 1 ? "name of a person recurs" : "names of people recur") in "
      + "\(datasets.dropLast().joined(separator: ", "))\(last) (\(shown)\(more))"
  }

  /// The consequence, and what to do.
  var note: String {
    words
      + ". Each counts as another person in every dataset. If they are the same people, write people: shared in the "
      + "suite; if not, people: separate."
  }
}
