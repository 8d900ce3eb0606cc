import Coaching
import Datasets
import Files
import Pipeline
import PoseModel
import Scoring
import Statistics

/// Detectors ranked on the clips of their own exercise, dataset by dataset, with reference rows that need no detector.
public struct Leaderboard: Codable, Hashable, Sendable {
  /// The kind of a row.
  public enum Role: String, Codable, Hashable, Sendable {
    case detector
    /// Counts the peaks of the whole recording; an app cannot, as it has not seen the end yet.
    case offlinePeaks = "offline peaks"
    /// The best prediction that ignores the recording.
    case trivial
    /// Typical human disagreement.
    case people
  }

  public struct Value: Codable, Hashable, Sendable {
    public var metric: String
    public var unit: String
    /// Where the best value is; `nil` if no detector of the section has the metric.
    public var direction: Metric.Direction?
    public var value: Double?
    /// Of the 95 % interval over people; `nil` if there is none.
    public var low: Double?
    public var high: Double?
  }

  public struct Row: Codable, Hashable, Sendable {
    public var role: Role
    public var name: String
    /// Detectors share a place if their differences from the first of them, person by person, may be chance; `nil` for
    /// other rows.
    public var place: Int?
    /// In the order of the board's metrics.
    public var values: [Value]
    /// The recordings from which the detector's weights were learned; `nil` without learned weights.
    public var trainedOn: String?
  }

  /// The clips of one exercise in one dataset.
  public struct Section: Codable, Hashable, Sendable {
    public var exercise: String
    public var dataset: String
    public var clips: Int
    public var people: Int
    /// Whether a detector is made for this exercise; `false` for one that takes any exercise.
    public var isCovered: Bool
    /// The best first; empty if no detector takes the exercise.
    public var rows: [Row]
  }

  static let currentFormat = 1
  public var format = Self.currentFormat
  public var bench: String
  /// The first one decides the places.
  public var metrics: [String]
  /// The first metric's; `nil` if no section has a detector.
  public var direction: Metric.Direction?
  public var sections: [Section]
  /// By name.
  public var datasets: [RunResults.DatasetCard]
}

extension Leaderboard {
  /// Removes the metrics after the first that no row has a value of.
  fileprivate mutating func leaveOutUndefined() {
    let places = metrics.indices.filter { place in
      place == 0 || sections.contains { $0.rows.contains { $0.values[place].value != nil } }
    }
    metrics = places.map { metrics[$0] }
    for section in sections.indices {
      for row in sections[section].rows.indices {
        let values = sections[section].rows[row].values
        sections[section].rows[row].values = places.map { values[$0] }
      }
    }
  }
}

extension Leaderboard.Section {
  /// The best of the rows of a role by the board's first metric.
  public func best(_ role: Leaderboard.Role) -> (row: Leaderboard.Row, value: Leaderboard.Value)? {
    rows.first { $0.role == role }.flatMap { row in row.values.first.map { (row, $0) } }
  }
}

extension Leaderboard {
  /// Reads the output of `bench leaderboard --json`.
  ///
  /// - Throws: As `StudyFile.read`.
  public init(file path: String) throws {
    self = try StudyFile(path).read("the output of bench leaderboard --json", format: Self.currentFormat)
  }

  /// The number of sections in which the best detector beats the peak counter, and of sections that have both.
  public var beatsOfflinePeaks: (sections: Int, all: Int) {
    let pairs = sections.compactMap { section -> Bool? in
      guard let direction, let own = section.best(.detector)?.value.value,
        let peaks = section.best(.offlinePeaks)?.value.value
      else { return nil }
      return direction.loss(from: own, to: peaks) > 0
    }
    return (pairs.count { $0 }, pairs.count)
  }
}

extension Leaderboard: StudyContent {
  func check() throws {
    try StudyFault.require(!metrics.isEmpty, "metrics", "at least one metric", "none")
    for (index, section) in sections.enumerated() {
      let key = "sections[\(index)]"
      try StudyFault.require(count: section.clips, "\(key).clips")
      try StudyFault.require(count: section.people, "\(key).people")
      for (place, row) in section.rows.enumerated() {
        try StudyFault.require(
          row.values.count == metrics.count, "\(key).rows[\(place)].values", "\(metrics.count), one for each metric",
          "\(row.values.count)")
        try StudyFault.require(count: row.place, from: 1, "\(key).rows[\(place)].place")
      }
    }
  }
}

