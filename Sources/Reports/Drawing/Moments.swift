import Coaching
import Plots
import PoseModel

/// The poses of a clip at the moments that matter, to be drawn below its timeline.
public struct Moments {
  let poses: PoseSequence
  let bones: [Bone]

  public init(poses: PoseSequence, bones: [Bone]) {
    self.poses = poses
    self.bones = bones
  }

  /// As many figures as fit side by side.
  private static let limit = 8

  /// Where each rep turns and each stroke meets the ball; of many, some from the whole of the clip.
  public func posed(_ events: [Event]) -> [PosedMoment] {
    let all = events.compactMap { event -> (time: Microseconds, caption: String)? in
      switch event.kind {
      case .rep(let rep): (rep.turn ?? rep.end, "turn")
      case .stroke(let stroke): (stroke.contact, stroke.label ?? "unknown")
      case .phase, .grade, .fault, .cue, .haptic: nil
      }
    }
    let kept = min(all.count, Self.limit)
    return (0..<kept).compactMap { index in
      let (time, caption) = all[index * all.count / kept]
      guard let frame = poses.times.lastIndex(where: { $0 <= time }) else { return nil }
      return PosedMoment(time: time.seconds, caption: caption, figure: figure(poses.frame(frame)))
    }
  }

  func figure(_ frame: PoseFrame) -> StickFigure {
    StickFigure(
      joints: Joint.allCases.map { joint in
        StickFigure.Joint(
          x: Double(frame[joint, .x]), y: Double(frame[joint, .y]),
          certainty: ConfidenceBands.standard[frame[joint, .confidence]].map { band in
            switch band {
            case .green: .sure
            case .yellow: .doubtful
            case .orange: .poor
            }
          })
      }, bones: bones.map { StickFigure.Bone(from: $0.start.index, to: $0.end.index) })
  }
}

extension [Event] {
  /// What was said, when it was said.
  var cues: [TimedCue] {
    sorted { $0.reported < $1.reported }.compactMap { event in
      if case .cue(let cue) = event.kind { TimedCue(time: event.reported.seconds, text: cue.text) } else { nil }
    }
  }

  /// What the person did from when to when; the last until the end, in seconds.
  public func phases(until end: Double) -> [TimedPhase] {
    var phases: [TimedPhase] = []
    for event in self {
      guard case .phase(let name) = event.kind else { continue }
      if !phases.isEmpty { phases[phases.count - 1].end = event.time.seconds }
      phases.append(TimedPhase(start: event.time.seconds, end: end, name: name))
    }
    return phases
  }
}
