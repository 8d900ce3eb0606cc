import Datasets
import Pipeline
import Scoring
import Statistics

/// All results of a sweep, in the form of `sweep.json`; the same input gives the same bytes.
public struct SweepResults: Codable, Sendable {
  /// The version of this layout.
  public static let currentFormat = 1

  public struct Bounds: Codable, Hashable, Sendable {
    public var low: Double
    public var high: Double
  }

  /// A swept parameter.
  public struct Axis: Codable, Hashable, Sendable {
    public var parameter: String
    public var unit: String
    /// The suite's value.
    public var baseValue: Double
  }

  public struct MetricCard: Codable, Hashable, Sendable {
    public var name: String
    public var summary: String
    public var unit: String
    public var direction: Metric.Direction
    /// When a value is undefined, in words.
    public var undefined: String
  }

  /// One setting and its score.
  public struct Setting: Codable, Hashable, Sendable {
    /// In the order of the axes.
    public var values: [Double]
    /// As in a run: the mean of the subjects' values, or for a pooled metric the value of all clips together.
    public var value: Double?
    /// The 95 % interval of the value.
    public var interval: Bounds?
    /// A subject's value over all its clips; `nil` if undefined.
    public var bySubject: [String: Double?]
    /// How many clips have no value on their own.
    public var undefinedClips: Int
    /// Whether the value is computed over all clips together: `true`, or `nil`.
    public var isPooled: Bool?
    /// The pooled value without each subject that contributes to it.
    public var withoutSubject: [String: Double]?
    /// Subjects for whom no other setting is better; a subject may be listed at several settings.
    public var bestFor: [String] = []
    /// How much worse than the optimum it is, the mean over subjects; `nil` without an optimum, or if it has a value
    /// for fewer subjects.
    public var loss: Double?
    /// The 95 % t interval of the loss.
    public var lossInterval: Bounds?
    /// Whether it cannot be distinguished from the optimum: `SweepResults.plateauRule`.
    public var isOnPlateau = false

    /// Subjects with a value.
    public var definedSubjects: Int { bySubject.values.count { $0 != nil } }
  }

  /// A setting that the detector rejects.
  public struct Contradiction: Codable, Hashable, Sendable {
    /// In the order of the axes.
    public var values: [Double]
    public var reason: String
  }

  public var format = Self.currentFormat
  public var bench: String
  public var suite: String
  public var suiteVersion: Int
  public var datasets: [RunResults.DatasetCard]
  /// The corruption of the poses; `nil` for none.
  public var perturbation: RunResults.Perturbation?
  public var detector: String
  /// The values of the parameters that are not swept.
  public var fixed: [String: Double]
  public var metric: MetricCard
  public var axes: [Axis]
  public var sampling: SweepPlan.Sampling?
  /// In the order of the plan.
  public var settings: [Setting]
  public var contradictions: [Contradiction]
  /// The suite's own setting, whether or not the sweep contains it.
  public var base: Setting
  public var clips: Int
  /// Index in `settings`; `nil` if no setting has a value.
  public var optimum: Int?
  /// The expected score of a setting chosen this way on a new person; `nil` if unknown.
  public var expectation: Expectation?
  /// The caveat in words, for readers of the file alone.
  public var note = Self.optimism

  public static let plateauRule =
    "a setting is on the plateau when the 95 % t interval on its mean loss from the optimum, paired by subject, includes 0"
  public static let optimism =
    "The optimum was chosen on these subjects: its score is optimistic and must not be quoted as the expected score on new "
    + "people."
}

extension SweepResults {
  /// Subjects of the sweep, sorted.
  public var subjects: [String] { base.bySubject.keys.sorted() }

  /// The index in `settings` of the suite's setting; `nil` if the sweep does not contain it.
  public var basePosition: Int? { settings.firstIndex { $0.values == base.values } }

  /// The settings from best to worst, those with a value for fewer subjects last.
  public var ranking: [Int] {
    let order = SettingOrder(self)
    let costs = order.costs(without: nil)
    return settings.indices.sorted { order.isBetter($0, $1, costs) }
  }

  /// Subjects with a value but without a best setting on the plateau: the setting that suits others does not suit them.
  public var outliers: [(subject: String, settings: [Int])] {
    subjects.compactMap { subject in
      let best = settings.indices.filter { settings[$0].bestFor.contains(subject) }
      guard !best.isEmpty, !best.contains(where: { settings[$0].isOnPlateau }) else { return nil }
      return (subject, best)
    }
  }

  /// Finds the optimum, the plateau around it and each subject's own optima.
  ///
  /// Only settings with a value for the largest number of subjects are candidates: a setting without a value for hard
  /// subjects would win by leaving them out. A metric for which zero is best is judged by each subject's distance from
  /// 0.
  mutating func judge() {
    let order = SettingOrder(self)
    optimum = order.best(without: nil).flatMap { settings[$0].value == nil ? nil : $0 }
    expectation = Expectation(self, order)
    for subject in order.subjects { judge(subject) }
    guard let optimum else { return }
    let best = settings[optimum].contributions(of: order.subjects)
    for index in settings.indices { settings[index].judge(order.subjects, against: best, metric.direction) }
    base.judge(order.subjects, against: best, metric.direction)
  }

