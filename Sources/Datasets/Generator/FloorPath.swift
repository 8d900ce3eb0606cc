/// The way across the floor to or from the spot where someone squats, or on that spot.
struct FloorPath: Hashable, Sendable {
  enum Kind: Hashable, Sendable { case arriving, leaving, staying }

  var kind: Kind
  /// Where the squats are.
  var spot: Placement
  /// The heading that is walked in, in degrees; within 180 of the spot's.
  var travel: Double
  /// Metres a second.
  var speed: Double
  /// Seconds at full speed, seconds to slow down in (or to speed up), and seconds to turn.
  var cruise: Double
  var slowing: Double
  var turn: Double

  var duration: Double { cruise + slowing + turn }

  /// Before the beginning, who arrives is walking already and who leaves is still there.
  func placement(at time: Double) -> Placement {
    switch kind {
    case .staying: return spot
    case .arriving:
      return moved(-remaining(time), turned: 1 - MinimumJerk.position((time - cruise - slowing) / max(turn, 1e-9)))
    case .leaving:
      return moved(remaining(duration - time), turned: MinimumJerk.position(time / max(turn, 1e-9)))
    }
  }

  /// Metres a second.
  func speed(at time: Double) -> Double {
    switch kind {
    case .staying: 0
    case .arriving: speed * (1 - MinimumJerk.position((time - cruise) / slowing))
    case .leaving: speed * (1 - MinimumJerk.position((duration - time - cruise) / slowing))
    }
  }

  /// How far from the spot, by the clock of who arrives.
  private func remaining(_ time: Double) -> Double {
    if time < cruise { return speed * (cruise - time + slowing / 2) }
    return speed * slowing * (0.5 - MinimumJerk.slowing((time - cruise) / slowing))
  }

  private func moved(_ distance: Double, turned: Double) -> Placement {
    let direction = Placement.direction(travel)
    return Placement(
      x: spot.x + direction.x * distance, y: spot.y + direction.y * distance,
      heading: .blend(spot.heading, travel, turned))
  }
}
