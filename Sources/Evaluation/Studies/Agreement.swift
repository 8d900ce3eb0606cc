import Datasets
import Files
import Pipeline
import PoseModel
import Scoring
import Statistics

/// How well two pose estimators agree on the same clips: one is the reference, the other is compared with it.
///
/// Only joints that both estimators report count: a neck or root computed as a midpoint adds no information, and a
/// joint that one skeleton lacks is no error. A subject's value covers all its frames; the result is the mean over
/// subjects. Places are compared only where both are of the picture; angles always are, those of a recording in space
/// with its third coordinate.
public struct EstimatorAgreement: Sendable {
  public var results: [AgreementResult]
  /// Names of the clips in both datasets.
  public var clips: [String]
  public var subjects: Int
  /// The compared joints: both estimators report them.
  public var joints: [Joint]
  /// The angles of these joints, in degrees.
  public var angles: [AngleAgreement]
  /// The counters of the clips' exercises on the recordings of both; empty where they were not replayed.
  public var detectors: [EstimatorEffect] = []
  /// Clips that only one of the two datasets has.
  public var leftOut: [String]
  /// What is not compared and why, in sentences; empty if both are of the picture.
  public private(set) var notes: [String] = []

  /// The share of the torso within which a joint counts as close to the reference.
  public static let share = 0.2

  private struct Tally {
    var correct = PercentageOfCorrectKeypoints()
    var similarity = ObjectKeypointSimilarity()
    var jitter = PoseJitter()
    var dropOut = KeypointDropOut()
    /// In the order of `BodyAngle.all`; empty sums for an angle that is not compared.
    var angles = BodyAngle.all.map { _ in PairedSums() }

    init() {}

    /// - Parameters:
    ///   - joints: The joints of both estimators, without those missing from the reference in the whole clip.
    ///   - coordinates: Of the two.
    init(
      reference: PoseSequence, other: PoseSequence, joints: [Joint], coordinates: (reference: Kind, other: Kind)
    ) {
      angles = BodyAngle.all.map { angle in
        angle.joints.allSatisfy(joints.contains)
          ? PairedSums(
            of: angle, reference: reference, other: other,
            inSpace: (coordinates.reference == .space, coordinates.other == .space)) : PairedSums()
      }
      let present = joints.filter { joint in reference.column(joint, .x).contains(where: \.isFinite) }
      if coordinates.reference == .picture, coordinates.other == .picture {
        correct = PercentageOfCorrectKeypoints(
          reference: reference, other: other, joints: present, within: EstimatorAgreement.share, of: .torso)
        similarity = ObjectKeypointSimilarity(reference: reference, other: other, joints: present)
      }
      jitter = PoseJitter(other, joints: present)
      dropOut = KeypointDropOut(other, joints: present)
    }

    static func + (a: Self, b: Self) -> Self {
      var sum = Self()
      sum.correct = a.correct + b.correct
      sum.similarity = a.similarity + b.similarity
      sum.jitter = a.jitter + b.jitter
      sum.dropOut = a.dropOut + b.dropOut
      sum.angles = zip(a.angles, b.angles).map { $0 + $1 }
      return sum
    }

    /// In the order of `EstimatorAgreement.metrics`.
    var values: [Double?] {
      [correct.value, similarity.value, jitter.acceleration, jitter.jerk, dropOut.value]
    }
  }

  private static let metrics: [Metric] = [
    .percentageOfCorrectKeypoints, .objectKeypointSimilarity, .poseAcceleration, .poseJerk, .keypointDropOut,
  ]

  /// What a dataset's coordinates are of.
  private enum Kind {
    case picture
    /// A plane with its own scale or origin.
    case plane
    case space

    init(_ manifest: Manifest) {
      switch manifest.coordinates.unit {
      case .image, .pixel: self = .picture
      case .metre, .relative: self = manifest.channels.contains(.z) ? .space : .plane
      }
    }