/// The input of a leaderboard.
public struct LeaderboardPlan: Sendable {
  /// One section of it: a suite of one exercise in one dataset.
  private struct Part: Sendable {
    var section: Leaderboard.Section
    /// `nil` if no detector takes the exercise.
    var run: SuiteRun?
  }

  private let metrics: [String]
  private var parts: [Part] = []
  private var cards: [String: RunResults.DatasetCard] = [:]

  /// - Parameters:
  ///   - datasets: Names; with suites, instead of the suites' own.
  ///   - suites: With their detectors, parameters, matching and smoothing; none for every detector that takes the
  ///     exercise, at its defaults.
  ///   - detectors: Only these; empty for all.
  ///   - metrics: The first decides the places.
  ///   - negatives: Datasets in whose clips nobody exercises, on which counters are replayed beside generated ones.
  ///   - mayLackDetectors: Whether no detector need take any of the exercises.
  /// - Throws: `EvaluationError.missing` for an unknown dataset, detector or metric, and if no detector takes any of
  ///   the exercises.
  public init(
    datasets: [String], suites: [Suite], detectors: [String], metrics: [String], in project: Project, store: Store,
    registry: DetectorRegistry, negatives: [String] = [], mayLackDetectors: Bool = false
  ) throws {
    self.metrics = metrics
    let chosen = try (detectors.isEmpty ? registry.detectors.map(\.profile.name) : detectors).map {
      try registry.detector(named: $0)
    }
    let catalogue = DatasetCatalogue(project: project, store: store)
    func known(_ detector: DetectorDefinition, _ suite: Suite?) -> [String] {
      MetricFamilies.families(for: detector.profile, matching: Self.matching(suite)).flatMap(\.metrics).map(\.name)
    }
    func scores(_ detector: DetectorDefinition, _ suite: Suite?) -> Bool {
      metrics.first.map(known(detector, suite).contains) ?? false
    }
    let scoring = chosen.filter { detector in
      suites.isEmpty ? scores(detector, nil) : suites.contains { scores(detector, $0) }
    }
    guard !scoring.isEmpty, let first = metrics.first else {
      throw EvaluationError.missing(
        what: "metric \(metrics.first ?? "")",
        expected: "a metric of one of the detectors (bench metric list shows all)",
        found: NearNames.question(metrics.first ?? "", in: Set(chosen.flatMap { known($0, nil) })))
    }
    for suite in suites.isEmpty ? [nil] : suites.map(Optional.some) {
      let own =
        try datasets.isEmpty
        ? (suite?.datasets ?? []).map { try catalogue.dataset(pinned: $0, by: suite?.name ?? "") }
        : datasets.map { try catalogue.dataset(named: $0) }
      for dataset in own {
        guard let content = dataset.content else { continue }
        let clips = try store.clips(of: dataset)
        cards[dataset.manifest.name] = RunResults.DatasetCard(dataset, clips: clips.map(\.info))
        let exercises = Set(clips.map(\.info.exercise)).sorted().filter { suite?.exercises.contains($0) ?? true }
        for exercise in exercises {
          let fitting = clips.filter { $0.info.exercise == exercise }
          let able = scoring.filter { detector in
            scores(detector, suite) && ["", exercise].contains(detector.profile.exercise)
              && suite.map { $0.detectors.contains { $0.name == detector.profile.name && $0.takes(exercise) } } ?? true
          }
          let section = Leaderboard.Section(
            exercise: exercise, dataset: dataset.manifest.name, clips: fitting.count,
            people: Set(fitting.map(\.info.subject)).count,
            isCovered: able.contains { $0.profile.exercise == exercise }, rows: [])
          let choices = able.map(\.profile.name).map { name in
            suite?.detectors.first { $0.name == name } ?? Suite.DetectorChoice(name: name, parameters: [:])
          }
          guard !choices.isEmpty else {
            parts.append(Part(section: section, run: nil))
            continue
          }
          let pin = Suite.DatasetPin(name: dataset.manifest.name, content: content)
          let small = Self.suite(suite, of: exercise, on: pin, by: choices, scoring: metrics)
          let hasNegatives = small.negatives != .none && dataset.manifest.origin == .synthetic
          parts.append(
            Part(
              section: section,
              run: try SuiteRun(
                small, datasetNames: [dataset.manifest.name] + (hasNegatives ? negatives : []),
                in: project, store: store,
                registry: registry.adding(DetectorRegistry([OfflinePeaks.definition])))))
        }
      }
    }
    guard mayLackDetectors || parts.contains(where: { $0.run != nil }) else {
      throw EvaluationError.missing(
        what: "leaderboard",
        expected: "a detector for one of the exercises "
          + Set(parts.map(\.section.exercise)).sorted().joined(separator: ", "),
        found: "none with \(first)")
    }
  }

