extension MotionPlanner {
  /// A few steps on the spot with high knees.
  mutating func march() {
    let period = generator.uniform(0.5, 0.62)
    let path = FloorPath(
      kind: .staying, spot: Placement(), travel: 0, speed: 0, cruise: period * Double(generator.integer(3...6)),
      slowing: 0, turn: 0)
    add(
      Gait(
        path: path, stance: profile.stance, trackHalfWidth: profile.stance.halfWidth,
        lift: profile.body.stature * generator.uniform(0.12, 0.18), shift: profile.stance.halfWidth * 0.3,
        period: period))
  }

  /// Across the image to the spot, and a turn to where the squats face; or the other way round.
  mutating func walk(_ kind: FloorPath.Kind) {
    let speed = generator.normal(1.05, sd: 0.1, limit: 2)
    let slowing = generator.uniform(0.7, 0.9)
    let distance = camera.halfWidthAtOrigin + 0.45
    // Walks the way that takes the smaller turn.
    let across = camera.acrossHeading
    let back = across > 0 ? across - 180 : across + 180
    let travel =
      (across.magnitude - back.magnitude).magnitude < 30
      ? (generator.chance(0.5) ? across : back) : (across.magnitude < back.magnitude ? across : back)
    let path = FloorPath(
      kind: kind, spot: Placement(), travel: travel, speed: speed,
      cruise: max(distance / speed - slowing / 2, 0.2), slowing: slowing, turn: 0.25 + travel.magnitude / 90 * 0.7)
    add(
      Gait(
        path: path, stance: profile.stance, trackHalfWidth: 0.045 * profile.body.stature, lift: 0.07, shift: 0.02,
        period: generator.uniform(0.52, 0.6)))
  }

  private mutating func add(_ gait: Gait) { add(.walk(gait), gait.duration) }
}
