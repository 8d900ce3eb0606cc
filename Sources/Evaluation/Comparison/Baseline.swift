import Datasets
import Files
import Foundation
import Statistics

/// The result that a release is held against, as `baselines/<suite>.json` keeps it: the metrics that the suite lists, a
/// value a subject, and what the detectors that gate said of each clip.
public struct Baseline: Hashable, Sendable {
  public static let currentFormat = 2

  public struct Detector: Codable, Hashable, Sendable {
    public var name: String
    public var parameters: [String: Double]
  }

  public struct Value: Hashable, Sendable {
    public var detector: String
    public var metric: String
    public var value: Double?
    /// A value for every subject that was there; `nil` where it was undefined.
    public var bySubject: [String: Double?]
    /// Whether the value is that of all clips together: `true`, or `nil`.
    public var isPooled: Bool?
    /// Of a pooled value, what it is without each of the subjects that have a part in it; `nil` where it is undefined
    /// without one of them, and in baselines from before it was kept.
    public var withoutSubject: [String: Double]?
    /// Whether the suite gated on it: `true`, or `nil`, as in baselines from before it was kept.
    public var gates: Bool?
    /// The loss that the suite accepted; `nil` where it did not gate, and in baselines from before it was kept.
    public var margin: Double?
    /// The value that it must not be worse than; `nil` for none.
    public var floor: Double?

    /// A number for each subject, the mean of which is the value: its own value or, of a pooled value, its share in it; none
    /// where it is not known what that is without each subject.
    public var sample: [Double] {
      RunResults.MetricResult.sample(
        value, bySubject: bySubject, isPooled: isPooled == true, withoutSubject: withoutSubject)
    }
  }

  /// A metric of the clips that have something in common.
  public struct Slice: Hashable, Sendable {
    public var dimension: ClipSlice.Dimension
    public var slice: String
    public var detector: String
    public var metric: String
    /// A subject's own value from its clips in the slice.
    public var bySubject: [String: Double?]
    /// As of a metric of all clips.
    public var isPooled: Bool?
    public var withoutSubject: [String: Double]?
    /// `nil` for one that is not pooled: it is the mean of the subjects' values.
    public var pooled: Double?

    public var value: Double? {
      isPooled == true ? pooled : mean(bySubject.sorted { $0.key < $1.key }.compactMap(\.value))
    }
  }

  /// What a detector said of a clip.
  public struct ClipPrediction: Hashable, Sendable {
    public var count: Int?
    public var summary = PredictionSummary()
    /// Of the suite's metrics over found cases only, a value for every true case, `nil` for one that was not found; absent in
    /// baselines of before it was kept.
    public var cases: [String: [Double?]]?

    var isEmpty: Bool { count == nil && summary == PredictionSummary() }
  }

  /// Of the file that it was read from.
  public var format = Self.currentFormat
  public var suite: String
  public var suiteVersion: Int
  /// Content hash by dataset.
  public var datasets: [String: String]
  public var detectors: [Detector]
  public var matching: RunResults.Matching
  public var camera: LiveCamera
  /// What the poses went through before the detectors saw them; `nil` for nothing.
  public var smoothing: String?
  /// What went wrong with the poses on purpose; with anything, it is nothing that a release is held against.
  public var perturbation: String?
  /// Those that the suite lists.
  public var metrics: [Value]
  /// The clips that were there, with what each detector that gates said of them, as far as people labelled it: what
  /// exactly changed can be told clip by clip.
  public var clips: [String: [String: ClipPrediction]]
  /// Whether no more than counts was kept of the clips, as in baselines of before.
  public var knowsCountsOnly = false
  /// Of the gating metrics: for whom a change is better or worse; `nil` in baselines of before they were kept.
  public var slices: [Slice]?
  /// Whom the parameters were tuned on; `nil` where they were not read from files that say so.
  public var tunings: [Tuning]?
  /// Of the detectors whose cost the suite looks at, how much longer than a fixed loop an update took; measured.
  public var costs: [String: CostRatio]?
  /// Of the detectors whose cost gated, how many times as long was accepted.
  public var costMargins: [String: Double]?
  /// The losses that people accepted on purpose, the oldest first; `nil` for none.
  public var acceptedLosses: [AcceptedLoss]?

