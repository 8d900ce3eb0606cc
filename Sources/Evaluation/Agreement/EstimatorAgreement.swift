import Datasets
import PoseModel
import Scoring
import Statistics

/// How far two pose estimators agree on the same clips: one is the reference, the other is held against it.
///
/// A subject's value is that of all its frames together; what is shown is the mean of the subjects' values.
public struct EstimatorAgreement: Sendable {
  public var results: [AgreementResult]
  /// Names of the clips that both have.
  public var clips: [String]
  public var subjects: Int
  /// Clips that only one of the two datasets has.
  public var leftOut: [String]

  /// Of the torso, within which a joint is near the reference's.
  public static let share = 0.2

  private struct Tally {
    var correct = PercentageOfCorrectKeypoints()
    var similarity = ObjectKeypointSimilarity()
    var jitter = PoseJitter()
    var dropOut = KeypointDropOut()

    init() {}

    init(reference: PoseSequence, other: PoseSequence) {
      let joints = Joint.allCases.filter { joint in
        (0..<reference.frameCount).contains { reference.frame($0)[joint, .x].isFinite }
      }
      correct = PercentageOfCorrectKeypoints(
        reference: reference, other: other, joints: joints, within: EstimatorAgreement.share, of: .torso)
      similarity = ObjectKeypointSimilarity(reference: reference, other: other)
      jitter = PoseJitter(other, joints: joints)
      dropOut = KeypointDropOut(other, joints: joints)
    }

    static func + (a: Self, b: Self) -> Self {
      var sum = Self()
      sum.correct = a.correct + b.correct
      sum.similarity = a.similarity + b.similarity
      sum.jitter = a.jitter + b.jitter
      sum.dropOut = a.dropOut + b.dropOut
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

  private static func isInPicture(_ dataset: StoredDataset) -> Bool {
    switch dataset.manifest.coordinates.unit {
    case .image, .pixel: true
    case .metre, .relative: false
    }
  }

  /// - Throws: `EvaluationError.missing` where the two share no clip with poses, or are not both in the picture.
  public init(reference: StoredDataset, other: StoredDataset, in store: Store) throws {
    guard Self.isInPicture(reference), Self.isInPicture(other) else {
      throw EvaluationError.missing(
        what: "datasets \(reference.manifest.name) and \(other.manifest.name)",
        expected: "both in the picture's coordinates (unit image or pixel), to hold places against each other",
        found: "lengths whose scale or origin are a dataset's own in "
          + [reference, other].filter { !Self.isInPicture($0) }.map(\.manifest.name).joined(separator: " and "))
    }
    let mine = try store.clips(of: reference).filter(\.hasPoses)
    let theirs = try store.clips(of: other).filter(\.hasPoses)
    let otherOf = Dictionary(theirs.map { ($0.info.name, $0) }, uniquingKeysWith: { first, _ in first })
    let shared = mine.filter { otherOf[$0.info.name] != nil }
    guard !shared.isEmpty else {
      throw EvaluationError.missing(
        what: "datasets \(reference.manifest.name) and \(other.manifest.name)",
        expected: "clips of the same name in both, seen by two estimators", found: "none")
    }
    var bySubject: [String: Tally] = [:]
    var undefined = Self.metrics.map { _ in 0 }
    for clip in shared {
      guard let twin = otherOf[clip.info.name] else { continue }
      let tally = Tally(
        reference: try store.clip(clip, of: reference).poses(reference.manifest),
        other: try store.clip(twin, of: other).poses(other.manifest))
      for (index, value) in tally.values.enumerated() where value == nil { undefined[index] += 1 }
      bySubject[clip.info.subject] = (bySubject[clip.info.subject] ?? Tally()) + tally
    }
    let values = bySubject.sorted { $0.key < $1.key }.map(\.value.values)
    results = Self.metrics.enumerated().map { index, metric in
      let own = values.compactMap { $0[index] }
      return AgreementResult(
        metric, mean(own), interval: .studentT(own), method: "t on subject means", undefined: undefined[index])
    }
    clips = shared.map(\.info.name)
    subjects = bySubject.count
    let names = Set(clips)
    leftOut = (mine + theirs).map(\.info.name).filter { !names.contains($0) }.sorted()
  }
}