  private mutating func judge(_ subject: String) {
    let losses = settings.map { setting in
      setting.bySubject[subject].flatMap { $0 }.map { metric.direction.loss(from: 0, to: $0) }
    }
    guard let least = losses.compactMap({ $0 }).min() else { return }
    for index in settings.indices where losses[index] == least { settings[index].bestFor.append(subject) }
  }

  /// How far each setting is from the suite's, as a fraction of each axis's span.
  var distances: [Double] {
    var distances = [Double](repeating: 0, count: settings.count)
    for axis in axes.indices {
      let values = settings.map { $0.values[axis] }
      guard let low = values.min(), let high = values.max(), high > low else { continue }
      for index in settings.indices { distances[index] += abs(values[index] - axes[axis].baseValue) / (high - low) }
    }
    return distances
  }
}

extension SweepResults.Setting {
  /// A number for each subject whose mean is the value: the subject's own value or, for a pooled value, its share in
  /// it; `nil` for one that does not contribute.
  ///
  /// - Parameter subjects: All of them, in order.
  func contributions(of subjects: [String]) -> [Double?] {
    guard isPooled == true else { return subjects.map { bySubject[$0] ?? nil } }
    let without = subjects.map { withoutSubject?[$0] }
    guard var shares = value.flatMap({ Jackknife($0, without: without.compactMap(\.self)) })?.shares[...] else {
      return subjects.map { _ in nil }
    }
    return without.map { $0.flatMap { _ in shares.popFirst() } }
  }

  func contribution(of subject: String) -> Double? {
    let subjects = bySubject.keys.sorted()
    return subjects.firstIndex(of: subject).flatMap { contributions(of: subjects)[$0] }
  }

  /// Whether another setting gives one of the subjects another value, some left aside.
  func differs(from other: Self, without subjects: Set<String>, _ direction: Metric.Direction) -> Bool {
    bySubject.filter { !subjects.contains($0.key) } != other.bySubject.filter { !subjects.contains($0.key) }
      || SettingCost(self, without: subjects, direction) != SettingCost(other, without: subjects, direction)
  }

  /// - Parameter best: The contributions to the best setting.
  fileprivate mutating func judge(_ subjects: [String], against best: [Double?], _ direction: Metric.Direction) {
    let own = contributions(of: subjects)
    guard zip(own, best).allSatisfy({ ($0 == nil) == ($1 == nil) }) else { return }
    let losses = zip(own, best).compactMap { value, optimal in
      value.flatMap { value in optimal.map { direction.loss(from: $0, to: value) } }
    }
    guard !losses.isEmpty else { return }
    loss = mean(losses)
    let interval = Interval.studentT(losses)
    lossInterval = interval.map { SweepResults.Bounds(low: $0.low, high: $0.high) }
    // Without an interval, only settings that are equal for every subject are on the plateau.
    isOnPlateau = interval.map { $0.low <= 0 && $0.high >= 0 } ?? losses.allSatisfy { $0 == 0 }
  }
}

extension SweepResults {
  /// The expected score of the choice on new people, by leaving one subject out.
  ///
  /// Each subject is scored at the setting that is best for all the others, by the same rule as the optimum. A subject
  /// never influences its own score; the mean is therefore not optimistic as the optimum's score is. It describes a
  /// choice from one subject fewer. The folds share most of their subjects, which makes the t interval on their scores
  /// approximate.
  ///
  /// - Source: Stone, Cross-Validatory Choice and Assessment of Statistical Predictions, 1974.
  public struct Expectation: Codable, Hashable, Sendable {
    /// A setting and how many folds chose it.
    public struct Choice: Codable, Hashable, Sendable {
      /// Index in `settings`.
      public var setting: Int
      public var folds: Int
    }

    /// The mean of the scores.
    public var value: Double
    /// The 95 % t interval of the mean; `nil` with fewer than two scores.
    public var interval: Bounds?
    /// Each left-out subject's score, or for a pooled metric its share in the score of all; `nil` if undefined at the
    /// setting that the others chose.
    public var bySubject: [String: Double?]
    /// The most chosen first.
    public var choices: [Choice]

    /// Subjects with a score.
    public var definedSubjects: Int { bySubject.values.count { $0 != nil } }
  }
}

