/// The weight of a disagreement between two labels, by their distance on the scale.
public enum KappaWeighting: String, CaseIterable, Hashable, Sendable {
  /// All disagreements count the same.
  case unweighted
  /// By the distance on the scale, in steps.
  case linear
  /// By the squared distance on the scale.
  case quadratic

  /// The weight of two labels by their places on the scale; 0 for the same.
  func disagreement(_ i: Int, _ j: Int) -> Int {
    switch self {
    case .unweighted: i == j ? 0 : 1
    case .linear: abs(i - j)
    case .quadratic: (i - j) * (i - j)
    }
  }
}

/// Cohen's κ of two raters: one minus the disagreement divided by that expected by chance.
///
/// 1 is full agreement, 0 is chance; −1...1, symmetric. `nil` without pairs, if both always gave the same single label,
/// and if a grade is not among the labels.
///
/// - Parameters:
///   - labels: The full scale in order, including unused labels; none twice.
///   - weighting: Uses a label's index in `labels`.
/// - Precondition: `a` and `b` have the same count.
/// - Source: Cohen, A Coefficient of Agreement for Nominal Scales, 1960, and Weighted Kappa, 1968, in the form with
///   weights of disagreement.
public func cohenKappa<Label: Hashable>(
  _ a: [Label], _ b: [Label], labels: [Label], weighting: KappaWeighting = .unweighted
) -> Double? {
  precondition(a.count == b.count)
  let position = Dictionary(uniqueKeysWithValues: labels.enumerated().map { ($0.element, $0.offset) })
  let (placesA, placesB) = (a.compactMap { position[$0] }, b.compactMap { position[$0] })
  guard placesA.count == a.count, placesB.count == b.count else { return nil }
  return cohenKappa(placesA, placesB, labels: labels.count, weighting: weighting)
}

/// `cohenKappa` of labels by their places on a scale of `labels`.
func cohenKappa(_ a: [Int], _ b: [Int], labels: Int, weighting: KappaWeighting) -> Double? {
  var (countsA, countsB) = ([Int](repeating: 0, count: labels), [Int](repeating: 0, count: labels))
  var observed = 0
  for (a, b) in zip(a, b) {
    countsA[a] += 1
    countsB[b] += 1
    observed += weighting.disagreement(a, b)
  }
  var expected = 0
  for (i, countA) in countsA.enumerated() {
    for (j, countB) in countsB.enumerated() { expected += weighting.disagreement(i, j) * countA * countB }
  }
  guard expected > 0 else { return nil }
  return 1 - Double(observed) * Double(a.count) / Double(expected)
}

/// `cohenKappa` with each weighting.
public enum CohenKappa: MetricGroup {
  public static let title = "grades"

  public static let plainNames = [
    "grades.kappa": "grade agreement (κ)",
    "grades.kappa-linear": "grade agreement (κ, linear)",
    "grades.kappa-quadratic": "grade agreement (κ, quadratic)",
  ]

  public static func metrics(for detector: ScoredDetector) -> [Metric] {
    Metric.cohenKappa
  }
}

extension Metric {
  /// Cohen's κ with each weighting.
  public static let cohenKappa = KappaWeighting.allCases.map { cohenKappa($0) }

  public static func cohenKappa(_ weighting: KappaWeighting) -> Metric {
    let (suffix, weights, year) =
      switch weighting {
      case .unweighted: ("", "all disagreements weighted equally", "A Coefficient of Agreement, 1960")
      case .linear: ("-linear", "weighted by the steps on the scale", "Weighted Kappa, 1968")
      case .quadratic: ("-quadratic", "weighted by the squared steps on the scale", "Weighted Kappa, 1968")
      }
    return Metric(
      "grades.kappa\(suffix)", "Agreement of the grades with the raters' beyond chance, \(weights) (Cohen's κ).",
      .higherIsBetter, range: -1...1,
      undefined: "nothing is graded by both detector and raters, only one grade is given, or one is not on the scale",
      source: "Cohen, \(year)", aggregation: .pooled)
  }
}
