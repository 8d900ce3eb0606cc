import Coaching
import Pipeline
import Scoring
import Statistics

/// Optimizes a detector's parameters and the smoothing of its poses for one metric on a suite's clips, and validates
/// the search by leaving each subject out.
public struct TuneRun: Sendable {
  public let plan: TunePlan
  public let metric: Metric
  /// On the clips of all detectors.
  private let wholeRun: SuiteRun
  private let suiteRun: SuiteRun
  private let base: DetectorSetting
  private let space: TuneSpace
  private let family: any MetricFamily
  /// The clips with time in which nobody does the exercise; `nil` if there is none, or if the metric counts there.
  private let negativeRun: SuiteRun?
  /// The clips of the metric and of phantoms.
  private let usedRun: SuiteRun

  /// The minimum number of subjects for an estimate on other people.
  public static let fewestSubjects = 3

  /// The memory in bytes for clips and signals kept between batches of settings.
  static let room = 256 << 20

  /// - Parameters:
  ///   - metricName: The metric; `nil` for the first metric of the detector in the suite.
  ///   - suiteRun: The clips, and the values of the parameters that are not tuned.
  /// - Throws: `EvaluationError.missing` for a metric that the detector does not have, `EvaluationError.usage` for
  ///   nothing to tune and for fewer than three subjects.
  public init(_ plan: TunePlan, metric metricName: String? = nil, on suiteRun: SuiteRun) throws {
    guard let base = suiteRun.settings.first(where: { $0.name == plan.detector }) else {
      throw EvaluationError.missing(
        what: "suite \(suiteRun.suite.name)", expected: "the detector \(plan.detector)", found: "none of this name")
    }
    self.plan = plan
    wholeRun = suiteRun
    self.base = base
    (family, metric) = try SweepRun.metric(metricName, of: base, suiteRun.suite)
    let own = suiteRun.onClips(ofDetector: plan.detector)
    self.suiteRun = own.concerning(family)
    negativeRun = own.negative(for: base, besides: family)
    usedRun = own
    // A program may need the recorded keypoints, of which smoothing leaves only the common joints.
    let keepsPoses = plan.isWhole && suiteRun.settings.contains { $0.outside != nil }
    let smoothings = keepsPoses ? [] : plan.smoothings
    space = TuneSpace(
      axes: plan.axes.map { TuneAxis($0.parameter, over: $0.extent, base: base.values[$0.parameter]) }
        + (smoothings.isEmpty ? [] : [TuneAxis(smoothings, base: SmoothingChoice(suiteRun.suite.smoothing))]))
    guard !space.axes.isEmpty else { throw EvaluationError.usage("\(plan.detector) has no parameters to tune") }
    guard subjects.count >= Self.fewestSubjects else {
      throw EvaluationError.usage(
        "tuning leaves each person out once and needs at least \(Self.fewestSubjects) of them, found "
          + "\(subjects.count): \(subjects.joined(separator: ", ")); bench sweep shows how the metric depends on a parameter"
      )
    }
  }

  /// The clips' subjects, sorted.
  public var subjects: [String] { Set(suiteRun.clips.indices.map(suiteRun.subject(ofClip:))).sorted() }

  /// The number of searches: one without each subject and one on all; nested, also one without each pair.
  public func searchCount(nested: Bool) -> Int {
    let count = subjects.count
    return count + 1 + (nested ? count * (count - 1) / 2 : 0)
  }

