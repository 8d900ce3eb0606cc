import Datasets
import Files
import Foundation
import Pipeline
import PoseModel
import Statistics

/// The results of a self-test of the gate, and whether its claims hold.
public struct GateSelftest: Codable, Sendable {
  /// The version of this layout.
  public static let currentFormat = 3

  public let format: Int
  /// Of bench.
  public let bench: String
  /// The suite that the subjects' values come from.
  public let suite: String
  /// The content of the datasets behind the values, by name; `nil` in older files.
  public let datasets: [String: String]?
  public let seed: UInt64
  public let trials: Int
  /// The one-sided level of each error.
  public let nominal: Double
  /// The highest rate within the claim.
  public let limit: Double
  public let results: [GateSimulation.Result]
  public let failingClosed: [FailingClosed.Check]
  /// With any number of looks; `nil` in older files.
  public let sequential: SequentialSimulation.Result?
  /// The highest rate within the claim for any number of looks.
  public let sequentialLimit: Double?

  public init(
    _ simulation: GateSimulation, _ results: [GateSimulation.Result], _ failingClosed: [FailingClosed.Check],
    sequential: (SequentialSimulation, SequentialSimulation.Result)? = nil, suite: String,
    datasets: [String: String]? = nil, bench: String
  ) {
    format = Self.currentFormat
    (self.suite, self.datasets, self.bench) = (suite, datasets, bench)
    seed = simulation.seed
    trials = simulation.trials
    nominal = GateRule.alpha
    limit = simulation.limit(rates: results.reduce(0) { $0 + $1.rates.falseRegressions.count + 1 })
    self.results = results
    self.failingClosed = failingClosed
    self.sequential = sequential?.1
    sequentialLimit = sequential.map { $0.0.limit(rates: 2 * $0.1.errors.count) }
  }

  /// The smallest claimed share of losses of one standard deviation beyond the margin that stop a release, from
  /// `fewestForStops` subjects on.
  public static let leastStopped = 0.98
  public static let fewestForStops = 6
  /// The largest claimed shares of changes that lose at most a quarter of the margin and stop a release, each from a
  /// number of subjects on.
  public static let mostHarmlessStopped = [12: 0.1, 40: 0.05]

  /// Whether the claimed rates hold in every setting, and every missing part is refused.
  public var holds: Bool {
    results.allSatisfy { holds($0) } && failingClosed.allSatisfy(\.isClosed)
      && (sequential?.errors ?? []).allSatisfy { holds($0) }
      && (sequential?.people.first?.largestShare ?? 0) <= SequentialSimulation.largestShare
  }

  package func holds(_ errors: SequentialSimulation.Errors) -> Bool {
    let limit = sequentialLimit ?? 1
    return (errors.falseRegressions ?? 0 <= limit || errors.regressionsOutOfReach != nil)
      && (errors.wrongPasses <= limit || errors.passesOutOfReach != nil)
  }

  package func holds(_ result: GateSimulation.Result) -> Bool {
    let (rates, subjects) = (result.rates, result.setting.subjects)
    let harmless = zip(GateSimulation.harmlessLosses, rates.stoppedHarmless).filter { $0.0 <= 0.25 }.map(\.1)
    return (rates.wrongPasses <= limit || result.passOutOfReach != nil)
      && rates.falseRegressions.allSatisfy { $1 <= limit || result.outOfReach[$0] != nil }
      && (subjects < Self.fewestForStops || (rates.stoppedLosses ?? 1) >= Self.leastStopped)
      && Self.mostHarmlessStopped.allSatisfy { fewest, most in
        subjects < fewest || harmless.allSatisfy { $0 <= most }
      }
  }
}

extension GateSelftest {
  /// The worst error rates of a rule in the settings with a claimed rate, and the smallest shares of losses that it
  /// detects.
  public struct RuleRates: Sendable {
    /// `nil` for the gate's own rule.
    public let name: String?
    /// For each of `GateSimulation.gatingMetrics`.
    public let falseAlarms: [Double?]
    public let wrongPass: Double?
    /// For each of `comparedPeople`, on one metric and on any of eight.
    public let shownLosses: [Double?]
    public let shownOfEight: [Double?]
  }

  /// The numbers of people for which rules are compared.
  public static let comparedPeople = [6, 10, 20]

  /// The gate's own rule, then the others by name.
  public var ruleRates: [RuleRates] {
    let simulated = results.filter { $0.setting.correlation != nil }
    let others = Set(simulated.flatMap(\.others.keys)).sorted()
    return [rates(of: nil, in: simulated)] + others.map { rates(of: $0, in: simulated) }
  }

