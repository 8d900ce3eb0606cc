import Datasets
import Scoring
import Statistics

/// Everything that a tuning found, as `tune.json` holds it; the same input gives the same bytes.
public struct TuneResults: Codable, Sendable {
  /// The version of this layout.
  public static let currentFormat = 1

  public struct Axis: Codable, Hashable, Sendable {
    public var parameter: String
    public var unit: String
    /// The values that it may take.
    public var levels: [Double]
    /// What the suite has.
    public var baseValue: Double
  }

  /// The search without one subject, and what its choice scores on that subject.
  public struct Fold: Codable, Hashable, Sendable {
    /// `squat-sample/s01`
    public var leftOut: String
    /// What the search chose, in the order of the axes.
    public var values: [Double]
    /// The method that found it.
    public var method: TuneSearch.Method
    /// Settings that the search scored.
    public var scoredSettings: Int
    /// The left-out subject's score at the choice; `nil` where it is undefined.
    public var score: Double?
    /// Its score at the suite's own setting.
    public var baseScore: Double?
    /// By how much the choice is better, below 0 is worse; `nil` where a score is.
    public var gain: Double?
  }

  /// A mean over subjects.
  public struct Mean: Codable, Hashable, Sendable {
    public var value: Double
    /// The 95 % t interval on it; `nil` for fewer than two subjects.
    public var interval: SweepResults.Bounds?
    /// Subjects with a value.
    public var subjects: Int
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
  /// How the poses were corrupted on purpose; `nil` for not at all.
  public var perturbation: RunResults.Perturbation?
  /// On whom it was tuned.
  public var tuning: Tuning
  public var metric: SweepResults.MetricCard
  public var search: TuneSearch
  public var axes: [Axis]
  /// Every parameter of the detector as tuned, in the form of a parameter file.
  public var parameters: [String: Double]
  /// What the search on all subjects chose, in the order of the axes, and its scores on these same subjects: optimistic.
  public var inSample: SweepResults.Setting
  /// The suite's own setting.
  public var base: SweepResults.Setting
  /// One for each subject, by name.
  public var folds: [Fold]
  /// What a setting tuned this way scores on a person whom it was not tuned on; `nil` where no left-out subject has a
  /// score.
  public var expected: Mean?
  /// The suite's own setting on the same subjects.
  public var expectedOfBase: Mean?
  /// The mean of the folds' gains, above 0 is better.
  public var gain: Mean?
  public var test: SignTest?
  /// Different settings that were scored, over all folds.
  public var scoredSettings: Int
  public var contradictions: [SweepResults.Contradiction]
  public var clips: Int
  /// In words, for whoever reads the file alone.
  public var note = Self.honesty

  public static let honesty =
    "The in-sample score is of the subjects that the setting was tuned on: it is optimistic and must not be quoted. "
    + "What to expect on new people is the mean score of the folds, each of a subject that its search never saw."

  /// How often each value of a parameter was chosen, ascending.
  ///
  /// - Parameter axis: position in `axes`.
  public func choices(of axis: Int) -> [(value: Double, folds: Int)] {
    Dictionary(grouping: folds.map { $0.values[axis] }) { $0 }.map { (value: $0.key, folds: $0.value.count) }
      .sorted { $0.value < $1.value }
  }
}

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

extension ParameterFile {
  public init(_ results: TuneResults) {
    tuning = results.tuning
    values = results.parameters
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
  /// - Throws: as `StudyFile.read`.
  public init(file path: String) throws {
    self = try StudyFile(path).read("the results of a tuning", format: Self.currentFormat)
  }
}
