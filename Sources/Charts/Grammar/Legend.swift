/// Explains the marks, in its own area beside or above the plot.
public struct Legend: Sendable {
  public let entries: [LegendEntry]
  private let style = TextStyle.note
  private let sampleWidth = 26.0
  private let gap = 28.0

  public init(_ entries: [LegendEntry]) {
    self.entries = entries
  }

  /// The length of all entries in one row.
  public func width(on canvas: Canvas) -> Double {
    entries.reduce(0) { $0 + width(of: $1) } + gap * Double(max(0, entries.count - 1))
  }

  /// The height of the entries below each other.
  var columnHeight: Double { (style.lineHeight + 4) * Double(entries.count) }

  /// The height of the entries in rows.
  func rowHeight(ofWidth width: Double) -> Double {
    Double(rows(ofWidth: width).count) * (style.lineHeight + 4) - (entries.isEmpty ? 0 : 4)
  }

  /// The entries of each row, with their distances from its left edge.
  private func rows(ofWidth width: Double) -> [[(entry: LegendEntry, x: Double)]] {
    var rows: [[(entry: LegendEntry, x: Double)]] = []
    var x = 0.0
    for entry in entries {
      let own = self.width(of: entry)
      if rows.isEmpty || x + own > width {
        rows.append([])
        x = 0
      }
      rows[rows.count - 1].append((entry, x))
      x += own + gap
    }
    return rows
  }

  /// Draws the entries below each other.
  ///
  /// - Returns: The lower edge of the entries.
  @discardableResult
  public func drawColumn(on canvas: Canvas, in area: Rect) -> Double {
    var y = area.top
    for entry in entries where y + style.lineHeight <= area.bottom {
      draw(entry, on: canvas, at: Point(x: area.left, y: y + style.lineHeight / 2), maxWidth: area.width)
      y += style.lineHeight + 4
    }
    return y
  }

  /// Draws the entries beside each other, in as many rows as they need.
  ///
  /// - Returns: The lower edge of the entries.
  @discardableResult
  public func drawRow(on canvas: Canvas, in area: Rect) -> Double {
    guard !entries.isEmpty else { return area.top }
    var y = area.top
    for row in rows(ofWidth: area.width) {
      for (entry, x) in row {
        let place = Point(x: area.left + x, y: y + style.lineHeight / 2)
        draw(entry, on: canvas, at: place, maxWidth: area.width - x)
      }
      y += style.lineHeight + 4
    }
    return y - 4
  }

  private func width(of entry: LegendEntry) -> Double { sampleWidth + 8 + style.width(of: entry.text) }

  private func draw(_ entry: LegendEntry, on canvas: Canvas, at place: Point, maxWidth: Double) {
    draw(entry.sample, on: canvas, in: Rect(x: place.x, y: place.y - 8, width: sampleWidth, height: 16))
    canvas.text(
      entry.text, at: Point(x: place.x + sampleWidth + 8, y: place.y), Anchor(.left, .middle), style,
      maxWidth: maxWidth - sampleWidth - 8)
  }

  private func draw(_ sample: LegendEntry.Sample, on canvas: Canvas, in box: Rect) {
    let start = Point(x: box.left, y: box.middle.y)
    let end = Point(x: box.right, y: box.middle.y)
    switch sample {
    case .disc(let meaning): canvas.mark(.disc, at: box.middle, radius: 7, meaning)
    case .smallDisc(let meaning): canvas.mark(.disc, at: box.middle, radius: 5, meaning)
    case .ring(let meaning): canvas.mark(.ring, at: box.middle, radius: 7, meaning)
    case .bar(let meaning): canvas.fill(box, meaning, radius: 3)
    case .outlinedBar(let meaning): canvas.outline(box, meaning, width: 2, radius: 3)
    case .tolerance: canvas.tolerance(box)
    case .square(let meaning): canvas.mark(.square, at: box.middle, radius: 7, meaning)
    case .diamond(let meaning): canvas.mark(.diamond, at: box.middle, radius: 6, meaning)
    case .tick(let meaning):
      canvas.fill(Rect(x: box.middle.x - 2, y: box.top, width: 4, height: box.height), meaning)
    case .line(let meaning): canvas.line(from: start, to: end, meaning, width: 2)
    case .thinLine(let meaning): canvas.line(from: start, to: end, meaning, width: 1.2)
    case .dashedLine(let meaning): canvas.line(from: start, to: end, meaning, width: 1.5, dash: [6, 4])
    case .shade(let meaning): canvas.fill(box, meaning, opacity: 0.3)
    case .faintShade(let meaning): canvas.fill(box, meaning, opacity: 0.1)
    case .dottedLine(let meaning):
      let x = box.middle.x
      canvas.line(from: Point(x: x, y: box.top), to: Point(x: x, y: box.bottom), meaning, width: 1.5, dash: [2, 4])
    case .notchedBar(let meaning):
      let x = box.middle.x
      canvas.fill(box, meaning, radius: 3)
      canvas.line(from: Point(x: x, y: box.middle.y), to: Point(x: x, y: box.bottom), .background, width: 2.5)
    case .notchedOutline(let meaning):
      let x = box.middle.x
      canvas.outline(box, meaning, width: 2, radius: 3)
      canvas.line(from: Point(x: x, y: box.middle.y), to: Point(x: x, y: box.bottom), meaning, width: 2.5)
    }
  }
}

/// One line of a legend: a sample of a mark and its meaning.
public struct LegendEntry: Hashable, Sendable {
  public enum Sample: Hashable, Sendable {
    case disc(SemanticColor)
    case smallDisc(SemanticColor)
    /// A hollow disc.
    case ring(SemanticColor)
    case bar(SemanticColor)
    case outlinedBar(SemanticColor)
    /// An area within a tolerance.
    case tolerance
    case square(SemanticColor)
    case diamond(SemanticColor)
    /// A short vertical bar.
    case tick(SemanticColor)
    /// A transparent area.
    case shade(SemanticColor)
    /// A barely visible area.
    case faintShade(SemanticColor)
    case line(SemanticColor)
    case thinLine(SemanticColor)
    case dashedLine(SemanticColor)
    /// A vertical one.
    case dottedLine(SemanticColor)
    /// A bar with a notch for a turning point.
    case notchedBar(SemanticColor)
    /// An outline with a tick for a turning point.
    case notchedOutline(SemanticColor)
  }

  public var sample: Sample
  public var text: String

  public init(_ sample: Sample, _ text: String) {
    self.sample = sample
    self.text = text
  }
}

/// A sentence at the lower edge of a chart, in any number of lines.
struct Footnote {
  let text: String
  private static let style = TextStyle.note.colored(.quiet)

  init(_ text: String) { self.text = text }

  /// The height, with some space above.
  func height(ofWidth width: Double) -> Double {
    12 + Self.style.lineHeight * Double(max(1, Self.style.lines(of: text, width: width).count))
  }

  func draw(on canvas: Canvas, in area: Rect) {
    let top = area.bottom - height(ofWidth: area.width) + 12
    canvas.paragraph(
      text, in: Rect(left: area.left, top: top, right: area.right, bottom: area.bottom + 1), Self.style)
  }
}
