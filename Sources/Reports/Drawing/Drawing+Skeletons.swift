import Evaluation
import Plots

extension Drawing {
  static let skeletons = Drawing(
    "skeletons",
    "The poses of a clip where reps turn, strokes meet the ball or states are told, and where they should have been.",
    needs: "a run and its dataset, of which it replays the clip; --clip, or the worst; --detector",
    takes: [.run, .detector, .clip]
  ) { material in
    let run = try material.storedRun()
    let detector = try material.replayable(run.results)
    let clip = try material.clip(in: run.results, detector: detector)
    let replayed = try material.replay(clip, of: run.results, detector: detector)
    let source = run.source(detector)
    let moments = ClipTimeline(replayed, of: run.results, source: source).moments
    return [
      Picture(
        SkeletonStrip(clip: clip.name, detector: detector, source: source, moments: moments),
        notes: [material.replayNote(clip, run.results)], metadata: run.metadata)
    ]
  }
}
