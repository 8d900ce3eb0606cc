import Statistics

extension SweepResults {
  /// What to expect of the choice itself on new people: leave-one-subject-out.
  ///
  /// Each subject is scored at the setting that is best for all the others, by the same rule as the optimum. The mean of
  /// these scores has no subject's own say in it, so it is not optimistic as the optimum's is; it speaks of a choice from
  /// one subject fewer. The folds share most of their subjects, so the t interval on their scores is approximate.
  ///
  /// - Source: Stone, Cross-Validatory Choice and Assessment of Statistical Predictions, 1974.
  public struct Expectation: Codable, Hashable, Sendable {
    /// A setting and how many folds chose it.
    public struct Choice: Codable, Hashable, Sendable {
      /// Position in `settings`.
      public var setting: Int
      public var folds: Int
    }

    /// The mean of the scores.
    public var value: Double
    /// The 95 % t interval on it; `nil` for fewer than two scores.
    public var interval: Bounds?
    /// Each left-out subject's score; `nil` where it is undefined at the setting that the others chose.
    public var bySubject: [String: Double?]
    /// The most chosen first.
    public var choices: [Choice]

    /// Subjects with a score.
    public var definedSubjects: Int { bySubject.values.count { $0 != nil } }
  }
}

extension SweepResults.Expectation {
  /// `nil` with fewer than two subjects, and where no left-out subject has a score.
  init?(_ results: SweepResults) {
    let subjects = results.subjects
    guard subjects.count >= 2 else { return nil }
    let distances = results.distances
    var folds: [Int: Int] = [:]
    var scores: [String: Double?] = [:]
    for subject in subjects {
      guard let chosen = results.ranking(without: subject, distances).first else { return nil }
      folds[chosen, default: 0] += 1
      scores[subject] = results.settings[chosen].bySubject[subject] ?? nil
    }
    let known = scores.sorted { $0.key < $1.key }.compactMap(\.value)
    guard let value = mean(known) else { return nil }
    self.init(
      value: value,
      interval: Interval.studentT(known).map { SweepResults.Bounds(low: $0.low, high: $0.high) },
      bySubject: scores,
      choices: folds.map { Choice(setting: $0.key, folds: $0.value) }.sorted {
        $0.folds != $1.folds ? $0.folds > $1.folds : $0.setting < $1.setting
      })
  }
}
