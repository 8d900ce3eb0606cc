/// A picture of some data, with the same data as a table.
public protocol Chart: Sendable {
  /// The finding, a sentence without a full stop.
  var title: String { get }
  /// The topic, the source and the amount of data: the number of clips, subjects, reps or samples, and missing parts.
  var subtitle: String { get }
  /// The data as a table.
  var table: ChartTable { get }

  /// The height in points of the part below title and subtitle; `nil` for the default, with which a page of 1200 points
  /// is 700 points high.
  func bodyHeight(on page: Page) -> Double?

  /// Draws everything below the title and the subtitle.
  ///
  /// - Parameters:
  ///   - area: The remaining space.
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
    let top = page.drawHeader(of: self, on: canvas)
    draw(
      on: canvas,
      in: Rect(
        left: page.body.left, top: top, right: page.body.right, bottom: canvas.size.height - Page.bottom))
  }
}

/// The width of a picture in pixels and in points.
///
/// A picture of 1200 pixels or more is laid out on 1200 points and enlarged. A smaller one is laid out on 1.5 points
/// per pixel: texts shrink to two thirds and no further, and at 400 pixels the smallest is 10 pixels high. On a page of
/// less than 900 points, items beside a plot move below or above it.
public struct Page: Hashable, Sendable {
  /// The width in points.
  public let width: Double

  /// A page with a width in points.
  public init(width: Double) { self.width = width }

  /// The page for a picture with a width in pixels at scale 1.
  public init(pixels: Double) { width = min(1200, max(1.5 * pixels, 480)) }

  /// The page of 1200 points.
  public static let usual = Page(width: 1200)

  public var isNarrow: Bool { width < 900 }

  /// The range of the chart's body between the margins.
  var body: (left: Double, right: Double) { isNarrow ? (18, width - 18) : (32, width - 24) }
  var bodyWidth: Double { body.right - body.left }

  private static let top = 24.0
  static let bottom = 16.0

  private static let titleStyle = TextStyle.title
  private var titleLimit: Int { isNarrow ? 5 : 3 }
  private var subtitleLimit: Int { isNarrow ? 6 : 3 }

  /// The lines of title and subtitle. The subtitle is broken between its parts if possible.
  private func lines(of chart: some Chart) -> (title: [String], subtitle: [String]) {
    let style = TextStyle.subtitle
    let parts = chart.subtitle.printable.split(separator: " · ").map(String.init)
    let joined = parts.enumerated().map { index, part in
      let tail = index + 1 < parts.count ? " ·" : ""
      // On a narrow page, and if a part is wider than a line, it is broken anywhere.
      return !isNarrow && style.width(of: part + tail) <= bodyWidth
        ? (part + tail).replacing(" ", with: "\u{A0}") : part + tail
    }
    return (
      Self.titleStyle.lines(of: chart.title, width: bodyWidth, limit: titleLimit),
      style.lines(of: joined.joined(separator: " "), width: bodyWidth, limit: subtitleLimit)
    )
  }

  /// The height of title and subtitle, with the space above and below them.
  func headerHeight(of chart: some Chart) -> Double { height(of: lines(of: chart)) }

  private func height(of lines: (title: [String], subtitle: [String])) -> Double {
    Self.top + Self.titleStyle.lineHeight * Double(max(1, lines.title.count)) + 2
      + TextStyle.subtitle.lineHeight * Double(lines.subtitle.count) + 12
  }

  /// Draws title and subtitle.
  ///
  /// - Returns: The height of both, as `headerHeight(of:)` has it.
  func drawHeader(of chart: some Chart, on canvas: Canvas) -> Double {
    let lines = lines(of: chart)
    var y = Self.top
    for line in lines.title {
      canvas.text(line, at: Point(x: body.left, y: y), Anchor(.left, .top), Self.titleStyle, maxWidth: bodyWidth)
      y += Self.titleStyle.lineHeight
    }
    y = Self.top + Self.titleStyle.lineHeight * Double(max(1, lines.title.count)) + 2
    for line in lines.subtitle {
      canvas.text(line, at: Point(x: body.left, y: y), Anchor(.left, .top), .subtitle, maxWidth: bodyWidth)
      y += TextStyle.subtitle.lineHeight
    }
    return height(of: lines)
  }
}
