import Coaching
import Evaluation
import Plots

extension Drawing {
  static let skeletons = Drawing(
    "skeletons", "The poses of a clip where reps turn or strokes meet the ball, by how surely each joint is seen.",
    needs: "a run and its dataset, of which it replays the clip; --clip, or the worst; --detector",
    takes: [.run, .detector, .clip]
  ) { material in
    let run = try material.storedRun()
    let detector = try material.replayable(run.results)
    let clip = try material.clip(in: run.results, detector: detector)
    let replayed = try material.replay(clip, of: run.results, detector: detector)
    let moments = Moments(poses: replayed.poses, bones: replayed.bones).posed(replayed.timeline.events)
    return [
      Picture(
        SkeletonStrip(clip: clip.name, source: run.source(detector), moments: moments),
        notes: [material.replayNote(clip, run.results)], metadata: run.metadata)
    ]
  }
}