    var words: String {
      switch self {
      case .picture: "in the picture"
      case .plane: "in a plane of its own"
      case .space: "in space"
      }
    }
  }

  /// The joints that both estimators report, in the order of `Joint`.
  private static func joints(of datasets: [StoredDataset]) throws -> [Joint] {
    let skeletons = datasets.map { Skeleton.named($0.manifest.skeleton) }
    let shared = Joint.allCases.filter { joint in
      skeletons.allSatisfy { skeleton in
        if case .keypoint = skeleton?[joint] { true } else { false }
      }
    }
    guard !shared.isEmpty else {
      throw EvaluationError.missing(
        what: "datasets \(datasets.map(\.manifest.name).joined(separator: " and "))",
        expected: "joints that both estimators report", found: "none")
    }
    return shared
  }

  /// - Throws: `EvaluationError.missing` if the two share no clip with poses or no joint.
  public init(reference: StoredDataset, other: StoredDataset, in store: Store) throws {
    let coordinates = (reference: Kind(reference.manifest), other: Kind(other.manifest))
    let mine = try store.clips(of: reference).filter(\.hasPoses)
    let theirs = try store.clips(of: other).filter(\.hasPoses)
    let otherOf = Dictionary(theirs.map { ($0.info.name, $0) }, uniquingKeysWith: { first, _ in first })
    let shared = mine.filter { otherOf[$0.info.name] != nil }
    guard !shared.isEmpty else {
      throw EvaluationError.missing(
        what: "datasets \(reference.manifest.name) and \(other.manifest.name)",
        expected: "clips of the same name in both, seen by two estimators", found: "none")
    }
    joints = try Self.joints(of: [reference, other])
    var bySubject: [String: Tally] = [:]
    var undefined = Self.metrics.map { _ in 0 }
    for clip in shared {
      guard let twin = otherOf[clip.info.name] else { continue }
      let tally = Tally(
        reference: try store.clip(clip, of: reference).poses(reference.manifest),
        other: try store.clip(twin, of: other).poses(other.manifest), joints: joints, coordinates: coordinates)
      for (index, value) in tally.values.enumerated() where value == nil { undefined[index] += 1 }
      bySubject[clip.info.subject] = (bySubject[clip.info.subject] ?? Tally()) + tally
    }
    let tallies = bySubject.sorted { $0.key < $1.key }.map(\.value)
    let values = tallies.map(\.values)
    results = Self.metrics.enumerated().map { index, metric in
      let own = values.compactMap { $0[index] }
      return AgreementResult(
        metric, mean(own), of: own.count, interval: .studentT(own), method: "t on subject means",
        undefined: undefined[index])
    }
    angles = BodyAngle.all.indices.compactMap { index in
      AngleAgreement(BodyAngle.all[index], bySubject: tallies.map { $0.angles[index] })
    }
    clips = shared.map(\.info.name)
    subjects = bySubject.count
    let names = Set(clips)
    leftOut = (mine + theirs).map(\.info.name).filter { !names.contains($0) }.sorted()
    let places = [(reference, coordinates.reference), (other, coordinates.other)].map { dataset, kind in
      "\(dataset.manifest.name) is \(kind.words)"
    }.joined(separator: ", ")
    if coordinates.reference != .picture || coordinates.other != .picture {
      notes.append(
        "\(places): without a common scale and origin, places are not compared (keypoints.pck, keypoints.oks).")
    }
    if (coordinates.reference == .space) != (coordinates.other == .space), !angles.isEmpty {
      notes.append("The angles differ also as those of a movement in space differ from those of its picture.")
    }
  }
}

/// How far two estimators differ in an angle, frame by frame, in degrees: other minus reference.
///
/// Frames of one person are alike: intervals are over people.
public struct AngleAgreement: Sendable {
  /// `left knee`
  public let angle: String
  /// Frames in which both have the angle.
  public let frames: Int
  public let limits: AgreementLimits
  /// ICC(2,1) in the notation of Shrout and Fleiss, which is ICC(A,1).
  public let correlation: AgreementResult

