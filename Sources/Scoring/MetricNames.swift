extension Metric {
  /// The plain name: `exact counts` for `count.exact`.
  public var plainName: String { Self.plainName(of: name) }

  /// The plain name of a metric's key; the key itself if it has none.
  ///
  /// Names of faults, strokes and postures appear as in the labels.
  public static func plainName(of key: String) -> String {
    if let name = names[key] { return name }
    let parts = key.split(separator: ".").map(String.init)
    if parts.count == 3, let ratio = ratios[parts[2]] {
      let label = parts[1].replacing("_", with: " ")
      switch parts[0] {
      case "faults": return "\(label): fault \(ratio)"
      case "strokes": return "\(label): \(ratio)"
      case "classes": return "\(label) frames: \(ratio)"
      default: break
      }
    }
    // A percentile: `latency.report.p90`.
    if let last = parts.last, last.first == "p", last.dropFirst().first?.isNumber == true,
      let name = percentiles[parts.dropLast().joined(separator: ".")]
    {
      return "\(name), \(last.dropFirst())th percentile"
    }
    if parts.count == 2, parts[0] == "segments", parts[1].hasPrefix("f1-") {
      return "segments found (F1, overlap \(parts[1].dropFirst(3)) %)"
    }
    return key
  }

  /// Whether the plain name is a plural: exact counts are worse, a count error is.
  public static func isPlural(_ key: String) -> Bool {
    let name = plainName(of: key)
    guard name != key, !name.contains(":") else { return false }
    // Of `coverage of counts` the coverage.
    let head = name.firstRange(of: " of ").map { name[..<$0.lowerBound] } ?? name[...]
    return head.split(separator: " ").contains { plurals.contains(String($0.prefix { $0.isLetter })) }
  }

  private static let plurals: Set<String> = [
    "counts", "cues", "detections", "events", "faults", "frames", "joints", "labels", "positives", "reps", "segments",
    "strokes",
  ]

  private static let ratios = ["precision": "precision", "recall": "recall", "f1": "F1"]

  private static let percentiles = ["latency.report": "report delay", "latency.live": "live delay"]

  private static let names = [
    "count.exact": "exact counts",
    "count.off-by-one": "counts within one",
    "count.mae": "count error",
    "count.nmae": "relative count error",
    "count.nmae-shifted": "relative count error, shifted",
    "count.bias": "count bias",
    "count.phantoms": "phantom reps",
    "count.coverage": "coverage of counts",
    "count.off-by-one-covered": "counts within one, covered",
    "count.off-by-one-80": "counts within one, top 80 %",
    "count.confidence-area": "counts within one, mean of coverages",
    "reps.precision": "true detections",
    "reps.recall": "reps found",
    "reps.f1": "reps found (F1)",
    "reps.timing-error": "rep timing error",
    "reps.timing-bias": "rep timing bias",
    "reps.same-end": "reps ending with the label",
    "latency.report": "report delay",
    "latency.early": "reported early",
    "latency.live": "live delay",
    "latency.live-lost": "reps lost live",
    "cost.ratio": "update cost",
    "grades.spearman": "rank agreement",
    "grades.mae": "grade error",
    "grades.coverage": "graded share",
    "grades.human-spearman": "raters' rank agreement",
    "grades.human-mae": "raters' grade error",
    "grades.pearson": "linear agreement",
    "grades.kendall": "order agreement",
    "grades.rmse": "grade error (RMS)",
    "grades.r-l2": "relative grade error",
    "grades.kappa": "grade agreement (κ)",
    "grades.kappa-linear": "grade agreement (κ, linear)",
    "grades.kappa-quadratic": "grade agreement (κ, quadratic)",
    "grades.icc-1-1": "one rating, changing raters (ICC)",
    "grades.icc-a-1": "one rating, absolute (ICC)",
    "grades.icc-c-1": "one rating, consistent (ICC)",
    "grades.icc-1-k": "mean rating, changing raters (ICC)",
    "grades.icc-a-k": "mean rating, absolute (ICC)",
    "grades.icc-c-k": "mean rating, consistent (ICC)",
    "grades.sem-a": "rating error, absolute (SEM)",
    "grades.sem-c": "rating error, consistent (SEM)",
    "grades.mdc-a": "detectable change, absolute (MDC)",
    "grades.mdc-c": "detectable change, consistent (MDC)",
    "grades.alpha-nominal": "rater agreement (α, nominal)",
    "grades.alpha-ordinal": "rater agreement (α, ordinal)",
    "grades.alpha-interval": "rater agreement (α, interval)",
    "grades.alpha-ratio": "rater agreement (α, ratio)",
    "grades.ac1": "rater agreement (AC1)",
    "grades.ac2": "rater agreement (AC2, quadratic)",
    "grades.bias": "grade bias",
    "grades.limit-lower": "lower limit of agreement",
    "grades.limit-upper": "upper limit of agreement",
    "grades.human-pearson": "raters' linear agreement",
    "grades.human-kendall": "raters' order agreement",
    "grades.human-rmse": "raters' grade error (RMS)",
    "grades.roc-auc": "faulty graded lower (AUC)",
    "faults.any.precision": "any fault: precision",
    "faults.any.recall": "any fault: recall",
    "faults.any.f1": "any fault: F1",
    "faults.any.coverage": "any fault: share judged",
    "strokes.precision": "true stroke detections",
    "strokes.recall": "strokes found",
    "strokes.f1": "strokes found (F1)",
    "strokes.accuracy": "strokes named correctly",
    "strokes.timing-error": "contact timing error",
    "strokes.timing-bias": "contact timing bias",
    "events.pce": "events in time (PCE)",
    "events.map": "events found (mAP)",
    "classes.accuracy": "frames right",
    "classes.balanced-accuracy": "frames right per label",
    "classes.macro-f1": "labels found (macro F1)",
    "classes.macro-precision": "labels right (macro precision)",
    "classes.mcc": "label correlation (MCC)",
    "segments.edit": "segment order",
    "segments.map": "segments found (mAP)",
    "segments.frame-accuracy": "frames in right segment",
    "scores.roc-auc": "positives scored higher (AUC)",
    "scores.average-precision": "average precision",
    "scores.brier": "probability error (Brier)",
    "scores.calibration-error": "calibration error",
    "cues.per-minute": "cues a minute",
    "cues.repeats": "repeated cues",
    "cues.delay": "cue delay",
    "cues.missed": "faults without a cue",
    "cues.contradictions": "wrong cues",
    "keypoints.pck": "joints in place (PCK)",
    "keypoints.oks": "pose similarity (OKS)",
    "keypoints.acceleration": "joint acceleration",
    "keypoints.jerk": "joint jerk",
    "keypoints.drop-out": "joints not found",
  ]
}
