import RealModule

/// What of an exercise the camera has to show, in statures of the person at the origin who faces along x.
public struct Framing: Hashable, Sendable {
  /// From the floor up.
  public var height: Double
  /// Along x, and across it.
  public var length: Double
  public var breadth: Double
  /// What stands in the middle of the image.
  public var middleAhead: Double
  public var middleHeight: Double
  /// How high the camera stands, 1 being between a table and a shoulder.
  public var cameraHeight = 1.0

  /// Whether the telephone is held upright or, for who lies, on its side.
  var isWide: Bool { length > height }

  /// How much of the world the image's height must span to show all of it.
  func extent(from azimuth: Double, aspect: Double) -> Double {
    let across = length * azimuth.sineOfDegrees.magnitude + breadth * azimuth.cosineOfDegrees.magnitude
    return max(height, across / aspect)
  }

  /// Someone who stands.
  public static let standing = Framing(height: 1, length: 0.35, breadth: 0.35, middleAhead: 0, middleHeight: 0.48)
  /// Someone who stands and raises the arms.
  public static let overhead = Framing(height: 1.25, length: 0.4, breadth: 0.6, middleAhead: 0, middleHeight: 0.6)
  /// Someone who lies along x, with the middle of the body at the origin.
  public static let lying = Framing(
    height: 0.5, length: 1.15, breadth: 0.6, middleAhead: 0, middleHeight: 0.14, cameraHeight: 0.6)
}
