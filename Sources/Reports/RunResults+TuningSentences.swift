import Evaluation

extension RunResults {
  /// For each detector that was tuned, on whom, and whether it is judged on them; none where none was.
  public var tuningSentences: [String] {
    tunedSubjects.map { tuning, judged in
      let datasets = tuning.datasets.map(\.name).joined(separator: ", ")
      let subjects = Set(clips.map { "\($0.dataset)/\($0.subject)" }).count
      return "\(tuning.detector) was tuned for \(tuning.metric) on \(tuning.subjectCount) subjects of \(datasets): "
        + (judged.isEmpty
          ? "none of them is judged here."
          : "\(judged.count) of the \(subjects) judged here are among them, so these scores are optimistic and say "
            + "nothing of new people.")
    }
  }
}
