import Coaching
import Datasets
import Dispatch
import Evaluation
import Files
import Foundation
import Pipeline
import PoseModel
import Synchronization

/// A check that finds one kind of problem in a dataset.
///
/// It looks at one clip at a time and at summaries of all clips, to keep only one clip's poses in memory.
public protocol DatasetCheck: Sendable {
  /// The name in output and JSON: `frozen-frames`.
  var name: String { get }
  /// The title for people: "frozen or repeated frames".
  var title: String { get }
  /// The limit for a finding, and why it is there.
  var threshold: String { get }
  /// The default remedy of the check's findings.
  var remedy: String { get }

  func findings(in clip: CheckedClip) -> [Finding]
  func findings(across dataset: CheckedDataset) -> [Finding]
}

extension DatasetCheck {
  public func findings(in clip: CheckedClip) -> [Finding] { [] }
  public func findings(across dataset: CheckedDataset) -> [Finding] { [] }

  /// - Parameters:
  ///   - place: The location of the label that it is about.
  ///   - remedy: The remedy of this finding; by default that of the check.
  func finding(
    _ severity: Finding.Severity, in clip: String? = nil, from start: Double? = nil, to end: Double? = nil,
    at place: FileLocation? = nil, weight: Double, _ found: String, remedy: String? = nil
  ) -> Finding {
    Finding(
      check: name, severity: severity, clip: clip, start: start.map { $0.rounded(toDecimals: 3) },
      end: end.map { $0.rounded(toDecimals: 3) }, file: place?.file, line: place?.line, found: found,
      remedy: remedy ?? self.remedy, weight: weight)
  }
}

extension Double {
  func rounded(toDecimals decimals: Int) -> Double {
    let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
    // Adding 0 removes the sign of -0.
    return (self * scale).rounded() / scale + 0
  }
}

/// A share as checks write it: `2.5 %`.
func percent(_ share: Double) -> String { "\((share * 100).rounded(toDecimals: 1)) %" }

/// All checks, and how they are run.
public enum DatasetChecks {
  /// In the order of output: labels, people, raters, poses.
  public static let all: [any DatasetCheck] = [
    Unreadable(), RepTimes(), LabelBounds(), PausesBetweenReps(),
    SubjectsInSplits(), SimilarSubjectNames(), SubjectsAcrossDatasets(), NearDuplicates(), SubjectCount(),
    RaterSilence(), RaterVariation(), RaterDisagreement(),
    FrameRate(), FrozenFrames(), ZerosForMissing(), ConfidenceRange(), Orientation(), CoordinateUnits(), ImageSides(),
    PersonChange(),
    SideSwaps(),
    MirroredSides(), LimbLengths(), GuessedDepth(),
    ClipFitness(),
  ]

  /// The check for rows and files that cannot be read.
  public static let unreadable = Unreadable().name

  /// Runs all checks over a dataset's clips.
  ///
  /// - Parameters:
  ///   - suites: The suites that use the dataset.
  ///   - next: Gives the next clip; `nil` after the last one.
  /// - Returns: The findings in the order of `all`; within a check the worst first.
  public static func findings(
    _ manifest: Manifest, suites: [(suite: Suite, baseline: Baseline?)] = [], clips next: () throws -> Clip?
  ) throws -> [Finding] {
    try findings(manifest, suites: suites, unreadable: []) { try next().map { UncheckedClip($0) } }
  }

  /// Runs all checks over the clips of a folder whose labels may break the rules of the format.
  ///
  /// - Parameters:
  ///   - suites: The suites that use the dataset.
  ///   - neighbours: The other datasets of these suites.
  ///   - unreadable: The rows of label files that could not be read.
  ///   - next: Gives the next clip; `nil` after the last one.
  /// - Returns: The findings in the order of `all`; within a check the worst first.
  public static func findings(
    _ manifest: Manifest, suites: [(suite: Suite, baseline: Baseline?)],
    neighbours: [RecurringSubjects.Dataset] = [], unreadable: [DataError],
    uncheckedClips next: () throws -> UncheckedClip?
  ) throws -> [Finding] {
    var unreadable = unreadable
    var found = [[Finding]](repeating: [], count: all.count)
    var members: [CheckedDataset.Member] = []
    // A few clips per core at a time: only their poses and those of the next ones are in memory.
    func batch() throws -> [UncheckedClip] {
      var clips: [UncheckedClip] = []
      while clips.count < 2 * availableCores, let clip = try next() { clips.append(clip) }
      return clips
    }
    var clips = try batch()
    while !clips.isEmpty {
      let (looks, following) = try looks(at: clips, of: manifest, reading: batch)
      for (clip, looked) in zip(clips, looks) {
        if let error = clip.unreadable { unreadable.append(error) }
        for index in all.indices { found[index] += looked.findings[index] }
        members.append(looked.member)
      }
      clips = following
    }
    let dataset = CheckedDataset(
      manifest: manifest, members: members, unreadable: unreadable, suites: suites, neighbours: neighbours)
    for (index, check) in all.enumerated() { found[index] += check.findings(across: dataset) }
    return found.flatMap { $0.sorted(by: Finding.isWorse) }
  }
}

