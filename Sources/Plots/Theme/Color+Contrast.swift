import Foundation

extension Color {
  /// How much light the colour gives off: 0 is black, 1 white.
  ///
  /// - Source: relative luminance, Web Content Accessibility Guidelines 2.2 (W3C, 2023).
  public var luminance: Double {
    0.2126 * Self.linear(red) + 0.7152 * Self.linear(green) + 0.0722 * Self.linear(blue)
  }

  /// How far two colours stand apart in lightness, 1 (equal) to 21 (black and white).
  ///
  /// The guidelines ask for 4.5 between a text and what is behind it (criterion 1.4.3) and for 3 between a mark and
  /// what is next to it (criterion 1.4.11).
  ///
  /// - Source: contrast ratio, Web Content Accessibility Guidelines 2.2 (W3C, 2023).
  public func contrast(with other: Color) -> Double {
    let (one, two) = (luminance, other.luminance)
    return (max(one, two) + 0.05) / (min(one, two) + 0.05)
  }

  /// What is seen where this colour lies on another.
  ///
  /// - Parameters:
  ///   - opacity: 0 shows the other only, 1 this one only.
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
