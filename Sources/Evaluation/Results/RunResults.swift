import Coaching
import Datasets
import Files
import Pipeline
import PoseModel
import Scoring
import Statistics

/// All results of a run, in the form of `results.json`.
///
/// The same input gives the same bytes, except for `measured`, which holds measured times.
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
    /// In this run.
    public var clips: Int
    public var subjects: Int
    /// Whether it was imported into the store, which means that no checkout has it: `true`, or `nil`.
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
    /// The hash of the files of a detector that is a command; `nil` for one in Swift.
    public var files: String?
  }

  public struct MetricResult: Codable, Hashable, Sendable {
    public struct Bounds: Codable, Hashable, Sendable {
      public var low: Double
      public var high: Double
      public var level: Double
      /// How it was computed: `t with one more subject`, `Wilson`, `Wilson with one more subject`, `jackknife over
      /// subjects`, `jackknife with one more subject`, `Woodruff over subjects` or `Woodruff over clips`; in older runs
      /// `t on subject means` and `Wilson over subjects`.
      public var method: String
    }

    public var detector: String
    public var metric: String
    public var summary: String
    public var unit: String
    public var direction: Metric.Direction
    /// The mean of the subjects' values, or `pooled` if `isPooled`; `nil` if there is none.
    public var value: Double?
    /// The value of all clips' tallies pooled; a subject with more clips counts more.
    public var pooled: Double?
    /// `nil` with fewer than two subjects with a value, and if they allow no inference.
    public var interval: Bounds?
    /// The pooled value without each subject that contributes to it; `nil` if it is undefined without one of them, for
    /// other values, and in older runs.
    public var withoutSubject: [String: Double]?
    /// A subject's value over all its clips; `nil` if undefined.
    public var bySubject: [String: Double?]
    /// How many clips have no value on their own.
    public var undefinedClips: Int
    public var clips: Int
    /// The number of labelled cases without a prediction, if the value leaves them out or counts them as worst; `nil`
    /// for none.
    public var unanswered: Int?
    /// The score of the best trivial prediction on the same clips; `nil` if none is defined.
    public var trivial: TrivialScore?
    /// The score of people compared with each other; `nil` if unknown.
    public var humanCeiling: Double?
    /// The condition under which a value is undefined, as text.
    public var undefined: String
    /// Whether the value is computed over all clips together: `true`, or `nil`.
    public var isPooled: Bool?
    /// Whether the suite names it; named metrics are shown first.
    public var isListed = false
    /// The accepted loss; `nil` if the metric does not gate.
    public var margin: Double?
    /// The worst value allowed; `nil` for none.
    public var floor: Double?
    /// For a metric over found cases only: the statistic of the cases' values. `nil` for any other metric, and in older
    /// runs.
    public var caseStatistic: Metric.CaseStatistic?

    /// Whether the value is worse than the floor.
    public var isBelowFloor: Bool {
      guard let floor, let value else { return false }
      return direction.loss(from: floor, to: value) > 0
    }

    /// Subjects with a value.
    public var definedSubjects: Int { bySubject.values.count { $0 != nil } }

    /// In the order of the subjects' names; empty if there are none.
    var sortedWithoutSubject: [Double] { (withoutSubject ?? [:]).sorted { $0.key < $1.key }.map(\.value) }

    /// A number for each subject whose mean is the value: the subject's own value or, for a pooled value, its share in
    /// it.
    public var sample: [Double] {
      Self.sample(value, bySubject: bySubject, isPooled: isPooled == true, withoutSubject: withoutSubject)
    }

    /// `sample` for a value that was stored elsewhere.
    static func sample(
      _ value: Double?, bySubject: [String: Double?], isPooled: Bool, withoutSubject: [String: Double]?
    ) -> [Double] {
      guard isPooled else { return bySubject.sorted { $0.key < $1.key }.compactMap(\.value) }
      let without = (withoutSubject ?? [:]).sorted { $0.key < $1.key }.map(\.value)
      return value.flatMap { Jackknife($0, without: without) }?.shares ?? []
    }

    /// Whether a trivial prediction scores better.
    public var isWorseThanTrivial: Bool {
      guard let value, let trivial else { return false }
      return direction.loss(from: trivial.value, to: value) > 0
    }
  }

  /// The score of a prediction that ignores the recording.
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
  /// The smoothing of the poses before detection, as `--smooth` takes it; `nil` for none.
  public var smoothing: String?
  /// The suite's new names for labels of its datasets; `nil` if it renames none.
  public var labels: [String: String]?
  /// The corruption of the poses; `nil` for none. A corrupted run is no evidence for a release.
  public var perturbation: Perturbation?
  public var metrics: [MetricResult]
  public var clips: [ClipResult]
  /// By detector; everything else is the same on every machine.
  public var measured: [String: MeasuredCost]
  /// The subjects that file parameters were tuned on; `nil` if there are none.
  public var tunings: [Tuning]?
  /// A note that datasets share subject names without saying whether they share people, or that names of subjects differ
  /// by next to nothing; `nil` if they do not.
  public var peopleNote: String?
  /// How often the suite's gate is asked while people are being recorded; `nil` for once, and in older runs.
  public var looks: GateRule.Looks?
  /// That several people have the same recordings, in a sentence; `nil` if none have, and in older runs.
  public var copyNote: String?
  /// The exercises whose clips are time without reps; `nil` for none.
  public var negatives: [String]?
  /// A note that reps are matched by another rule than the suite's; `nil` if they are not.
  public var matchingNote: String?
  /// That clips do not judge a detector, because their labels began as its reps; `nil` for none, and in older runs.
  public var draftNote: String?
  /// That a program's predictions differ when it is asked again; `nil` if they do not, and in older runs.
  public var repeatNote: String?
  /// How much of the scores survives each perturbation; `nil` if not asked for.
  public var robustness: Robustness?
  /// The detectors whose predictions came from files, with these predictions; `nil` for none.
  public var predicted: [PredictedDetector]?
  /// Whether `--dataset` replaced the suite's datasets: `true`, or `nil`.
  public var replacesDatasets: Bool?

  public struct Perturbation: Codable, Hashable, Sendable {
    /// As `--perturb` takes it.
    public var text: String
    public var seed: UInt64
    /// Deviations from the suite because of missing data; `nil` in older runs.
    public var notes: [String]?
  }

  /// The gating metrics, or the suite's own if none gates, on slices of the clips; `nil` in older runs.
  public var slices: [SliceResult]?

  /// A metric of the clips of one slice, scored on their own.
  public struct SliceResult: Codable, Hashable, Sendable {
    public var dimension: ClipSlice.Dimension
    /// The shared property of the clips: `front`.
    public var slice: String
    public var detector: String
    public var metric: String
    public var unit: String
    public var value: Double?
    /// `nil` with fewer than two subjects with a value, and if they allow no inference.
    public var interval: MetricResult.Bounds?
    /// Subjects with a value, of all in the slice.
    public var definedSubjects: Int
    public var subjects: Int
    public var clips: Int
    /// A subject's value over its clips in the slice; `nil` in older runs.
    public var bySubject: [String: Double?]?
    /// As for a metric of all clips.
    public var isPooled: Bool?
    public var withoutSubject: [String: Double]?
  }

  public struct Matching: Codable, Hashable, Sendable {
    /// The compared instant of matched reps.
    public var instant: String
    /// `nil` if reps are matched by another rule.
    public var toleranceSeconds: Double?
    /// The least temporal intersection over union; `nil` if reps are matched by another rule.
    public var overlap: Double?
    /// Whether a predicted turning point lies in the true rep; `nil` if reps are matched by another rule.
    public var turnInside: Bool?

    init(instant: String, toleranceSeconds: Double? = nil, overlap: Double? = nil, turnInside: Bool? = nil) {
      self.instant = instant
      self.toleranceSeconds = toleranceSeconds
      self.overlap = overlap
      self.turnInside = turnInside
    }

    public init(_ matching: RepMatching) {
      switch matching.rule {
      case .tolerance(let tolerance): self.init(instant: matching.instant.rawValue, toleranceSeconds: tolerance.seconds)
      case .overlap(let overlap): self.init(instant: matching.instant.rawValue, overlap: overlap)
      case .turnInside: self.init(instant: matching.instant.rawValue, turnInside: true)
      }
    }

    /// The rule for matching reps, and strokes within the same tolerance.
    public var rule: RepMatching {
      if let overlap { return RepMatching(overlap: overlap) }
      if turnInside == true { return .turnInside }
      return RepMatching(
        instant: RepMatching.Instant(rawValue: instant) ?? .end,
        tolerance: toleranceSeconds.flatMap { Microseconds(seconds: $0) } ?? .zero)
    }

    /// `end within 0.5 s`, `overlap of at least 0.5`, `turning point inside`.
    public var words: String {
      toleranceSeconds.map { "\(instant) within \($0) s" } ?? overlap.map { "overlap of at least \($0)" }
        ?? (turnInside == true ? "turning point inside" : instant)
    }
  }

  /// Nanoseconds per frame.
  public struct MeasuredCost: Codable, Hashable, Sendable {
    public var blocks: Int
    public var framesPerBlock: Int
    /// By name: `p50`, and those of `p90`, `p99`, `p99.9` that the number of blocks supports.
    public var quantiles: [String: Double]
    /// By the same names, if there is one; `nil` in older runs.
    public var intervals: [String: MetricResult.Bounds]?
    /// The median time of an empty interval, spread over a block's frames.
    public var clockFloor: Double?
    /// If the suite asks for them.
    public var ratios: MeasuredCostRatios?
    /// The blocks for the chart: at most 2000, evenly taken from the sorted ones.
    public var samples: [Double]
  }

  /// Whether the suite says that nobody does the exercise in a clip.
  public func isNegative(_ clip: ClipResult) -> Bool { negatives?.contains(clip.exercise) ?? false }

  /// What a detector counts in the clips in which nobody does the exercise, and their length in seconds; `nil` if such
  /// time is labelled within other clips too.
  public func phantoms(of detector: String) -> (count: Int, seconds: Double)? {
    let own = clips.filter { (isNegative($0) || $0.trueCount == 0) && $0.outcomes[detector] != nil }
    guard own.count == metric(detector, PhantomMetrics.rate)?.clips else { return nil }
    return (own.reduce(0) { $0 + ($1.outcomes[detector]?.count ?? 0) }, own.reduce(0) { $0 + $1.duration })
  }

  public func metric(_ detector: String, _ metric: String) -> MetricResult? {
    metrics.first(of: MetricID(detector, metric))
  }
}

