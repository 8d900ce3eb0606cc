import Coaching
import Datasets
import PoseModel
import Scoring
import Statistics

/// Everything that a run found, as `results.json` holds it.
///
/// The same input gives the same bytes, but for `measured`, which holds the times that were measured.
public struct RunResults: Codable, Sendable {
  /// The version of this layout.
  public static let currentFormat = 1

  public struct DatasetCard: Codable, Hashable, Sendable {
    public var name: String
    public var version: String
    public var content: String
    public var origin: Manifest.Origin
    public var caveat: String?
    public var licence: String
    public var source: String
    /// Of this run.
    public var clips: Int
    public var subjects: Int
    /// Whether it was imported into the store, so that no checkout has it: `true`, or `nil`.
    public var isImported: Bool?
  }

  public struct DetectorCard: Codable, Hashable, Sendable {
    public var name: String
    public var kind: String
    public var summary: String
    /// Every parameter's value.
    public var parameters: [String: Double]
    /// The names of those that differ from their defaults.
    public var changed: [String]
  }

  public struct MetricResult: Codable, Hashable, Sendable {
    public struct Bounds: Codable, Hashable, Sendable {
      public var low: Double
      public var high: Double
      public var level: Double
      /// How it was computed: `t on subject means`, `Wilson`, `Wilson over subjects`, `jackknife over subjects`,
      /// `Woodruff over subjects` or `Woodruff over clips`.
      public var method: String
    }

    public var detector: String
    public var metric: String
    public var summary: String
    public var unit: String
    public var direction: Metric.Direction
    /// The mean of the subjects' values, or `pooled` where `isPooled`; `nil` where there is none.
    public var value: Double?
    /// The value of all clips' tallies pooled, in which a subject with more clips counts more.
    public var pooled: Double?
    /// `nil` for fewer than two subjects with a value, and where they allow no inference.
    public var interval: Bounds?
    /// Of a pooled value, what it is without each of the subjects that have a part in it; `nil` where it is undefined
    /// without one of them, for other values, and in runs of before it was kept.
    public var withoutSubject: [String: Double]?
    /// A subject's own value from all its clips; `nil` where it is undefined.
    public var bySubject: [String: Double?]
    /// How many clips have no value by themselves.
    public var undefinedClips: Int
    public var clips: Int
    /// How many cases that people labelled the detector says nothing of, where the value leaves them out or counts them as
    /// worst; `nil` for none.
    public var unanswered: Int?
    /// What the best of the trivial answers scores on the same clips; `nil` where none is defined.
    public var trivial: TrivialScore?
    /// What people reach against each other; `nil` where it is not known.
    public var humanCeiling: Double?
    /// When a value is undefined, in words.
    public var undefined: String
    /// Whether the value is that of all clips together: `true`, or `nil`.
    public var isPooled: Bool?
    /// Whether the suite names it: these are shown first.
    public var isListed = false
    /// The loss that is accepted; `nil` where the metric does not gate.
    public var margin: Double?
    /// The value that it must not be worse than; `nil` for none.
    public var floor: Double?
    /// Of a metric over the true cases that were found only: what its value is of theirs. `nil` for any other, and in runs
    /// of before it was said.
    public var caseStatistic: Metric.CaseStatistic?

    /// Whether the value is worse than the floor.
    public var isBelowFloor: Bool {
      guard let floor, let value else { return false }
      return direction.loss(from: floor, to: value) > 0
    }

    /// Subjects with a value.
    public var definedSubjects: Int { bySubject.values.count { $0 != nil } }

    /// The subjects' own values, in the order of their names.
    var knownValues: [Double] { bySubject.sorted { $0.key < $1.key }.compactMap(\.value) }

    /// In the order of the subjects' names; empty where there are none.
    var sortedWithoutSubject: [Double] { (withoutSubject ?? [:]).sorted { $0.key < $1.key }.map(\.value) }

    /// A number for each subject, the mean of which is the value: its own value or, of a pooled value, its share in it.
    public var sample: [Double] {
      Self.sample(value, bySubject: bySubject, isPooled: isPooled == true, withoutSubject: withoutSubject)
    }

