/// What a dataset holds and where it comes from, on one card: its facts, and how its clips spread over what matters.
public struct DatasetCard: Chart {
  public struct Fact: Hashable, Sendable {
    public var name: String
    public var value: String

    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// How many things there are of each kind.
  public struct Distribution: Hashable, Sendable {
    /// What is counted by what: "clips by exercise".
    public var title: String
    public var counts: [Count]
    /// Whether the counts add up, as clips do and shares of the frames don't.
    public var areParts: Bool

    public init(title: String, counts: [Count], areParts: Bool = true) {
      self.title = title
      self.counts = counts
      self.areParts = areParts
    }
  }

  public struct Count: Hashable, Sendable {
    public var name: String
    public var count: Int

    public init(_ name: String, _ count: Int) {
      self.name = name
      self.count = count
    }
  }

  /// The dataset's name.
  public var title: String
  /// Whether it is recorded or synthetic, and its licence.
  public var source: String
  public var clips: Int
  /// `nil` where it is not known.
  public var subjects: Int?
  public var facts: [Fact]
  public var distributions: [Distribution]
  /// What the data cannot show.
  public var cautions: [String]

  public init(
    name: String, source: String, clips: Int, subjects: Int?, facts: [Fact], distributions: [Distribution],
    cautions: [String] = []
  ) {
    title = name
    self.source = source
    self.clips = clips
    self.subjects = subjects
    self.facts = facts
    self.distributions = distributions
    self.cautions = cautions
  }

  public var subtitle: String {
    [source, NumberText.size("clip", clips, subjects: subjects)].joined(separator: " · ")
  }

  public var table: [[String]] {
    [["part", "name", "value"]] + facts.map { ["fact", $0.name, $0.value] }
      + distributions.flatMap { part in part.counts.map { [part.title, $0.name, "\($0.count)"] } }
      + cautions.map { ["caution", "", $0] }
  }

  /// As high as what it holds.
  public func bodyHeight(on page: Page) -> Double? {
    let width = page.bodyWidth
    let right = page.isNarrow ? width : 0.6 * width - 16
    var tops = [0.0, 0]
    for distribution in distributions { tops[tops[0] <= tops[1] ? 0 : 1] += height(of: distribution) + 22 }
    let left = factsHeight(ofWidth: page.isNarrow ? width : 0.4 * width - 28)
    let lists = page.isNarrow && right < 480 ? tops[0] + tops[1] : max(tops[0], tops[1])
    return max(220, 10 + (page.isNarrow ? left + 24 + lists : max(left, lists)))
  }

  private let rowHeight = 27.0
  private let rowLimit = 9

  private func height(of distribution: Distribution) -> Double {
    36 + rowHeight * Double(max(1, min(distribution.counts.count, rowLimit + 1)))
  }

  public func draw(on canvas: Canvas, in area: Rect) {
    let area = Rect(left: area.left, top: area.top + 10, right: area.right, bottom: area.bottom)
    guard !canvas.page.isNarrow else {
      let split = area.top + factsHeight(ofWidth: area.width)
      drawFacts(on: canvas, Rect(left: area.left, top: area.top, right: area.right, bottom: split))
      canvas.line(from: Point(x: area.left, y: split + 8), to: Point(x: area.right, y: split + 8), .grid, width: 2)
      return drawDistributions(
        on: canvas, Rect(left: area.left, top: split + 24, right: area.right, bottom: area.bottom))
    }
    let split = area.left + area.width * 0.4
    drawFacts(on: canvas, Rect(left: area.left, top: area.top, right: split - 28, bottom: area.bottom))
    canvas.line(from: Point(x: split - 8, y: area.top), to: Point(x: split - 8, y: area.bottom), .grid, width: 2)
    drawDistributions(on: canvas, Rect(left: split + 16, top: area.top, right: area.right, bottom: area.bottom))
  }

  private func namesWidth(in width: Double) -> Double {
    min(0.45 * width, facts.map { TextStyle.note.width(of: $0.name) }.max() ?? 0)
  }

  /// No fact has more lines than this.
  private let lineLimit = 4

  private func lines(of fact: Fact, width: Double) -> [String] {
    TextStyle.note.lines(of: fact.value, width: width - namesWidth(in: width) - 16, limit: lineLimit)
  }

