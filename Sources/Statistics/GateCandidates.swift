import RealModule

/// A rule for a gate: the one in use, and alternatives that the self-test compares.
enum GateCandidate: String, CaseIterable, Codable, Sendable {
  /// The rule in use.
  case rule = "this gate"
  /// Student's t test at the same level, uncorrected.
  case studentT = "Student's t, uncorrected"
  /// Student's t test with the false discovery rate limited (Benjamini and Hochberg 1995).
  case falseDiscoveryRate = "Student's t, Benjamini-Hochberg"
  /// The largest t over the metrics, by flipping the signs of whole subjects (Westfall and Young 1993).
  case signFlips = "max-T, sign flips"
  /// Yuen's t of the 20 % trimmed mean, corrected by Holm (Yuen, Biometrika 61, 1974).
  case trimmedT = "trimmed t, Holm"
  /// A test by betting for gains in −1…1, corrected by Holm (Waudby-Smith and Ramdas, Journal of the Royal Statistical
  /// Society B 86, 2024, section 4).
  case betting = "betting, Holm"

  /// Whether the rule applies: betting needs a known range of the gains.
  func takes(_ family: GainFamily) -> Bool { self != .betting || family == .shares }

  /// Whether any metric is a regression.
  func isAnyRegression(_ gains: [[Double]], margin: Double, _ joint: JointTest) -> Bool {
    switch self {
    case .rule: joint.isAnyRegression(gains, margins: gains.map { _ in margin })
    case .studentT: (lossPs(gains, margin).min() ?? 1) <= GateRule.alpha
    case .falseDiscoveryRate: (benjaminiHochberg(lossPs(gains, margin))?.min() ?? 1) <= GateRule.alpha
    case .signFlips: SignFlips(gains, margin: margin).p <= GateRule.alpha
    case .trimmedT: smallest(gains) { TrimmedT($0.map { -$0 }).p(above: margin) } <= GateRule.alpha
    case .betting: smallest(gains) { Betting($0.map { -$0 }).p(above: margin) } <= GateRule.alpha
    }
  }

  /// Whether a metric passes.
  func passes(_ gains: [Double], margin: Double, _ joint: JointTest) -> Bool {
    switch self {
    case .rule: GateRule(margin: margin).decide(gains, joint.limits).passes
    case .studentT, .falseDiscoveryRate:
      (SuperiorityTest(gains)?.p(meanAbove: -margin) ?? 1) <= GateRule.alpha
    case .signFlips: (SignFlip(gains.map { $0 + margin })?.greater ?? 1) <= GateRule.alpha
    case .trimmedT: TrimmedT(gains).p(above: -margin) <= GateRule.alpha
    case .betting: Betting(gains).p(above: -margin) <= GateRule.alpha
    }
  }

  private func lossPs(_ gains: [[Double]], _ margin: Double) -> [Double] {
    gains.map { gains in SuperiorityTest(gains.map { -$0 })?.p(meanAbove: margin) ?? 1 }
  }

  /// The first step of Holm's procedure.
  private func smallest(_ gains: [[Double]], p: ([Double]) -> Double) -> Double {
    Double(gains.count) * (gains.map(p).min() ?? 1)
  }
}

/// The largest t of a loss over the metrics, over all or 999 random sign flips of subjects.
private struct SignFlips {
  let p: Double

  init(_ gains: [[Double]], margin: Double) {
    let subjects = gains.first?.count ?? 0
    let directions = gains.map { gains -> [Double] in
      let losses = gains.map { -$0 - margin }
      let length = losses.reduce(0) { $0 + $1 * $1 }.squareRoot()
      return losses.map { length > 0 ? $0 / length : 0 }
    }
    // Of vectors with the same length, t grows with the sum.
    func largest(_ signs: UInt64) -> Double {
      directions.reduce(-.infinity) { largest, direction in
        var sum = 0.0
        // Beyond 64 subjects two share a sign, which is a group of flips too.
        for index in direction.indices {
          sum += signs >> UInt64(index & 63) & 1 == 0 ? direction[index] : -direction[index]
        }
        return max(largest, sum)
      }
    }
    let seen = largest(0) - 1e-12
    var random = SeededGenerator(seed: 1)
    let isExact = subjects <= 9
    let flips = isExact ? Array(0..<UInt64(1) << UInt64(subjects)) : [0] + (0..<999).map { _ in random.next() }
    p = Double(flips.count { largest($0) >= seen }) / Double(flips.count)
  }
}

private struct TrimmedT {
  private let mean: Double
  private let standardError: Double
  private let freedom: Double

  init(_ values: [Double]) {
    let sorted = values.sorted()
    let cut = sorted.count / 5
    let kept = sorted.count - 2 * cut
    let winsorised = sorted.map { min(max($0, sorted[cut]), sorted[sorted.count - 1 - cut]) }
    mean = sorted[cut..<cut + kept].reduce(0, +) / Double(kept)
    let n = Double(sorted.count)
    standardError = (standardDeviation(winsorised) ?? 0) * ((n - 1) / (Double(kept) * Double(kept - 1))).squareRoot()
    freedom = Double(kept - 1)
  }

  func p(above bound: Double) -> Double {
    guard mean > bound else { return 1 }
    guard standardError > 0 else { return 0 }
    return StudentT(degreesOfFreedom: freedom).twoSidedTail((mean - bound) / standardError) / 2
  }
}

/// A gambler who bets that each gain is above the bound, based on the earlier gains: the probability of a fortune of 20
/// is at most one in 20.
private struct Betting {
  private let shares: [Double]

  init(_ gains: [Double]) { shares = gains.map { (min(1, max(-1, $0)) + 1) / 2 } }

  func p(above bound: Double) -> Double {
    let null = (bound + 1) / 2
    guard null > 0 else { return 0 }
    var (fortune, richest) = (1.0, 1.0)
    var (sum, squares) = (0.5, 0.25)
    for (index, share) in shares.enumerated() {
      let seen = Double(index + 1)
      let bet = (2 * .log(1 / GateRule.alpha) / (squares / seen * Double(shares.count))).squareRoot()
      fortune *= 1 + min(bet, 0.5 / null) * (share - null)
      richest = max(richest, fortune)
      sum += share
      squares += (share - sum / (seen + 1)) * (share - sum / (seen + 1))
    }
    return 1 / richest
  }
}