  /// What is accepted of a run: the metrics that its suite lists, and what the detectors that gate said; of all detectors
  /// where nothing gates.
  public init(_ results: RunResults) {
    self.init(allOf: results)
    metrics = zip(results.metrics, metrics).filter { $0.0.isListed || $0.0.margin != nil }.map(\.1)
    let listed = Dictionary(grouping: metrics, by: \.detector).mapValues { Set($0.map(\.metric)) }
    clips = clips.mapValues { detectors in
      Dictionary(
        uniqueKeysWithValues: detectors.map { detector, prediction in
          (detector, prediction.keeping(listed[detector] ?? []))
        })
    }
    let gating = Set(results.metrics.filter { $0.margin != nil }.map(\.detector))
    guard !gating.isEmpty else { return }
    clips = clips.mapValues { $0.filter { gating.contains($0.key) } }
  }

  /// All that a run has to compare with another.
  init(allOf results: RunResults) {
    suite = results.suite
    suiteVersion = results.suiteVersion
    datasets = Dictionary(results.datasets.map { ($0.name, $0.content) }, uniquingKeysWith: { first, _ in first })
    detectors = results.detectors.map { Detector(name: $0.name, parameters: $0.parameters) }
    matching = results.matching
    camera = results.camera
    smoothing = results.smoothing
    perturbation = results.perturbation?.text
    metrics = results.metrics.map(Value.init)
    let kinds = Dictionary(results.detectors.map { ($0.name, $0.kind) }, uniquingKeysWith: { first, _ in first })
    clips = Dictionary(
      results.clips.map { clip in
        let own = clip.outcomes.map { detector, outcome in
          let summary = PredictionSummary(clip, detector: detector, kind: kinds[detector] ?? "")
          return (detector, ClipPrediction(count: outcome.count, summary: summary, cases: outcome.cases))
        }
        return (clip.id, Dictionary(uniqueKeysWithValues: own.filter { !$0.1.isEmpty }))
      }, uniquingKeysWith: { first, _ in first })
    slices = results.slices?.compactMap { slice in
      slice.bySubject.map {
        Slice(
          dimension: slice.dimension, slice: slice.slice, detector: slice.detector, metric: slice.metric, bySubject: $0,
          isPooled: slice.isPooled, withoutSubject: slice.withoutSubject,
          pooled: slice.isPooled == true ? slice.value : nil)
      }
    }
    tunings = results.tunings
    let ratios = results.measured.compactMapValues(\.ratios?.toReference)
    costs = ratios.isEmpty ? nil : ratios
    let margins = results.measured.compactMapValues(\.ratios?.margin)
    costMargins = margins.isEmpty ? nil : margins
  }

  /// Whether the other is the same but for what was measured and for the reasons of accepted losses.
  public func agrees(with other: Baseline) -> Bool {
    var (mine, theirs) = (self, other)
    guard Set((mine.costs ?? [:]).keys) == Set((theirs.costs ?? [:]).keys) else { return false }
    (mine.costs, theirs.costs) = (nil, nil)
    (mine.acceptedLosses, theirs.acceptedLosses) = (nil, nil)
    return mine == theirs
  }

  /// Whether the intervals on every detector's cost overlap; without an interval they are taken to.
  public func overlaps(_ other: Baseline) -> Bool {
    (costs ?? [:]).allSatisfy { detector, ratio in
      guard let mine = ratio.interval, let theirs = other.costs?[detector]?.interval else { return true }
      return mine.low <= theirs.high && theirs.low <= mine.high
    }
  }

  public func metric(_ detector: String, _ metric: String) -> Value? {
    metrics.first { $0.detector == detector && $0.metric == metric }
  }

  /// The detectors of which something was kept.
  var predictedDetectors: Set<String> { Set(clips.values.flatMap(\.keys)) }

  /// - Parameter name: what errors call it.
  func requireRecorded(_ name: String) throws {
    guard perturbation == nil else {
      throw EvaluationError.missing(
        what: name, expected: "a run on the poses as they were recorded",
        found: "one perturbed by \(perturbation ?? "")")
    }
  }
}