    /// `sample` of a value that was kept elsewhere.
    static func sample(
      _ value: Double?, bySubject: [String: Double?], isPooled: Bool, withoutSubject: [String: Double]?
    ) -> [Double] {
      guard isPooled else { return bySubject.sorted { $0.key < $1.key }.compactMap(\.value) }
      let without = (withoutSubject ?? [:]).sorted { $0.key < $1.key }.map(\.value)
      return value.flatMap { Jackknife($0, without: without) }?.shares ?? []
    }

    /// Whether a trivial answer scores better.
    public var isWorseThanTrivial: Bool {
      guard let value, let trivial else { return false }
      return direction.loss(from: trivial.value, to: value) > 0
    }
  }

  /// What someone scores who looks at no recording.
  public struct TrivialScore: Codable, Hashable, Sendable {
    public var value: Double
    public var answer: TrivialAnswer
  }

  public var format = Self.currentFormat
  public var bench: String
  public var suite: String
  public var suiteVersion: Int
  public var datasets: [DatasetCard]
  public var detectors: [DetectorCard]
  public var matching: Matching
  public var camera: LiveCamera
  /// What the poses went through before the detectors saw them, as `--smooth` takes it; `nil` for nothing.
  public var smoothing: String?
  /// What the suite calls labels of its datasets; `nil` where it renames none.
  public var labels: [String: String]?
  /// What went wrong with the poses, on purpose; `nil` for nothing. With it a run is no evidence for a release.
  public var perturbation: Perturbation?
  public var metrics: [MetricResult]
  public var clips: [ClipResult]
  /// By detector; everything else is the same on every machine.
  public var measured: [String: MeasuredCost]
  /// Whom the parameters that were read from files were tuned on; `nil` where there are none.
  public var tunings: [Tuning]?
  /// That subject names recur in datasets of which nobody said whether they share people; `nil` where none do.
  public var peopleNote: String?
  /// What is left of the scores as things go wrong; `nil` where nobody asked.
  public var robustness: Robustness?

  public struct Perturbation: Codable, Hashable, Sendable {
    /// As `--perturb` takes it.
    public var text: String
    public var seed: UInt64
    /// What was done otherwise, as the data don't hold what it takes; `nil` in runs of before it was said.
    public var notes: [String]?
  }

  /// The gating metrics, or the suite's own where none gates, on clips that have something in common; `nil` in runs of
  /// before there were any.
  public var slices: [SliceResult]?

  /// A metric of the clips of one slice, scored by themselves.
  public struct SliceResult: Codable, Hashable, Sendable {
    public var dimension: ClipSlice.Dimension
    /// What the clips have in common: `front`.
    public var slice: String
    public var detector: String
    public var metric: String
    public var unit: String
    public var value: Double?
    /// `nil` for fewer than two subjects with a value, and where they allow no inference.
    public var interval: MetricResult.Bounds?
    /// With a value, of all in the slice.
    public var definedSubjects: Int
    public var subjects: Int
    public var clips: Int
    /// A subject's own value from its clips in the slice; `nil` in runs of before it was kept.
    public var bySubject: [String: Double?]?
    /// As of a metric of all clips.
    public var isPooled: Bool?
    public var withoutSubject: [String: Double]?
  }

  public struct Matching: Codable, Hashable, Sendable {
    /// Which instant of matched reps is compared.
    public var instant: String
    /// `nil` where reps are matched by overlap.
    public var toleranceSeconds: Double?
    /// The least temporal intersection over union; `nil` where reps are matched by an instant.
    public var overlap: Double?

    init(instant: String, toleranceSeconds: Double? = nil, overlap: Double? = nil) {
      self.instant = instant
      self.toleranceSeconds = toleranceSeconds
      self.overlap = overlap
    }

    public init(_ matching: RepMatching) {
      switch matching.rule {
      case .tolerance(let tolerance): self.init(instant: matching.instant.rawValue, toleranceSeconds: tolerance.seconds)
      case .overlap(let overlap): self.init(instant: matching.instant.rawValue, overlap: overlap)
      }
    }

