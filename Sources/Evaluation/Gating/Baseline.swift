import Datasets
import Foundation

/// The result that a release is held against, as `baselines/<suite>.json` keeps it.
public struct Baseline: Codable, Hashable, Sendable {
  public static let currentFormat = 1

  public struct Detector: Codable, Hashable, Sendable {
    public var name: String
    public var parameters: [String: Double]
  }

  public struct Value: Codable, Hashable, Sendable {
    public var detector: String
    public var metric: String
    public var value: Double?
    /// A value for every subject that was there; `nil` where it was undefined.
    public var bySubject: [String: Double?]
    /// Whether the value is that of all clips together: `true`, or `nil`.
    public var isPooled: Bool?
  }

  /// A metric of the clips that have something in common.
  public struct Slice: Codable, Hashable, Sendable {
    public var dimension: ClipSlice.Dimension
    public var slice: String
    public var detector: String
    public var metric: String
    public var value: Double?
    /// A subject's own value from its clips in the slice.
    public var bySubject: [String: Double?]
  }

  public var format: Int
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
  public var metrics: [Value]
  /// The clips that were there, with the rep count of each counter: what exactly changed can be told clip by clip.
  public var clips: [String: [String: Int]]
  /// What else the detectors said of the clips, by clip and detector; `nil` in baselines of before it was kept.
  public var answers: [String: [String: ClipAnswer]]?
  /// Of the gating metrics: for whom a change is better or worse; `nil` in baselines of before they were kept.
  public var slices: [Slice]?
  /// Whom the parameters were tuned on; `nil` where they were not read from files that say so.
  public var tunings: [Tuning]?

  /// Of the detectors whose cost the suite looks at, how much longer than a fixed loop an update took; measured.
  public var costs: [String: CostRatio]?

  public init(_ results: RunResults) {
    format = Self.currentFormat
    suite = results.suite
    suiteVersion = results.suiteVersion
    datasets = Dictionary(results.datasets.map { ($0.name, $0.content) }, uniquingKeysWith: { first, _ in first })
    detectors = results.detectors.map { Detector(name: $0.name, parameters: $0.parameters) }
    matching = results.matching
    camera = results.camera
    smoothing = results.smoothing
    perturbation = results.perturbation?.text
    metrics = results.metrics.map {
      Value(
        detector: $0.detector, metric: $0.metric, value: $0.value, bySubject: $0.bySubject, isPooled: $0.isPooled)
    }
    clips = Dictionary(
      results.clips.map { clip in (clip.id, clip.outcomes.compactMapValues(\.count)) },
      uniquingKeysWith: { first, _ in first })
    answers = results.answers
    slices = results.slices?.compactMap { slice in
      slice.bySubject.map {
        Slice(
          dimension: slice.dimension, slice: slice.slice, detector: slice.detector, metric: slice.metric,
          value: slice.value, bySubject: $0)
      }
    }
    tunings = results.tunings
    let ratios = results.measured.compactMapValues(\.ratios?.toReference)
    costs = ratios.isEmpty ? nil : ratios
  }

  /// Whether the other is the same but for what was measured.
  public func agrees(with other: Baseline) -> Bool {
    var (mine, theirs) = (self, other)
    guard Set((mine.costs ?? [:]).keys) == Set((theirs.costs ?? [:]).keys) else { return false }
    (mine.costs, theirs.costs) = (nil, nil)
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
}

extension Baseline {
  /// Reads a baseline.
  ///
  /// - Throws: `EvaluationError.missing` where there is none or it is of another format, `DataError` where it can't be
  ///   read: an unreadable baseline is never an absent one.
  public init(file path: String, suite: String) throws {
    guard FileManager.default.fileExists(atPath: path) else {
      throw EvaluationError.missing(
        what: "baseline of suite \(suite)", expected: "the file \(path)",
        found: "no such file; make one with: bench baseline accept --suite \(suite)")
    }
    let bytes = try InputFile(path).bytes
    struct Head: Decodable { var format: Int }
    do {
      let head = try JSONDecoder().decode(Head.self, from: bytes)
      guard head.format == Self.currentFormat else {
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

  /// Writes the baseline, whole or not at all.
  ///
  /// - Throws: `EvaluationError.missing` where its poses were perturbed.
  public func write(to path: String) throws {
    try requireRecorded(path)
    try writeWhole(try stableJSON(self), to: path)
  }
}

extension Baseline {
  /// - Parameter name: what errors call it.
  func requireRecorded(_ name: String) throws {
    guard perturbation == nil else {
      throw EvaluationError.missing(
        what: name, expected: "a run on the poses as they were recorded",
        found: "one perturbed by \(perturbation ?? "")")
    }
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
