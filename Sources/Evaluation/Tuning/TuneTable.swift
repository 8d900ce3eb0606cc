/// What a tuning knows of the settings that it has scored: each is scored once, however many folds ask for it.
actor TuneTable {
  enum Entry: Sendable {
    case scored(SweepResults.Setting)
    /// The detector refuses the values, in words.
    case contradiction(String)
  }

  /// Scores settings on all subjects, in their order.
  typealias Scoring = @Sendable ([[Double]]) async throws -> [Entry]

  private let score: Scoring
  private var entries: [[Double]: Entry] = [:]

  init(scoring: @escaping Scoring) { score = scoring }

  /// In the order of the settings.
  func entries(_ settings: [[Double]]) async throws -> [Entry] {
    var new: [[Double]] = []
    var asked: Set<[Double]> = []
    for values in settings where entries[values] == nil && asked.insert(values).inserted { new.append(values) }
    if !new.isEmpty {
      for (values, entry) in zip(new, try await score(new)) { entries[values] = entry }
    }
    return settings.compactMap { entries[$0] }
  }

  /// Settings with a score.
  var scoredCount: Int {
    entries.values.count { if case .scored = $0 { true } else { false } }
  }

  /// Settings that contradict themselves, sorted by their values.
  var contradictions: [SweepResults.Contradiction] {
    entries.sorted { $0.key.lexicographicallyPrecedes($1.key) }.compactMap { values, entry in
      guard case .contradiction(let reason) = entry else { return nil }
      return SweepResults.Contradiction(values: values, reason: reason)
    }
  }
}