extension DatasetChecks {
  /// The findings of all checks on a clip, in the checks' order, and the clip's summary.
  private typealias Look = (findings: [[Finding]], member: CheckedDataset.Member)

  /// Checks several clips at the same time, and reads the next ones meanwhile.
  private static func looks(
    at clips: [UncheckedClip], of manifest: Manifest, reading next: () throws -> [UncheckedClip]
  ) throws -> (looks: [Look], next: [UncheckedClip]) {
    let looks = Mutex<Result<[Look], any Error>?>(nil)
    let group = DispatchGroup()
    DispatchQueue.global().async(group: group) {
      let found = Result {
        try concurrently(clips.count) { index -> Look in
          let checked = try CheckedClip(clips[index].clip, locations: clips[index].locations, manifest: manifest)
          return (findings: all.map { $0.findings(in: checked) }, member: CheckedDataset.Member(checked))
        }
      }
      looks.withLock { $0 = found }
    }
    let following = Result { try next() }
    group.wait()
    return (try looks.withLock { $0 }?.get() ?? [], try following.get())
  }
}

extension Finding {
  /// The order within a check: by severity, then weight, then clip and time.
  fileprivate static func isWorse(_ a: Finding, _ b: Finding) -> Bool {
    if a.severity != b.severity { return a.severity < b.severity }
    if a.weight != b.weight { return a.weight > b.weight }
    let (clip, other) = (a.clip ?? "", b.clip ?? "")
    return clip == other ? (a.start ?? 0) < (b.start ?? 0) : clip < other
  }
}

extension Project {
  /// The project's suites that use a dataset, with their baselines; unreadable ones are left out.
  public func suites(
    on dataset: String, registry: DetectorRegistry
  ) -> [(suite: Suite, baseline: Baseline?)] {
    suiteNames.compactMap { name in
      guard let suite = try? suite(named: name, registry: registry),
        suite.datasets.contains(where: { $0.name == dataset })
      else { return nil }
      return (suite, try? baseline(ofSuite: name))
    }
  }
}

/// A problem that a check found in a dataset.
public struct Finding: Codable, Hashable, Sendable {
  public enum Severity: String, Codable, CaseIterable, Hashable, Comparable, Sendable {
    /// Results on it are wrong or too good.
    case problem
    /// Results on this part may be wrong.
    case warning
    /// Worth knowing; nothing is wrong.
    case note

    public static func < (a: Self, b: Self) -> Bool { a.rank < b.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  /// The check's name.
  public var check: String
  public var severity: Severity
  /// `nil` if it is about the whole dataset.
  public var clip: String?
  /// Seconds into the clip; `nil` if it is about the whole clip.
  public var start: Double?
  public var end: Double?
  /// The file with the label, and its line; `nil` if it is not about a label in a folder.
  public var file: String?
  public var line: Int?
  /// The finding in words.
  public var found: String
  /// The remedy.
  public var remedy: String
  /// Severity among the findings of the same check; higher is worse.
  public var weight: Double
}

/// A clip as the checks see it: its poses on the common joints, and the estimator's raw values.
public struct CheckedClip: Sendable {
  public let manifest: Manifest
  public let clip: Clip
  /// The locations of its labels; empty for a clip that is not from a folder.
  public let locations: LabelLocations
  /// Joints written as zeros because they were missing; they are missing in `poses`.
  let zeros: Zeros
  /// `nil` for a clip that has only labels.
  public let poses: PoseSequence?
  /// `nil` without poses, or without a trunk as their scale.
  let body: BodyTrack?
  /// `nil` for a clip without poses.
  let sides: BodySides?

  /// - Throws: `EvaluationError.missing` for a skeleton that is unknown.
  public init(_ clip: Clip, locations: LabelLocations = LabelLocations(), manifest: Manifest) throws {
    self.manifest = manifest
    var clip = clip
    if var keypoints = clip.keypoints {
      clip.keypoints = nil
      zeros = Zeros(takingFrom: &keypoints, unit: manifest.coordinates.unit)
      clip.keypoints = keypoints
    } else {
      zeros = Zeros()
    }
    self.clip = clip
    self.locations = locations
    let poses = clip.keypoints == nil ? nil : try clip.poses(manifest)
    self.poses = poses
    body = poses.flatMap { BodyTrack($0, unit: manifest.coordinates.unit) }
    sides = poses.map { BodySides($0) }
  }

