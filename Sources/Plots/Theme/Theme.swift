/// A colour for each meaning.
public struct Theme: Sendable {
  private let colors: [Meaning: Color]

  /// A theme; a meaning that is left out is drawn in black.
  public init(_ colors: [Meaning: Color]) {
    self.colors = colors
  }

  public subscript(_ meaning: Meaning) -> Color { colors[meaning] ?? Color(0x000000) }

  /// Dark on white. The colours that carry a meaning are those of Okabe and Ito ("Color Universal Design", 2008), which
  /// people with any common colour vision deficiency tell apart; truth is their black, lightened.
  public static let light = Theme([
    .truth: Color(0x3D3D3D),
    .prediction: Color(0x0072B2),
    .better: Color(0x009E73),
    .worse: Color(0xD55E00),
    .uncertain: Color(0xE69F00),
    .neutral: Color(0x6B7780),
    .tolerance: Color(0xE3F1FA),
    .ink: Color(0x1F1F1F),
    .quiet: Color(0x565C61),
    .grid: Color(0xE4E6E8),
    .background: Color(0xFFFFFF),
  ])
}
