/// How far predicted rep counts are from the true ones, clip by clip.
///
/// A clip without a true or a predicted count is not tallied; one without reps is.
public struct CountMetrics: MetricFamily {
  public static let title = "rep counts"

  public static let plainNames = [
    "count.exact": "exact counts",
    "count.off-by-one": "counts within one",
    "count.mae": "count error",
    "count.nmae": "relative count error",
    "count.nmae-shifted": "relative count error, shifted",
    "count.bias": "count bias",
  ]

  public struct Tally: Hashable, Codable, Sendable {
    var clips = 0
    var exact = 0
    var offByOne = 0
    var absoluteError = 0
    var signedError = 0
    /// Clips with at least one true rep, and their errors divided by their true counts.
    var clipsWithReps = 0
    var relativeError = 0.0
    /// What one rep more is of a clip's true count.
    var relativeRep = 0.0
    var shiftedRelativeError = 0.0
  }

  public init() {}

  public init?(for detector: ScoredDetector) {
    guard detector.tasks.counts else { return nil }
  }

  public let metrics = [
    Metric(
      "count.exact", "Share of clips whose reps are counted exactly.", .higherIsBetter, range: 0...1,
      undefined: "no clips", source: "the definition", aggregation: .share, trivial: [.medianCount]),
    Metric(
      "count.off-by-one", "Share of clips counted with an error of at most one rep (OBO).", .higherIsBetter,
      range: 0...1, undefined: "no clips", source: "Runia et al., Real-World Repetition Estimation, 2018, §5.1",
      aggregation: .share, trivial: [.medianCount]),
    Metric(
      "count.mae", "Mean absolute count error per clip.", .lowerIsBetter, unit: "reps", range: 0...(.infinity),
      undefined: "no clips", source: "the definition", trivial: [.medianCount]),
    Metric(
      "count.nmae", "Mean of the absolute count error divided by the true count.", .lowerIsBetter,
      range: 0...(.infinity), undefined: "no clips with reps; clips without reps are left out and counted",
      source: "Hu et al., TransRAC, 2022, eq. 5", trivial: [.medianCount]),
    Metric(
      "count.nmae-shifted", "Mean of the absolute count error divided by (true count + 0.1), as in published code.",
      .lowerIsBetter, range: 0...(.infinity), undefined: "no clips",
      source: "evaluation code of TransRAC and RepCount, 2022: |error| / (count + 1e-1)", trivial: [.medianCount]),
    Metric(
      "count.bias", "Mean signed count error per clip: above 0, it counts too many.", .zeroIsBest, unit: "reps",
      range: -(.infinity)...(.infinity), undefined: "no clips", source: "the definition"),
  ]

  public func tally(_ clip: LabelledPrediction) -> Tally {
    guard let truth = clip.groundTruth.repCount, let predicted = clip.prediction.count else { return Tally() }
    let error = predicted - truth
    return Tally(
      clips: 1, exact: error == 0 ? 1 : 0, offByOne: abs(error) <= 1 ? 1 : 0, absoluteError: abs(error),
      signedError: error, clipsWithReps: truth > 0 ? 1 : 0,
      relativeError: truth > 0 ? Double(abs(error)) / Double(truth) : 0,
      relativeRep: truth > 0 ? 1 / Double(truth) : 0,
      shiftedRelativeError: Double(abs(error)) / (Double(truth) + 0.1))
  }

  public func pool(_ a: Tally, _ b: Tally) -> Tally {
    Tally(
      clips: a.clips + b.clips, exact: a.exact + b.exact, offByOne: a.offByOne + b.offByOne,
      absoluteError: a.absoluteError + b.absoluteError, signedError: a.signedError + b.signedError,
      clipsWithReps: a.clipsWithReps + b.clipsWithReps, relativeError: a.relativeError + b.relativeError,
      relativeRep: a.relativeRep + b.relativeRep,
      shiftedRelativeError: a.shiftedRelativeError + b.shiftedRelativeError)
  }

  /// A wrong rep in one of a subject's n clips. Errors in several clips of a subject are alike, so that it counts as √n of
  /// them.
  public func steps(_ tally: Tally, subjects: Int) -> [Double] {
    guard tally.clips > 0 else { return metrics.map { _ in 0 } }
    let rep = (Double(subjects) / Double(tally.clips)).squareRoot()
    let relative = tally.clipsWithReps > 0 ? rep * tally.relativeRep / Double(tally.clipsWithReps) : 0
    return [0, 0, rep, relative, relative, rep]
  }

  public func values(_ tally: Tally) -> [Double?] {
    func perClip(_ sum: Double) -> Double? { tally.clips > 0 ? sum / Double(tally.clips) : nil }
    return [
      perClip(Double(tally.exact)), perClip(Double(tally.offByOne)), perClip(Double(tally.absoluteError)),
      tally.clipsWithReps > 0 ? tally.relativeError / Double(tally.clipsWithReps) : nil,
      perClip(tally.shiftedRelativeError), perClip(Double(tally.signedError)),
    ]
  }
}
