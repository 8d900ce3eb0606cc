import CCairo

extension Canvas {
  /// The width of a text in points.
  public func width(of text: String, _ style: TextStyle) -> Double { style.width(of: text) }

  /// Draws a text if it fits into the picture without touching any earlier text.
  ///
  /// - Parameters:
  ///   - maxWidth: If the text is wider, its end is replaced by "…".
  /// - Returns: The box of the text, or `nil` if the text was omitted.
  @discardableResult
  public func text(
    _ text: String, at place: Point, _ anchor: Anchor, _ style: TextStyle, maxWidth: Double = .infinity
  ) -> Rect? {
    // Text wider than the picture is never drawn.
    guard place.isDrawable, let fitted = style.shortened(text.printable, to: min(maxWidth, size.width)) else {
      return nil
    }
    let origin = Point(x: place.x, y: baseline(for: place.y, anchor.vertical, style))
    var box = box(of: fitted, at: origin, style)
    switch anchor.horizontal {
    case .left: break
    case .center: box.x -= box.width / 2
    case .right: box.x -= box.width
    }
    guard labels.place(box) else { return nil }
    show(fitted, in: box, baseline: origin.y, style)
    return box
  }

  /// Draws a text in lines of at most `area.width`, broken at spaces, from the top of `area` down while they fit.
  ///
  /// - Returns: The lower edge of the last line.
  @discardableResult
  public func paragraph(_ text: String, in area: Rect, _ style: TextStyle) -> Double {
    let room = Int(max(0, min(1000, (area.height + 0.01) / style.lineHeight)))
    var y = area.top
    for line in style.lines(of: text, width: area.width, limit: max(1, room)).prefix(room) {
      self.text(line, at: Point(x: area.left, y: y), Anchor(.left, .top), style, maxWidth: area.width)
      y += style.lineHeight
    }
    return y
  }

  private func baseline(for y: Double, _ vertical: Anchor.Vertical, _ style: TextStyle) -> Double {
    switch vertical {
    case .top: y + TextStyle.ascent * style.size
    case .middle: y + TextStyle.capHeight / 2 * style.size
    case .baseline: y
    case .bottom: y - TextStyle.descent * style.size
    }
  }

  /// The box of a text with its left edge and baseline at `origin`.
  func box(of text: String, at origin: Point, _ style: TextStyle) -> Rect {
    let box = style.box(of: text)
    return Rect(x: origin.x, y: origin.y + box.y, width: box.width, height: box.height)
  }

  /// Draws a text into the box reserved for it.
  func show(_ text: String, in box: Rect, baseline: Double, _ style: TextStyle) {
    let placed = PlacedText(text: text, size: style.size, box: box)
    texts.append(placed)
    if let output { return output.add(placed, baseline: baseline, style, theme[style.meaning]) }
    Fonts.select(style, scale: scale, on: context)
    setColor(theme[style.meaning], opacity: 1)
    cairo_move_to(context, box.x + style.lead(of: text), baseline)
    cairo_show_text(context, text)
    cairo_new_path(context)
  }
}

