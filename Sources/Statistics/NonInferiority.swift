/// What subjects' gains say by a rule, what they could have said, and how many subjects would say more.
public struct NonInferiority: Hashable, Sendable {
  public typealias Outcome = NonInferiorityRule.Outcome

  /// Sample sizes are searched up to this many subjects.
  public static let mostSubjects = 1_000_000

  public let rule: NonInferiorityRule
  public let subjects: Int
  public let outcome: Outcome
  public let mean: Double
  /// `nil` for one subject.
  public let standardDeviation: Double?
  /// On the mean gain, at the rule's level; `nil` for one subject.
  public let interval: Interval?
  /// At the rule's strict level; `nil` for one subject.
  public let strictInterval: Interval?

  /// `nil` of no gains and of one that is not finite: such a comparison is missing, never a pass.
  ///
  /// - Parameter gains: One for each subject: by how much it got better; below 0 is worse.
  public init?(gains: [Double], rule: NonInferiorityRule) {
    guard let mean = Statistics.mean(gains), gains.allSatisfy(\.isFinite) else { return nil }
    self.rule = rule
    subjects = gains.count
    self.mean = mean
    standardDeviation = Statistics.standardDeviation(gains)
    interval = .studentT(gains, level: rule.level)
    strictInterval = .studentT(gains, level: rule.strictLevel)
    if gains.allSatisfy({ $0 == 0 }) {
      outcome = .pass
    } else if let interval, let strictInterval {
      outcome =
        strictInterval.high < -rule.margin
        ? .regression : interval.low >= -rule.margin ? .pass : .inconclusive
    } else {
      outcome = .inconclusive
    }
  }

  /// The smallest true loss, in the metric's unit, that so many subjects with gains so spread would have shown to be a
  /// regression with this probability; `nil` for one subject.
  ///
  /// Takes the gains for normal and their standard deviation for the true one. It says what the dataset can do and not
  /// what this change did: it depends on the spread of the gains, not on their mean.
  ///
  /// - Parameter power: Above 0 and below 1.
  /// - Source: Johnson and Welch, Applications of the Non-Central t-Distribution, Biometrika 31, 1940.
  public func smallestDetectableLoss(power: Double = 0.8) -> Double? {
    guard let deviation = standardDeviation else { return nil }
    if deviation == 0 { return rule.margin }
    guard
      let noncentrality = NoncentralT.noncentrality(
        exceeding: rule.bounds(subjects: subjects).strictT, with: power, degreesOfFreedom: Double(subjects - 1))
    else { return nil }
    return rule.margin + noncentrality * deviation / Double(subjects).squareRoot()
  }

  /// How many subjects would decide, one way or the other, with this probability, if the mean gain and the spread that
  /// were seen are the true ones; at least two.
  ///
  /// `nil` for one subject, where the mean gain is −margin exactly, and beyond `mostSubjects`. A plan and no promise:
  /// with few subjects the mean gain that it rests on is itself uncertain.
  ///
  /// - Parameter power: Above 0 and below 1.
  public func subjectsToDecide(power: Double = 0.8) -> Int? {
    guard let deviation = standardDeviation else { return nil }
    let distance = mean + rule.margin
    guard distance != 0 else { return nil }
    guard deviation > 0 else { return 2 }
    return smallest(from: 2, through: Self.mostSubjects) { n in
      let bounds = rule.bounds(subjects: n)
      let noncentrality = abs(distance) / deviation * Double(n).squareRoot()
      return NoncentralT(degreesOfFreedom: Double(n - 1), noncentrality: noncentrality)
        .upperTail(distance > 0 ? bounds.t : bounds.strictT) >= power
    }
  }
}