/// How much of a suite's scores survives perturbations of growing strength.
public struct Robustness: Codable, Hashable, Sendable {
  /// A metric under one perturbation.
  public struct Ladder: Codable, Hashable, Sendable {
    public var perturbation: String
    /// The quantity that grows, with its unit.
    public var axis: String
    public var detector: String
    public var metric: String
    public var unit: String
    public var direction: Metric.Direction
    /// The loss that the suite accepts; `nil` for none.
    public var margin: Double?
    /// Without a perturbation.
    public var undisturbed: Score
    public var steps: [Step]

    /// The share of the undisturbed score that is left at the strongest step with a value: 1 is all of it. `nil` if
    /// lower is better, or if the undisturbed score was not above 0.
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
  /// Deviations from a perturbation's description, with the reasons; `nil` in older runs.
  public var notes: [String]?
}

/// A detector's cost as a multiple of a fixed loop's and, if the baseline has other parameters, of theirs.
public struct MeasuredCostRatios: Codable, Hashable, Sendable {
  public var toReference: CostRatio
  /// `nil` if the baseline has the same parameters, or none that this detector accepts.
  public var toBaseline: CostRatio?
  /// The accepted multiple; `nil` if the suite does not gate on it.
  public var margin: Double?
}

extension MeasuredCostRatios {
  /// The ratios of parts of a run's clips together; `nil` without parts.
  init?(_ parts: [MeasuredCostRatios]) {
    guard let first = parts.first else { return nil }
    let beside = parts.compactMap(\.toBaseline)
    self.init(
      toReference: CostRatio(byClip: parts.flatMap(\.toReference.byClip)),
      toBaseline: beside.count == parts.count ? CostRatio(byClip: beside.flatMap(\.byClip)) : nil, margin: first.margin)
  }
}

extension ReplayConditions {
  /// The conditions of a run, without the live replay, which only a run's metrics read.
  ///
  /// - Throws: `EvaluationError.missing` for perturbations that this version does not know, `SmoothingError`.
  init(_ results: RunResults) throws {
    do {
      self.init(
        perturbations: try results.perturbation.map { try Perturbations($0.text, seed: $0.seed) },
        smoothing: try results.smoothing.map { try Smoothing($0) }, labels: results.labels ?? [:],
        sharesPeople: results.clips.contains { $0.people == PersonID.sharedPeople },
        needsPoses: results.predicted == nil,
        isNegative: { [negatives = results.negatives ?? []] in negatives.contains($0) })
    } catch let error as PerturbationError {
      throw EvaluationError.missing(
        what: "perturbation of the run, \(results.perturbation?.text ?? "")", expected: error.expected,
        found: error.found)
    }
  }
}

extension NumberText {
  /// The interval of a metric's value: `0.61 to 0.87`, or `n/a`.
  public static func interval(_ metric: RunResults.MetricResult) -> String {
    guard let interval = metric.interval else { return missing }
    return "\(value(interval.low, unit: metric.unit)) to \(value(interval.high, unit: metric.unit))"
  }
}

extension RunResults {
  /// As the store keeps them: JSON without white space, with sorted keys.
  public var json: String { get throws { try json(clips: clipsJSON) } }