extension Canvas {
  /// Draws a label beside a mark, at the free place that covers the fewest obstacles, near places first. A fine line
  /// leads to a label that is not next to its mark.
  ///
  /// - Parameter distance: The distance from other marks, in points: a label between two marks seems to name either.
  ///   Half of it is enough for a label with a line to its mark. 0 for none: the label may then touch other marks.
  /// - Parameter marks: The marks to keep this distance from; `nil` for all.
  /// - Returns: The box of the label, or `nil` if no place was free or the label would mostly cover other marks.
  @discardableResult
  public func label(
    _ text: String, beside mark: Rect, _ style: TextStyle, within area: Rect, apart distance: Double = 0,
    from marks: [Rect]? = nil
  ) -> Rect? {
    guard let fitted = style.shortened(text.printable, to: area.width) else { return nil }
    let size = box(of: fitted, at: Point(x: 0, y: 0), style)
    let places = Self.places(for: size, around: mark).filter(area.contains)
    let others = labels.obstacles.filter { !$0.overlaps(mark) }
    // A line through another mark or a text seems to come from there.
    let reach = places.reduce(mark) { $0.union($1) }.inset(by: -1)
    let crossed = (others + labels.boxes.filter { !$0.overlaps(mark) }).filter(reach.overlaps)
    let direct = places.filter { place in
      let leader = Self.leader(from: mark, to: place)
      guard let start = leader.first, let end = leader.last else { return true }
      let all = start.union(end)
      return !crossed.contains { other in other.overlaps(all) && leader.contains { other.overlaps($0) } }
    }
    let kept = marks?.filter { $0 != mark } ?? others
    func clear(_ places: [Rect], _ distance: Double) -> Rect? {
      let apart = places.filter { place in
        distance == 0 || !kept.contains { $0.overlaps(place.inset(by: -distance)) }
      }
      return labels.best(of: apart, covering: marks == nil ? 0 : 0.2)
    }
    // A line tells whose label it is, also closer to another mark.
    let led = direct.filter { !Self.leader(from: mark, to: $0).isEmpty }
    let close =
      distance > 0
      ? clear(led, distance / 2) : labels.best(of: direct, covering: 0.2) ?? labels.best(of: places, covering: 0.2)
    guard let box = clear(direct, distance) ?? close, labels.place(box) else { return nil }
    drawLeader(from: mark, to: box)
    fill(Rect(left: box.left - 2, top: box.top, right: box.right + 2, bottom: box.bottom), .background, opacity: 0.6)
    show(fitted, in: box, baseline: box.y - size.y, style)
    return box
  }

  /// Draws a text over marks, on a slightly transparent patch of background, if it is free.
  @discardableResult
  func tag(_ text: String, at place: Point, _ anchor: Anchor, _ style: TextStyle, maxWidth: Double) -> Rect? {
    guard let fitted = style.shortened(text.printable, to: maxWidth), place.isDrawable else { return nil }
    var box = style.box(of: fitted)
    let (across, down) = anchor.parts
    (box.x, box.y) = (place.x - across * box.width, place.y - down * box.height)
    guard labels.isFree(box) else { return nil }
    fill(Rect(left: box.left - 3, top: box.top, right: box.right + 3, bottom: box.bottom), .background, opacity: 0.8)
    return self.text(fitted, at: Point(x: box.left, y: box.bottom), Anchor(.left, .bottom), style)
  }

  /// Sides before corners, near before far.
  private static func places(for size: Rect, around mark: Rect) -> [Rect] {
    [4.0, 16, 32, 52].flatMap { distance in
      let right = mark.right + distance
      let left = mark.left - distance - size.width
      let above = mark.top - distance - size.height
      let below = mark.bottom + distance
      let centerX = mark.middle.x - size.width / 2
      let centerY = mark.middle.y - size.height / 2
      return [
        (right, centerY), (left, centerY), (centerX, above), (centerX, below), (mark.left, above), (mark.left, below),
        (mark.right - size.width, above), (mark.right - size.width, below), (right, above), (right, below),
        (left, above), (left, below),
      ].map { Rect(x: $0.0, y: $0.1, width: size.width, height: size.height) }
    }
  }

  /// Draws the line to a label, which later labels avoid.
  private func drawLeader(from mark: Rect, to box: Rect) {
    let leader = Self.leader(from: mark, to: box)
    guard let start = leader.first, let end = leader.last else { return }
    leader.forEach(avoid)
    line(from: start.middle, to: end.middle, .quiet)
  }

