import Datasets
import Evaluation
import PoseModel

extension RunReport {
  /// How the numbers were computed, a sentence or two each.
  var method: [String] {
    [
      "A rep is found when its \(results.matching.instant) is within \(results.matching.toleranceSeconds) s of a true "
        + "rep's. Reps are paired one to one, as many as possible.",
      "A subject's value comes from all its clips together. The value shown is the mean of the subjects' values and the "
        + "interval is Student's t interval on that mean: subjects, not reps, are the sample. It is n/a with fewer than "
        + "two subjects.",
      "Where each subject has one clip, a share of clips has Wilson's interval. Where most subjects have no value of "
        + "their own, as one clip has no correlation, the value is that of all clips together and its interval a BCa "
        + "bootstrap of whole subjects, drawn with seed \(RunResults.MetricResult.Bounds.seed); such a value does not gate.",
      "The quantiles of latency and cost have Woodruff's interval for samples that come in clusters: reps of subjects, "
        + "timed blocks of clips. Every interval here is one of 95 %, on the mean or value beside which it stands.",
      "A gain above 0 is better, whatever the metric's direction. It is the mean of the subjects' gains over the "
        + "baseline. The margin is the loss that is accepted.",
      "A slice is its clips scored by themselves. What changed there is shown for the subjects with a value on both sides "
        + "alone, baseline and now; p is of the sign-flip test, after Benjamini and Hochberg's correction over all slices.",
      "Report latency is from the labelled end of a rep to its report, in the recording's time. Live latency is what is "
        + "added between report and cue by a camera of \(NumberText.plain(results.camera.fps)) frames a second and a pose "
        + "estimator that takes \(NumberText.plain(results.camera.estimator.milliseconds)) ms a frame and drops those "
        + "that arrive meanwhile.",
      "Update cost is what one frame costs in an app, timed in blocks of frames on the machine of this run. Nanoseconds "
        + "are not compared; a suite may ask for a ratio that is measured in turns.",
      smoothing,
    ]
  }

  private var smoothing: String {
    guard let text = results.smoothing, let smoothing = try? Smoothing(text) else {
      return "Detectors see the poses as they were recorded, without smoothing."
    }
    return
      "Every pose goes through \(text) before a detector sees it, which \(smoothing.delayText). The delay is part of "
      + "both latencies; what the filter itself costs is not part of the update cost."
  }

  /// By what the run was made.
  var versions: [FactModel] {
    let own = [
      FactModel(name: "suite", value: "\(results.suite) version \(results.suiteVersion)"),
      FactModel(name: "run", value: run.name), FactModel(name: "made", value: run.created),
      FactModel(name: "bench", value: results.bench),
    ]
    return own + (run.origin?.facts ?? [])
  }

  /// What makes this report again.
  var commands: [String] {
    guard let origin = run.origin else {
      return results.datasets.importCommands + ["./bench run --suite \(results.suite)"]
    }
    return origin.commands(on: results.datasets)
  }

  var commandsCaveat: String? {
    guard let origin = run.origin else {
      return "How this run was made was not kept; this runs the suite as it is now."
    }
    return origin.commandsCaveat
  }

  /// What nobody may read into the report.
  var limits: [String] {
    results.datasets.limits + [
      "Slices and worst clips are for looking: many are shown, and some differ by chance. No verdict rests on them.",
      "An interval that holds no change does not prove that nothing changed; the margin says what would matter.",
      "Nothing here says how good the pose estimator is: what it got wrong, a detector can't put right.",
    ]
  }
}
