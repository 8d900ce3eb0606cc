import Foundation

/// Colours of one hue from light to dark, equal steps of value looking equally far apart.
///
/// Lightness falls linearly in Oklab, in which equal distances look equal; the hue stays that of the theme's blue, and
/// chroma is as large as sRGB holds over the whole range.
///
/// - Source: Ottosson, A perceptual color space for image processing, 2020.
struct SequentialScale: Hashable, Sendable {
  static let blue = SequentialScale(hue: 4.36, lightness: (0.96, 0.38), chroma: (0.02, 0.11))

  private struct Span: Hashable {
    var start: Double
    var end: Double

    func value(_ part: Double) -> Double { start + part * (end - start) }
  }

  /// Radians.
  private let hue: Double
  private let lightness: Span
  private let chroma: Span

  private init(hue: Double, lightness: (Double, Double), chroma: (Double, Double)) {
    self.hue = hue
    self.lightness = Span(start: lightness.0, end: lightness.1)
    self.chroma = Span(start: chroma.0, end: chroma.1)
  }

  /// - Parameter part: 0 is the lightest, 1 the darkest; what lies beyond is drawn as the nearer of them.
  func color(_ part: Double) -> Color {
    let part = min(max(part, 0), 1)
    let lightness = lightness.value(part)
    let (a, b) = (chroma.value(part) * cos(hue), chroma.value(part) * sin(hue))
    func cubed(_ value: Double) -> Double { value * value * value }
    let l = cubed(lightness + 0.3963377774 * a + 0.2158037573 * b)
    let m = cubed(lightness - 0.1055613458 * a - 0.0638541728 * b)
    let s = cubed(lightness - 0.0894841775 * a - 1.2914855480 * b)
    return Color(
      red: Self.encoded(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
      green: Self.encoded(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
      blue: Self.encoded(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s))
  }

  /// sRGB's transfer function (IEC 61966-2-1).
  private static func encoded(_ linear: Double) -> UInt8 {
    let linear = min(max(linear, 0), 1)
    let value = linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055
    return UInt8((255 * value).rounded())
  }
}