  private static func matching(_ suite: Suite?) -> RepMatching { suite?.matching ?? ReplayPlan.plainMatching }

  /// The suite of one section: one exercise of one dataset.
  ///
  /// - Parameter whole: The suite that it is a part of; `nil` for none.
  private static func suite(
    _ whole: Suite?, of exercise: String, on dataset: Suite.DatasetPin, by choices: [Suite.DetectorChoice],
    scoring metrics: [String]
  ) -> Suite {
    var small = Suite(
      name: whole?.name ?? "leaderboard", version: whole?.version ?? 1, datasets: [dataset], people: whole?.people,
      exercises: [exercise], detectors: choices, matching: matching(whole),
      camera: whole?.camera ?? LiveCamera(fps: 30, estimator: Microseconds(30_000)), metrics: [])
    // Every counter is replayed on the clips of other exercises too.
    if metrics.contains(PhantomMetrics.rate) { small.negatives = whole?.negatives ?? .others }
    small.labels = whole?.labels ?? [:]
    small.smoothing = whole?.smoothing
    if let topic = metrics.first.flatMap({ Metric.Topic(of: $0) }), topic == .count || topic == .reps {
      small.detectors.append(Suite.DetectorChoice(name: OfflinePeaks.name, parameters: [:]))
    }
    return small
  }

  /// How many clips are replayed.
  public var clipCount: Int { parts.reduce(0) { $0 + ($1.run?.clipCount ?? 0) } }

  /// Replays and ranks.
  ///
  /// - Parameter progress: Called with the number of finished clips.
  public func leaderboard(
    version: String, threads: Int, progress: @Sendable (Int) throws -> Void = { _ in }
  ) async throws -> Leaderboard {
    try await replayed(version: version, threads: threads, progress: progress).board
  }

  /// Replays and ranks.
  ///
  /// - Returns: The board, and the results of each of its sections.
  func replayed(
    version: String, threads: Int, progress: @Sendable (Int) throws -> Void
  ) async throws -> (board: Leaderboard, results: [RunResults?]) {
    var sections: [(section: Leaderboard.Section, results: RunResults?)] = []
    var done = 0
    for part in parts {
      var section = part.section
      var results: RunResults?
      if let run = part.run {
        let before = done
        let replayed = try await run.replay(version: version, threads: threads) { try progress(before + $0) }.results
        section.rows = rows(replayed, of: run)
        results = replayed
        done += run.clipCount
      }
      sections.append((section, results))
    }
    sections.sort { ($0.section.exercise, $0.section.dataset) < ($1.section.exercise, $1.section.dataset) }
    let first = sections.lazy.compactMap(\.results).flatMap(\.metrics).first { $0.metric == metrics[0] }
    var board = Leaderboard(
      bench: version, metrics: metrics, direction: first?.direction, sections: sections.map(\.section),
      datasets: cards.values.sorted { $0.name < $1.name })
    board.leaveOutUndefined()
    return (board, sections.map(\.results))
  }

  private func rows(_ results: RunResults, of run: SuiteRun) -> [Leaderboard.Row] {
    func value(_ name: String, _ detector: String) -> Leaderboard.Value {
      let metric = results.metric(detector, name)
      return Leaderboard.Value(
        metric: name, unit: metric?.unit ?? "", direction: metric?.direction, value: metric?.value,
        low: metric?.interval?.low, high: metric?.interval?.high)
    }
    let all = results.detectors.map { detector in
      (
        row: Leaderboard.Row(
          role: detector.name == OfflinePeaks.name ? .offlinePeaks : .detector, name: detector.name,
          values: metrics.map { value($0, detector.name) },
          trainedOn: run.settings.first { $0.name == detector.name }?.profile.trainedOn),
        first: results.metric(detector.name, metrics[0])
      )
    }
    var ranked = all.filter { $0.row.role == .detector }.sorted { a, b in
      guard let x = a.first, let y = b.first, let p = x.value, let q = y.value else {
        return a.first?.value != nil && b.first?.value == nil
      }
      let loss = x.direction.loss(from: p, to: q)
      return loss == 0 ? a.row.name < b.row.name : loss > 0
    }
    var leader: RunResults.MetricResult?
    var place = 1
    for index in ranked.indices {
      guard let metric = ranked[index].first, metric.value != nil else { continue }
      if let best = leader {
        if metric.isClearlyWorse(than: best) { (leader, place) = (metric, index + 1) }
      } else {
        leader = metric
      }
      ranked[index].row.place = place
    }
    func reference(
      _ role: Leaderboard.Role, _ name: String, _ value: (RunResults.MetricResult) -> Double?
    ) -> [Leaderboard.Row] {
      let values = metrics.map { name -> Leaderboard.Value in
        let metric = results.detectors.lazy.compactMap { results.metric($0.name, name) }.first { value($0) != nil }
        return Leaderboard.Value(
          metric: name, unit: metric?.unit ?? "", direction: metric?.direction, value: metric.flatMap(value))
      }
      return values.allSatisfy { $0.value == nil } ? [] : [Leaderboard.Row(role: role, name: name, values: values)]
    }
    return ranked.map(\.row) + all.map(\.row).filter { $0.role == .offlinePeaks }
      + reference(.trivial, "trivial predictor") { $0.trivial?.value }
      + reference(.people, "people") { $0.humanCeiling }
  }
}

