/// How the numbers of a recording are to be read: their unit and which way y points.
public struct CoordinateSystem: Hashable, Codable, Sendable {
  public enum Unit: Hashable, Codable, Sendable {
    /// 0...1 of the image's width and height; `aspect` is width divided by height.
    case image(aspect: Double)
    /// Pixels of an image of this height.
    case pixel(height: Double)
    /// Metres, or any other unit of length that stays the same throughout a clip.
    case metre
    /// No unit: even the scale of a frame is arbitrary, only proportions within a frame mean something.
    case relative

    /// Lengths in image heights, of images whose size in pixels is not known or differs from clip to clip.
    public static let imageHeight = Unit.pixel(height: 1)
  }

  public enum YAxis: String, CaseIterable, Hashable, Codable, Sendable {
    case down, up
  }

  public var unit: Unit
  public var yAxis: YAxis

  public init(unit: Unit, yAxis: YAxis) {
    self.unit = unit
    self.yAxis = yAxis
  }

  /// Length of the trunk, neck to root, that a clip without image heights is scaled to, in image heights.
  ///
  /// A standing person who fills three quarters of the image's height has a trunk of 0.75 x 0.288: from the greater
  /// trochanter to the shoulder is 0.288 of stature (Drillis and Contini 1966, as in Winter, Biomechanics and Motor
  /// Control of Human Movement, 4th ed. 2009, figure 4.1).
  public static let trunkLength: Float = 0.75 * 0.288
}
