/// A picture of some facts, with the same facts as text.
public protocol Chart: Sendable {
  /// What the chart shows.
  var title: String { get }
  /// How much it rests on: the number of clips, subjects, reps or samples, and what is missing.
  var subtitle: String { get }
  /// The facts, row by row, the first row naming the columns.
  var table: [[String]] { get }

  /// The height in points of what is drawn below title and subtitle; `nil` for that of a usual plot, which makes a page
  /// of 1200 points 700 high.
  func bodyHeight(on page: Page) -> Double?

  /// Draws all below the title and the subtitle.
  ///
  /// - Parameters:
  ///   - area: the room that is left.
  func draw(on canvas: Canvas, in area: Rect)
}

extension Chart {
  public func bodyHeight(on page: Page) -> Double? { nil }

  /// The size in points on a page.
  public func size(on page: Page) -> Size {
    let header = page.headerHeight(of: self)
    let usual = page.isNarrow ? header + 0.8 * page.width : page.width * 7 / 12
    return Size(
      width: page.width, height: (bodyHeight(on: page).map { header + $0 + Page.bottom } ?? usual).rounded(.up))
  }

  /// The size on a page of 1200 points.
  public var size: Size { size(on: .usual) }

  /// Draws the whole chart.
  public func draw(on canvas: Canvas) {
    let page = canvas.page
    page.drawHeader(of: self, on: canvas)
    draw(
      on: canvas,
      in: Rect(
        left: page.body.left, top: page.headerHeight(of: self), right: page.body.right,
        bottom: canvas.size.height - Page.bottom))
  }
}
