import PoseModel

/// Walking up and getting down on the floor for an exercise, or getting up and walking off.
struct FloorPassage: Hashable, Sendable {
  let gait: Gait
  /// Seconds that are stood, and that getting down or up takes.
  let standing: Double
  let bending: Double

  /// - Parameter support: the posture on the floor that it leads to or comes from.
  init(
    _ kind: FloorPath.Kind, of subject: Subject, to support: JointPositions, before camera: Camera,
    using generator: inout SeededGenerator
  ) {
    gait = Gait(
      kind, of: subject.body, standing: subject.stance, at: GettingDown.spot(of: subject.body, before: support),
      before: camera, using: &generator)
    standing = generator.uniform(0.4, 1)
    bending = generator.uniform(2.2, 3)
  }

  var duration: Double { gait.duration + standing + bending }

  /// - Parameters:
  ///   - local: seconds from its beginning.
  ///   - time: of the clip, in seconds.
  func joints(at local: Double, of subject: Subject, support: JointPositions, time: Double) -> JointPositions {
    let isArriving = gait.path.kind == .arriving
    let walked = isArriving ? local : local - bending - standing
    if isArriving ? walked < gait.duration : walked > 0 {
      let stood = subject.stood(at: gait.path.placement(at: walked), time: time)
      return subject.body.joints(
        of: gait.posture(stood, at: walked, body: subject.body))
    }
    let down = isArriving ? (local - gait.duration - standing) / bending : 1 - local / bending
    return GettingDown(subject: subject, support: support).joints(at: min(max(down, 0), 1), time: time)
  }
}
