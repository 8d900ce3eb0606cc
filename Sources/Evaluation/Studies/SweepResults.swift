import Datasets
import Files
import Pipeline
import Scoring
import Statistics

/// All results of a sweep, as in `sweep.json`; equal input gives equal bytes.
public struct SweepResults: Codable, Sendable {
  /// The version of the format.
  public static let currentFormat = 2

  public struct Bounds: Codable, Hashable, Sendable {
    public var low: Double
    public var high: Double
  }

  /// A swept parameter.
  public struct Axis: StudyAxis, Codable, Hashable {
    public var parameter: String
    public var unit: String
    /// The default value.
    public var baseValue: Double
  }

  public struct MetricCard: Codable, Hashable, Sendable {
    public var name: String
    public var summary: String
    public var unit: String
    public var direction: Metric.Direction
    /// The condition under which a value is undefined, as text.
    public var undefined: String
  }

  /// One setting and its score.
  public struct Setting: Codable, Hashable, Sendable {
    /// The values of the axes, by their names.
    public var values: [String: Double]
    /// The value as in a run: the mean of the subjects' values, or for a pooled metric the value of all clips together.
    public var value: Double?
    /// The 95 % interval of the value.
    public var interval: Bounds?
    /// A subject's value over all its clips; `nil` if undefined.
    public var bySubject: [String: Double?]
    /// The number of clips without a value.
    public var undefinedClips: Int
    /// Whether the metric is pooled: `true`, or `nil`.
    public var isPooled: Bool?
    /// The pooled value without each subject that contributes to it.
    public var withoutSubject: [String: Double]?
    /// Reps a minute that are counted while nobody does the exercise; `nil` without such time, and in older files.
    public var phantoms: Double?
    /// The subjects without a better setting; a subject may be at several settings.
    public var bestFor: [String] = []
    /// The mean loss over subjects compared with the optimum; `nil` without an optimum, or if the setting has values
    /// for fewer subjects.
    public var loss: Double?
    /// The 95 % t interval of the loss.
    public var lossInterval: Bounds?
    /// Whether the setting cannot be distinguished from the optimum: `SweepResults.plateauRule`.
    public var isOnPlateau = false

    /// The number of subjects with a value.
    public var definedSubjects: Int { bySubject.values.count { $0 != nil } }
  }

  /// A setting that the detector rejects.
  public struct Contradiction: Codable, Hashable, Sendable {
    /// The values of the axes, by their names.
    public var values: [String: Double]
    public var reason: String
  }

  public var format = Self.currentFormat
  public var bench: String
  public var suite: String
  public var suiteVersion: Int
  public var datasets: [RunResults.DatasetCard]
  /// The perturbation of the poses; `nil` for none.
  public var perturbation: RunResults.Perturbation?
  public var detector: String
  /// The values of the parameters that are not swept.
  public var fixed: [String: Double]
  public var metric: MetricCard
  public var axes: [Axis]
  public var sampling: SweepPlan.Sampling?
  /// The settings in the order of the plan.
  public var settings: [Setting]
  public var contradictions: [Contradiction]
  /// The default setting, even if the sweep does not contain it.
  public var base: Setting
  public var clips: Int
  /// The index of the optimum in `settings`; `nil` if no setting has a value.
  public var optimum: Int?
  /// The expected score on a new person of a setting chosen in this way; `nil` if unknown.
  public var expectation: Expectation?
  /// The caveat for readers of the file.
  public var note = Self.optimism

  public static let plateauRule =
    "a setting is on the plateau if the 95 % t interval of its mean loss from the optimum, paired by person, includes 0"
  public static let optimism =
    "The optimum was chosen on these people: its score is optimistic. Do not quote it as the expected score on new "
    + "people."
}

/// A sweep has thousands of settings, whose JSON is most of its results.
extension SweepResults.Setting: JSONWritable {
  package func write(to json: inout JSONWriter) throws {
    try json.object {
      try $0.member("bestFor", bestFor)
      try $0.member("bySubject", bySubject) { try $0.value($1) }
      try $0.member("interval", interval)
      $0.member("isOnPlateau", isOnPlateau)
      $0.member("isPooled", isPooled)
      try $0.member("loss", loss)
      try $0.member("lossInterval", lossInterval)
      try $0.member("phantoms", phantoms)
      $0.member("undefinedClips", undefinedClips)
      try $0.member("value", value)
      try $0.member("values", values) { try $0.value($1) }
      try $0.member("withoutSubject", withoutSubject) { try $0.value($1) }
    }
  }
}