  /// Searches and validates. Parallel across clips; the results do not depend on the number of threads.
  ///
  /// - Parameters:
  ///   - nested: Whether to also estimate the gain of the whole procedure of tuning.
  ///   - progress: Called with the number of finished searches.
  public func results(
    version: String, threads: Int, nested: Bool = false, progress: @Sendable (Int) throws -> Void = { _ in }
  ) async throws -> TuneResults {
    let room = ClipRoom(bytes: Self.room)
    let scorers = Dictionary(
      uniqueKeysWithValues: smoothings.map { smoothing in
        (smoothing, SettingScorers.scorer(of: metric, family, on: suiteRun.smoothed(by: smoothing), room: room))
      })
    let phantoms = Dictionary(
      uniqueKeysWithValues: smoothings.compactMap { smoothing in
        negativeRun.map { run in
          (
            smoothing,
            SettingScorers.phantoms(on: run.smoothed(by: smoothing), room: room)
          )
        }
      })
    let table = TuneTable { points in
      try await entries(points, scorers, phantoms: phantoms, threads: threads)
    }
    let baseSetting = (values: space.named(space.axes.map(\.base)), setting: base)
    let basePhantoms = try await phantoms[ownSmoothing]?.settings([baseSetting], threads: threads, progress: { _ in })
      .first
    guard
      let own = try await scorers[ownSmoothing]?.settings([baseSetting], threads: threads, progress: { _ in }).first
    else { throw EvaluationError.usage("\(plan.detector) could not be scored") }
    let folds = TuneFolds(
      table: table, space: space, search: plan.search, metric: metric,
      bound: basePhantoms.map { PhantomBound(base: $0, margin: phantomMargin) }, leavesAlone: plan.isWhole)
    let tuned = try await folds.found(without: [])
    var finished = 1
    try progress(finished)
    var left: [TuneResults.Fold] = []
    for subject in subjects {
      left.append(try await folds.fold(leavingOut: subject, base: own))
      finished += 1
      try progress(finished)
    }
    var procedure: TuneResults.Procedure?
    if nested {
      procedure = try await folds.procedure(left, base: own) {
        finished += 1
        try progress(finished)
      }
    }
    guard let inSample = try await folds.scores(of: tuned.point) else {
      throw EvaluationError.usage("\(plan.detector) could not be scored")
    }
    var results = results(
      version, inSample: inSample, base: own, folds: left, scored: await table.scoredCount,
      contradictions: await table.contradictions.map {
        SweepResults.Contradiction(values: space.named($0.values), reason: $0.reason)
      })
    if plan.isWhole { results.leaveAlone(Set(space.axes.indices).subtracting(try await folds.seen(without: []))) }
    results.procedure = procedure
    if let before = basePhantoms, let after = try await folds.phantoms(of: tuned.point) {
      results.phantoms = TuneResults.Phantoms(
        base: before.value, tuned: after.value, margin: phantomMargin,
        refused: await table.scoredCount { folds.bound?.allows($0, without: []) == false })
    }
    results.sideEffects = try await sideEffects(
      of: results.parameters, smoothing(of: inSample.values), threads: threads)
    return results
  }

  /// How many more phantoms a minute tuning may bring: the suite's margin, or none.
  private var phantomMargin: Double {
    suiteRun.suite.metrics.first(of: MetricID(plan.detector, PhantomMetrics.rate))?.margin ?? 0
  }

  private var ownSmoothing: SmoothingChoice { SmoothingChoice(suiteRun.suite.smoothing) }

  /// The suite's own smoothing and those to choose from.
  private var smoothings: [SmoothingChoice] {
    guard case .smoothing(let choices)? = space.axes.last?.quantity else { return [ownSmoothing] }
    return choices
  }

  /// - Parameter values: The values of the axes, by their names.
  private func smoothing(of values: [String: Double]) -> SmoothingChoice {
    values[TunePlan.smoothing].map { smoothings[Int($0)] } ?? ownSmoothing
  }

  /// The other metrics that got worse, of those that the suite lists for the detector and those of its cues, grades and
  /// faults; with other smoothing also those of the suite's other detectors, which read the same poses.
  private func sideEffects(
    of values: [String: Double], _ smoothing: SmoothingChoice, threads: Int
  ) async throws -> [TuneResults.SideEffect] {
    let isSmoothed = smoothing != ownSmoothing
    var effects: [TuneResults.SideEffect] = []
    for own in isSmoothed ? wholeRun.settings : [base] {
      let isTuned = own.name == plan.detector
      let tuned = isTuned ? try DetectorSetting(own.definition, replacing: values) : own
      let before = wholeRun.onClips(ofDetector: own.name)
      let after = before.smoothed(by: smoothing)
      let listed = Set(wholeRun.suite.metrics.filter { $0.detector == own.name }.map(\.metric))
      for family in MetricFamilies.families(for: own.profile, matching: wholeRun.suite.matching) {
        for other in family.metrics where !(isTuned && other.name == metric.name) {
          guard listed.contains(other.name) || type(of: family).isFeedback else { continue }
          func scored(_ run: SuiteRun, _ settings: [DetectorSetting]) async throws -> [SweepResults.Setting] {
            try await SettingScorers.scorer(of: other, family, on: run).settings(
              settings.map { ([:], $0) }, threads: threads, progress: { _ in })
          }
          let both =
            isSmoothed
            ? try await scored(before, [own]) + scored(after, [tuned]) : try await scored(before, [own, tuned])
          if let effect = TuneResults.SideEffect(other, of: isTuned ? nil : own.name, from: both[0], to: both[1]) {
            effects.append(effect)
          }
        }
      }
    }
    return effects
  }

