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
  public var ranking: [Int] { ranking(without: nil, distances) }

  /// The same on all subjects but one.
  func ranking(without subject: String?, _ distances: [Double]) -> [Int] {
    let costs = settings.map { SettingCost($0, without: subject, metric.direction) }
    return settings.indices.sorted { a, b in
      if costs[a] != costs[b] { return costs[a] < costs[b] }
      // Among equal settings, the one closest to the suite's.
      return distances[a] != distances[b] ? distances[a] < distances[b] : a < b
    }
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
    optimum = ranking.first.flatMap { settings[$0].value == nil ? nil : $0 }
    expectation = Expectation(self)
    for subject in subjects { judge(subject) }
    guard let optimum else { return }
    let best = settings[optimum]
    for index in settings.indices { settings[index].judge(against: best, metric.direction) }
    base.judge(against: best, metric.direction)
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
  /// it.
  var contributions: [String: Double] {
    guard isPooled == true else { return bySubject.compactMapValues(\.self) }
    let without = (withoutSubject ?? [:]).sorted { $0.key < $1.key }
    guard let shares = value.flatMap({ Jackknife($0, without: without.map(\.value)) })?.shares else { return [:] }
    return Dictionary(uniqueKeysWithValues: zip(without.map(\.key), shares))
  }

  fileprivate mutating func judge(against best: Self, _ direction: Metric.Direction) {
    let (own, optimal) = (contributions, best.contributions)
    let losses = own.sorted { $0.key < $1.key }.compactMap { subject, value in
      optimal[subject].map { direction.loss(from: $0, to: value) }
    }
    guard own.count == optimal.count, losses.count == own.count, !losses.isEmpty else { return }
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
  init?(_ results: SweepResults) {
    let subjects = results.subjects
    guard subjects.count >= 2 else { return nil }
    let distances = results.distances
    var folds: [Int: Int] = [:]
    var scores: [String: Double?] = [:]
    for subject in subjects {
      guard let chosen = results.ranking(without: subject, distances).first else { return nil }
      folds[chosen, default: 0] += 1
      scores[subject] = .some(results.settings[chosen].contributions[subject])
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

  /// - Parameter subject: The subject to ignore; `nil` for none.
  init(_ setting: SweepResults.Setting, without subject: String?, _ direction: Metric.Direction) {
    let others = setting.bySubject.sorted { $0.key < $1.key }.filter { $0.key != subject }.map(\.value)
    let values: [Double]
    if setting.isPooled == true {
      let value = subject.flatMap { setting.withoutSubject?[$0] } ?? setting.value
      values = [value].compactMap(\.self)
      missing = value == nil ? others.count : 0
    } else {
      values = others.compactMap(\.self)
      missing = others.count - values.count
    }
    loss = mean(values.map { direction.loss(from: 0, to: $0) }).map { ($0 * 1e9).rounded() / 1e9 } ?? .infinity
  }

  static func < (a: SettingCost, b: SettingCost) -> Bool {
    a.missing != b.missing ? a.missing < b.missing : a.loss < b.loss
  }
}