extension SweepResults.Bounds: JSONWritable {
  package func write(to json: inout JSONWriter) throws {
    try json.object {
      try $0.member("high", high)
      try $0.member("low", low)
    }
  }
}

extension SweepResults {
  /// The subjects of the sweep, sorted.
  public var subjects: [String] { base.bySubject.keys.sorted() }

  /// The index in `settings` of the default setting; `nil` if the sweep does not contain it.
  public var basePosition: Int? { settings.firstIndex { $0.values == base.values } }

  /// The settings from best to worst; settings with values for fewer subjects come last.
  public var ranking: [Int] {
    let order = SettingOrder(self)
    let costs = order.costs(without: nil)
    return settings.indices.sorted { order.isBetter($0, $1, costs) }
  }

  /// The subjects with values but without a best setting on the plateau, who need other parameters.
  public var outliers: [(subject: String, settings: [Int])] {
    var best: [String: [Int]] = [:]
    for (index, setting) in settings.enumerated() {
      for subject in setting.bestFor { best[subject, default: []].append(index) }
    }
    return subjects.compactMap { subject in
      guard let best = best[subject], !best.contains(where: { settings[$0].isOnPlateau }) else { return nil }
      return (subject, best)
    }
  }

  /// Finds the optimum, the plateau around it and each subject's own optima.
  ///
  /// Only settings with values for most subjects are candidates: otherwise a setting could win by excluding hard
  /// subjects. If 0 is best, each subject's distance from 0 counts.
  mutating func judge() {
    let order = SettingOrder(self)
    optimum = order.best(without: nil).flatMap { settings[$0].value == nil ? nil : $0 }
    expectation = Expectation(self, order)
    let best = concurrently(order.subjects.count) { order.bestSettings(for: $0) }
    for (subject, best) in zip(order.subjects, best) {
      for index in best { settings[index].bestFor.append(subject) }
    }
    guard let optimum else { return }
    let (unjudged, direction) = (settings, metric.direction)
    @Sendable func contributions(_ index: Int) -> [Double?] {
      unjudged[index].contributions(of: order.subjects, values: order.values[index])
    }
    let optimal = contributions(optimum)
    settings = concurrently(unjudged.count) { unjudged[$0].judged(contributions($0), against: optimal, direction) }
    base = base.judged(base.contributions(of: order.subjects), against: optimal, direction)
  }

  /// The distance of each setting from the default, as a fraction of each axis' range.
  var distances: [Double] {
    var distances = [Double](repeating: 0, count: settings.count)
    for axis in axes {
      let values = settings.map { axis.value(in: $0.values) }
      guard let low = values.min(), let high = values.max(), high > low else { continue }
      for index in settings.indices { distances[index] += abs(values[index] - axis.baseValue) / (high - low) }
    }
    return distances
  }
}

extension SweepResults.Setting {
  /// Numbers per subject with the value as their mean: the subjects' own values or, for a pooled value, their shares in
  /// it; `nil` for subjects without a contribution.
  ///
  /// - Parameter subjects: All subjects, in order.
  func contributions(of subjects: [String]) -> [Double?] { contributions(of: subjects, values: values(of: subjects)) }

  /// - Parameter values: The subjects' own values.
  fileprivate func contributions(of subjects: [String], values: [Double?]) -> [Double?] {
    guard isPooled == true else { return values }
    let without = subjects.map { withoutSubject?[$0] }
    guard var shares = value.flatMap({ Jackknife($0, without: without.compactMap(\.self)) })?.shares[...] else {
      return subjects.map { _ in nil }
    }
    return without.map { $0.flatMap { _ in shares.popFirst() } }
  }

  /// The subjects' own values, in their order.
  fileprivate func values(of subjects: [String]) -> [Double?] { subjects.map { bySubject[$0] ?? nil } }

  func contribution(of subject: String) -> Double? {
    let subjects = bySubject.keys.sorted()
    return subjects.firstIndex(of: subject).flatMap { contributions(of: subjects)[$0] }
  }