  private func rates(of rule: String?, in simulated: [GateSimulation.Result]) -> RuleRates {
    func rates(_ result: GateSimulation.Result) -> GateSimulation.Rates? {
      guard let rule else { return result.rates }
      return result.others[rule]
    }
    func found(_ value: (GateSimulation.Rates) -> Double?) -> [Double?] {
      Self.comparedPeople.map { people in
        simulated.filter { $0.setting.gains == GainFamily.normal.rawValue && $0.setting.subjects == people }
          .compactMap(rates).compactMap(value).min()
      }
    }
    return RuleRates(
      name: rule,
      falseAlarms: GateSimulation.gatingMetrics.map { count in
        simulated.filter { $0.outOfReach[count] == nil }.compactMap { rates($0)?.falseRegressions[count] }.max()
      },
      wrongPass: simulated.filter { $0.passOutOfReach == nil }.compactMap(rates).map(\.wrongPasses).max(),
      shownLosses: found(\.shownLosses), shownOfEight: found(\.shownOfEight))
  }
}

extension SubjectValues {
  /// The values of a suite's subjects from its baseline; `nil` as for the other initializer.
  public init?(_ baseline: Baseline, suite: Suite) {
    self.init(
      suite: suite.name,
      gating: suite.metrics.compactMap { choice in
        guard let margin = choice.margin else { return nil }
        return baseline.metric(choice.detector, choice.metric).map { (margin, $0.bySubject) }
      })
  }
}

/// Removes each thing that a gate needs from results that would pass: the gate must refuse every time.
public struct FailingClosed: Sendable {
  public struct Check: Codable, Sendable {
    public var what: String
    /// The gate's answer.
    public var answer: String
    /// Whether it was an error or a verdict other than a pass.
    public var isClosed: Bool
  }

  public init() {}

  /// All checks. The first one removes nothing and must pass, otherwise the others would prove nothing.
  ///
  /// - Parameter folder: A folder that does not exist.
  public func checks(in folder: String) -> [Check] {
    let whole = GateSample.results()
    let baseline = Baseline(whole)
    func compared(_ results: RunResults, _ baseline: Baseline) -> () throws -> Verdict {
      { Verdict(try Comparison(results, with: baseline)) }
    }
    func changed(_ change: (inout RunResults) -> Void) -> () throws -> Verdict {
      var results = whole
      change(&results)
      return compared(results, baseline)
    }
    func without(_ change: (inout Baseline) -> Void) -> () throws -> Verdict {
      var other = baseline
      change(&other)
      return compared(whole, other)
    }
    let sound = check("nothing is missing", compared(whole, baseline))
    return [
      Check(what: sound.what, answer: sound.answer, isClosed: !sound.isClosed),
      check("a missing dataset") {
        let project = Project(root: folder)
        let catalogue = DatasetCatalogue(project: project, store: try Store(at: project.storePath))
        _ = try catalogue.dataset(named: "squats")
        return Verdict(try Comparison(whole, with: baseline))
      },
      check("a dataset of the baseline that the run lacks", changed { $0.datasets = [] }),
      check("a dataset with another content", changed { $0.datasets[0].content = "sha256:two" }),
      check("a clip that the run lacks", changed { $0.clips.removeLast() }),
      check("a clip that the baseline lacks", without { $0.clips["data/s00"] = nil }),
      check("a metric that the run lacks", changed { $0.metrics.removeLast() }),
      check("a metric that the baseline lacks", without { $0.metrics.removeLast() }),
      check("a metric that no longer gates", changed { $0.metrics[0].margin = nil }),
      check("a person that the run lacks", changed { $0.metrics[0].bySubject["s00"] = nil }),
      check("a person that lost the value", changed { $0.metrics[0].bySubject["s00"] = .some(nil) }),
      check(
        "nobody with a value",
        changed {
          $0.metrics[0].bySubject = $0.metrics[0].bySubject.mapValues { _ in nil }
          $0.metrics[0].value = nil
        }),
      check("a value that is not a number", changed { $0.metrics[0].bySubject["s00"] = .nan }),
      check("an infinite value", changed { $0.metrics[0].bySubject["s00"] = .infinity }),
      check(
        "a suite in which nothing gates",
        changed {
          $0.metrics[0].margin = nil; $0.metrics[1].margin = nil
        }),
      check(
        "a suite without metrics and clips",
        changed {
          $0.metrics = []; $0.clips = []
        }),
      check("another suite version", changed { $0.suiteVersion += 1 }),
      check("another matching rule", changed { $0.matching.toleranceSeconds = 1 }),
      check("another camera", changed { $0.camera.fps = 60 }),
      check("another detector", changed { $0.detectors[0].name = "other" }),
      check("a missing baseline") {
        let absent = try Baseline(file: folder + "/baselines/sample.json", suite: whole.suite)
        return Verdict(try Comparison(whole, with: absent))
      },
      check("a baseline that cannot be read") {
        let path = folder + "/baselines/broken.json"
        try writeWhole(Data("{ \"format\": 1".utf8), to: path)
        return Verdict(try Comparison(whole, with: Baseline(file: path, suite: whole.suite)))
      },
      check("a baseline of another format") {
        var other = baseline
        other.format += 1
        let path = folder + "/baselines/format.json"
        try other.write(to: path)
        return Verdict(try Comparison(whole, with: Baseline(file: path, suite: whole.suite)))
      },
    ]
  }