  /// - Parameters:
  ///   - scorers: One for each smoothing, of the poses smoothed by it.
  ///   - phantoms: The same for phantoms; empty without negative time.
  private func entries(
    _ points: [[Double]], _ scorers: [SmoothingChoice: any SettingScoring],
    phantoms: [SmoothingChoice: any SettingScoring], threads: Int
  ) async throws -> [TuneTable.Entry] {
    var entries = [TuneTable.Entry?](repeating: nil, count: points.count)
    var possible: [SmoothingChoice: [(place: Int, values: [String: Double], setting: DetectorSetting)]] = [:]
    for (place, point) in points.enumerated() {
      let tried = space.named(point)
      do {
        let setting = try DetectorSetting(base.definition, replacing: parameters(at: tried))
        possible[smoothing(of: tried), default: []].append((place, tried, setting))
      } catch ParameterError.contradiction(let reason) {
        entries[place] = .contradiction(reason)
      } catch let error as ParameterError {
        throw EvaluationError.usage("\(plan.detector): \(error)")
      }
    }
    for smoothing in smoothings {
      guard let settings = possible[smoothing], let scorer = scorers[smoothing] else { continue }
      let tried = settings.map { ($0.values, $0.setting) }
      let scored = try await scorer.settings(tried, threads: threads, progress: { _ in })
      let counted = try await phantoms[smoothing]?.settings(tried, threads: threads, progress: { _ in })
      for (index, setting) in settings.enumerated() {
        entries[setting.place] = .scored(scored[index], phantoms: counted?[index])
      }
    }
    return entries.compactMap { $0 }
  }

  /// All parameters of the detector at a setting.
  ///
  /// - Parameter values: The values of the axes, by their names.
  private func parameters(at values: [String: Double]) -> [String: Double] {
    base.values.values.merging(values.filter { $0.key != TunePlan.smoothing }) { $1 }
  }

  private func results(
    _ version: String, inSample: SweepResults.Setting, base own: SweepResults.Setting, folds: [TuneResults.Fold],
    scored: Int, contradictions: [SweepResults.Contradiction]
  ) -> TuneResults {
    let gains = folds.map(\.gain)
    return TuneResults(
      bench: version, suite: suiteRun.suite.name, suiteVersion: suiteRun.suite.version, datasets: usedRun.datasetCards,
      perturbation: suiteRun.perturbation, tuning: tuning,
      metric: SweepResults.MetricCard(
        name: metric.name, summary: metric.summary, unit: metric.unit, direction: metric.direction,
        undefined: metric.undefined),
      search: plan.search,
      axes: space.axes.map(TuneResults.Axis.init), parameters: parameters(at: inSample.values),
      smoothing: smoothing(of: inSample.values) == ownSmoothing ? suiteRun.smoothing : smoothing(of: inSample.values),
      inSample: inSample, base: own, folds: folds,
      expected: TuneResults.Mean(folds.map(\.score), in: metric.range),
      expectedOfBase: TuneResults.Mean(folds.map(\.baseScore), in: metric.range), gain: TuneResults.Mean(gains),
      test: TuneResults.SignTest(gains.compactMap { $0 }), scoredSettings: scored, contradictions: contradictions,
      clips: suiteRun.clips.count)
  }

  private var tuning: Tuning {
    Tuning(
      detector: plan.detector, suite: suiteRun.suite.name, suiteVersion: suiteRun.suite.version, metric: metric.name,
      datasets: usedRun.datasetCards.map { card in
        let own = usedRun.clips.filter { $0.dataset.manifest.name == card.name }
        return Tuning.Dataset(
          name: card.name, content: card.content, subjects: Set(own.map(\.clip.info.subject)).sorted(),
          people: own.first?.dataset.manifest.people)
      })
  }
}

