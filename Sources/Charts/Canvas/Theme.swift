/// The meaning of a colour. Charts use meanings only; a colour means the same in all charts.
public enum SemanticColor: String, Hashable, Sendable, CaseIterable {
  /// Ground truth: people's labels.
  case truth
  /// A detector's prediction that agrees with the labels, or is not labelled.
  case prediction
  case better
  /// An error: a false detection, a miss, an error beyond the tolerance.
  case worse
  /// An interval, a range between raters, a missing value.
  case uncertain
  /// A measured signal, and anything neutral.
  case neutral
  /// The items in the finding, among others.
  case focus
  /// The area within a tolerance.
  case tolerance
  /// Text and axes.
  case ink
  /// Less important text: subtitles, tick labels.
  case quiet
  case grid
  case background
}

/// A colour for each meaning.
public struct Theme: Sendable {
  private let colors: [SemanticColor: Color]

  /// A theme with a colour per meaning; black for a missing one.
  public init(_ colors: [SemanticColor: Color]) {
    self.colors = colors
  }

  public subscript(_ meaning: SemanticColor) -> Color { colors[meaning] ?? Color(0x000000) }

  /// The colour of ink or background with the higher contrast on a colour.
  func text(on color: Color) -> SemanticColor {
    self[.ink].contrast(with: color) >= self[.background].contrast(with: color) ? .ink : .background
  }

  /// The light theme: dark on white. The hues are those of Okabe and Ito ("Color Universal Design", 2008), which people
  /// with any common colour vision deficiency can distinguish. Ground truth is their black, lightened; orange and
  /// vermillion are darkened for contrast with white.
  public static let light = Theme([
    .truth: Color(0x333333),
    .prediction: Color(0x0072B2),
    .better: Color(0x009E73),
    .worse: Color(0xC24A00),
    .uncertain: Color(0xC98500),
    .neutral: Color(0x6B7780),
    .focus: Color(0xA6458F),
    .tolerance: Color(0xE3F1FA),
    .ink: Color(0x1F1F1F),
    .quiet: Color(0x565C61),
    .grid: Color(0xE4E6E8),
    .background: Color(0xFFFFFF),
  ])

  /// The dark theme: light on nearly black, with the same hues, lightened.
  public static let dark = Theme([
    .truth: Color(0xF2F2F2),
    .prediction: Color(0x4AA3DF),
    .better: Color(0x35C7A0),
    .worse: Color(0xE8602C),
    .uncertain: Color(0xE0B030),
    .neutral: Color(0x84919A),
    .focus: Color(0xD078BC),
    .tolerance: Color(0x1B3345),
    .ink: Color(0xE6EAED),
    .quiet: Color(0xA9B2B9),
    .grid: Color(0x2C343A),
    .background: Color(0x14181C),
  ])
}
