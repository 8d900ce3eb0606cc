import Coaching
import Datasets
import Files
import PoseModel

/// One way in which a dataset can spoil an evaluation, and how to find it.
///
/// Looks at clips one by one, and at what is kept of all of them, so that no more than one clip's poses are in memory.
public protocol DatasetCheck: Sendable {
  /// In output and JSON: `frozen-frames`.
  var name: String { get }
  /// What a person calls it: "the picture stands still".
  var title: String { get }
  /// From where on it is found, and why there.
  var threshold: String { get }
  /// What to do about it, where a finding says nothing else.
  var remedy: String { get }

  func findings(in clip: CheckedClip) -> [Finding]
  func findings(across dataset: CheckedDataset) -> [Finding]
}

extension DatasetCheck {
  public func findings(in clip: CheckedClip) -> [Finding] { [] }
  public func findings(across dataset: CheckedDataset) -> [Finding] { [] }

  /// - Parameters:
  ///   - place: where the label stands that it is about.
  ///   - remedy: what to do about this one; the check's own where nothing is given.
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
    // Adding 0 takes the sign from -0.
    return (self * scale).rounded() / scale + 0
  }
}

/// A share as checks write it: `2.5 %`.
func percent(_ share: Double) -> String { "\((share * 100).rounded(toDecimals: 1)) %" }

/// The checks that there are, and how they are run.
public enum DatasetChecks {
  /// In the order in which they are told: labels, people, raters, poses.
  public static let all: [any DatasetCheck] = [
    Unreadable(), RepTimes(), LabelBounds(),
    SubjectsInSplits(), SubjectsAcrossDatasets(), NearDuplicates(), SubjectCount(),
    RaterSilence(), RaterVariation(), RaterDisagreement(),
    FrameRate(), FrozenFrames(), ZerosForMissing(), Orientation(), CoordinateUnits(), PersonChange(), SideSwaps(),
    MirroredSides(), LimbLengths(),
    ClipFitness(),
  ]

  /// The check of what can't be read.
  public static let unreadable = Unreadable().name

  /// Runs all checks over a dataset's clips.
  ///
  /// - Parameters:
  ///   - suites: those that take the dataset.
  ///   - next: gives the next clip, `nil` after the last.
  /// - Returns: The findings in the order of `all`; within a check the worst first.
  public static func findings(
    _ manifest: Manifest, suites: [(suite: Suite, baseline: Baseline?)] = [], clips next: () throws -> Clip?
  ) throws -> [Finding] {
    try findings(manifest, suites: suites, unreadable: []) { try next().map { UncheckedClip($0) } }
  }

  /// Runs all checks over the clips of a folder whose labels may break the rules of the format.
  ///
  /// - Parameters:
  ///   - suites: those that take the dataset.
  ///   - neighbours: the other datasets of these suites.
  ///   - unreadable: the rows of label files that could not be read.
  ///   - next: gives the next clip, `nil` after the last.
  /// - Returns: The findings in the order of `all`; within a check the worst first.
  public static func findings(
    _ manifest: Manifest, suites: [(suite: Suite, baseline: Baseline?)],
    neighbours: [RecurringSubjects.Dataset] = [], unreadable: [DataError],
    uncheckedClips next: () throws -> UncheckedClip?
  ) throws -> [Finding] {
    var unreadable = unreadable
    var found = [[Finding]](repeating: [], count: all.count)
    var members: [CheckedDataset.Member] = []
    while let next = try next() {
      let checked = try CheckedClip(next.clip, locations: next.locations, manifest: manifest)
      if let error = next.unreadable { unreadable.append(error) }
      for (index, check) in all.enumerated() { found[index] += check.findings(in: checked) }
      members.append(CheckedDataset.Member(checked))
    }
    let dataset = CheckedDataset(
      manifest: manifest, members: members, unreadable: unreadable, suites: suites, neighbours: neighbours)
    for (index, check) in all.enumerated() { found[index] += check.findings(across: dataset) }
    return found.flatMap { findings in
      findings.sorted {
        ($0.severity, -$0.weight, $0.clip ?? "", $0.start ?? 0) < (
          $1.severity, -$1.weight, $1.clip ?? "", $1.start ?? 0
        )
      }
    }
  }
}

