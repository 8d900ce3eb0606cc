import Evaluation
import Plots

extension Drawing {
  static let roc = Drawing(
    "roc",
    "What is found against what is reported without cause, over the grade below which something is called faulty.",
    needs: "a run with faults that people judged; --detector", takes: [.run, .detector]
  ) { material in
    let run = try material.storedRun()
    let (detector, curve) = try material.faults(run.results)
    let classification = curve.classification(
      of: detector, source: run.source(detector), area: run.report.remark(detector, "grades.roc-auc"))
    return [Picture(ROCCurve(classification), metadata: run.metadata)]
  }
}

extension DrawingMaterial {
  /// The detector that is asked for, or the first that grades things of which some are faulty and some not.
  func faults(_ results: RunResults) throws -> (detector: String, curve: FaultCurve) {
    guard results.clips.contains(where: { clip in clip.outcomes.values.contains { $0.judged != nil } }) else {
      throw EvaluationError.missing(
        what: "run \(run) of suite \(suite)", expected: "what each rep was judged",
        found: "none: no detector of it judges, or the run was kept before that was; run the suite again")
    }
    let name = try detector(in: results, having: "grades of things of which people call some faulty and some not") {
      name in
      let judged = results.clips.flatMap { $0.outcomes[name]?.judged ?? [] }.filter { $0.grade != nil }
      return judged.contains { $0.isFaulty } && judged.contains { !$0.isFaulty }
    }
    guard let curve = FaultCurve(results, detector: name) else {
      throw EvaluationError.missing(what: "detector \(name)", expected: "faulty and sound things", found: "one kind")
    }
    return (name, curve)
  }
}

extension FaultCurve {
  /// - Parameter area: the area under the curve, in words; `nil` where it is undefined.
  func classification(of detector: String, source: String, area: String?) -> Classification {
    Classification(
      title: "Faulty or sound, by the grade of \(detector)", source: source, curves: [plotted], positives: faulty,
      negatives: sound, subjects: subjects, remarks: (area.map { [$0] } ?? []) + [remark])
  }

  private var plotted: ThresholdCurve {
    ThresholdCurve(
      name: "faulty where graded up to a threshold", rates: points.map { ThresholdRates($0) },
      operatingPoint: reported.map { ThresholdRates($0) })
  }

  private var remark: String {
    reported == nil
      ? "The detector itself reports none of these as faulty."
      : "The operating point is what the detector itself reports as faulty."
  }
}

extension ThresholdRates {
  fileprivate init(_ point: FaultCurve.Point) {
    self.init(
      threshold: point.grade ?? .nan, recall: Estimate(point.recall), precision: Estimate(point.precision),
      falsePositiveRate: Estimate(point.falsePositiveRate))
  }
}

extension Estimate {
  init(_ share: FaultCurve.Share?) {
    self.init(share?.value ?? .nan, lower: share?.interval?.low, upper: share?.interval?.high)
  }
}
