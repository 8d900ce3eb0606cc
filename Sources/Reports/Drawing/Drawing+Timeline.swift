import Coaching
import Evaluation
import Plots

extension Drawing {
  static let timeline = Drawing(
    "timeline", "One clip over time: signals, thresholds, phases, true and predicted reps, cues, poses.",
    needs: "a run and its dataset, of which it replays the clip; --clip, or the worst; --detector",
    takes: [.run, .detector, .clip]
  ) { material in
    let run = try material.storedRun()
    let detector = try material.replayable(run.results)
    let clip = try material.clip(in: run.results, detector: detector)
    let replayed = try material.replay(clip, of: run.results, detector: detector)
    return [
      Picture(
        ClipTimeline(replayed, of: run.results, source: run.source(detector)),
        notes: [material.replayNote(clip, run.results)], metadata: run.metadata)
    ]
  }
}

extension DrawingMaterial {
  /// The detector that is asked for, or the first that counts, or the first.
  func replayable(_ results: RunResults) throws -> String {
    let counter = results.counter
    return try detector(in: results, having: "a detector") { $0 == detector || $0 == counter || counter == nil }
  }
}
