import Datasets
import Pipeline
import Scoring
import Statistics

/// All results of a tuning, in the form of `tune.json`; the same input gives the same bytes.
public struct TuneResults: Codable, Sendable {
  /// The version of this layout.
  public static let currentFormat = 2

  public struct Axis: StudyAxis, Codable, Hashable {
    /// `smoothing` for that of the poses.
    public var parameter: String
    public var unit: String
    /// Its possible values.
    public var levels: [Double]
    /// The suite's value.
    public var baseValue: Double
    /// The smoothings that the values 0, 1 … stand for; `nil` for a parameter.
    public var names: [String]?

    init(_ axis: TuneAxis) {
      (parameter, levels, baseValue) = (axis.name, axis.levels, axis.base)
      switch axis.quantity {
      case .parameter(let quantity): unit = quantity.unit.rawValue
      case .smoothing(let choices): (unit, names) = ("", choices.map(\.description))
      }
    }

    /// A value as text.
    public func text(_ value: Double) -> String { NumberText.plain(value, of: names) }
  }

  /// The search without one subject, and the score of its choice on that subject.
  public struct Fold: Codable, Hashable, Sendable {
    /// `squat-sample/s01`
    public var leftOut: String
    /// The search's choice: the values of the axes, by their names.
    public var values: [String: Double]
    /// The method that found it.
    public var method: TuneSearch.Method
    /// Settings that the search scored.
    public var scoredSettings: Int
    /// The left-out subject's score at the choice; `nil` if undefined.
    public var score: Double?
    /// Its score at the suite's own setting.
    public var baseScore: Double?
    /// How much better the choice is, negative if worse; `nil` if a score is.
    public var gain: Double?
  }

  /// A mean over subjects.
  public struct Mean: Codable, Hashable, Sendable {
    public var value: Double
    /// The 95 % t interval of the mean; `nil` with fewer than two subjects.
    public var interval: SweepResults.Bounds?
    /// Subjects with a value.
    public var subjects: Int
  }

  /// The expected gain of tuning if its result is kept only if leaving people out shows a gain.
  public struct Procedure: Codable, Hashable, Sendable {
    /// The expected score on a new person.
    public var expected: Mean?
    /// Over the suite's own setting, above 0 is better.
    public var gain: Mean?
    /// The folds that keep the result.
    public var kept: Int
  }

  /// Another metric that is worse after tuning, on the people that were tuned on.
  public struct SideEffect: Codable, Hashable, Sendable {
    /// Another detector of the suite, whose poses are smoothed too; `nil` for the tuned one.
    public var detector: String?
    public var metric: String
    public var unit: String
    public var base: Double?
    /// `nil` if tuning left nothing to measure.
    public var tuned: Double?
    /// Subjects for whom it is better, and worse.
    public var better: Int
    public var worse: Int

    /// `nil` if it is not worse.
    init?(
      _ metric: Metric, of detector: String?, from base: SweepResults.Setting, to tuned: SweepResults.Setting
    ) {
      guard let before = base.value else { return nil }
      let subjects = base.bySubject.keys.sorted()
      let losses = zip(base.contributions(of: subjects), tuned.contributions(of: subjects)).compactMap { value, other in
        value.flatMap { value in other.map { metric.direction.loss(from: value, to: $0) } }
      }
      if let after = tuned.value, metric.direction.loss(from: before, to: after) < 1e-9 { return nil }
      (self.detector, self.metric, unit) = (detector, metric.name, metric.unit)
      (self.base, self.tuned) = (before, tuned.value)
      (better, worse) = (losses.count { $0 < -1e-9 }, losses.count { $0 > 1e-9 })
    }
  }

  /// The reps counted per minute in which nobody does the exercise, before and after tuning.
  public struct Phantoms: Codable, Hashable, Sendable {
    public var base: Double?
    public var tuned: Double?
    /// How many more a minute were allowed.
    public var margin: Double
    /// Settings that were refused because they bring more.
    public var refused: Int
  }

  /// A test of the mean gain.
  public struct SignTest: Codable, Hashable, Sendable {
    /// Two-sided, by flipping signs.
    public var p: Double
    public var isExact: Bool
  }

  public var format = Self.currentFormat
  public var bench: String
  public var suite: String
  public var suiteVersion: Int
  public var datasets: [RunResults.DatasetCard]
  /// The corruption of the poses; `nil` for none.
  public var perturbation: RunResults.Perturbation?
  /// The subjects it was tuned on.
  public var tuning: Tuning
  public var metric: SweepResults.MetricCard
  public var search: TuneSearch
  public var axes: [Axis]
  /// All parameters of the detector after tuning, in the form of a parameter file.
  public var parameters: [String: Double]
  /// The smoothing of the poses after tuning in place of the suite's; `nil` for the suite's own.
  public var smoothing: SmoothingChoice?
  /// The choice of the search on all subjects, with its scores on these same subjects:
  /// optimistic.
  public var inSample: SweepResults.Setting
  /// The suite's own setting.
  public var base: SweepResults.Setting
  /// One per subject, by name.
  public var folds: [Fold]
  /// The expected score of a setting tuned this way on a new person; `nil` if no left-out subject has a score.
  public var expected: Mean?
  /// The score of the suite's own setting on the same subjects.
  public var expectedOfBase: Mean?
  /// The mean of the folds' gains, above 0 is better.
  public var gain: Mean?
  public var test: SignTest?
  /// Whether the test does not distinguish the gain from chance, whatever its interval.
  public var mayBeChance: Bool { (test?.p ?? 0) >= 0.05 }
  /// Different settings that were scored, over all folds.
  public var scoredSettings: Int
  public var contradictions: [SweepResults.Contradiction]
  /// Parameters that the metric does not depend on, which keep their values; `nil` if the parameters were named.
  public var leftAlone: [String]?
  /// The other metrics that got worse.
  public var sideEffects: [SideEffect]?
  /// `nil` unless it was asked for.
  public var procedure: Procedure?
  /// `nil` without time in which nobody does the exercise, and in older files.
  public var phantoms: Phantoms?
  public var clips: Int
  /// The caveat in words, for readers of the file alone.
  public var note = Self.honesty

