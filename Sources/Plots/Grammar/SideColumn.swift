/// Legends and texts set below each other beside a plot, as far as there is room.
struct SideColumn {
  private let canvas: Canvas
  /// The room that is left.
  private(set) var rest: Rect

  init(on canvas: Canvas, in area: Rect) {
    self.canvas = canvas
    rest = area
  }

  mutating func legend(_ entries: [LegendEntry]) {
    move(to: Legend(entries).drawColumn(on: canvas, in: rest) + 18)
  }

  mutating func paragraph(_ text: String, _ style: TextStyle = .label) {
    move(to: canvas.paragraph(text, in: rest, style) + 6)
  }

  mutating func space(_ height: Double) { move(to: rest.top + height) }

  private mutating func move(to y: Double) {
    rest = Rect(left: rest.left, top: y, right: rest.right, bottom: rest.bottom)
  }
}
