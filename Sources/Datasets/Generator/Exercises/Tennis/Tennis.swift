import PoseModel

/// Forehands, backhands and serves with idle movement and half-swings between them, by right- and left-handers.
///
/// An event marks each contact, an interval each swing from the start of the backswing to the end of the follow-through.
/// Contact is where the hitting wrist is fastest: at impact the racket is near its peak speed (Landlinger et al., Key
/// Factors and Timing Patterns in the Tennis Forehand of Different Skill Levels, Journal of Sports Science and Medicine 9,
/// 2010, who find the pelvis and trunk to peak 0.06 to 0.09 s earlier).
public struct Tennis: Exercise {
  public let name = "tennis"
  public let views = CameraView.allCases
  public let framing = Framing(height: 1.3, length: 0.8, breadth: 0.8, middleAhead: 0.05, middleHeight: 0.6)

  public init() {}

  public func performance(
    by subject: Subject, in clip: ClipNumber, before camera: Camera, traits: SeededGenerator, generator: SeededGenerator
  ) -> any Performance {
    motion(by: subject, in: clip, traits: traits, generator: generator)
  }

  func motion(
    by subject: Subject, in clip: ClipNumber, traits: SeededGenerator, generator: SeededGenerator
  ) -> TennisMotion {
    var traits = traits
    var generator = generator
    // One person in ten is left-handed; here one in four, so that a sample has some.
    let hand = subject.index % 4 == 2 ? Side.left : .right
    let pace = traits.normal(1, sd: 0.1, limit: 1.8)
    var actions: [TennisMotion.Action] = []
    var clock = 0.0
    var spot = 0.0
    func add(_ kind: TennisMotion.Action.Kind, _ duration: Double, to next: Double? = nil) {
      actions.append(
        TennisMotion.Action(start: clock, duration: duration, kind: kind, from: spot, to: next ?? spot))
      clock += duration
      spot = next ?? spot
    }
    func idle() {
      add(.wait, generator.uniform(0.4, 1.2))
      if generator.chance(0.6) {
        add(.step, generator.uniform(0.7, 1), to: generator.uniform(-0.16, 0.16) * subject.body.stature)
      }
      if generator.chance(0.3) { add(.swing(.draw(half: true, pace: pace, using: &generator)), 0) }
    }
    for _ in 0..<generator.integer(5...7) {
      idle()
      if let last = actions.last, case .swing(let swing) = last.kind, last.duration == 0 {
        actions[actions.count - 1].duration = swing.duration
        clock += swing.duration
        add(.wait, generator.uniform(0.3, 0.8))
      }
      guard clip != MotionGenerator.clipWithoutReps else { continue }
      let swing = Swing.draw(half: false, pace: pace, using: &generator)
      if swing.stroke == .serve { add(.bounce, 0.55 * Double(generator.integer(2...4))) } else { add(.split, 0.36) }
      add(.swing(swing), swing.duration)
    }
    add(.wait, generator.uniform(0.6, 1.4))
    return TennisMotion(body: subject.body, hand: hand, actions: actions)
  }
}