  public static let honesty =
    "The in-sample score comes from the people tuned on and is optimistic: do not quote it. The expected score on new "
    + "people is the mean over the folds, each scored on a person left out of its search."

  /// Removes axes that no search varied.
  mutating func leaveAlone(_ places: Set<Int>) {
    let alone = places.sorted().map { axes[$0].parameter }
    func others(_ values: [String: Double]) -> [String: Double] { values.filter { !alone.contains($0.key) } }
    leftAlone = alone
    axes.removeAll { alone.contains($0.parameter) }
    inSample.values = others(inSample.values)
    base.values = others(base.values)
    for index in folds.indices { folds[index].values = others(folds[index].values) }
    for index in contradictions.indices { contradictions[index].values = others(contradictions[index].values) }
  }

  /// How often each value of a parameter was chosen, ascending.
  ///
  /// - Parameter axis: Index in `axes`.
  public func choices(of axis: Int) -> [(value: Double, folds: Int)] {
    Dictionary(grouping: folds.map { axes[axis].value(in: $0.values) }) { $0 }.map {
      (value: $0.key, folds: $0.value.count)
    }
    .sorted { $0.value < $1.value }
  }
}

extension TuneResults.Mean {
  /// - Parameter range: The metric's range, which limits the interval.
  init?(_ values: [Double?], in range: ClosedRange<Double>? = nil) {
    let known = values.compactMap { $0 }
    guard let value = mean(known) else { return nil }
    let interval = Interval.studentT(known).map { interval in range.map { interval.clamped(to: $0) } ?? interval }
    self.init(
      value: value, interval: interval.map { SweepResults.Bounds(low: $0.low, high: $0.high) }, subjects: known.count)
  }
}

extension TuneResults.SignTest {
  /// The seed for sampling signs with more than twenty subjects.
  static let seed: UInt64 = 1

  /// `nil` with fewer than two gains.
  init?(_ gains: [Double]) {
    var generator = SeededGenerator(seed: Self.seed)
    guard gains.count > 1, let test = SignFlip(gains, using: &generator) else { return nil }
    self.init(p: test.twoSided, isExact: test.isExact)
  }
}

extension NumberText {
  /// A number with all of its digits, or the name that it stands for.
  public static func plain(_ value: Double, of names: [String]?) -> String {
    guard let names, let place = Int(exactly: value), names.indices.contains(place) else { return plain(value) }
    return names[place]
  }
}

extension ParameterFile {
  public init(_ results: TuneResults) {
    tuning = results.tuning
    values = results.parameters
    smoothing = results.smoothing
    search = results.search
    expected = Score(
      value: results.expected?.value, low: results.expected?.interval?.low, high: results.expected?.interval?.high,
      subjects: results.expected?.subjects ?? 0)
    inSample = Score(value: results.inSample.value, subjects: results.inSample.definedSubjects)
  }
}

extension TuneResults {
  /// Reads a `tune.json`.
  ///
  /// - Throws: As `StudyFile.read`.
  public init(file path: String) throws {
    self = try StudyFile(path).read("the results of a tuning", format: Self.currentFormat)
  }
}

extension TuneResults: StudyContent {
  func check() throws {
    let names = axes.map(\.parameter)
    try StudyFault.require(axes: names)
    for (index, axis) in axes.enumerated() {
      try StudyFault.require(
        !axis.levels.isEmpty && axis.levels == axis.levels.sorted(), "axes[\(index)].levels",
        "at least one number, ascending", axis.levels.isEmpty ? "none" : "others")
    }
    try inSample.check("inSample", axes: names)
    try base.check("base", axes: names)
    for (index, fold) in folds.enumerated() {
      try StudyFault.require(fold.values, ofAxes: names, "folds[\(index)].values")
      try StudyFault.require(count: fold.scoredSettings, "folds[\(index)].scoredSettings")
    }
    for (index, contradiction) in contradictions.enumerated() {
      try StudyFault.require(contradiction.values, ofAxes: names, "contradictions[\(index)].values")
    }
    try StudyFault.require(share: test?.p, "test.p")
    try StudyFault.require(count: scoredSettings, "scoredSettings")
    try StudyFault.require(count: clips, "clips")
  }
}
