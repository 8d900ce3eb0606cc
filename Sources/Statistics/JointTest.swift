import Synchronization

/// Several metrics of the same subjects, tested together for a loss: the probability of a false alarm on any of them is
/// at most `GateRule.alpha`.
///
/// Correlated metrics need less correction than the same number of unrelated ones. Rotation gives the distribution of
/// the largest t statistic without a loss: the centred gains of the subjects are combined with random weights of unit
/// length, the same for all metrics. Each statistic then has Student's distribution, and their correlation is that of
/// the gains. The metric with the smallest p value is compared with the largest statistic of all, the next with the
/// largest of the remaining ones, until one is not significant.
///
/// A metric whose loss is proven to be within its margin cannot be a regression and corrects no other.
///
/// - Source: Langsrud, Rotation Tests, Statistics and Computing 15, 2005; Westfall and Young, Resampling-Based Multiple
///   Testing, 1993, algorithm 2.8 (step-down max-T); Hansen, A Test for Superior Predictive Ability, Journal of
///   Business & Economic Statistics 23, 2005, for leaving out metrics that cannot matter.
public struct JointTest: Sendable {
  public static let rotations = 1999
  public static let seed: UInt64 = 1
  /// Below this p value a metric is proven to be within its margin: half of `GateRule.alpha`, because wrongly leaving
  /// out a metric weakens the correction of the others.
  static let withinP = GateRule.alpha / 2

  /// A tested metric.
  public enum Metric: Sendable {
    /// The gains by subject, in the order of all subjects, `nil` for a missing one; and the margin.
    case gains([Double?], margin: Double)
    /// A test that does not use these subjects: the p value of a loss, and of a loss within the margin.
    case independent(p: Double, pWithin: Double)
  }

  private let rotations: Rotations
  /// The probability of a false alarm on any metric, in `rules(_:)`.
  private let level: Double
  /// The limits for a metric that gates alone.
  package let limits: GateRule.Limits

  /// - Parameter level: Of `rules(_:)`, at most `GateRule.alpha`.
  public init(subjects: Int, level: Double = GateRule.alpha) {
    self.level = level
    rotations = Rotations(subjects: subjects, count: Self.rotations, seed: Self.seed, level: level)
    limits = GateRule(margin: 0).limits(subjects: subjects)
  }

  /// Whether any metric is a regression: the decision of `rules(_:)`, with less computation.
  ///
  /// - Parameter gains: By metric; each has a gain for every subject.
  package func isAnyRegression(_ gains: [[Double]], margins: [Double]) -> Bool {
    var family: [Int] = []
    var smallestP = 1.0
    for (index, margin) in margins.enumerated() {
      guard let loss = GateRule(margin: margin).loss(gains[index]), !limits.isWithin(loss),
        gains[index].contains(where: { $0 != 0 })
      else { continue }
      family.append(index)
      if limits.isSignificant(loss) { smallestP = min(smallestP, loss.p) }
    }
    guard smallestP <= GateRule.alpha else { return false }
    return smallestP <= GateRule.alpha / Double(family.count)
      || rotations.allow(
        smallestP, subjects: gains[0].count, of: family.map { Member(.gains(gains[$0], margin: margins[$0])) })
  }

  /// The rule for each metric, in the given order, corrected for the others.
  public func rules(_ metrics: [Metric]) -> [GateRule] {
    let members = metrics.map(Member.init)
    var family = members.indices.filter { members[$0].matters }.sorted { (members[$0].p, $0) < (members[$1].p, $1) }
    // A metric that is left out of the correction is decided as if it came after all others.
    var criticals = members.map { _ in level }
    while let first = family.first {
      let bonferroni = level / Double(family.count)
      let p = members[first].p
      // No correction is stricter than Bonferroni's: a p value that meets it needs no rotations.
      let critical = p <= bonferroni ? bonferroni : rotations.criticalP(family.map { members[$0] })
      guard p <= critical else {
        for index in family { criticals[index] = critical }
        break
      }
      criticals[first] = critical
      family.removeFirst()
    }
    return zip(members, criticals).map { GateRule(margin: $0.margin, criticalP: $1) }
  }
}

/// A metric in the joint test.
private struct Member {
  var margin = 0.0
  /// The p value of a loss.
  var p: Double
  /// Whether it can be a regression and therefore corrects others.
  var matters: Bool
  /// The centred gains by subject, scaled to unit length, 0 for a missing subject; `nil` if all are equal.
  var direction: [Double]?
  var degreesOfFreedom = 0
  /// Whether each subject has a gain; `nil` for a test that does not use these subjects.
  var isKnown: [Bool]?

  init(_ metric: JointTest.Metric) {
    switch metric {
    case .independent(let p, let pWithin):
      self.p = p
      matters = pWithin > JointTest.withinP
    case .gains(let gains, let margin):
      self.margin = margin
      let known = gains.compactMap(\.self)
      isKnown = gains.map { $0 != nil }
      guard let sample = SuperiorityTest(known), let p = GateRule(margin: margin).loss(known)?.p else {
        (p, matters) = (1, false)
        return
      }
      self.p = p
      matters = p < 1 - JointTest.withinP && known.contains { $0 != 0 }
      degreesOfFreedom = known.count - 1
      guard sample.standardError > 0 else { return }
      let length = sample.standardError * (Double(known.count) * Double(known.count - 1)).squareRoot()
      direction = gains.map { gain in gain.map { ($0 - sample.mean) / length } ?? 0 }
    }
  }
}