  /// The list of the clips, by far the longest part of the JSON.
  package var clipsJSON: String { get throws { try compactJSON(list: clips) } }

  /// - Parameter clips: The clips' JSON.
  package func json(clips: String) throws -> String {
    var others = self
    others.clips = []
    return try compactJSON(others, list: clips, key: "clips")
  }
}

extension RunResults {
  /// A detector's true against predicted labels over all clips; `nil` if it names nothing or nothing is labelled.
  public func classes(_ detector: String) -> ConfusionMatrix? {
    let matrices = clips.compactMap { $0.outcomes[detector]?.classes }
    guard let first = matrices.first else { return nil }
    let sum = matrices.dropFirst().reduce(first, +)
    return sum.total > 0 ? sum : nil
  }

  /// The clips on which a detector is wrong, the worst first: by count error, then by missed, false and confused
  /// detections; for detectors other than rep counters, then by the distance of grades from people's, then by wrong
  /// judgements. Ties by name.
  public func worstClips(_ detector: String) -> [ClipResult] {
    let isCounter = detectors.contains { $0.name == detector && $0.kind == "reps" }
    let ranked = clips.map { clip in
      (clip: clip, errors: Array(clip.errors(of: detector).prefix(isCounter ? 2 : 4)))
    }
    let wrong = ranked.filter { clip in clip.errors.contains { $0 > 0 } }
    let worstFirst = wrong.sorted { a, b in
      a.errors == b.errors ? a.clip.id < b.clip.id : b.errors.lexicographicallyPrecedes(a.errors)
    }
    return worstFirst.map(\.clip)
  }