extension Baseline.Value {
  package init(_ metric: RunResults.MetricResult) {
    self.init(
      detector: metric.detector, metric: metric.metric, value: metric.value, bySubject: metric.bySubject,
      isPooled: metric.isPooled, withoutSubject: metric.withoutSubject, gates: metric.margin == nil ? nil : true,
      margin: metric.margin, floor: metric.floor)
  }
}

// MARK: - The file

extension Baseline {
  /// Reads a baseline, of this format or of one before.
  ///
  /// - Throws: `EvaluationError.missing` where there is none, it is of another format or has a metric twice, `DataError` where it can't be
  ///   read: an unreadable baseline is never an absent one.
  public init(file path: String, suite: String) throws {
    guard FileManager.default.fileExists(atPath: path) else {
      throw EvaluationError.missing(
        what: "baseline of suite \(suite)", expected: "the file \(path)",
        found: "no such file; make one with: bench baseline accept --suite \(suite)")
    }
    try self.init(InputFile(path), suite: suite)
  }

  /// - Throws: as `init(file:suite:)`.
  init(_ file: InputFile, suite: String) throws {
    let (path, bytes) = (file.name, file.bytes)
    struct Head: Decodable { var format: Int }
    do {
      let head = try JSONDecoder().decode(Head.self, from: bytes)
      guard (1...Self.currentFormat).contains(head.format) else {
        throw EvaluationError.missing(
          what: path, expected: "format \(Self.currentFormat)",
          found: "format \(head.format), of another version of bench")
      }
      self = try JSONDecoder().decode(Baseline.self, from: bytes)
    } catch let error as DecodingError {
      throw DataError(file: path, expected: "a baseline", found: error.words)
    }
    guard self.suite == suite else {
      throw DataError(file: path, expected: "a baseline of suite \(suite)", found: "one of suite \(self.suite)")
    }
  }

  /// Writes the baseline, whole or not at all: a metric and a clip a line, keys sorted, so that a change reads well in review.
  ///
  /// - Throws: `EvaluationError.missing` where its poses were perturbed.
  public func write(to path: String) throws {
    try requireRecorded(path)
    try writeWhole(try lineByLineJSON(self), to: path)
  }
}

extension Baseline: Codable {
  private enum Key: String, CodingKey {
    case format, suite, suiteVersion, datasets, detectors, matching, camera, smoothing, perturbation, subjects, metrics
    case clips, countsOnly, slices, tunings, costs, costMargins, acceptedLosses
    /// Of format 1.
    case answers
  }

