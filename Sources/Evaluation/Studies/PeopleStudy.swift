import Datasets
import Files
import Pipeline
import PoseModel
import Scoring
import Statistics

/// Every detector on every public set in the store, beside the generated people of the same exercises.
public struct PeopleStudy: Sendable {
  /// Whether generated people rank the detectors of an exercise as recorded ones do.
  public struct RankAgreement: Hashable, Sendable {
    /// The correlation of ranks within exercises and sets: −1 the other way round, 0 unrelated, 1 the same.
    public var correlation: Double
    /// The 95 % interval over recorded people; `nil` if there is none.
    public var interval: Interval?
    /// Pairs of a detector with a set of recorded people.
    public var pairs: Int
    /// Sets of recorded people, by exercise.
    public var sets: Int
  }

  /// A board of each kind of task.
  public let boards: [Leaderboard]
  /// `nil` if fewer than three detectors are scored on both kinds of people.
  public let agreement: RankAgreement?
  /// The public sets that the store lacks.
  public let absent: [String]
}

/// The public sets in the store, and the generated people of their exercises.
public struct PeoplePlan: Sendable {
  private let plans: [LeaderboardPlan]
  private let generated: Set<String>
  private let absent: [String]

  /// The generated clips in which nobody exercises.
  private static let negatives = "negatives-sample"

  /// The metrics of each board; the first decides the places.
  private static let metrics = [
    ["count.exact", "count.off-by-one", "reps.f1", PhantomMetrics.rate],
    ["grades.roc-auc", "faults.any.f1", "faults.any.coverage"], ["strokes.f1", "strokes.accuracy"],
  ]

  /// - Parameter sets: The public sets, of which those in the store are used.
  /// - Throws: `EvaluationError.missing` if the store has none of the sets.
  public init(of sets: [PublicSet], in project: Project, store: Store, registry: DetectorRegistry) throws {
    let catalogue = DatasetCatalogue(project: project, store: store)
    let present = try sets.filter { try catalogue.state(of: $0) == .present }.map(\.name)
    absent = sets.map(\.name).filter { !present.contains($0) }
    guard !sets.isEmpty else {
      throw EvaluationError.missing(
        what: "public sets", expected: "files in datasets/public", found: "none; run it in a checkout of form-bench")
    }
    guard !present.isEmpty else {
      throw EvaluationError.missing(
        what: "public sets", expected: "one of \(sets.map(\.name).joined(separator: ", ")) in the store",
        found: "none; bench dataset list --public says how to get them")
    }
    let exercises = Set(
      try present.flatMap { try store.clips(of: catalogue.dataset(named: $0)) }.map(\.info.exercise))
    let generated = exercises.map { "\($0)-sample" }.filter(project.datasetNames.contains).sorted()
    self.generated = Set(generated)
    plans = try Self.metrics.map { metrics in
      try LeaderboardPlan(
        datasets: present + generated, suites: [], detectors: [], metrics: metrics, in: project, store: store,
        registry: registry, negatives: [Self.negatives].filter(project.datasetNames.contains), mayLackDetectors: true)
    }
  }

  /// How many clips are replayed.
  public var clipCount: Int { plans.reduce(0) { $0 + $1.clipCount } }

  /// Replays and ranks.
  ///
  /// - Parameter progress: Called with the number of finished clips.
  public func study(
    version: String, threads: Int, progress: @Sendable (Int) throws -> Void
  ) async throws -> PeopleStudy {
    var (boards, done): ([Leaderboard], Int) = ([], 0)
    var counted: [(section: Leaderboard.Section, results: RunResults)] = []
    for plan in plans {
      let before = done
      let (board, results) = try await plan.replayed(version: version, threads: threads) { try progress(before + $0) }
      if boards.isEmpty {
        counted = zip(board.sections, results).compactMap { section, results in results.map { (section, $0) } }
      }
      boards.append(board.onlyScored())
      done += plan.clipCount
    }
    return PeopleStudy(
      boards: boards, agreement: .init(counted, of: Self.metrics[0][0], generated: generated), absent: absent)
  }
}

extension Leaderboard {
  /// The sections with a value of the first metric.
  fileprivate func onlyScored() -> Leaderboard {
    var board = self
    board.sections = sections.filter { section in
      section.rows.contains { $0.role == .detector && $0.values.first?.value != nil }
    }
    return board
  }
}

extension PeopleStudy.RankAgreement {
  /// A set of recorded people beside the generated ones of its exercise, detector by detector.
  private struct Pairing {
    var generated: [Double]
    /// By detector, each person's value.
    var recorded: [[String: Double]]
    var people: [String]
  }

  fileprivate init?(
    _ sections: [(section: Leaderboard.Section, results: RunResults)], of metric: String, generated: Set<String>
  ) {
    func values(_ results: RunResults) -> [String: RunResults.MetricResult] {
      let own = results.metrics.filter { $0.metric == metric && $0.value != nil && $0.detector != OfflinePeaks.name }
      return Dictionary(own.map { ($0.detector, $0) }, uniquingKeysWith: { first, _ in first })
    }
    let models = Dictionary(
      sections.filter { generated.contains($0.section.dataset) }.map { ($0.section.exercise, values($0.results)) },
      uniquingKeysWith: { first, _ in first })
    let pairings = sections.compactMap { section, results -> Pairing? in
      guard !generated.contains(section.dataset), let model = models[section.exercise] else { return nil }
      let own = values(results).filter { model[$0.key] != nil }.sorted { $0.key < $1.key }
      guard own.count >= 3 else { return nil }
      return Pairing(
        generated: own.compactMap { model[$0.key]?.value },
        recorded: own.map { $0.value.bySubject.compactMapValues(\.self) },
        people: Set(own.flatMap { $0.value.bySubject.keys }).sorted())
    }
    let people = Set(pairings.flatMap(\.people)).sorted()
    let places = Dictionary(uniqueKeysWithValues: zip(people, people.indices))
    func rankCorrelation(_ counts: [Int]) -> Double? {
      var (model, recorded): ([Double], [Double]) = ([], [])
      for pairing in pairings {
        let means = pairing.recorded.map { values -> Double in
          var (sum, count) = (0.0, 0)
          for person in pairing.people {
            guard let value = values[person], let place = places[person] else { continue }
            sum += Double(counts[place]) * value
            count += counts[place]
          }
          return count > 0 ? sum / Double(count) : .nan
        }
        guard means.allSatisfy(\.isFinite) else { return nil }
        model += Self.centredRanks(pairing.generated)
        recorded += Self.centredRanks(means)
      }
      return pearson(model, recorded)
    }
    var generator = SeededGenerator(seed: 1)
    let bootstrap = ClusterBootstrap(resamples: 2000)
    guard
      let estimate = bootstrap.estimate(clusters: people.count, using: &generator, statistic: rankCorrelation)
    else { return nil }
    correlation = estimate.value
    interval = estimate.interval
    pairs = pairings.reduce(0) { $0 + $1.generated.count }
    sets = pairings.count
  }

  /// The ranks of values, ties sharing their mean, minus the mean rank.
  private static func centredRanks(_ values: [Double]) -> [Double] {
    values.map { value in
      Double(values.count { $0 < value }) + Double(values.count { $0 == value } + 1) / 2
        - Double(values.count + 1) / 2
    }
  }
}
