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

/// A width and a height in points; one point is one pixel at scale 1.
public struct Size: Hashable, Sendable {
  public var width: Double
  public var height: Double

  public init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }
}

/// An axis-parallel rectangle on a canvas; y grows downwards.
public struct Rect: Hashable, Sendable {
  public var x: Double
  public var y: Double
  public var width: Double
  public var height: Double

  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// The rectangle between two vertical and two horizontal edges; empty if they are in the wrong order.
  public init(left: Double, top: Double, right: Double, bottom: Double) {
    self.init(x: left, y: top, width: max(0, right - left), height: max(0, bottom - top))
  }

  public var left: Double { x }
  public var top: Double { y }
  public var right: Double { x + width }
  public var bottom: Double { y + height }
  public var middle: Point { Point(x: x + width / 2, y: y + height / 2) }

  /// Clockwise from the top left.
  var corners: [Point] {
    [Point(x: left, y: top), Point(x: right, y: top), Point(x: right, y: bottom), Point(x: left, y: bottom)]
  }

  public func inset(by margin: Double) -> Rect {
    Rect(left: left + margin, top: top + margin, right: right - margin, bottom: bottom - margin)
  }

  public func contains(_ other: Rect) -> Bool {
    other.left >= left && other.right <= right && other.top >= top && other.bottom <= bottom
  }

  /// The smallest rectangle that contains both.
  func union(_ other: Rect) -> Rect {
    Rect(
      left: min(left, other.left), top: min(top, other.top), right: max(right, other.right),
      bottom: max(bottom, other.bottom))
  }

  /// Whether the rectangles overlap; touching edges do not count.
  public func overlaps(_ other: Rect) -> Bool {
    left < other.right && other.left < right && top < other.bottom && other.top < bottom
  }

  /// The shared area in square points, 0 if there is none.
  public func overlap(with other: Rect) -> Double {
    max(0, min(right, other.right) - max(left, other.left)) * max(0, min(bottom, other.bottom) - max(top, other.top))
  }
}
