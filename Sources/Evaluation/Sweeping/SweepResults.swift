import Datasets
import Scoring

/// Everything that a sweep found, as `sweep.json` holds it; the same input gives the same bytes.
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
    /// What the suite has.
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

  /// One setting and what it scored.
  public struct Setting: Codable, Hashable, Sendable {
    /// In the order of the axes.
    public var values: [Double]
    /// The mean of the subjects' values; `nil` where no subject has one.
    public var value: Double?
    /// The 95 % t interval on it; `nil` for fewer than two subjects with a value.
    public var interval: Bounds?
    /// A subject's own value from all its clips; `nil` where it is undefined.
    public var bySubject: [String: Double?]
    /// How many clips have no value by themselves.
    public var undefinedClips: Int
    /// Subjects for whom no other setting is better; a subject may be here for several settings.
    public var bestFor: [String] = []
    /// By how much it is worse than the optimum, the mean over the subjects; `nil` without an optimum, or where it has a
    /// value for fewer subjects.
    public var loss: Double?
    /// The 95 % t interval on it.
    public var lossInterval: Bounds?
    /// Whether it can't be told from the optimum: `SweepResults.plateauRule`.
    public var isOnPlateau = false

    /// Subjects with a value.
    public var definedSubjects: Int { bySubject.values.count { $0 != nil } }
  }

  /// A setting that the detector refuses.
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
  public var detector: String
  /// The values of the parameters that are not swept.
  public var fixed: [String: Double]
  public var metric: MetricCard
  public var axes: [Axis]
  public var sampling: SweepPlan.Sampling?
  /// In the order of the plan.
  public var settings: [Setting]
  public var contradictions: [Contradiction]
  /// What the suite itself has, whether or not the sweep came by it.
  public var base: Setting
  public var clips: Int
  /// Position in `settings`; `nil` where no setting has a value.
  public var optimum: Int?
  /// What a setting chosen this way scores on someone whom it was not chosen on; `nil` where that can't be said.
  public var expectation: Expectation?
  /// In words, for whoever reads the file alone.
  public var note = Self.optimism

  public static let plateauRule =
    "a setting is on the plateau when the 95 % t interval on its mean loss from the optimum, paired by subject, includes 0"
  public static let optimism =
    "The optimum was chosen on these subjects: its score is optimistic and must not be quoted as what to expect on new "
    + "people."
}