  /// Whether another setting gives a subject another value, ignoring some subjects.
  func differs(from other: Self, without subjects: Set<String>, _ direction: Metric.Direction) -> Bool {
    bySubject.filter { !subjects.contains($0.key) } != other.bySubject.filter { !subjects.contains($0.key) }
      || SettingCost(self, without: subjects, direction) != SettingCost(other, without: subjects, direction)
  }

  /// - Parameters:
  ///   - own: The contributions to this setting.
  ///   - best: Those to the best setting.
  fileprivate func judged(
    _ own: [Double?], against best: [Double?], _ direction: Metric.Direction
  ) -> SweepResults.Setting {
    guard zip(own, best).allSatisfy({ ($0 == nil) == ($1 == nil) }) else { return self }
    let losses = zip(own, best).compactMap { value, optimal in
      value.flatMap { value in optimal.map { direction.loss(from: $0, to: value) } }
    }
    guard !losses.isEmpty else { return self }
    var judged = self
    judged.loss = mean(losses)
    let interval = Interval.studentT(losses)
    judged.lossInterval = interval.map { SweepResults.Bounds(low: $0.low, high: $0.high) }
    // Without an interval, only settings with equal values for every subject are on the plateau.
    judged.isOnPlateau = interval.map { $0.low <= 0 && $0.high >= 0 } ?? losses.allSatisfy { $0 == 0 }
    return judged
  }
}

extension SweepResults {
  /// The expected score of the choice on new people, estimated by leaving one subject out.
  ///
  /// Each subject is scored at the best setting for all other subjects, by the same rule as the optimum. Unlike the
  /// optimum's score, the mean is not optimistic. It describes a choice with one subject less. The t interval on these
  /// scores is approximate, because the folds share most of their subjects.
  ///
  /// - Source: Stone, Cross-Validatory Choice and Assessment of Statistical Predictions, 1974.
  public struct Expectation: Codable, Hashable, Sendable {
    /// A setting with the number of folds that chose it.
    public struct Choice: Codable, Hashable, Sendable {
      /// The index in `settings`.
      public var setting: Int
      public var folds: Int
    }

    /// The mean of the scores.
    public var value: Double
    /// The 95 % t interval of the mean; `nil` with fewer than two scores.
    public var interval: Bounds?
    /// The score of each left-out subject, or for a pooled metric its share in the score; `nil` if undefined at the
    /// chosen setting.
    public var bySubject: [String: Double?]
    /// The choices, the most frequent first.
    public var choices: [Choice]

    /// The number of subjects with a score.
    public var definedSubjects: Int { bySubject.values.count { $0 != nil } }
  }
}

