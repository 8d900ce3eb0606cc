import Foundation

/// An opaque sRGB colour.
public struct Color: Hashable, Sendable {
  public var red: UInt8
  public var green: UInt8
  public var blue: UInt8

  /// A colour from 0xRRGGBB.
  public init(_ hex: UInt32) {
    red = UInt8(truncatingIfNeeded: hex >> 16)
    green = UInt8(truncatingIfNeeded: hex >> 8)
    blue = UInt8(truncatingIfNeeded: hex)
  }

  init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }
}

extension Color {
  /// The luminance of the colour: 0 is black, 1 white.
  ///
  /// - Source: relative luminance, Web Content Accessibility Guidelines 2.2 (W3C, 2023).
  public var luminance: Double {
    0.2126 * Self.linear(red) + 0.7152 * Self.linear(green) + 0.0722 * Self.linear(blue)
  }

  /// The contrast of two colours in lightness, 1 (equal) to 21 (black and white).
  ///
  /// The guidelines require 4.5 between a text and its background (criterion 1.4.3) and 3 between a mark and its
  /// neighbours (criterion 1.4.11).
  ///
  /// - Source: contrast ratio, Web Content Accessibility Guidelines 2.2 (W3C, 2023).
  public func contrast(with other: Color) -> Double {
    let (one, two) = (luminance, other.luminance)
    return (max(one, two) + 0.05) / (min(one, two) + 0.05)
  }

  /// This colour blended over another one.
  ///
  /// - Parameters:
  ///   - opacity: 0 for only the other colour, 1 for only this one.
  func blended(over other: Color, opacity: Double) -> Color {
    let opacity = min(max(opacity, 0), 1)
    func mixed(_ front: UInt8, _ back: UInt8) -> UInt8 {
      UInt8((opacity * Double(front) + (1 - opacity) * Double(back)).rounded())
    }
    return Color(red: mixed(red, other.red), green: mixed(green, other.green), blue: mixed(blue, other.blue))
  }

  /// The inverse of sRGB's transfer function (IEC 61966-2-1).
  private static func linear(_ value: UInt8) -> Double {
    let part = Double(value) / 255
    return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
  }
}

/// Colours of one hue from light to dark; equal steps of the value look equal.
///
/// Lightness falls linearly in Oklab, in which equal distances look equal. The hue is that of the theme's blue, the
/// chroma the largest that sRGB can represent over the whole range.
///
/// - Source: Ottosson, A perceptual color space for image processing, 2020.
struct SequentialScale: Hashable, Sendable {
  static let blue = SequentialScale(hue: 4.36, lightness: (0.96, 0.38), chroma: (0.02, 0.11))

  private struct Span: Hashable {
    var start: Double
    var end: Double

    func value(_ part: Double) -> Double { start + part * (end - start) }
  }

  /// The hue in radians.
  private let hue: Double
  private let lightness: Span
  private let chroma: Span

  private init(hue: Double, lightness: (Double, Double), chroma: (Double, Double)) {
    self.hue = hue
    self.lightness = Span(start: lightness.0, end: lightness.1)
    self.chroma = Span(start: chroma.0, end: chroma.1)
  }

  /// - Parameter part: 0 for the lightest, 1 for the darkest; other values are clamped.
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