/// Random directions of unit length, one weight per subject.
private struct Rotations {
  private let weights: [Double]
  private let subjects: Int
  private let count: Int
  private let seed: UInt64
  private let level: Double

  init(subjects: Int, count: Int, seed: UInt64, level: Double) {
    (self.subjects, self.count, self.seed, self.level) = (subjects, count, seed, level)
    weights = Self.weights(Draw(subjects: subjects, count: count, seed: seed))
  }

  private struct Draw: Hashable {
    var subjects: Int
    var count: Int
    var seed: UInt64
  }

  /// The weights by draw: nearly all tests of a process are of the same number of subjects.
  private static let known = Mutex<[Draw: [Double]]>([:])
  private static let mostKnown = 8

  private static func weights(_ draw: Draw) -> [Double] {
    if let weights = known.withLock({ $0[draw] }) { return weights }
    var random = SeededGenerator(seed: draw.seed)
    var weights: [Double] = []
    weights.reserveCapacity(draw.subjects * draw.count)
    for _ in 0..<draw.count {
      let row = (0..<draw.subjects).map { _ in random.normal() }
      let length = row.reduce(0) { $0 + $1 * $1 }.squareRoot()
      weights += row.map { $0 / length }
    }
    let drawn = weights
    known.withLock { known in
      if known.count >= mostKnown { known.removeAll() }
      known[draw] = drawn
    }
    return drawn
  }

  /// The p value that the smallest of the family stays at or below in a share of `level` of the rotations.
  func criticalP(_ family: [Member]) -> Double {
    guard family.count > 1 else { return level }
    return min(level, max(level / Double(family.count), simulatedCriticalP(family)))
  }

  /// Whether a p value is at most `criticalP(_:)`, for metrics with all subjects and a p value above Bonferroni's
  /// limit: stops as soon as too many rotations gave a smaller one.
  func allow(_ p: Double, subjects: Int, of family: [Member]) -> Bool {
    guard family.count > 1 else { return p <= level }
    let bound = StudentT(degreesOfFreedom: Double(subjects - 1)).quantile(1 - p)
    var (smaller, isAllowed) = (0, true)
    forEachLargestT(family, [Bool](repeating: true, count: subjects)) { t in
      if t > bound { smaller += 1 }
      isAllowed = smaller <= rank
      return isAllowed
    }
    return isAllowed
  }

  /// The rank, from 0, of the critical p value among the rotations'. A twentieth of the level is reserved for gains that
  /// are not normal.
  private var rank: Int { Int(0.95 * level * Double(count + 1)) - 1 }

  private func simulatedCriticalP(_ family: [Member]) -> Double {
    // The subjects with a value: the same for most metrics.
    var groups: [[Bool]: [Member]] = [:]
    for member in family where member.direction != nil {
      groups[member.isKnown ?? [], default: []].append(member)
    }
    let others = family.count { $0.isKnown == nil }
    guard !groups.isEmpty || others > 0 else { return level / Double(max(1, family.count)) }
    // For the same subjects the largest t has the smallest p value.
    if groups.count == 1, others == 0, let (known, members) = groups.first {
      let t = largestT(members, known).sorted(by: >)[rank]
      return SuperiorityTest.upperTail(t, subjects: members[0].degreesOfFreedom + 1)
    }
    var smallest = [Double](repeating: 1, count: count)
    for (known, members) in groups {
      for (draw, t) in largestT(members, known).enumerated() {
        smallest[draw] = min(smallest[draw], SuperiorityTest.upperTail(t, subjects: members[0].degreesOfFreedom + 1))
      }
    }
    var random = SeededGenerator(seed: seed, stream: [1])
    for draw in 0..<count { for _ in 0..<others { smallest[draw] = min(smallest[draw], random.unit()) } }
    return smallest.sorted()[rank]
  }

  /// Student's t of the rotated gains: in each rotation the largest over the metrics with these subjects.
  private func largestT(_ members: [Member], _ known: [Bool]) -> [Double] {
    var largest: [Double] = []
    largest.reserveCapacity(count)
    forEachLargestT(members, known) { t in
      largest.append(t)
      return true
    }
    return largest
  }

  /// - Parameter body: Returns whether to continue.
  private func forEachLargestT(_ members: [Member], _ known: [Bool], _ body: (Double) -> Bool) {
    let (metrics, freedom) = (members.count, Double(members[0].degreesOfFreedom))
    // By subject, then by metric.
    var directions = [Double](repeating: 0, count: subjects * metrics)
    for (metric, member) in members.enumerated() {
      for (subject, value) in (member.direction ?? []).enumerated() { directions[subject * metrics + metric] = value }
    }
    let isComplete = known.allSatisfy(\.self)
    var projections = [Double](repeating: 0, count: metrics)
    weights.withUnsafeBufferPointer { weights in
      directions.withUnsafeBufferPointer { directions in
        projections.withUnsafeMutableBufferPointer { projections in
          for draw in 0..<count {
            var square = 0.0
            projections.update(repeating: 0)
            for subject in 0..<subjects {
              let weight = weights[draw * subjects + subject]
              if !isComplete && known[subject] { square += weight * weight }
              for metric in 0..<metrics { projections[metric] += weight * directions[subject * metrics + metric] }
            }
            let cosine = (projections.max() ?? 0) / (isComplete ? 1 : square.squareRoot())
            let t = (freedom / max(1 - cosine * cosine, .leastNormalMagnitude)).squareRoot() * cosine
            guard body(t) else { return }
          }
        }
      }
    }
  }
}