extension RunResults.MetricResult {
  /// Whether the 95 % interval of the losses from another detector's result excludes 0; both are paired by person.
  fileprivate func isClearlyWorse(than better: Self) -> Bool {
    let (mine, theirs) = (sample, better.sample)
    guard mine.count == theirs.count,
      let interval = Interval.studentT(zip(theirs, mine).map { direction.loss(from: $0, to: $1) })
    else { return false }
    return interval.low > 0
  }
}

/// Counts the swings of the joint angle that moves most, over the whole recording: an upper bound for an app that
/// counts peaks.
struct OfflinePeaks: OutsideObserver {
  static let name = "offline-peaks"

  static let definition = DetectorDefinition(
    profile: DetectorProfile(
      name: name, kind: .reps, exercise: "",
      summary: "Counts the swings of the joint angle that moves most, over the whole recording.",
      source: "a yardstick for leaderboards"),
    parameters: []
  ) { _ in OfflinePeaks() }

  func filesHash() throws -> String { Self.name }

  func answers(on clip: OutsideClip, frameByFrame: Bool) throws -> OutsideAnswers {
    let poses = clip.poses
    // A third of a second, which leaves a rep of a second nearly whole.
    let half = max(1, Int(clip.fps / 6))
    let swings = BodyAngle.all.map { angle in
      let values = Self.smoothed((0..<poses.frameCount).map { angle.degrees(in: poses, frame: $0) }, by: half)
      return (values: values, range: Self.range(values))
    }
    let widest = swings.max { $0.range.high - $0.range.low < $1.range.high - $1.range.low }
    let reps = widest.map { Self.reps($0.values, $0.range, poses.times) } ?? []
    return OutsideAnswers(events: reps.map { Event($0.end, .rep($0)) })
  }

  /// The mean of the known values around each frame.
  private static func smoothed(_ values: [Double], by half: Int) -> [Double] {
    values.indices.map { index in
      let near = values[max(0, index - half)...min(values.count - 1, index + half)].filter { $0.isFinite }
      return mean(near) ?? .nan
    }
  }

  /// The 5th and 95th percentile; equal where nothing is known.
  private static func range(_ values: [Double]) -> (low: Double, high: Double) {
    let sorted = values.filter(\.isFinite).sorted()
    return (quantile(0.05, ofSorted: sorted) ?? 0, quantile(0.95, ofSorted: sorted) ?? 0)
  }

  /// A rep leaves the end of the range at which the angle is longer, and comes back to it.
  private static func reps(_ values: [Double], _ range: (low: Double, high: Double), _ times: [Microseconds]) -> [Rep] {
    let width = range.high - range.low
    // A smaller movement is noise or sway.
    guard width > 15 else { return [] }
    let known = values.filter(\.isFinite)
    let isHighAtRest = 2 * known.count { $0 > range.low + width / 2 } > known.count
    var (reps, start): ([Rep], Microseconds?) = ([], nil)
    for (value, time) in zip(values, times) where value.isFinite {
      let depth = (isHighAtRest ? range.high - value : value - range.low) / width
      if depth > 2.0 / 3, start == nil { start = time }
      if depth < 1.0 / 3, let begin = start {
        reps.append(Rep(start: begin, end: time))
        start = nil
      }
    }
    return reps
  }
}