extension SweepResults.Expectation {
  /// The expectation; `nil` with fewer than two subjects, or if no left-out subject has a score.
  fileprivate init?(_ results: SweepResults, _ order: SettingOrder) {
    guard order.subjects.count >= 2 else { return nil }
    var folds: [Int: Int] = [:]
    var scores: [String: Double?] = [:]
    var contributions: [Int: [Double?]] = [:]
    for (index, subject) in order.subjects.enumerated() {
      guard let chosen = order.best(without: index) else { return nil }
      folds[chosen, default: 0] += 1
      let known =
        contributions[chosen]
        ?? results.settings[chosen].contributions(of: order.subjects, values: order.values[chosen])
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
  /// - Throws: See `StudyFile.read`.
  public init(file path: String) throws {
    self = try StudyFile(path).read("the results of a sweep", format: Self.currentFormat)
  }
}

extension SweepResults: StudyContent {
  func check() throws {
    try StudyFault.require(!axes.isEmpty, "axes", "at least one parameter", "none")
    let names = axes.map(\.parameter)
    try StudyFault.require(axes: names)
    try base.check("base", axes: names)
    for (index, setting) in settings.enumerated() { try setting.check("settings[\(index)]", axes: names) }
    for (index, contradiction) in contradictions.enumerated() {
      try StudyFault.require(contradiction.values, ofAxes: names, "contradictions[\(index)].values")
    }
    func require(_ setting: Int?, _ key: @autoclosure () -> String) throws {
      try StudyFault.require(
        setting.map(settings.indices.contains) ?? true, key(), "the index of one of \(settings.count) settings",
        "\(setting ?? 0)")
    }
    try require(optimum, "optimum")
    for (index, choice) in (expectation?.choices ?? []).enumerated() {
      try require(choice.setting, "expectation.choices[\(index)].setting")
      try StudyFault.require(count: choice.folds, "expectation.choices[\(index)].folds")
    }
    try StudyFault.require(count: clips, "clips")
  }
}

extension SweepResults.Setting {
  /// - Parameters:
  ///   - key: Its place in the file.
  ///   - axes: Their names.
  /// - Throws: `StudyFault` for values that no study writes.
  func check(_ key: String, axes: [String]) throws {
    try StudyFault.require(values, ofAxes: axes, "\(key).values")
    try StudyFault.require(count: undefinedClips, "\(key).undefinedClips")
  }
}

/// The ranking of a sweep's settings, on all subjects or on all but one.
private struct SettingOrder {
  /// Sorted.
  let subjects: [String]
  /// Each setting's values of the subjects.
  let values: [[Double?]]
  private let settings: [SettingCosts]
  private let direction: Metric.Direction
  private let distances: [Double]

  init(_ results: SweepResults) {
    let (subjects, direction) = (results.subjects, results.metric.direction)
    (self.subjects, self.direction) = (subjects, direction)
    let rows = concurrently(results.settings.count) { index in
      let values = results.settings[index].values(of: subjects)
      return (values: values, costs: SettingCosts(results.settings[index], of: subjects, values: values, direction))
    }
    (values, settings) = (rows.map(\.values), rows.map(\.costs))
    distances = results.distances
  }

  /// The settings at which no other is better for a subject.
  func bestSettings(for subject: Int) -> [Int] {
    let losses = values.map { row in row[subject].map { direction.loss(from: 0, to: $0) } }
    guard let least = losses.compactMap({ $0 }).min() else { return [] }
    return losses.indices.filter { losses[$0] == least }
  }

  /// - Parameter subject: The index of the subject to ignore; `nil` for none.
  func costs(without subject: Int?) -> [SettingCost] { settings.map { $0.cost(without: subject) } }

  /// Of equal settings, the one closest to the default is better.
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
/// Subjects without a value cost more than any loss: a setting must not win by excluding hard subjects. If 0 is best,
/// each subject's distance from 0 counts. A pooled metric is computed without the left-out subject.
struct SettingCost: Comparable, Hashable, Sendable {
  /// Subjects without a value.
  let missing: Int
  /// The mean loss of the subjects with a value, rounded to nine decimals: sums that differ only by rounding are equal.
  /// Infinite without any value.
  let loss: Double

  fileprivate init(missing: Int, losses: Double, count: Int) {
    self.missing = missing
    loss = count > 0 ? (losses / Double(count) * 1e9).rounded() / 1e9 : .infinity
  }

  /// - Parameter subjects: The subjects to ignore. A pooled value is known without one subject only: without two, the
  ///   subjects' own values count.
  init(_ setting: SweepResults.Setting, without subjects: Set<String>, _ direction: Metric.Direction) {
    var setting = setting
    if subjects.count > 1 {
      setting.bySubject = setting.bySubject.filter { !subjects.contains($0.key) }
      setting.isPooled = nil
    }
    let known = setting.bySubject.keys.sorted()
    self = SettingCosts(setting, of: known, values: setting.values(of: known), direction).cost(
      without: known.firstIndex(where: subjects.contains))
  }

  static func < (a: SettingCost, b: SettingCost) -> Bool {
    a.missing != b.missing ? a.missing < b.missing : a.loss < b.loss
  }
}

/// The costs of a setting for all subjects, and without each of them.
struct SettingCosts {
  private let all: SettingCost
  private let withoutEach: [SettingCost]

  /// - Parameters:
  ///   - subjects: All subjects of the setting.
  ///   - values: Their values.
  init(_ setting: SweepResults.Setting, of subjects: [String], values: [Double?], _ direction: Metric.Direction) {
    func cost(ofPooled value: Double?, _ subjects: Int) -> SettingCost {
      guard let value else { return SettingCost(missing: subjects, losses: 0, count: 0) }
      return SettingCost(missing: 0, losses: direction.loss(from: 0, to: value), count: 1)
    }
    guard setting.isPooled != true else {
      all = cost(ofPooled: setting.value, subjects.count)
      withoutEach = subjects.map { cost(ofPooled: setting.withoutSubject?[$0] ?? setting.value, subjects.count - 1) }
      return
    }
    let losses = values.map { $0.map { direction.loss(from: 0, to: $0) } }
    let known = losses.count { $0 != nil }
    // Sums before and after each subject: a difference from the total would lose digits.
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