extension SweepResults.Expectation {
  /// `nil` with fewer than two subjects, and if no left-out subject has a score.
  fileprivate init?(_ results: SweepResults, _ order: SettingOrder) {
    guard order.subjects.count >= 2 else { return nil }
    var folds: [Int: Int] = [:]
    var scores: [String: Double?] = [:]
    var contributions: [Int: [Double?]] = [:]
    for (index, subject) in order.subjects.enumerated() {
      guard let chosen = order.best(without: index) else { return nil }
      folds[chosen, default: 0] += 1
      let known = contributions[chosen] ?? results.settings[chosen].contributions(of: order.subjects)
      contributions[chosen] = known
      scores[subject] = .some(known[index])
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

extension SweepResults {
  /// Reads a `sweep.json`.
  ///
  /// - Throws: as `StudyFile.read`.
  public init(file path: String) throws {
    self = try StudyFile(path).read("the results of a sweep", format: Self.currentFormat)
  }
}

/// Which settings of a sweep are better, on all subjects or on all but one.
private struct SettingOrder {
  /// Sorted.
  let subjects: [String]
  private let settings: [SettingCosts]
  private let distances: [Double]

  init(_ results: SweepResults) {
    let subjects = results.subjects
    self.subjects = subjects
    settings = results.settings.map { SettingCosts($0, of: subjects, results.metric.direction) }
    distances = results.distances
  }

  /// - Parameter subject: The index of the subject to ignore; `nil` for none.
  func costs(without subject: Int?) -> [SettingCost] { settings.map { $0.cost(without: subject) } }

  /// Among equal settings, the one closest to the suite's is better.
  func isBetter(_ a: Int, _ b: Int, _ costs: [SettingCost]) -> Bool {
    if costs[a] != costs[b] { return costs[a] < costs[b] }
    return distances[a] != distances[b] ? distances[a] < distances[b] : a < b
  }

  /// `nil` without settings.
  func best(without subject: Int?) -> Int? {
    let costs = costs(without: subject)
    return costs.indices.min { isBetter($0, $1, costs) }
  }
}

/// The cost of a setting for some subjects; lower is better.
///
/// Subjects without a value weigh more than any loss: a setting without a value for hard subjects must not win by
/// leaving them out. A metric for which zero is best is judged by each subject's distance from 0, a pooled one by its
/// value without the left-out subject.
struct SettingCost: Comparable, Hashable, Sendable {
  /// Subjects without a value.
  let missing: Int
  /// The mean loss of the others, rounded to nine decimals: sums that differ only by rounding are equal. Infinite if
  /// nobody has a value.
  let loss: Double

  fileprivate init(missing: Int, losses: Double, count: Int) {
    self.missing = missing
    loss = count > 0 ? (losses / Double(count) * 1e9).rounded() / 1e9 : .infinity
  }

  /// - Parameter subjects: Those to ignore. A pooled metric's value is known without one subject only: without two, their
  ///   own values count.
  init(_ setting: SweepResults.Setting, without subjects: Set<String>, _ direction: Metric.Direction) {
    var setting = setting
    if subjects.count > 1 {
      setting.bySubject = setting.bySubject.filter { !subjects.contains($0.key) }
      setting.isPooled = nil
    }
    let known = setting.bySubject.keys.sorted()
    self = SettingCosts(setting, of: known, direction).cost(without: known.firstIndex(where: subjects.contains))
  }

  static func < (a: SettingCost, b: SettingCost) -> Bool {
    a.missing != b.missing ? a.missing < b.missing : a.loss < b.loss
  }
}

/// The costs of a setting for its subjects and for all but each of them.
struct SettingCosts {
  private let all: SettingCost
  private let withoutEach: [SettingCost]

  /// - Parameter subjects: All of the setting's.
  init(_ setting: SweepResults.Setting, of subjects: [String], _ direction: Metric.Direction) {
    func cost(ofPooled value: Double?, _ subjects: Int) -> SettingCost {
      guard let value else { return SettingCost(missing: subjects, losses: 0, count: 0) }
      return SettingCost(missing: 0, losses: direction.loss(from: 0, to: value), count: 1)
    }
    guard setting.isPooled != true else {
      all = cost(ofPooled: setting.value, subjects.count)
      withoutEach = subjects.map { cost(ofPooled: setting.withoutSubject?[$0] ?? setting.value, subjects.count - 1) }
      return
    }
    let losses = subjects.map { setting.bySubject[$0].flatMap { $0 }.map { direction.loss(from: 0, to: $0) } }
    let known = losses.count { $0 != nil }
    // What is before and after a subject, as a difference from the whole would cancel digits.
    var after = [Double](repeating: 0, count: losses.count + 1)
    for index in losses.indices.reversed() { after[index] = after[index + 1] + (losses[index] ?? 0) }
    all = SettingCost(missing: losses.count - known, losses: after[0], count: known)
    var before = 0.0
    var withoutEach: [SettingCost] = []
    for (index, loss) in losses.enumerated() {
      let others = known - (loss == nil ? 0 : 1)
      withoutEach.append(
        SettingCost(missing: losses.count - 1 - others, losses: before + after[index + 1], count: others))
      before += loss ?? 0
    }
    self.withoutEach = withoutEach
  }

  /// - Parameter subject: The index of the subject to ignore; `nil` for none.
  func cost(without subject: Int?) -> SettingCost { subject.map { withoutEach[$0] } ?? all }
}