  /// The options that give a command the same files of predictions, after a space: ` --predictions mine.csv`; empty
  /// without predictions.
  public var predictionOptions: String { (predicted ?? []).flatMap(\.sources).options }

  /// The clips that files of predictions lack or have beyond the run's, one sentence each.
  public var predictionLimits: [String] {
    (predicted ?? []).flatMap { detector -> [String] in
      let missing = detector.unpredicted
      let silent =
        missing.isEmpty
        ? []
        : [
          "\(NumberText.count(missing.count, "clip")) without a prediction in \(detector.files), scored as if nothing was "
            + "found: \(missing.prefix(5).joined(separator: ", "))" + (missing.count > 5 ? ", …" : "") + "."
        ]
      return silent
        + (detector.leftOut == 0
          ? []
          : [
            "\(NumberText.count(detector.leftOut, "clip")) in \(detector.files) left out: the suite lacks their "
              + "exercises."
          ])
    }
  }

  /// Whether a detector's predictions come from files: there is nothing to replay.
  public func isPredicted(_ detector: String) -> Bool { predicted?.contains { $0.name == detector } ?? false }

  /// The first detector that counts reps.
  public var counter: String? { detectors.first { $0.kind == "reps" }?.name }

  /// The first detector that grades.
  public var scorer: String? { detectors.first { $0.kind == "form" }?.name }

  /// The detector whose clips are shown: the first that counts reps, or finds strokes, or names labelled events, or
  /// grades; `nil` if there is none.
  public var shownDetector: String? {
    counter ?? detectors.first { $0.kind == "swing" }?.name ?? detectors.first { classes($0.name) != nil }?.name
      ?? scorer
  }

  /// A detector's errors on a clip.
  public func mistakes(_ detector: String, on clip: ClipResult) -> ClipMistakes {
    ClipMistakes(clip, detector: detector, kind: detectors.first { $0.name == detector }?.kind ?? "")
  }
}

extension [RunResults.DatasetCard] {
  /// The content hash of each dataset, by its name.
  package var contentByName: [String: String] {
    Dictionary(map { ($0.name, $0.content) }, uniquingKeysWith: { first, _ in first })
  }
}
