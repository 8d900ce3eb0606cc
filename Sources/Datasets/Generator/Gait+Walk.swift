extension Gait {
  /// Across the image to the spot, and a turn to where the exercise faces; or the other way round.
  init(
    _ kind: FloorPath.Kind, of body: Body, standing stance: Stance, at spot: Placement = Placement(),
    before camera: Camera, using generator: inout SeededGenerator
  ) {
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
      kind: kind, spot: spot, travel: travel, speed: speed,
      cruise: max(distance / speed - slowing / 2, 0.2), slowing: slowing, turn: 0.25 + travel.magnitude / 90 * 0.7)
    self.init(
      path: path, stance: stance, trackHalfWidth: 0.045 * body.stature, lift: 0.07, shift: 0.02,
      period: generator.uniform(0.52, 0.6))
  }
}
