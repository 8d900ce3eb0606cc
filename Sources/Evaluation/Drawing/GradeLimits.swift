import Scoring
import Statistics

/// How far a detector is from what people said, subject by subject: the bias and the limits within which 95 % of its
/// differences lie.
///
/// - Source: `BlandAltman`; intervals by the bootstrap of whole subjects.
public struct GradeLimits: Sendable {
  public struct Pair: Hashable, Sendable {
    public var subject: String
    public var predicted: Double
    /// The mean of the raters, or the true count.
    public var truth: Double
  }

  public struct Level: Hashable, Sendable {
    public var value: Double
    public var interval: Interval?
  }

  public let pairs: [Pair]
  public let bias: Level?
  public let lower: Level?
  public let upper: Level?
  /// Whether it is grades that are compared, and not counts.
  public let areGrades: Bool

  /// - Returns: `nil` where the detector neither grades nor counts anything that people did.
  public init?(_ results: RunResults, detector: String) {
    func subject(_ clip: ClipResult) -> String { "\(clip.dataset)/\(clip.subject)" }
    let grades = results.clips.flatMap { clip in
      (clip.outcomes[detector]?.graded ?? []).compactMap { graded in
        graded.predicted.flatMap { grade in
          graded.mean.map { Pair(subject: subject(clip), predicted: grade, truth: $0) }
        }
      }
    }
    let counts = results.clips.compactMap { clip -> Pair? in
      guard let truth = clip.trueCount, let count = clip.outcomes[detector]?.count else { return nil }
      return Pair(subject: subject(clip), predicted: Double(count), truth: Double(truth))
    }
    areGrades = !grades.isEmpty
    pairs = grades.isEmpty ? counts : grades
    guard !pairs.isEmpty else { return nil }
    let differences = Dictionary(grouping: pairs, by: \.subject).sorted { $0.key < $1.key }
      .map { $0.value.map { $0.predicted - $0.truth } }
    func level(_ get: (BlandAltman) -> Double?) -> Level? {
      var random = SeededGenerator(seed: 1)
      return ClusterBootstrap(resamples: 2000).estimate(clusters: differences.count, using: &random) { counts in
        // A subject that is drawn twice counts as two subjects.
        let drawn = zip(differences, counts).flatMap { own, count in [[Double]](repeating: own, count: count) }
        return BlandAltman(differencesBySubject: drawn).flatMap(get)
      }.map { Level(value: $0.value, interval: $0.interval) }
    }
    bias = level(\.bias)
    lower = level(\.lower)
    upper = level(\.upper)
  }
}
