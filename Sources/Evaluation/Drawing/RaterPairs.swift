import Scoring
import Statistics

/// The rank correlation of each two raters of what a run's detector graded, the detector being the last of them.
///
/// Intervals are those of the bootstrap of whole subjects.
public struct RaterPairs: Sendable {
  public struct Pair: Hashable, Sendable {
    /// Positions among the raters, the higher first.
    public var row: Int
    public var column: Int
    /// `nil` where it is undefined.
    public var correlation: Double?
    public var interval: Interval?
    /// How many things both graded.
    public var count: Int
  }

  /// Those of people by name, then the detector.
  public let raters: [String]
  public let pairs: [Pair]

  /// - Returns: `nil` where the detector grades nothing that people graded.
  public init?(_ results: RunResults, detector: String) {
    typealias Item = (subject: String, ratings: [String: Double])
    let items = results.clips.flatMap { clip in
      (clip.outcomes[detector]?.graded ?? []).map { graded -> Item in
        var ratings = graded.ratings
        // A rater of that name would be a person's, which no name of a detector is.
        ratings[detector] = graded.predicted
        return ("\(clip.dataset)/\(clip.subject)", ratings)
      }
    }
    let people = Set(items.flatMap(\.ratings.keys)).subtracting([detector]).sorted()
    guard !people.isEmpty else { return nil }
    let raters = people + [detector]
    let bySubject = Dictionary(grouping: items, by: \.subject).sorted { $0.key < $1.key }.map(\.value)
    self.raters = raters
    pairs = raters.indices.flatMap { row in
      (0..<row).map { column in
        let both = bySubject.map { items in
          items.compactMap { item -> (Double, Double)? in
            guard let one = item.ratings[raters[row]], let other = item.ratings[raters[column]] else { return nil }
            return (one, other)
          }
        }
        var random = SeededGenerator(seed: 1)
        let estimate = ClusterBootstrap(resamples: 1000).estimate(clusters: both.count, using: &random) { counts in
          let drawn = zip(both, counts).flatMap { own, count in (0..<count).flatMap { _ in own } }
          return spearman(drawn.map(\.0), drawn.map(\.1))
        }
        return Pair(
          row: row, column: column, correlation: estimate?.value, interval: estimate?.interval,
          count: both.reduce(0) { $0 + $1.count })
      }
    }
  }
}