/// Validates a search by leaving each subject out once.
///
/// For each subject the whole search, including the choice between methods, runs on the other subjects, and its result
/// is scored on the left-out subject. The t interval on these scores is approximate, because the folds share most of
/// their subjects and each has one subject less.
///
/// - Source: Stone, Cross-Validatory Choice and Assessment of Statistical Predictions, 1974; Varma and Simon, Bias in
///   error estimation when using cross-validation for model selection, BMC Bioinformatics 7, 2006 (why the search
///   belongs inside).
struct TuneFolds: Sendable {
  let table: TuneTable
  let space: TuneSpace
  let search: TuneSearch
  let metric: Metric
  /// `nil` without negative time.
  var bound: PhantomBound?
  /// Whether axes without influence on the metric keep their start.
  var leavesAlone = false

  /// The result of the search without some subjects, or on all of them.
  func found(without subjects: Set<String>) async throws -> TuneSearch.Found {
    let reduced = leavesAlone ? space.varying(try await seen(without: subjects)) : space
    func objective(_ budget: Int) -> TuneObjective {
      TuneObjective(table, in: reduced, leavingOut: subjects, metric.direction, bound: bound, budget: budget)
    }
    guard var found = try await search.found(by: objective(search.budget)) else {
      throw EvaluationError.usage(
        "none of the tried settings is possible: "
          + (await table.contradictions.first?.reason ?? "the budget is too small"))
    }
    var more = objective(.max)
    let centred = try await reduced.centred(found.point, by: &more)
    // A fixed axis has a single level, the start of the whole axis.
    found.point = centred.indices.map { reduced.axes[$0] == space.axes[$0] ? centred[$0] : space.axes[$0].start }
    return found
  }

  /// The axes that change the metric of a subject, from the start or with one toggle changed.
  ///
  /// An axis without a possible value there is included.
  func seen(without subjects: Set<String>) async throws -> Set<Int> {
    var bases = [space.start]
    for (place, axis) in space.axes.enumerated() where axis.isToggle && axis.levels.count == 2 {
      var base = space.start
      base[place] = 1 - base[place]
      bases.append(base)
    }
    var seen: Set<Int> = []
    var possible: Set<Int> = []
    for base in bases {
      var tried: [(place: Int, point: [Int])] = []
      for (place, axis) in space.axes.enumerated() where !seen.contains(place) && base[place] == axis.start {
        for level in axis.probes {
          var point = base
          point[place] = level
          tried.append((place, point))
        }
      }
      let entries = try await table.entries(([base] + tried.map(\.point)).map(space.values))
      guard case .scored(let own, _)? = entries.first else { continue }
      for (next, entry) in zip(tried, entries.dropFirst()) {
        guard case .scored(let other, _) = entry else { continue }
        possible.insert(next.place)
        if own.differs(from: other, without: subjects, metric.direction) { seen.insert(next.place) }
      }
    }
    return seen.union(space.axes.indices.filter { !possible.contains($0) && space.axes[$0].levels.count > 1 })
  }

  /// - Parameter base: the suite's own setting.
  func fold(leavingOut subject: String, base: SweepResults.Setting) async throws -> TuneResults.Fold {
    let found = try await found(without: [subject])
    let (score, baseScore, gain) = try await outcome(found, of: subject, base: base)
    return TuneResults.Fold(
      leftOut: subject, values: space.named(space.values(found.point)), method: found.method,
      scoredSettings: found.scoredSettings,
      score: score, baseScore: baseScore, gain: gain)
  }

  private func outcome(
    _ found: TuneSearch.Found, of subject: String, base: SweepResults.Setting
  ) async throws -> (score: Double?, base: Double?, gain: Double?) {
    let score = try await scores(of: found.point)?.contribution(of: subject)
    let own = base.contribution(of: subject)
    guard let score, let own else { return (score, own, nil) }
    return (score, own, -metric.direction.loss(from: own, to: score))
  }

  /// The expected gain of the procedure: tune, and keep the result only if leaving people out shows a gain.
  ///
  /// Each fold leaves out its own people in turn. It keeps its choice if they gain on average, and the default
  /// otherwise.
  ///
  /// - Source: Varma and Simon, 2006, nested cross-validation.
  func procedure(
    _ folds: [TuneResults.Fold], base: SweepResults.Setting, progress: () throws -> Void
  ) async throws -> TuneResults.Procedure {
    let subjects = folds.map(\.leftOut)
    var gains: [String: [Double]] = [:]
    for (index, one) in subjects.enumerated() {
      for other in subjects[..<index] {
        let found = try await found(without: [one, other])
        // In the fold of each of the two, the other one was left out.
        for (outer, inner) in [(one, other), (other, one)] {
          if let gain = try await outcome(found, of: inner, base: base).gain { gains[outer, default: []].append(gain) }
        }
        try progress()
      }
    }
    let isKept = subjects.map { (mean(gains[$0] ?? []) ?? 0) > 0 }
    let scores = zip(folds, isKept).map { $1 ? $0.score : $0.baseScore }
    return TuneResults.Procedure(
      expected: TuneResults.Mean(scores, in: metric.range),
      gain: TuneResults.Mean(zip(folds, isKept).map { $1 ? $0.gain : $0.gain.map { _ in 0 } }),
      kept: isKept.count(where: \.self))
  }

