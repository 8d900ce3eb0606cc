/// One swing of a racket: back, forward through the ball, to the end of the follow-through and home again.
struct Swing: Hashable, Sendable {
  enum Stroke: String, CaseIterable, Hashable, Sendable { case forehand, backhand, serve }

  var stroke: Stroke
  /// How much of the stroke's way it takes; a practice half-swing is no stroke.
  var size: Double
  var isStroke: Bool
  /// Seconds.
  var back: Double
  var forward: Double
  var home: Double

  var duration: Double { back + forward + home }

  /// Backswings of 0.7 to 1.3 s and forward swings of under half a second, follow-through included: in Landlinger et al.
  /// 2010 trunk and pelvis peak within 0.1 s of impact.
  static func draw(half: Bool, pace: Double, using generator: inout SeededGenerator) -> Swing {
    let stroke =
      half ? (generator.chance(0.5) ? Stroke.forehand : .backhand) : Stroke.allCases[generator.integer(0...2)]
    let slow = pace * generator.normal(1, sd: 0.07, limit: 2) * (half ? 1.9 : 1)
    return Swing(
      stroke: stroke, size: half ? generator.uniform(0.3, 0.5) : generator.uniform(0.9, 1.05), isStroke: !half,
      back: (stroke == .serve ? 1.2 : 0.75) * slow, forward: (stroke == .serve ? 0.48 : 0.44) * slow,
      home: 0.8 * pace)
  }

  /// The posture at a time in seconds from the start of the backswing.
  func posture(at time: Double) -> StrokePosture {
    let keys = StrokePosture.keys(of: stroke)
    func sized(_ key: StrokePosture) -> StrokePosture { .blend(.ready, key, size) }
    if time < back { return .blend(.ready, sized(keys.back), MinimumJerk.position(time / back)) }
    if time < back + forward {
      return .through(
        sized(keys.back), sized(keys.contact), sized(keys.end), MinimumJerk.position((time - back) / forward))
    }
    return .blend(sized(keys.end), .ready, MinimumJerk.position((time - back - forward) / home))
  }
}