  private func height(of fact: Fact, width: Double) -> Double {
    5 + TextStyle.note.lineHeight * Double(max(1, lines(of: fact, width: width).count))
  }

  private func factsHeight(ofWidth width: Double) -> Double {
    facts.reduce(0) { $0 + height(of: $1, width: width) }
      + (cautions.isEmpty ? 0 : 16 + words.height(ofWidth: width, isNarrow: false))
  }

  private var words: SideColumn {
    var words = SideColumn()
    guard !cautions.isEmpty else { return words }
    words.paragraph("What it cannot show", .heading)
    for caution in cautions { words.paragraph(caution, .note) }
    return words
  }

  private func drawFacts(on canvas: Canvas, _ area: Rect) {
    let names = namesWidth(in: area.width)
    var y = area.top
    for fact in facts {
      let height = height(of: fact, width: area.width)
      guard y + height <= area.bottom + 0.01 else { break }
      canvas.text(
        fact.name, at: Point(x: area.left, y: y), Anchor(.left, .top), .note.colored(.quiet), maxWidth: names)
      for (index, line) in lines(of: fact, width: area.width).enumerated() {
        let place = Point(x: area.left + names + 16, y: y + TextStyle.note.lineHeight * Double(index))
        canvas.text(line, at: place, Anchor(.left, .top), .note)
      }
      y += height
    }
    words.draw(on: canvas, in: Rect(left: area.left, top: y + 16, right: area.right, bottom: area.bottom + 6))
  }

  /// In two columns, each next one in the column that is shorter, or in one where two would be too narrow.
  private func drawDistributions(on canvas: Canvas, _ area: Rect) {
    let columns = area.width < 480 ? 1 : 2
    let width = columns == 1 ? area.width : (area.width - 32) / 2
    var tops = [area.top, columns == 1 ? .infinity : area.top]
    for distribution in distributions {
      let column = tops[0] <= tops[1] ? 0 : 1
      let height = height(of: distribution)
      guard tops[column] + height <= area.bottom + 1 else { continue }
      draw(
        distribution, on: canvas,
        Rect(x: area.left + Double(column) * (width + 32), y: tops[column], width: width, height: height))
      tops[column] += height + 22
    }
  }

  private func draw(_ distribution: Distribution, on canvas: Canvas, _ area: Rect) {
    canvas.text(
      distribution.title, at: Point(x: area.left, y: area.top), Anchor(.left, .top), TextStyle(size: 17, isBold: true),
      maxWidth: area.width)
    let shown = rows(of: distribution)
    guard !shown.isEmpty else {
      canvas.text("none", at: Point(x: area.left, y: area.top + 34), Anchor(.left, .top), .note.colored(.quiet))
      return
    }
    let most = Double(max(1, shown.map(\.count).max() ?? 1))
    let names = min(0.5 * area.width, shown.map { canvas.width(of: $0.name, .note) }.max() ?? 0)
    let numbers = shown.map { canvas.width(of: "\($0.count)", .note) }.max() ?? 0
    let left = area.left + names + 10
    let room = max(4, area.right - left - numbers - 8)
    let short = TextStyle.note.shortened(shown.map(\.name), to: names)
    for (index, row) in shown.enumerated() {
      let y = area.top + 36 + rowHeight * (Double(index) + 0.5)
      canvas.text(short[index], at: Point(x: left - 10, y: y), Anchor(.right, .middle), .note, maxWidth: names)
      let length = room * Double(max(0, row.count)) / most
      if length > 0 { canvas.fill(Rect(x: left, y: y - 9, width: max(1, length), height: 18), .neutral) }
      canvas.text("\(row.count)", at: Point(x: left + length + 6, y: y), Anchor(.left, .middle), .note)
    }
  }

  /// The first ones; where there are too many, a row of their own has all others together, or the most of any of them.
  private func rows(of distribution: Distribution) -> [Count] {
    let counts = distribution.counts
    guard counts.count > rowLimit + 1 else { return counts }
    let others = counts.dropFirst(rowLimit)
    let rest =
      distribution.areParts
      ? Count("\(others.count) others", others.reduce(0) { $0 + max(0, $1.count) })
      : Count("\(others.count) others, max", others.map(\.count).max() ?? 0)
    return counts.prefix(rowLimit) + [rest]
  }
}