  public init(from decoder: any Decoder) throws {
    let file = try decoder.container(keyedBy: Key.self)
    format = try file.decode(Int.self, forKey: .format)
    suite = try file.decode(String.self, forKey: .suite)
    suiteVersion = try file.decode(Int.self, forKey: .suiteVersion)
    datasets = try file.decode([String: String].self, forKey: .datasets)
    detectors = try file.decode([Detector].self, forKey: .detectors)
    matching = try file.decode(RunResults.Matching.self, forKey: .matching)
    camera = try file.decode(LiveCamera.self, forKey: .camera)
    smoothing = try file.decodeIfPresent(String.self, forKey: .smoothing)
    perturbation = try file.decodeIfPresent(String.self, forKey: .perturbation)
    tunings = try file.decodeIfPresent([Tuning].self, forKey: .tunings)
    costs = try file.decodeIfPresent([String: CostRatio].self, forKey: .costs)
    costMargins = try file.decodeIfPresent([String: Double].self, forKey: .costMargins)
    acceptedLosses = try file.decodeIfPresent([AcceptedLoss].self, forKey: .acceptedLosses)
    let subjects = try file.decodeIfPresent([String].self, forKey: .subjects) ?? []
    if let twice = subjects.repeated {
      throw DecodingError.dataCorruptedError(
        forKey: .subjects, in: file, debugDescription: "\(twice) is there twice")
    }
    func lines(_ key: Key) throws -> [(line: Line, bySubject: [String: Double?])]? {
      try file.decodeIfPresent([Line].self, forKey: key)?.enumerated().map { index, line in
        guard let bySubject = line.bySubject(of: subjects) else {
          throw DecodingError.dataCorruptedError(
            forKey: key, in: file, debugDescription: "entry \(index + 1) does not have one value for each subject")
        }
        return (line, bySubject)
      }
    }
    guard let metrics = try lines(.metrics) else {
      throw DecodingError.keyNotFound(
        Key.metrics, DecodingError.Context(codingPath: file.codingPath, debugDescription: "no metrics"))
    }
    if let twice = metrics.map({ "\($0.line.metric) of \($0.line.detector)" }).repeated {
      throw EvaluationError.missing(
        what: "baseline of suite \(suite)", expected: "each metric once", found: "\(twice) twice; accept a new baseline"
      )
    }
    self.metrics = metrics.map { line, bySubject in
      Value(
        detector: line.detector, metric: line.metric, value: line.value, bySubject: bySubject, isPooled: line.isPooled,
        withoutSubject: line.withoutSubject(of: subjects), gates: line.gates, margin: line.margin, floor: line.floor)
    }
    slices = try lines(.slices)?.map { line, bySubject in
      guard let dimension = line.dimension, let slice = line.slice else {
        throw DecodingError.dataCorruptedError(
          forKey: .slices, in: file, debugDescription: "an entry without dimension or slice")
      }
      return Slice(
        dimension: dimension, slice: slice, detector: line.detector, metric: line.metric, bySubject: bySubject,
        isPooled: line.isPooled, withoutSubject: line.withoutSubject(of: subjects), pooled: line.value)
    }
    guard format == 1 else {
      knowsCountsOnly = try file.decodeIfPresent(Bool.self, forKey: .countsOnly) ?? false
      clips = try file.decode([String: [String: ClipPrediction]].self, forKey: .clips)
      return
    }
    let summaries = try file.decodeIfPresent([String: [String: PredictionSummary]].self, forKey: .answers)
    knowsCountsOnly = summaries == nil
    clips = try file.decode([String: [String: Int]].self, forKey: .clips).mapValues { counts in
      counts.mapValues { ClipPrediction(count: $0) }
    }
    for (clip, detectors) in summaries ?? [:] {
      for (detector, summary) in detectors { clips[clip]?[detector, default: ClipPrediction()].summary = summary }
    }
  }

  /// In the current layout, whichever it was read in.
  public func encode(to encoder: any Encoder) throws {
    var file = encoder.container(keyedBy: Key.self)
    try file.encode(max(format, 2), forKey: .format)
    try file.encode(suite, forKey: .suite)
    try file.encode(suiteVersion, forKey: .suiteVersion)
    try file.encode(datasets, forKey: .datasets)
    try file.encode(detectors, forKey: .detectors)
    try file.encode(matching, forKey: .matching)
    try file.encode(camera, forKey: .camera)
    try file.encodeIfPresent(smoothing, forKey: .smoothing)
    try file.encodeIfPresent(perturbation, forKey: .perturbation)
    let named = metrics.map(\.bySubject) + (slices ?? []).map(\.bySubject)
    let subjects = Set(named.flatMap(\.keys)).sorted()
    try file.encode(subjects, forKey: .subjects)
    try file.encode(
      metrics.map { value in
        var line = Line(detector: value.detector, metric: value.metric, bySubject: value.bySubject, of: subjects)
        line.keep(value.withoutSubject, of: subjects)
        (line.value, line.isPooled, line.gates) = (value.value, value.isPooled, value.gates)
        (line.margin, line.floor) = (value.margin, value.floor)
        return line
      }, forKey: .metrics)
    try file.encodeIfPresent(
      slices?.map { slice in
        var line = Line(detector: slice.detector, metric: slice.metric, bySubject: slice.bySubject, of: subjects)
        line.keep(slice.withoutSubject, of: subjects)
        (line.dimension, line.slice) = (slice.dimension, slice.slice)
        (line.value, line.isPooled) = (slice.pooled, slice.isPooled)
        return line
      }, forKey: .slices)
    if knowsCountsOnly { try file.encode(true, forKey: .countsOnly) }
    try file.encode(clips, forKey: .clips)
    try file.encodeIfPresent(tunings, forKey: .tunings)
    try file.encodeIfPresent(costs, forKey: .costs)
    try file.encodeIfPresent(costMargins, forKey: .costMargins)
    try file.encodeIfPresent(acceptedLosses, forKey: .acceptedLosses)
  }