  /// The line from a mark to a label as small squares; nothing if the label is next to the mark.
  private static func leader(from mark: Rect, to box: Rect) -> [Rect] {
    let center = mark.middle
    let end = Point(
      x: min(max(center.x, box.left), box.right), y: min(max(center.y, box.top + 3), box.bottom - 3))
    let (dx, dy) = (end.x - center.x, end.y - center.y)
    let length = (dx * dx + dy * dy).squareRoot()
    let radius = min(mark.width, mark.height) / 2
    guard length > radius + 12 else { return [] }
    let first = (radius + 1) / length
    let pieces = Int(length / 2) + 1
    return (0...pieces).map { piece in
      let part = first + (1 - first) * Double(piece) / Double(pieces)
      return Rect(x: center.x + part * dx - 1, y: center.y + part * dy - 1, width: 2, height: 2)
    }
  }
}

/// Keeps texts apart: stores the reserved boxes and refuses a box that touches another or leaves the picture.
public struct LabelPlacer: Sendable {
  /// The area that labels must stay in.
  public let bounds: Rect
  /// The minimum distance between two labels, in points.
  public let gap: Double
  /// The reserved boxes, in order.
  public private(set) var boxes: [Rect] = []
  /// Drawings that a label should preferably not cover.
  public private(set) var obstacles: [Rect] = []

  public init(bounds: Rect, gap: Double = 2) {
    self.bounds = bounds
    self.gap = gap
  }

  public func isFree(_ box: Rect) -> Bool {
    let kept = Rect(x: box.x - gap, y: box.y - gap, width: box.width + 2 * gap, height: box.height + 2 * gap)
    return box.width.isFinite && box.height.isFinite && bounds.contains(box) && !boxes.contains { $0.overlaps(kept) }
  }

  /// Reserves the box if it is free, and returns whether it was.
  public mutating func place(_ box: Rect) -> Bool {
    guard isFree(box) else { return false }
    boxes.append(box)
    return true
  }

  /// Adds an obstacle for `best(of:)`.
  public mutating func avoid(_ obstacle: Rect) {
    obstacles.append(obstacle)
  }

  /// The free candidate that covers the fewest obstacles; of equal ones the first. Does not reserve it.
  ///
  /// - Parameters:
  ///   - limit: The maximum share of a candidate's area that obstacles may cover.
  /// - Returns: `nil` if no candidate is free and within the limit.
  public func best(of candidates: [Rect], covering limit: Double = .infinity) -> Rect? {
    var best: (box: Rect, covered: Double)?
    for box in candidates where isFree(box) {
      let covered = obstacles.reduce(0) { $0 + $1.overlap(with: box) }
      guard covered <= limit * box.width * box.height else { continue }
      if covered < best?.covered ?? .infinity { best = (box, covered) }
      if covered == 0 { break }
    }
    return best?.box
  }
}

/// A text as it was drawn: shortened if necessary, with its em in points and its box.
public struct PlacedText: Hashable, Sendable {
  public let text: String
  public let size: Double
  public let box: Rect

  /// The text in another unit.
  func scaled(by factor: Double) -> PlacedText {
    PlacedText(
      text: text, size: factor * size,
      box: Rect(x: factor * box.x, y: factor * box.y, width: factor * box.width, height: factor * box.height))
  }
}

/// The point of a text's box that is at the given place.
public struct Anchor: Hashable, Sendable {
  public enum Horizontal: Hashable, Sendable { case left, center, right }
  /// `middle` is half the height of a capital, which aligns digits with a mark.
  public enum Vertical: Hashable, Sendable { case top, middle, baseline, bottom }

  public var horizontal: Horizontal
  public var vertical: Vertical

  public init(_ horizontal: Horizontal, _ vertical: Vertical) {
    self.horizontal = horizontal
    self.vertical = vertical
  }

  /// The shares of the box left of and above the place, if no baseline is known.
  var parts: (across: Double, down: Double) {
    let across =
      switch horizontal {
      case .left: 0.0
      case .center: 0.5
      case .right: 1.0
      }
    let down =
      switch vertical {
      case .top: 0.0
      case .middle: 0.5
      case .baseline, .bottom: 1.0
      }
    return (across, down)
  }
}