  /// `nil` without a frame in which both have the angle.
  init?(_ angle: BodyAngle, bySubject sums: [PairedSums]) {
    let sums = sums.filter { $0.count > 0 }
    guard let limits = AgreementLimits(sums.compactMap(\.differences)) else { return nil }
    (self.angle, self.limits) = (angle.name, limits)
    frames = sums.reduce(0) { $0 + $1.count }
    let own = Metric(
      "keypoints.angle-icc", "Share of the variance of an angle that is not between the estimators: ICC(2,1).",
      .higherIsBetter, range: -1...1, undefined: "fewer than two frames, or no variance",
      source: "Shrout and Fleiss, 1979", aggregation: .pooled)
    var random = SeededGenerator(seed: AgreementLimits.seed)
    let estimate = ClusterBootstrap(resamples: AgreementLimits.resamples).estimate(
      clusters: sums.count, using: &random
    ) { counts in
      zip(sums, counts).reduce(PairedSums()) { sum, drawn in
        (0..<drawn.1).reduce(sum) { sum, _ in sum + drawn.0 }
      }.correlation?.value(.agreementSingle)
    }
    correlation = AgreementResult(
      own, estimate?.value, of: sums.count, interval: estimate?.interval, method: "BCa over subjects")
  }
}

/// The bias of one way to measure against another, and the limits that contain 95 % of the differences, with intervals
/// over people.
///
/// The bias is the mean of the subjects' mean differences with its t interval; the limits' intervals are from the
/// bootstrap of whole subjects. Tables and charts take them from here.
///
/// - Source: Bland and Altman, 2007: see `BlandAltman`.
public struct AgreementLimits: Hashable, Sendable {
  public struct Level: Hashable, Sendable {
    public var value: Double
    public var interval: Interval?
  }

  public let subjects: Int
  public let bias: Level
  /// `nil` with fewer than two subjects.
  public let lower: Level?
  public let upper: Level?

  /// How many times subjects are resampled: enough for the ends of a 95 % interval (Efron and Tibshirani, An
  /// Introduction to the Bootstrap, 1993, §14.3).
  static let resamples = 2000
  static let seed: UInt64 = 1

  /// `nil` without subjects.
  public init?(_ subjects: [BlandAltman.Subject]) {
    let means = subjects.map(\.mean)
    guard let bias = mean(means) else { return nil }
    self.subjects = subjects.count
    self.bias = Level(value: bias, interval: .studentT(means))
    func limit(_ deviations: Double) -> Level? {
      var random = SeededGenerator(seed: Self.seed)
      return ClusterBootstrap(resamples: Self.resamples).estimate(clusters: subjects.count, using: &random) { counts in
        // A subject that is resampled twice counts as two subjects.
        let drawn = zip(subjects, counts).flatMap { own, count in [BlandAltman.Subject](repeating: own, count: count) }
        guard let bias = mean(drawn.map(\.mean)), let deviation = BlandAltman(drawn)?.standardDeviation
        else { return nil }
        return bias + deviations * deviation
      }.map { Level(value: $0.value, interval: $0.interval) }
    }
    lower = limit(-1.96)
    upper = limit(1.96)
  }

  /// Of each subject's differences.
  public init?(differencesBySubject subjects: [[Double]]) {
    self.init(subjects.compactMap { BlandAltman.Subject($0) })
  }
}

/// What a counter counts on the recordings of two estimators: what the choice of one costs it.
public struct EstimatorEffect: Sendable {
  public let detector: String
  public let exercise: String
  public let clips: Int
  /// The share of clips with the same count.
  public let same: AgreementResult
  /// The count on the other estimator's recording minus that on the reference's.
  public let difference: AgreementResult
  /// The share of reps that it finds in both, by ends at most 0.5 s apart: 2 · both / (one + other).
  public let reps: AgreementResult

