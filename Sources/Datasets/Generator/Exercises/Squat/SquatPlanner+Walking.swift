extension SquatPlanner {
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

  mutating func walk(_ kind: FloorPath.Kind) {
    add(Gait(kind, of: profile.body, standing: profile.stance, before: camera, using: &generator))
  }

  private mutating func add(_ gait: Gait) { add(.walk(gait), gait.duration) }
}
