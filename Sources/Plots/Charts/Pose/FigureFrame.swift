/// Where figures stand in a rectangle: all in one scale, as wide as high, so that they can be compared.
struct FigureFrame {
  /// The middle of what is shown, in the figures' coordinates.
  private let center: Point
  /// Points for one unit.
  private let unit: Double
  private let area: Rect

  /// - Parameters:
  ///   - places: what is to be seen whole, beside the joints.
  ///   - span: the width and height to be shown; that of these figures where it is `nil`.
  init(showing figures: [StickFigure], and places: [Point] = [], span: Size? = nil, in area: Rect) {
    let bounds = Self.bounds(of: figures, and: places)
    let shown = span ?? Size(width: bounds.width, height: bounds.height)
    center = bounds.middle
    let least = 1e-9 * max(1, abs(center.x), abs(center.y))
    unit = min(area.width / max(shown.width, least), area.height / max(shown.height, least))
    self.area = area
  }

  func point(_ x: Double, _ y: Double) -> Point? {
    let point = Point(x: area.middle.x + (x - center.x) * unit, y: area.middle.y + (y - center.y) * unit)
    return point.isDrawable ? point : nil
  }

  /// The least rectangle around all that is drawn; empty where nothing is.
  static func bounds(of figures: [StickFigure], and places: [Point] = []) -> Rect {
    let joints = figures.flatMap(\.joints).filter(\.isDrawn).map { Point(x: $0.x, y: $0.y) }
    let all = (joints + places).filter { abs($0.x) < 1e9 && abs($0.y) < 1e9 }
    let (xs, ys) = (all.map(\.x), all.map(\.y))
    return Rect(left: xs.min() ?? 0, top: ys.min() ?? 0, right: xs.max() ?? 0, bottom: ys.max() ?? 0)
  }
}