  /// A metric, or a metric of a slice, as a line of the file.
  private struct Line: Codable {
    var dimension: ClipSlice.Dimension?
    var slice: String?
    var detector: String
    var metric: String
    var value: Double?
    var isPooled: Bool?
    var gates: Bool?
    var margin: Double?
    var floor: Double?
    /// Positions in the file's list of subjects; `nil` for all of them.
    var of: [Int]?
    /// A value for each of these subjects.
    var values: [Double?]?
    /// The pooled value without each of these subjects; `null` for one that has no part in it.
    var without: [Double?]?
    /// As format 1 kept them.
    var bySubject: [String: Double?]?

    init(detector: String, metric: String, bySubject: [String: Double?], of subjects: [String]) {
      (self.detector, self.metric) = (detector, metric)
      let known = subjects.indices.filter { bySubject.keys.contains(subjects[$0]) }
      of = known.count == subjects.count ? nil : known
      values = known.map { bySubject[subjects[$0]] ?? nil }
    }

    private func names(of subjects: [String]) -> [String] { (of ?? Array(subjects.indices)).map { subjects[$0] } }

    mutating func keep(_ withoutSubject: [String: Double]?, of subjects: [String]) {
      without = withoutSubject.map { values in names(of: subjects).map { values[$0] } }
    }

    /// - Precondition: `bySubject(of:)` is not `nil`.
    func withoutSubject(of subjects: [String]) -> [String: Double]? {
      without.map { values in
        Dictionary(
          zip(names(of: subjects), values).compactMap { name, value in value.map { (name, $0) } },
          uniquingKeysWith: { first, _ in first })
      }
    }

    /// `nil` where there is not one value for each subject.
    func bySubject(of subjects: [String]) -> [String: Double?]? {
      if let bySubject { return bySubject }
      let positions = of ?? Array(subjects.indices)
      guard let values, values.count == positions.count, Set(positions).count == positions.count,
        without.map({ $0.count == positions.count }) ?? true,
        positions.allSatisfy(subjects.indices.contains)
      else {
        return nil
      }
      return Dictionary(zip(positions.map { subjects[$0] }, values), uniquingKeysWith: { first, _ in first })
    }
  }
}

extension Baseline.ClipPrediction {
  /// With the cases of these metrics only.
  fileprivate func keeping(_ metrics: Set<String>) -> Self {
    var kept = self
    kept.cases = cases?.filter { metrics.contains($0.key) && !$0.value.isEmpty }
    if kept.cases?.isEmpty == true { kept.cases = nil }
    return kept
  }
}

extension Baseline.ClipPrediction: Codable {
  private enum Key: String, CodingKey { case count, cases }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    count = try container.decodeIfPresent(Int.self, forKey: .count)
    cases = try container.decodeIfPresent([String: [Double?]].self, forKey: .cases)
    summary = try PredictionSummary(from: decoder)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encodeIfPresent(count, forKey: .count)
    try container.encodeIfPresent(cases, forKey: .cases)
    try summary.encode(to: encoder)
  }
}

extension [String] {
  /// The first that is there twice; `nil` where each is there once.
  fileprivate var repeated: String? {
    var seen: Set<String> = []
    return first { !seen.insert($0).inserted }
  }
}

extension DecodingError {
  /// What is wrong and where, in words.
  var words: String {
    func place(_ path: [any CodingKey]) -> String {
      let keys = path.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
      return keys.isEmpty ? "the file" : String(keys.drop { $0 == "." })
    }
    return switch self {
    case .keyNotFound(let key, let context): "\(place(context.codingPath)) without \(key.stringValue)"
    case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
      "\(place(context.codingPath)) that is no \(type)"
    case .dataCorrupted(let context): "\(place(context.codingPath)): \(context.debugDescription)"
    @unknown default: "\(self)"
    }
  }
}

extension Project {
  /// The baseline of a suite in the work tree.
  ///
  /// - Throws: as `Baseline(file:suite:)`, and `DataError` where a link leads out of the project.
  public func baseline(ofSuite suite: String) throws -> Baseline {
    try Baseline(file: within(baselineFile(suite)), suite: suite)
  }
}
