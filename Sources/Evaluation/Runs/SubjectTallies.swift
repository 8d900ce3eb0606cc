import Scoring

/// A family's tallies by subject, of which whole subjects can be drawn again.
struct SubjectTallies<Family: MetricFamily>: Sendable {
  let family: Family
  /// In the order of their names.
  let subjects: [String]
  /// Of all clips of each subject.
  let tallies: [Family.Tally]

  /// - Parameter clips: each clip's subject and tally; a subject's are pooled in their order.
  init(of family: Family, _ clips: [(subject: String, tally: Family.Tally)]) {
    var bySubject: [String: Family.Tally] = [:]
    for (subject, tally) in clips {
      bySubject[subject] = bySubject[subject].map { family.pool($0, tally) } ?? tally
    }
    let sorted = bySubject.sorted { $0.key < $1.key }
    self.family = family
    subjects = sorted.map(\.key)
    tallies = sorted.map(\.value)
  }

  /// A metric's value of all clips together, each subject's as often as it is drawn; `nil` where it is undefined.
  ///
  /// - Parameters:
  ///   - metric: its position among the family's.
  ///   - counts: one for each of `subjects`.
  func value(of metric: Int, drawn counts: [Int]) -> Double? {
    var drawn: [Family.Tally] = []
    for (subject, count) in counts.enumerated() { for _ in 0..<count { drawn.append(tallies[subject]) } }
    // Pairs, then pairs of pairs: a tally that is a list would be copied for every subject otherwise.
    while drawn.count > 1 {
      drawn = stride(from: 0, to: drawn.count, by: 2).map { first in
        first + 1 < drawn.count ? family.pool(drawn[first], drawn[first + 1]) : drawn[first]
      }
    }
    return drawn.first.flatMap { family.values($0)[metric] }
  }
}