  public var name: String { clip.info.name }

  /// Seconds of a frame.
  func seconds(_ frame: Int) -> Double { poses?.times[frame].seconds ?? 0 }
}

/// Summaries of all clips, and the suites that use the dataset.
public struct CheckedDataset: Sendable {
  public struct Member: Sendable {
    public let info: Clip.Info
    public let labels: GroundTruth
    /// `nil` for a clip with too little movement to recognise.
    let fingerprint: MotionFingerprint?
    /// The missing requirements for coaching.
    let shortcomings: [(kind: ClipQuality.Shortcoming, words: String)]
    /// Around the ends of the labelled reps.
    let pauses: RepPauses
    let ends: PausesBetweenReps.Ends
    /// The trunk in the dataset's unit; `nil` if the frames have no meaningful scale.
    let trunk: Float?
    /// `nil` for a clip without poses.
    let sides: BodySides?
    /// `nil` for a clip without depth.
    let depth: DepthFit?

    init(_ clip: CheckedClip) {
      info = clip.clip.info
      labels = clip.clip.labels
      fingerprint = clip.body.flatMap { MotionFingerprint($0) }
      shortcomings = clip.poses.map { ClipQuality($0, coordinates: clip.manifest.coordinates).told } ?? []
      ends = clip.poses.map { PausesBetweenReps.Ends(clip.clip, in: $0) } ?? PausesBetweenReps.Ends()
      pauses = clip.poses.map { RepPauses(of: clip.clip.labels.reps ?? [], in: $0) } ?? RepPauses()
      trunk = clip.manifest.coordinates.unit == .relative ? nil : clip.rawTrunk
      sides = clip.sides
      depth = clip.manifest.channels.contains(.z) ? clip.poses.flatMap { DepthFit($0) } : nil
    }
  }

  public let manifest: Manifest
  public let members: [Member]
  /// Rows and files that break the rules of the format and cannot be read.
  public let unreadable: [DataError]
  /// The suites that use the dataset, with their baselines if they have one.
  public let suites: [(suite: Suite, baseline: Baseline?)]
  /// The other datasets of these suites.
  var neighbours: [RecurringSubjects.Dataset] = []
}

extension CheckedClip {
  /// The median trunk length, neck to root, in the file's unit (x scaled to the unit of y); `nil` without a trunk.
  fileprivate var rawTrunk: Float? {
    guard let keypoints = clip.keypoints, let skeleton = Skeleton.named(manifest.skeleton) else { return nil }
    let aspect: Float = if case .image(let aspect) = manifest.coordinates.unit { Float(aspect) } else { 1 }
    func place(_ joint: Joint, _ channel: Channel, _ frame: Int) -> Float {
      let (a, b): (Int, Int) =
        switch skeleton[joint] {
        case .keypoint(let index): (index, index)
        case .midpoint(let first, let second): (first, second)
        case nil: (-1, -1)
        }
      guard a >= 0, let one = keypoints.column(a, channel), let other = keypoints.column(b, channel) else {
        return .nan
      }
      return (one[one.startIndex + frame] + other[other.startIndex + frame]) / 2 * (channel == .x ? aspect : 1)
    }
    let step = max(1, keypoints.frameCount / 200)
    let lengths = stride(from: 0, to: keypoints.frameCount, by: step).compactMap { frame -> Float? in
      let x = place(.neck, .x, frame) - place(.root, .x, frame)
      let y = place(.neck, .y, frame) - place(.root, .y, frame)
      let length = (x * x + y * y).squareRoot()
      return length > 0 ? length : nil
    }
    return lengths.isEmpty ? nil : value(ofRank: lengths.count / 2, in: lengths)
  }
}

/// Finds rows of label files and pose files that break the rules of the format. Import and run refuse such a dataset.
struct Unreadable: DatasetCheck {
  let name = "unreadable"
  let title = "rows or files break the rules of the format"
  let threshold = "any; these are the rules of import, which stops at the first error"
  let remedy = "correct the file; until then import and run refuse the dataset"

  func findings(across dataset: CheckedDataset) -> [Finding] {
    dataset.unreadable.enumerated().map { index, error in
      var finding = finding(
        .problem, in: error.clip, weight: Double(dataset.unreadable.count - index),
        "expected \(error.expected), found \(error.found)")
      (finding.file, finding.line) = (error.file, error.line)
      return finding
    }
  }
}
