import PoseModel

/// Results of a run that never was: twelve subjects with one clip each, one detector, two metrics that gate.
enum GateSample {
  static func results() -> RunResults {
    let subjects = (0..<12).map { ($0 < 10 ? "s0" : "s") + "\($0)" }
    let clips = subjects.map { subject in
      ClipResult(
        name: subject, dataset: "data", subject: subject, exercise: "squat", view: "", fps: 30, frames: 1, duration: 1,
        trueCount: 4, trueReps: nil,
        outcomes: ["counter": ClipResult.Outcome(count: 4, reps: nil, graded: [], reportDelays: [], liveDelays: [])])
    }
    return RunResults(
      bench: "selftest", suite: "sample", suiteVersion: 1,
      datasets: [
        RunResults.DatasetCard(
          name: "data", version: "1", content: "sha256:one", origin: .synthetic, licence: "", source: "",
          clips: clips.count, subjects: subjects.count)
      ],
      detectors: [
        RunResults.DetectorCard(name: "counter", kind: "reps", summary: "", parameters: ["angle": 90], changed: [])
      ],
      matching: RunResults.Matching(instant: "end", toleranceSeconds: 0.5),
      camera: LiveCamera(fps: 30, estimator: .zero),
      metrics: ["count.mae", "count.nmae"].map { metric in
        RunResults.MetricResult(
          detector: "counter", metric: metric, summary: "", unit: "reps", direction: .lowerIsBetter, value: 1,
          pooled: 1, interval: nil, bySubject: Dictionary(uniqueKeysWithValues: subjects.map { ($0, 1) }),
          undefinedClips: 0, clips: clips.count, undefined: "never", margin: 0.5)
      }, clips: clips, measured: [:])
  }
}