extension Project {
  /// The suites of the project that take a dataset, with their baselines; those that can't be read are left out.
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

/// Something in a dataset that spoils an evaluation, as one check found it.
public struct Finding: Codable, Hashable, Sendable {
  public enum Severity: String, Codable, CaseIterable, Hashable, Comparable, Sendable {
    /// Results on it are wrong or too good.
    case problem
    /// Results on it may be wrong there.
    case warning
    /// Worth knowing; nothing is wrong.
    case note

    public static func < (a: Self, b: Self) -> Bool { a.rank < b.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  /// The check's name.
  public var check: String
  public var severity: Severity
  /// `nil` where it is about the dataset as a whole.
  public var clip: String?
  /// Seconds of the clip; `nil` where it is about the clip as a whole.
  public var start: Double?
  public var end: Double?
  /// The file that says so, and its line; `nil` for what is no label of a folder.
  public var file: String?
  public var line: Int?
  /// What was found, in words.
  public var found: String
  /// What to do about it.
  public var remedy: String
  /// How bad it is beside others of the same check; the greater the worse.
  public var weight: Double
}

/// A clip as checks look at it: its poses on the common joints beside what the estimator wrote.
public struct CheckedClip: Sendable {
  public let manifest: Manifest
  public let clip: Clip
  /// Where its labels stand; empty for a clip of no folder.
  public let locations: LabelLocations
  /// Joints that were zeros for want of a place, and are missing here.
  let zeros: Zeros
  /// `nil` for a clip with labels only.
  public let poses: PoseSequence?
  /// `nil` where there are no poses, or no trunk to measure them by.
  let body: BodyTrack?
  /// `nil` for a clip without poses.
  let sides: BodySides?

  /// - Throws: `EvaluationError.missing` for a skeleton that is not known.
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

/// What checks keep of all clips, and the suites that a dataset is for.
public struct CheckedDataset: Sendable {
  public struct Member: Sendable {
    public let info: Clip.Info
    public let labels: GroundTruth
    /// `nil` for a clip without enough movement to know it by.
    let fingerprint: MotionFingerprint?
    /// The same as if it were played twice as fast.
    let fastFingerprint: MotionFingerprint?
    /// What it lacks to be coached on.
    let shortcomings: [(kind: ClipQuality.Shortcoming, words: String)]
    /// The trunk in the dataset's own unit; `nil` where a frame's scale means nothing.
    let trunk: Float?
    /// `nil` for a clip without poses.
    let sides: BodySides?

    init(_ clip: CheckedClip) {
      info = clip.clip.info
      labels = clip.clip.labels
      fingerprint = clip.body.flatMap { MotionFingerprint($0) }
      fastFingerprint = clip.body.flatMap { MotionFingerprint($0, speed: 2) }
      shortcomings = clip.poses.map { ClipQuality($0, coordinates: clip.manifest.coordinates).told } ?? []
      trunk = clip.manifest.coordinates.unit == .relative ? nil : clip.rawTrunk
      sides = clip.sides
    }
  }

  public let manifest: Manifest
  public let members: [Member]
  /// What of the folder breaks the rules of the format so that it can't be read.
  public let unreadable: [DataError]
  /// The suites that take the dataset, with their baselines where they have one.
  public let suites: [(suite: Suite, baseline: Baseline?)]
  /// The other datasets of these suites.
  var neighbours: [RecurringSubjects.Dataset] = []
}

extension CheckedClip {
  /// The median trunk, neck to root, in the unit of the file (x in that of y); `nil` where there is none.
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
    return lengths.isEmpty ? nil : lengths.sorted()[lengths.count / 2]
  }
}

/// Rows of label files and pose files that break the rules of the format: import and run refuse such a dataset.
struct Unreadable: DatasetCheck {
  let name = "unreadable"
  let title = "rows or files break the rules of the format"
  let threshold = "any: the rules are those of import, which stops at the first that is broken"
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
