import PoseModel
import Scoring

/// A way for predictions to get worse, step by step from perfect ones.
struct Degradation: Sendable {
  var name: String
  var steps: Int
  /// Step 0 changes nothing.
  var apply: @Sendable (_ prediction: inout Prediction, _ step: Int) -> Void

  static let all = [
    Degradation(name: "counts more", steps: 4) { prediction, step in
      prediction.count = prediction.count.map { $0 + step }
    },
    Degradation(name: "counts fewer", steps: 4) { prediction, step in
      prediction.count = prediction.count.map { $0 - step }
    },
    Degradation(name: "is less certain of counts", steps: 4) { prediction, step in
      prediction.countConfidence = prediction.countConfidence.map { $0 - Double(step) / 5 }
    },
    // The last step goes beyond the tolerance.
    Degradation(name: "sees reps later", steps: 4) { prediction, step in
      func late(_ time: Microseconds) -> Microseconds { time + .milliseconds(60 * step) }
      func late(_ rep: Rep) -> Rep { Rep(start: late(rep.start), end: late(rep.end), turn: rep.turn.map { late($0) }) }
      func late(_ rep: Prediction.CountedRep) -> Prediction.CountedRep {
        .init(rep: late(rep.rep), reported: rep.reported.map { late($0) })
      }
      prediction.reps = prediction.reps?.map { late($0) }
      prediction.liveReps = prediction.liveReps?.map { late($0) }
      for index in prediction.judged.indices { prediction.judged[index].rep = late(prediction.judged[index].rep) }
    },
    // Half a second is the limit for the same end.
    Degradation(name: "ends reps later", steps: 2) { prediction, step in
      func late(_ counted: Prediction.CountedRep) -> Prediction.CountedRep {
        var counted = counted
        // The turn stays where it is, also if it is the middle of the rep.
        counted.rep.turn = counted.rep.turnOrMiddle
        counted.rep.end = counted.rep.end + .milliseconds(300 * step)
        counted.reported = counted.reported.map { $0 + .milliseconds(300 * step) }
        return counted
      }
      prediction.reps = prediction.reps?.map { late($0) }
      prediction.liveReps = prediction.liveReps?.map { late($0) }
    },
    Degradation(name: "misses reps", steps: 3) { prediction, step in
      prediction.reps = prediction.reps?.dropLast(step)
      prediction.liveReps = prediction.liveReps?.dropLast(step)
    },
    Degradation(name: "invents reps", steps: 3) { prediction, step in
      let last = prediction.reps?.last?.rep.end ?? .zero
      for index in 0..<step {
        let start = last + .milliseconds(5000 * (index + 1))
        let end = start + .milliseconds(1000)
        prediction.reps?.append(.init(rep: Rep(start: start, end: end), reported: end))
      }
    },
    Degradation(name: "reports later", steps: 3) { prediction, step in
      prediction.reps = prediction.reps.map { late($0, step) }
      prediction.liveReps = prediction.liveReps.map { late($0, step) }
    },
    Degradation(name: "reports earlier", steps: 3) { prediction, step in
      prediction.reps = prediction.reps.map { late($0, -step) }
      prediction.liveReps = prediction.liveReps.map { late($0, -step) }
    },
    Degradation(name: "gives cues later", steps: 3) { prediction, step in
      prediction.liveReps = prediction.liveReps.map { late($0, step) }
    },
    Degradation(name: "loses cues", steps: 3) { prediction, step in
      prediction.liveReps = prediction.liveReps?.dropLast(step)
    },
    Degradation(name: "grades higher", steps: 3) { prediction, step in
      grade(&prediction) { $0 + Double(5 * step) }
    },
    Degradation(name: "grades the other way round", steps: 1) { prediction, step in
      grade(&prediction) { step == 0 ? $0 : 100 - $0 }
    },
    Degradation(name: "is less certain of faults", steps: 4) { prediction, step in
      for index in prediction.judged.indices {
        prediction.judged[index].scores = prediction.judged[index].scores.mapValues { abs($0 - Double(step) / 4) }
      }
    },
    Degradation(name: "judges fewer", steps: 3) { prediction, step in
      prediction.judged = prediction.judged.dropLast(step)
    },
    // The last step goes beyond the tolerance.
    Degradation(name: "sees strokes later", steps: 4) { prediction, step in
      for index in prediction.strokes.indices {
        prediction.strokes[index].contact = prediction.strokes[index].contact + .milliseconds(60 * step)
      }
    },
    Degradation(name: "misses strokes", steps: 3) { prediction, step in
      prediction.strokes = prediction.strokes.dropLast(step)
    },
    Degradation(name: "invents strokes", steps: 3) { prediction, step in
      for index in 0..<step {
        let time = Microseconds.milliseconds(20_000 + 1000 * index)
        prediction.strokes.append(
          .init(
            segment: Segment(start: time, end: time, label: RandomClips.labels[index % 2]), contact: time,
            reported: time))
      }
    },
    Degradation(name: "mistakes one stroke for another", steps: 1) { prediction, step in
      if step > 0 {
        for index in prediction.strokes.indices {
          prediction.strokes[index].segment.label = other(than: prediction.strokes[index].segment.label)
        }
      }
    },
    // All at once: a correlation may gain where some of a label are missed.
    Degradation(name: "misses postures", steps: 1) { prediction, step in
      if step > 0 { prediction.segments = [] }
    },
    Degradation(name: "mistakes one posture for the other", steps: 1) { prediction, step in
      if step > 0 {
        for index in prediction.segments.indices {
          prediction.segments[index].label = other(than: prediction.segments[index].label)
        }
      }
    },
    Degradation(name: "says cues later", steps: 3) { prediction, step in
      for index in prediction.cues.indices {
        prediction.cues[index].time = prediction.cues[index].time + .milliseconds(200 * step)
      }
    },
    Degradation(name: "says cues again", steps: 3) { prediction, step in
      prediction.cues += prediction.cues.flatMap { cue in
        (0..<step).map { .init(time: cue.time + .milliseconds(100 * ($0 + 1)), fault: cue.fault) }
      }
    },
    Degradation(name: "leaves cues out", steps: 3) { prediction, step in
      prediction.cues = prediction.cues.dropLast(step)
    },
    Degradation(name: "says everything in the end", steps: 1) { prediction, step in
      if step > 0 { prediction.cues += RandomClips.faults.map { .init(time: .milliseconds(30_000), fault: $0) } }
    },
    Degradation(name: "misses faults", steps: 1) { prediction, step in
      if step > 0 { for index in prediction.judged.indices { prediction.judged[index].faults = [] } }
    },
    Degradation(name: "invents faults", steps: 1) { prediction, step in
      if step > 0 {
        for index in prediction.judged.indices { prediction.judged[index].faults = Set(RandomClips.faults) }
      }
    },
  ]

  private static func other(than label: String) -> String { label == "down" ? "up" : "down" }

  private static func late(_ reps: [Prediction.CountedRep], _ step: Int) -> [Prediction.CountedRep] {
    reps.map { .init(rep: $0.rep, reported: $0.reported.map { $0 + .milliseconds(100 * step) }) }
  }

  private static func grade(_ prediction: inout Prediction, _ change: (Double) -> Double) {
    for index in prediction.judged.indices {
      prediction.judged[index].grades = prediction.judged[index].grades.mapValues(change)
    }
  }
}