    /// The rule that reps, and strokes within the same tolerance, are matched by.
    public var rule: RepMatching {
      if let overlap { return RepMatching(overlap: overlap) }
      return RepMatching(
        instant: RepMatching.Instant(rawValue: instant) ?? .end,
        tolerance: toleranceSeconds.flatMap { Microseconds(seconds: $0) } ?? .zero)
    }

    /// `end within 0.5 s`, `overlap of at least 0.5`.
    public var words: String {
      toleranceSeconds.map { "\(instant) within \($0) s" } ?? overlap.map { "overlap of at least \($0)" } ?? instant
    }
  }

  /// Nanoseconds a frame.
  public struct MeasuredCost: Codable, Hashable, Sendable {
    public var blocks: Int
    public var framesPerBlock: Int
    /// By name: `p50`, and of `p90`, `p99`, `p99.9` those that the number of blocks supports.
    public var quantiles: [String: Double]
    /// Of those that have one, by the same names; `nil` in runs of before there were any.
    public var intervals: [String: MetricResult.Bounds]?
    /// The median of an empty interval, spread over a block's frames.
    public var clockFloor: Double?
    /// Where the suite asks for them.
    public var ratios: MeasuredCostRatios?
    /// Every block, for the chart: at most 2000, evenly taken from the sorted ones.
    public var samples: [Double]
  }

  public func metric(_ detector: String, _ metric: String) -> MetricResult? {
    metrics.first { $0.detector == detector && $0.metric == metric }
  }
}

/// What is left of a suite's scores as one thing after another goes wrong, more and more.
public struct Robustness: Codable, Hashable, Sendable {
  /// A metric under one perturbation.
  public struct Ladder: Codable, Hashable, Sendable {
    public var perturbation: String
    /// What grows, with its unit.
    public var axis: String
    public var detector: String
    public var metric: String
    public var unit: String
    public var direction: Metric.Direction
    /// The loss that the suite accepts; `nil` where it says none.
    public var margin: Double?
    /// Without a perturbation.
    public var undisturbed: Score
    public var steps: [Step]

    /// Of the score without a perturbation, how much is left at the strongest step that has a value: 1 is all of it. `nil`
    /// where less is better, or where there was nothing above 0 to lose.
    public var survives: Double? {
      guard direction == .higherIsBetter, let before = undisturbed.value, before > 0,
        let last = steps.last(where: { $0.score.value != nil })?.score.value
      else { return nil }
      return last / before
    }
  }

  public struct Step: Codable, Hashable, Sendable {
    /// As `--perturb` takes it: `noise=2%`.
    public var text: String
    public var strength: Double
    public var score: Score
  }

  public struct Score: Codable, Hashable, Sendable {
    public var value: Double?
    public var low: Double?
    public var high: Double?

    init(_ metric: RunResults.MetricResult) {
      value = metric.value
      low = metric.interval?.low
      high = metric.interval?.high
    }
  }

  public var seed: UInt64
  public var ladders: [Ladder]
  /// What was done otherwise than a perturbation says, and why; `nil` in runs of before it was said.
  public var notes: [String]?
}

extension ReplayConditions {
  /// Those of a run, without the live replay, which nothing but a run's metrics looks at.
  ///
  /// - Throws: `EvaluationError.missing` for perturbations that this version does not know, `SmoothingError`.
  init(_ results: RunResults) throws {
    do {
      self.init(
        perturbations: try results.perturbation.map { try Perturbations($0.text, seed: $0.seed) },
        smoothing: try results.smoothing.map { try Smoothing($0) }, labels: results.labels ?? [:])
    } catch let error as PerturbationError {
      throw EvaluationError.missing(
        what: "perturbation of the run, \(results.perturbation?.text ?? "")", expected: error.expected,
        found: error.found)
    }
  }
}

extension NumberText {
  /// The interval on a metric's value: `0.61 to 0.87`, or `n/a`.
  public static func interval(_ metric: RunResults.MetricResult) -> String {
    guard let interval = metric.interval else { return missing }
    return "\(value(interval.low, unit: metric.unit)) to \(value(interval.high, unit: metric.unit))"
  }
}
