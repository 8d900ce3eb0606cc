import Scoring
import Statistics

extension TuneResults.Mean {
  /// - Parameter range: that of the metric; the interval does not leave it.
  init?(_ values: [Double?], in range: ClosedRange<Double>? = nil) {
    let known = values.compactMap { $0 }
    guard let value = mean(known) else { return nil }
    let interval = Interval.studentT(known).map { interval in range.map { interval.clamped(to: $0) } ?? interval }
    self.init(
      value: value, interval: interval.map { SweepResults.Bounds(low: $0.low, high: $0.high) }, subjects: known.count)
  }
}

extension TuneResults.SignTest {
  /// What more than twenty subjects' signs are drawn with.
  static let seed: UInt64 = 1

  /// `nil` for fewer than two gains.
  init?(_ gains: [Double]) {
    var generator = SeededGenerator(seed: Self.seed)
    guard gains.count > 1, let test = SignFlip(gains, using: &generator) else { return nil }
    self.init(p: test.twoSided, isExact: test.isExact)
  }
}

/// A search judged by leaving each subject out once.
///
/// For each subject the whole search, the choice between methods included, runs on the others, and what it chooses is
/// scored on the one whom it never saw. The folds share most of their subjects, so the t interval on their scores is
/// approximate; they speak of a choice from one subject fewer.
///
/// - Source: Stone, Cross-Validatory Choice and Assessment of Statistical Predictions, 1974; Varma and Simon, Bias in
///   error estimation when using cross-validation for model selection, BMC Bioinformatics 7, 2006 (why the search belongs
///   inside).
struct TuneFolds: Sendable {
  let table: TuneTable
  let space: TuneSpace
  let search: TuneSearch
  let metric: Metric

  /// What the search finds without a subject, or on all of them.
  func found(without subject: String?) async throws -> TuneSearch.Found {
    let objective = TuneObjective(
      table, in: space, leavingOut: subject, metric.direction, budget: search.budget)
    guard let found = try await search.found(by: objective) else {
      throw EvaluationError.usage(
        "none of the settings that were tried is possible: "
          + (await table.contradictions.first?.reason ?? "the budget is too small"))
    }
    return found
  }

  /// - Parameter base: the suite's own setting.
  func fold(leavingOut subject: String, base: SweepResults.Setting) async throws -> TuneResults.Fold {
    let found = try await found(without: subject)
    let score = try await scores(of: found.point)?.bySubject[subject] ?? nil
    let baseScore = base.bySubject[subject] ?? nil
    var gain: Double?
    if let score, let baseScore { gain = -metric.direction.loss(from: baseScore, to: score) }
    return TuneResults.Fold(
      leftOut: subject, values: space.values(found.point), method: found.method, scoredSettings: found.scoredSettings,
      score: score, baseScore: baseScore, gain: gain)
  }

  /// A setting's scores; `nil` for a contradiction.
  func scores(of point: [Int]) async throws -> SweepResults.Setting? {
    guard case .scored(let setting)? = try await table.entries([space.values(point)]).first else { return nil }
    return setting
  }
}
