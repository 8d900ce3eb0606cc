import Datasets
import Files
import Foundation
import Pipeline
import Statistics

/// The accepted result that later runs are compared with, stored as `baselines/<suite>.json`: the suite's metrics with
/// one value per subject, and the predictions of the gating detectors per clip.
public struct Baseline: Hashable, Sendable {
  public static let currentFormat = 2

  public struct Detector: Codable, Hashable, Sendable {
    public var name: String
    public var parameters: [String: Double]
    /// The hash of the files of a detector that is a command; `nil` for one in Swift.
    public var files: String?
  }

  public struct Value: OfMetric, Hashable, Sendable {
    public var detector: String
    public var metric: String
    public var value: Double?
    /// A value for every subject in the run; `nil` if undefined.
    public var bySubject: [String: Double?]
    /// Whether the value is computed over all clips together: `true`, or `nil`.
    public var isPooled: Bool?
    /// The pooled value without each subject that contributes to it; `nil` if it is undefined without one of them, and
    /// in baselines from before it was kept.
    public var withoutSubject: [String: Double]?
    /// Whether the suite gated on it: `true`, or `nil`, as in baselines from before it was kept.
    public var gates: Bool?
    /// The loss that the suite accepted; `nil` where it did not gate, and in baselines from before it was kept.
    public var margin: Double?
    /// The value that it must not fall below (or rise above, if lower is better); `nil` for none.
    public var floor: Double?
    /// The labelled cases without a prediction, which the value may leave out; `nil` for none, and in baselines from
    /// before it was kept.
    public var unanswered: Int?

    /// A number for each subject whose mean is the value: the subject's own value or, for a pooled value, its share in
    /// it; empty if the value without each subject is unknown.
    public var sample: [Double] {
      RunResults.MetricResult.sample(
        value, bySubject: bySubject, isPooled: isPooled == true, withoutSubject: withoutSubject)
    }
  }

  /// A metric of the clips in one slice.
  public struct Slice: Hashable, Sendable {
    public var dimension: ClipSlice.Dimension
    public var slice: String
    public var detector: String
    public var metric: String
    /// A subject's value over its clips in the slice.
    public var bySubject: [String: Double?]
    /// As for a metric of all clips.
    public var isPooled: Bool?
    public var withoutSubject: [String: Double]?
    /// `nil` if the value is not pooled but the mean of the subjects' values.
    public var pooled: Double?

    public var value: Double? {
      isPooled == true ? pooled : mean(bySubject.sorted { $0.key < $1.key }.compactMap(\.value))
    }
  }

  /// A detector's prediction on a clip.
  public struct ClipPrediction: Hashable, Sendable {
    public var count: Int?
    public var summary = PredictionSummary()
    /// For the suite's metrics over found cases only: a value for every true case, `nil` if it was not found; absent in
    /// older baselines.
    public var cases: [String: [Double?]]?

    var isEmpty: Bool { count == nil && summary == PredictionSummary() }
  }

  /// The format of the file that it was read from.
  public var format = Self.currentFormat
  public var suite: String
  public var suiteVersion: Int
  /// Content hash by dataset.
  public var datasets: [String: String]
  public var detectors: [Detector]
  public var matching: RunResults.Matching
  public var camera: LiveCamera
  /// The smoothing of the poses before detection; `nil` for none.
  public var smoothing: String?
  /// The corruption of the poses. A corrupted run is never a baseline for a release.
  public var perturbation: String?
  /// The metrics that the suite lists.
  public var metrics: [Value]
  /// The clips with the predictions of each gating detector, where labels exist: shows the changes clip by clip.
  public var clips: [String: [String: ClipPrediction]]
  /// Whether only counts were kept per clip, as in older baselines.
  public var knowsCountsOnly = false
  /// Whether metrics have the labelled cases without a prediction; older baselines do not.
  public var countsUnanswered = true
  /// The gating metrics per slice: who gains and who loses by a change; `nil` in older baselines.
  public var slices: [Slice]?
  /// The subjects that the parameters were tuned on; `nil` if the parameter files do not say.
  public var tunings: [Tuning]?
  /// Measured cost of the detectors whose cost the suite reads: an update's time as a multiple of a fixed loop's.
  public var costs: [String: CostRatio]?
  /// The accepted slowdown of the detectors whose cost gated, as a ratio.
  public var costMargins: [String: Double]?
  /// The best values of gating metrics that earlier baselines reached and this one does not; `nil` for none.
  public var best: [Value]?
  /// In a suite with any number of looks, the people of each look who were not in an earlier one.
  public var looks: [[String]]?
  /// The losses that people accepted on purpose, the oldest first; `nil` for none.
  public var acceptedLosses: [AcceptedLoss]?