  private static let same = Metric(
    "estimators.same-count", "Share of clips with the same count on both estimators' recordings.", .higherIsBetter,
    range: 0...1, undefined: "no clip is counted on both", source: "the definition")
  private static let difference = Metric(
    "estimators.count-difference", "Count on the other estimator's recording minus that on the reference's.",
    .zeroIsBest, unit: "reps", range: -(.infinity)...(.infinity), undefined: "no clip is counted on both",
    source: "the definition")
  private static let reps = Metric(
    "estimators.same-reps", "Share of the reps that are found on both estimators' recordings (F1).", .higherIsBetter,
    range: 0...1, undefined: "no rep is found on either", source: "Dice, 1945")

  /// Replays every counter of the clips' exercises on both.
  ///
  /// Empty if a dataset has clips with labels only, which nothing can be replayed on.
  ///
  /// - Parameter progress: Called with the number of finished clips.
  /// - Throws: As `LeaderboardPlan`.
  public static func all(
    reference: StoredDataset, other: StoredDataset, in project: Project, store: Store, registry: DetectorRegistry,
    version: String,
    threads: Int, progress: @Sendable (_ done: Int) throws -> Void = { _ in }
  ) async throws -> [Self] {
    guard try [reference, other].allSatisfy({ try store.clips(of: $0).allSatisfy(\.hasPoses) }) else { return [] }
    let names = (reference.manifest.name, other.manifest.name)
    let plan = try LeaderboardPlan(
      datasets: [names.0, names.1], suites: [], detectors: [], metrics: ["count.exact"], in: project, store: store,
      registry: registry, mayLackDetectors: true)
    let (board, results) = try await plan.replayed(version: version, threads: threads, progress: progress)
    func replayed(_ dataset: String) -> [String: RunResults] {
      let own = zip(board.sections, results).compactMap { section, results -> (String, RunResults)? in
        section.dataset == dataset ? results.map { (section.exercise, $0) } : nil
      }
      return Dictionary(own, uniquingKeysWith: { first, _ in first })
    }
    let others = replayed(names.1)
    return replayed(names.0).sorted { $0.key < $1.key }.flatMap { exercise, results -> [Self] in
      guard let twin = others[exercise] else { return [] }
      return results.detectors.map(\.name).filter { $0 != OfflinePeaks.name }.sorted().compactMap { detector in
        Self(detector, exercise, reference: results.clips, other: twin.clips)
      }
    }
  }

  /// `nil` without a clip that the detector counts on both.
  init?(_ detector: String, _ exercise: String, reference: [ClipResult], other: [ClipResult]) {
    let otherOf = Dictionary(other.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    typealias Pair = (subject: String, counts: (Int, Int), found: (reps: Int, both: Int))
    let pairs = reference.compactMap { clip -> Pair? in
      guard let one = clip.outcomes[detector], let two = otherOf[clip.name]?.outcomes[detector],
        let count = one.count, let otherCount = two.count
      else { return nil }
      let (reps, otherReps) = (one.found, two.found)
      let both = ReplayPlan.plainMatching.pairs(truth: reps, predicted: otherReps).count
      return (clip.subject, (count, otherCount), (reps.count + otherReps.count, both))
    }
    guard !pairs.isEmpty else { return nil }
    (self.detector, self.exercise, clips) = (detector, exercise, pairs.count)
    let bySubject = Dictionary(grouping: pairs, by: \.subject).sorted { $0.key < $1.key }.map(\.value)
    func result(_ metric: Metric, _ value: ([Pair]) -> Double?) -> AgreementResult {
      let own = bySubject.compactMap(value)
      return AgreementResult(
        metric, mean(own), of: own.count, interval: .studentT(own), method: "t on subject means")
    }
    same = result(Self.same) { own in mean(own.map { $0.counts.0 == $0.counts.1 ? 1 : 0 }) }
    difference = result(Self.difference) { own in mean(own.map { Double($0.counts.1 - $0.counts.0) }) }
    reps = result(Self.reps) { own in
      let all = own.reduce(0) { $0 + $1.found.reps }
      return all > 0 ? Double(2 * own.reduce(0) { $0 + $1.found.both }) / Double(all) : nil
    }
  }
}

extension ClipResult.Outcome {
  /// The reported reps.
  fileprivate var found: [Rep] {
    (reps ?? []).compactMap { predicted in
      guard let start = Microseconds(seconds: predicted.rep.start), let end = Microseconds(seconds: predicted.rep.end)
      else { return nil }
      return Rep(start: start, end: end, turn: predicted.rep.turn.flatMap { Microseconds(seconds: $0) })
    }
  }
}

/// The agreement of two estimators, or of people, by one metric.
public struct AgreementResult: Sendable {
  public var metric: Metric
  /// `nil` if undefined.
  public var value: Double?
  /// The number of people that it is computed from.
  public var subjects: Int
  /// `nil` if undefined or without bounds.
  public var interval: Interval?
  /// `t on subject means`, or the name of the metric's own interval.
  public var method: String?
  /// The items without a value: clips for two estimators, raters for typical human disagreement.
  public var undefined: Int

