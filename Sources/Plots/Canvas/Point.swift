/// A place on a canvas: points to the right of and below its top left corner.
public struct Point: Hashable, Sendable {
  public var x: Double
  public var y: Double

  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// Whether a canvas can draw it: finite, and within the range of Cairo's 24-bit fixed-point coordinates.
  var isDrawable: Bool { abs(x) < 100_000 && abs(y) < 100_000 }
}