  /// The accepted part of a run: the metrics of its suite, and the predictions of the gating detectors, or of
  /// all detectors if nothing gates.
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

  /// The parameters of each detector.
  public var parameters: [String: [String: Double]] {
    Dictionary(detectors.map { ($0.name, $0.parameters) }, uniquingKeysWith: { first, _ in first })
  }

  /// Everything in a run that can be compared with another run.
  init(allOf results: RunResults) {
    suite = results.suite
    suiteVersion = results.suiteVersion
    datasets = results.datasets.contentByName
    detectors = results.detectors.map { Detector(name: $0.name, parameters: $0.parameters, files: $0.files) }
    matching = results.matching
    camera = results.camera
    smoothing = results.smoothing
    perturbation = results.perturbation?.text
    metrics = results.metrics.map(Value.init)
    let kinds = results.detectorKinds
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

  /// Whether the other one is equal, apart from measured costs and the reasons of accepted losses.
  public func agrees(with other: Baseline) -> Bool {
    var (mine, theirs) = (self, other)
    guard Set((mine.costs ?? [:]).keys) == Set((theirs.costs ?? [:]).keys) else { return false }
    (mine.costs, theirs.costs) = (nil, nil)
    (mine.acceptedLosses, theirs.acceptedLosses) = (nil, nil)
    return mine == theirs
  }

  /// Whether the intervals on every detector's cost overlap; a missing interval counts as overlapping.
  public func overlaps(_ other: Baseline) -> Bool {
    (costs ?? [:]).allSatisfy { detector, ratio in
      guard let mine = ratio.interval, let theirs = other.costs?[detector]?.interval else { return true }
      return mine.low <= theirs.high && theirs.low <= mine.high
    }
  }

  public func metric(_ detector: String, _ metric: String) -> Value? {
    metrics.first(of: MetricID(detector, metric))
  }

  /// The detectors with kept predictions.
  var predictedDetectors: Set<String> { Set(clips.values.flatMap(\.keys)) }

  /// - Parameter name: Its name in errors.
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
      margin: metric.margin, floor: metric.floor, unanswered: metric.unanswered)
  }
}

// MARK: - The file

extension Baseline {
  /// Reads a baseline of this format or an older one.
  ///
  /// - Throws: `EvaluationError.missing` if there is none, it has another format or has a metric twice; `DataError` if
  ///   it cannot be read: an unreadable baseline never counts as absent.
  public init(file path: String, suite: String) throws {
    guard FileManager.default.fileExists(atPath: path) else {
      throw EvaluationError.missing(
        what: "baseline of suite \(suite)", expected: "the file \(path)",
        found: "no such file; make one with: bench baseline accept --suite \(suite)")
    }
    try self.init(InputFile(path), suite: suite)
  }

  /// - Throws: As `init(file:suite:)`.
  init(_ file: InputFile, suite: String) throws {
    let (path, bytes) = (file.name, file.bytes)
    try file.requireSize(atMost: InputFile.largestResults)
    func decoded(_ bytes: Data) throws -> Formatted<Baseline> {
      try JSONDecoder().decode(Formatted<Baseline>.self, from: bytes)
    }
    do {
      let content = try decoded(bytes)
      guard (1...Self.currentFormat).contains(content.format) else {
        throw EvaluationError.missing(
          what: path, expected: "format \(Self.currentFormat)",
          found: "format \(content.format), of another version of bench")
      }
      self = try content.value.get()
    } catch let error as DecodingError {
      var line: Int?
      do { try JSONReader.read(file) { try $0.skip() } } catch let error as DataError { line = error.line }
      throw DataError(
        file: path, line: line, expected: "a baseline", found: error.words(in: file) { _ = try decoded($0) })
    }
    guard self.suite == suite else {
      throw DataError(file: path, expected: "a baseline of suite \(suite)", found: "one of suite \(self.suite)")
    }
  }