  private func check(_ what: String, _ gate: () throws -> Verdict) -> Check {
    do {
      let verdict = try gate()
      return Check(
        what: what, answer: "\(verdict.outcome.words): \(verdict.reason)",
        isClosed: verdict.outcome != .pass && verdict.exitCode(stopAt: 1) != 0)
    } catch {
      return Check(what: what, answer: "\(error)", isClosed: true)
    }
  }
}

/// Synthetic results: twelve subjects with one clip each, one detector, two gating metrics.
enum GateSample {
  static func results() -> RunResults {
    let subjects = (0..<12).map { ($0 < 10 ? "s0" : "s") + "\($0)" }
    let clips = subjects.map { subject in
      ClipResult(
        name: subject, dataset: "data", subject: subject, exercise: "squat", trueCount: 4, counts: ["counter": 4])
    }
    return RunResults(
      bench: "selftest", suite: "sample", suiteVersion: 1,
      datasets: [
        RunResults.DatasetCard(
          name: "data", version: "1", content: "sha256:one", origin: .synthetic, licence: "", source: "",
          clips: clips.count, subjects: subjects.count)
      ],
      detectors: [
        RunResults.DetectorCard(name: "counter", kind: "reps", summary: "", parameters: ["angle": 90], changed: [])
      ],
      matching: RunResults.Matching(instant: "end", toleranceSeconds: 0.5),
      camera: LiveCamera(fps: 30, estimator: .zero),
      metrics: ["count.mae", "count.nmae"].map { metric in
        RunResults.MetricResult(
          detector: "counter", metric: metric, summary: "", unit: "reps", direction: .lowerIsBetter, value: 1,
          pooled: 1, interval: nil, bySubject: Dictionary(uniqueKeysWithValues: subjects.map { ($0, 1) }),
          undefinedClips: 0, clips: clips.count, undefined: "never", margin: 0.5)
      }, clips: clips, measured: [:])
  }
}

extension GateSelftest {
  /// Reads a `selftest.json`.
  ///
  /// - Throws: As `StudyFile.read`.
  public init(file path: String) throws {
    self = try StudyFile(path).read("the results of a self-test", format: Self.currentFormat)
  }
}

extension GateSelftest: StudyContent {
  func check() throws {
    try StudyFault.require(count: trials, from: 1, "trials")
    try StudyFault.require(share: nominal, "nominal")
    try StudyFault.require(share: limit, "limit")
    try StudyFault.require(!results.isEmpty, "results", "at least one setting", "none")
    try StudyFault.require(share: sequentialLimit, "sequentialLimit")
    for (index, errors) in (sequential?.errors ?? []).enumerated() {
      try StudyFault.require(share: errors.falseRegressions, "sequential.errors[\(index)].falseRegressions")
      try StudyFault.require(share: errors.wrongPasses, "sequential.errors[\(index)].wrongPasses")
    }
    for (index, people) in (sequential?.people ?? []).enumerated() {
      try StudyFault.require(count: people.oneLookToShow, from: 1, "sequential.people[\(index)].oneLookToShow")
      try StudyFault.require(count: people.oneLookToPass, from: 1, "sequential.people[\(index)].oneLookToPass")
    }
    for (index, result) in results.enumerated() {
      try StudyFault.require(count: result.setting.subjects, from: 1, "results[\(index)].setting.subjects")
      try result.rates.check("results[\(index)].rates")
      for (name, rates) in result.others { try rates.check("results[\(index)].others.\(name)") }
    }
  }
}

extension GateSimulation.Rates {
  /// - Parameter key: Their place in the file.
  /// - Throws: `StudyFault` for anything but shares.
  fileprivate func check(_ key: String) throws {
    for (metrics, share) in falseRegressions {
      try StudyFault.require(share: share, "\(key).falseRegressions.\(metrics)")
    }
    try StudyFault.require(share: wrongPasses, "\(key).wrongPasses")
    try StudyFault.require(share: shownLosses, "\(key).shownLosses")
    try StudyFault.require(share: shownOfEight, "\(key).shownOfEight")
    try StudyFault.require(share: stoppedLosses, "\(key).stoppedLosses")
    let known = GateSimulation.harmlessLosses.count
    try StudyFault.require(
      [0, known].contains(stoppedHarmless.count), "\(key).stoppedHarmless", "\(known) shares or none",
      "\(stoppedHarmless.count)")
    for share in stoppedHarmless { try StudyFault.require(share: share, "\(key).stoppedHarmless") }
  }
}
