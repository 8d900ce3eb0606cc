import RealModule

extension Camera {
  /// A telephone on a shelf or tripod, placed so that the exercise of someone at the origin who faces along x fills 55 to
  /// 80 % of the image.
  init(view: CameraView, framing: Framing, stature: Double, aspect: Double, using generator: inout SeededGenerator) {
    let mirror = generator.chance(0.5) ? 1.0 : -1
    let azimuth: Double =
      switch view {
      case .front: mirror * generator.uniform(0, 9)
      case .side: mirror * generator.normal(90, sd: 4, limit: 2)
      case .oblique: mirror * generator.uniform(32, 60)
      }
    // Vertical fields of view of 37 to 53 degrees.
    let focalLength = generator.uniform(1, 1.5)
    let fill = generator.uniform(0.58, 0.77)
    let distance = focalLength * stature * framing.extent(from: azimuth, aspect: aspect) / fill
    let height = generator.uniform(0.65, 1.35) * framing.cameraHeight
    let aim = stature * generator.normal(framing.middleHeight, sd: 0.02, limit: 2)
    let place = Placement.direction(azimuth) * distance
    self.init(
      position: SIMD3(place.x, place.y, height),
      target: SIMD3(
        generator.normal(0.04 + framing.middleAhead * stature, sd: 0.03, limit: 2),
        generator.normal(0, sd: 0.03, limit: 2), aim),
      roll: generator.normal(0, sd: 1.2, limit: 2), focalLength: focalLength, aspect: aspect)
  }

  /// Where to walk to cross the image from the left to the right, as a heading in -180...180 degrees.
  var acrossHeading: Double { Double.atan2(y: right.y, x: right.x).degreesFromRadians }

  /// Half of what the image shows across at the origin's distance, in metres.
  var halfWidthAtOrigin: Double { (-position).dot(forward) * aspect / 2 / focalLength }
}
