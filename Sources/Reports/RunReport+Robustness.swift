import Evaluation
import Plots

extension RunReport {
  /// None where the run climbed no ladder.
  func robustness(_ pictures: [PictureModel]) -> [RobustnessModel] {
    results.robustness.map { robustness in
      [
        RobustnessModel(
          table: TableModel([RobustnessText.header] + RobustnessText.rows(robustness)), seed: "\(robustness.seed)",
          notes: robustness.notes ?? [], pictures: pictures)
      ]
    } ?? []
  }

  /// A curve for each detector's first metric of those that were looked at, under each perturbation.
  var ladders: [Picture] {
    pictures(of: results.robustness?.ladders ?? [])
  }

  /// A curve for each perturbation and detector, of its first metric among these.
  func pictures(of ladders: [Robustness.Ladder]) -> [Picture] {
    var shown: Set<String> = []
    return ladders.filter { shown.insert("\($0.perturbation) \($0.detector)").inserted }.map { ladder in
      let better = ladder.direction == .higherIsBetter ? "more is better" : "less is better"
      let unit = ladder.unit.isEmpty ? "" : "\(ladder.unit), "
      return Picture(
        file: "robustness-\(ladder.perturbation)-\(ladder.detector).png",
        heading: "\(ladder.detector) under \(ladder.perturbation)" + (ladder.outlook ?? ""),
        chart: RobustnessLadder(
          title: "\(ladder.detector): \(ladder.metric) under \(ladder.perturbation)", source: sources,
          perturbation: ladder.axis, metric: "\(ladder.metric) (\(unit)\(better))",
          isHigherBetter: ladder.direction == .higherIsBetter,
          steps: ladder.points, baseline: ladder.undisturbed.value, margin: ladder.margin,
          clips: results.clips.count, subjects: subjects), part: .robustness, isAside: true)
    }
  }
}

extension Robustness.Ladder {
  /// What survives of the score, as the end of a heading; `nil` where that can't be said.
  fileprivate var outlook: String? {
    guard let survives, let last = steps.last else { return nil }
    return ": \(NumberText.fixed(survives * 100, decimals: 0)) % of \(metric) survives \(last.text)"
  }

  /// With the recorded value at 0, but for the time between frames, which is never that.
  fileprivate var points: [RobustnessLadder.Step] {
    let recorded =
      perturbation == LowerFrameRate.profile.name
      ? [] : [RobustnessLadder.Step(strength: 0, score: Estimate(undisturbed))]
    return recorded + steps.map { RobustnessLadder.Step(strength: $0.strength, score: Estimate($0.score)) }
  }
}

extension Estimate {
  fileprivate init(_ score: Robustness.Score) {
    self.init(score.value ?? .nan, lower: score.low, upper: score.high)
  }
}