  /// Writes the baseline atomically, one metric and one clip per line with sorted keys, to keep reviews readable.
  ///
  /// - Throws: `EvaluationError.missing` if its poses were perturbed.
  public func write(to path: String) throws {
    try requireRecorded(path)
    try writeWhole(try lineByLineJSON(self), to: path)
  }
}

extension Baseline: Codable {
  private enum Key: String, CodingKey {
    case format, suite, suiteVersion, datasets, detectors, matching, camera, smoothing, perturbation, subjects, metrics
    case clips, countsOnly, countsUnanswered, slices, tunings, costs, costMargins, best, looks, acceptedLosses
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
        forKey: .subjects, in: file, debugDescription: "\(twice) is listed twice")
    }
    func lines(_ key: Key) throws -> [(line: Line, bySubject: [String: Double?])]? {
      try file.decodeIfPresent([Line].self, forKey: key)?.enumerated().map { index, line in
        guard let bySubject = line.bySubject(of: subjects) else {
          throw DecodingError.dataCorruptedError(
            forKey: key, in: file, debugDescription: "entry \(index + 1) does not have one value for each person")
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
    func values(_ lines: [(line: Line, bySubject: [String: Double?])]) -> [Value] {
      lines.map { line, bySubject in
        Value(
          detector: line.detector, metric: line.metric, value: line.value, bySubject: bySubject,
          isPooled: line.isPooled, withoutSubject: line.withoutSubject(of: subjects), gates: line.gates,
          margin: line.margin, floor: line.floor, unanswered: line.unanswered)
      }
    }
    self.metrics = values(metrics)
    countsUnanswered =
      try file.decodeIfPresent(Bool.self, forKey: .countsUnanswered) ?? metrics.contains { $0.line.unanswered != nil }
    best = try lines(.best).map(values)
    looks = try file.decodeIfPresent([[String]].self, forKey: .looks)
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

  /// Always in the current layout, even if it was read from an older format.
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
    let named = (metrics + (best ?? [])).map(\.bySubject) + (slices ?? []).map(\.bySubject)
    let subjects = Set(named.flatMap(\.keys)).sorted()
    try file.encode(subjects, forKey: .subjects)
    func lines(_ values: [Value]) -> [Line] {
      values.map { value in
        var line = Line(detector: value.detector, metric: value.metric, bySubject: value.bySubject, of: subjects)
        line.keep(value.withoutSubject, of: subjects)
        (line.value, line.isPooled, line.gates) = (value.value, value.isPooled, value.gates)
        (line.margin, line.floor, line.unanswered) = (value.margin, value.floor, value.unanswered)
        return line
      }
    }
    try file.encode(lines(metrics), forKey: .metrics)
    try file.encodeIfPresent(best.map(lines), forKey: .best)
    try file.encodeIfPresent(looks, forKey: .looks)
    try file.encodeIfPresent(
      slices?.map { slice in
        var line = Line(detector: slice.detector, metric: slice.metric, bySubject: slice.bySubject, of: subjects)
        line.keep(slice.withoutSubject, of: subjects)
        (line.dimension, line.slice) = (slice.dimension, slice.slice)
        (line.value, line.isPooled) = (slice.pooled, slice.isPooled)
        return line
      }, forKey: .slices)
    if knowsCountsOnly { try file.encode(true, forKey: .countsOnly) }
    if countsUnanswered { try file.encode(true, forKey: .countsUnanswered) }
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
    var unanswered: Int?
    /// Indices into the file's list of subjects; `nil` for all of them.
    var of: [Int]?
    /// A value for each of these subjects.
    var values: [Double?]?
    /// The pooled value without each of these subjects; `null` for one that does not contribute to it.
    var without: [Double?]?
    /// The layout of format 1.
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

    /// `nil` if there is not one value per subject.
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
  /// The first duplicate; `nil` if there is none.
  fileprivate var repeated: String? {
    var seen: Set<String> = []
    return first { !seen.insert($0).inserted }
  }
}

extension Project {
  /// The baseline of a suite in the work tree.
  ///
  /// - Throws: As `Baseline(file:suite:)`, and `DataError` if a link leads out of the project.
  public func baseline(ofSuite suite: String) throws -> Baseline {
    try Baseline(file: within(baselineFile(suite)), suite: suite)
  }
}
