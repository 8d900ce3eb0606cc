/// The form of a mark. Marks that differ in colour also differ in form, for readers who see no colours.
enum Mark {
  case disc
  /// A hollow disc.
  case ring
  /// For what is worse or wrong, and for what the finding is about.
  case square
  case diamond

  /// As large as a disc.
  static func area(_ center: Point, radius: Double) -> Rect {
    let half = radius * Double.pi.squareRoot() / 2
    return Rect(x: center.x - half, y: center.y - half, width: 2 * half, height: 2 * half)
  }

  /// The sample of a legend.
  func sample(_ meaning: SemanticColor) -> LegendEntry.Sample {
    switch self {
    case .disc: .disc(meaning)
    case .ring: .ring(meaning)
    case .square: .square(meaning)
    case .diamond: .diamond(meaning)
    }
  }
}

extension Canvas {
  /// Draws a mark as large as a disc of a radius, with a rim in the background's colour.
  func mark(
    _ mark: Mark, at center: Point, radius: Double, _ meaning: SemanticColor, opacity: Double = 1, rimWidth: Double = 1
  ) {
    guard center.isDrawable else { return }
    let fill = FillStyle(color: theme[meaning], opacity: opacity)
    let rim = LineStyle(color: theme[.background], width: rimWidth)
    switch mark {
    case .disc: draw(.disc(center, radius: radius), fill: fill, stroke: rim)
    case .ring: disc(at: center, radius: radius - 1, .background, rim: meaning, rimWidth: 2.5)
    case .square: draw(.rect(Mark.area(center, radius: radius), radius: 1), fill: fill, stroke: rim)
    case .diamond:
      let reach = radius * (Double.pi / 2).squareRoot()
      draw(
        .polygon([
          Point(x: center.x, y: center.y - reach), Point(x: center.x + reach, y: center.y),
          Point(x: center.x, y: center.y + reach), Point(x: center.x - reach, y: center.y),
        ]), fill: fill, stroke: rim)
    }
  }
}
