import PoseModel

/// How someone puts their feet: how far apart and how far turned out.
public struct Stance: Hashable, Sendable {
  /// From the middle to an ankle's centre, in metres.
  var halfWidth: Double
  /// How far the feet point outwards, in degrees.
  var toeOut: Double

  func footing(_ side: Side, at place: Placement) -> Footing {
    let ankle = place.point(forward: 0, left: side.sign * halfWidth, up: 0)
    return Footing(x: ankle.x, y: ankle.y, yaw: place.heading + side.sign * toeOut)
  }
}
