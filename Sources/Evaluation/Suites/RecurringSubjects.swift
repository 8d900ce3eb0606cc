import Datasets

/// Subject names that several datasets of a suite have in common, where neither the datasets nor the suite say whether they are
/// the same people: each then counts once for every dataset, and intervals and gate are too sure if they are.
public struct RecurringSubjects: Sendable {
  /// A dataset as far as it matters here.
  public struct Dataset: Hashable, Sendable {
    var name: String
    /// As the manifest says, or the dataset's own name.
    var people: String
    var subjects: Set<String>

    public init(_ manifest: Manifest, subjects: Set<String>) {
      (name, people) = (manifest.name, manifest.people ?? manifest.name)
      self.subjects = subjects.filter { !$0.isEmpty }
    }
  }

  /// Sorted.
  let subjects: [String]
  /// The datasets that have one of them, sorted.
  let datasets: [String]

  /// `nil` where no name recurs among different people.
  init?(_ datasets: [Dataset]) {
    let recurring = Set(datasets.flatMap(\.subjects)).filter { subject in
      Set(datasets.filter { $0.subjects.contains(subject) }.map(\.people)).count > 1
    }
    guard !recurring.isEmpty else { return nil }
    subjects = recurring.sorted()
    self.datasets = datasets.filter { !$0.subjects.isDisjoint(with: recurring) }.map(\.name).sorted()
  }

  /// `8 subject names recur in squats-a and squats-b (s01, s02, s03 and 5 more)`
  var words: String {
    let shown = subjects.prefix(3).joined(separator: ", ")
    let more = subjects.count > 3 ? " and \(subjects.count - 3) more" : ""
    let last = datasets.last.map { " and \($0)" } ?? ""
    return "\(subjects.count) subject name\(subjects.count == 1 ? " recurs" : "s recur") in "
      + "\(datasets.dropLast().joined(separator: ", "))\(last) (\(shown)\(more))"
  }

  /// What it means, and what to do.
  var note: String {
    words
      + ". Each counts as another person in every dataset. If they are the same people, write people: shared in the "
      + "suite; if not, people: separate."
  }
}