  init(
    _ metric: Metric, _ value: Double?, of subjects: Int, interval: Interval? = nil, method: String? = nil,
    undefined: Int = 0
  ) {
    self.metric = metric
    self.value = value
    self.subjects = subjects
    let clamped = interval.map { $0.clamped(to: metric.range) }
    self.interval = clamped.flatMap { $0.low.isFinite && $0.high.isFinite ? $0 : nil }
    self.method = self.interval == nil ? nil : method
    self.undefined = undefined
  }
}

extension AgreementResult: Encodable {
  private enum Key: String, CodingKey {
    case metric, summary, unit, direction, value, people, low, high, level, method, undefined
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(metric.name, forKey: .metric)
    try container.encode(metric.summary, forKey: .summary)
    try container.encode(metric.unit, forKey: .unit)
    try container.encode(metric.direction, forKey: .direction)
    try container.encodeIfPresent(value, forKey: .value)
    try container.encode(subjects, forKey: .people)
    try container.encodeIfPresent(interval?.low, forKey: .low)
    try container.encodeIfPresent(interval?.high, forKey: .high)
    try container.encodeIfPresent(interval?.level, forKey: .level)
    try container.encodeIfPresent(method, forKey: .method)
    try container.encode(undefined, forKey: .undefined)
  }
}

extension EstimatorAgreement: Encodable {
  private enum Key: String, CodingKey { case clips, subjects, joints, leftOut, notes, metrics, angles, detectors }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(clips, forKey: .clips)
    try container.encode(subjects, forKey: .subjects)
    try container.encode(joints.map(\.name), forKey: .joints)
    try container.encode(leftOut, forKey: .leftOut)
    if !notes.isEmpty { try container.encode(notes, forKey: .notes) }
    try container.encode(results, forKey: .metrics)
    try container.encode(angles, forKey: .angles)
    try container.encode(detectors, forKey: .detectors)
  }
}

extension AngleAgreement: Encodable {
  private enum CodingKeys: String, CodingKey {
    case angle, frames, limits
    case correlation = "icc"
  }
}

extension AgreementLimits: Encodable {
  private enum CodingKeys: String, CodingKey {
    case bias, lower, upper
    case subjects = "people"
  }
}

extension AgreementLimits.Level: Encodable {
  private enum Key: String, CodingKey { case value, low, high }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(value, forKey: .value)
    try container.encodeIfPresent(interval?.low, forKey: .low)
    try container.encodeIfPresent(interval?.high, forKey: .high)
  }
}

extension EstimatorEffect: Encodable {
  private enum Key: String, CodingKey { case detector, exercise, clips, metrics }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(detector, forKey: .detector)
    try container.encode(exercise, forKey: .exercise)
    try container.encode(clips, forKey: .clips)
    try container.encode([same, difference, reps], forKey: .metrics)
  }
}