  /// The scores of a setting; `nil` for a contradictory setting.
  func scores(of point: [Int]) async throws -> SweepResults.Setting? {
    guard case .scored(let setting, _)? = try await table.entries([space.values(point)]).first else { return nil }
    return setting
  }

  /// The phantoms of a setting; `nil` without negative time.
  func phantoms(of point: [Int]) async throws -> SweepResults.Setting? {
    guard case .scored(_, let phantoms)? = try await table.entries([space.values(point)]).first else { return nil }
    return phantoms
  }
}

/// The phantoms that tuning may bring: no more than the suite's own setting has, and a margin.
struct PhantomBound: Sendable {
  let base: SweepResults.Setting
  /// Reps a minute.
  let margin: Double

  /// - Parameter subjects: The subjects to ignore.
  func allows(_ setting: SweepResults.Setting, without subjects: Set<String>) -> Bool {
    func rate(_ setting: SweepResults.Setting) -> Double {
      SettingCost(setting, without: subjects, .lowerIsBetter).loss
    }
    return !(rate(setting) > rate(base) + margin)
  }
}

/// The settings that a tuning scored. Each setting is scored once for all folds.
actor TuneTable {
  enum Entry: Sendable {
    /// - Parameter phantoms: The phantoms of the setting; `nil` without negative time.
    case scored(SweepResults.Setting, phantoms: SweepResults.Setting? = nil)
    /// The setting is contradictory, with the reason.
    case contradiction(String)
  }

  /// Scores settings on all subjects, in their order.
  typealias Scoring = @Sendable ([[Double]]) async throws -> [Entry]

  private let score: Scoring
  private var entries: [[Double]: Entry] = [:]

  init(scoring: @escaping Scoring) { score = scoring }

  /// The scores in the order of the settings.
  func entries(_ settings: [[Double]]) async throws -> [Entry] {
    var new: [[Double]] = []
    var asked: Set<[Double]> = []
    for values in settings where entries[values] == nil && asked.insert(values).inserted { new.append(values) }
    if !new.isEmpty {
      for (values, entry) in zip(new, try await score(new)) { entries[values] = entry }
    }
    return settings.compactMap { entries[$0] }
  }

  /// The number of settings with a score.
  var scoredCount: Int {
    entries.values.count { if case .scored = $0 { true } else { false } }
  }

  /// The number of settings with phantoms that meet a condition.
  func scoredCount(where condition: (SweepResults.Setting) -> Bool) -> Int {
    entries.values.count {
      if case .scored(_, let phantoms?) = $0 { condition(phantoms) } else { false }
    }
  }

  /// The contradictory settings, sorted by their values.
  var contradictions: [(values: [Double], reason: String)] {
    entries.sorted { $0.key.lexicographicallyPrecedes($1.key) }.compactMap { values, entry in
      guard case .contradiction(let reason) = entry else { return nil }
      return (values, reason)
    }
  }
}

extension SuiteRun {
  /// Refuses to judge a detector on subjects that its parameters were tuned on.
  ///
  /// - Throws: `EvaluationError.missing` with the subjects.
  public func requireUnseenSubjects() throws {
    let contents = datasetCards.contentByName
    try tunings.requireUnseen(
      Set(clips.indices.map(subject(ofClip:))), contents: contents, what: "suite \(suite.name)")
  }
}

extension Baseline {
  /// Refuses a baseline whose detectors were tuned on its own subjects.
  ///
  /// - Throws: `EvaluationError.missing` with the subjects.
  public func requireUnseenSubjects() throws {
    try (tunings ?? []).requireUnseen(
      Set(metrics.flatMap(\.bySubject.keys)), contents: datasets, what: "baseline of suite \(suite)")
  }
}
