/// A few scores of the same metric with their intervals, one below the other on one scale.
public struct ScoreEstimates: Chart {
  public struct Row: Hashable, Sendable {
    public var name: String
    public var score: Estimate
    public var meaning: Meaning

    public init(name: String, score: Estimate, meaning: Meaning) {
      self.name = name
      self.score = score
      self.meaning = meaning
    }
  }

  public var title: String
  /// Dataset, its origin and the detector.
  public var source: String
  /// The metric with its unit and its better direction.
  public var axisTitle: String
  public var rows: [Row]
  public var subjects: Int

  public init(title: String, source: String, axisTitle: String, rows: [Row], subjects: Int) {
    self.title = title
    self.source = source
    self.axisTitle = axisTitle
    self.rows = rows
    self.subjects = subjects
  }

  public var subtitle: String {
    [source, NumberText.count(subjects, "subject"), "mean of the subjects, 95 % t interval where there is one"]
      .joined(separator: " · ")
  }

  public func bodyHeight(on page: Page) -> Double? {
    8 + axis.depth
      + RowLayout.height(
        mark: page.isNarrow ? 34 : 56, names: rows.map(\.name), numbers: rows.map { numbers($0.score) }, on: page)
  }

  public var table: [[String]] {
    [["score", "mean", "from", "to"]]
      + rows.map { row in
        let interval = row.score.interval
        return [
          row.name, NumberText.fixed(row.score.value, decimals: 3),
          NumberText.fixed(interval?.lowerBound ?? .nan, decimals: 3),
          NumberText.fixed(interval?.upperBound ?? .nan, decimals: 3),
        ]
      }
  }

  public func draw(on canvas: Canvas, in area: Rect) {
    let axis = axis
    let layout = RowLayout(
      names: rows.map(\.name), numbers: rows.map { numbers($0.score) },
      in: Rect(left: area.left, top: area.top + 8, right: area.right, bottom: area.bottom - axis.depth), on: canvas,
      gap: 20)
    axis.draw(on: canvas, around: layout.plot)
    for (index, row) in rows.enumerated() {
      layout.drawTexts(of: index, on: canvas)
      draw(row, on: canvas, at: layout.y(index), layout.plot, axis)
    }
  }

  private var axis: Axis {
    let bounds = rows.compactMap(\.score.interval).flatMap { [$0.lowerBound, $0.upperBound] }
    return Axis(LinearScale(covering: rows.map(\.score.value) + bounds), edge: .bottom, title: axisTitle)
  }

  private func draw(_ row: Row, on canvas: Canvas, at y: Double, _ plot: Rect, _ axis: Axis) {
    if let interval = row.score.interval, let left = axis.position(of: interval.lowerBound, in: plot),
      let right = axis.position(of: interval.upperBound, in: plot)
    {
      canvas.line(from: Point(x: left, y: y), to: Point(x: right, y: y), row.meaning, width: 4)
    }
    guard let x = axis.position(of: row.score.value, in: plot) else { return }
    canvas.disc(at: Point(x: x, y: y), radius: 7, row.meaning, rim: .background)
  }

  /// `2.13 (1.62 to 2.65)`
  private func numbers(_ score: Estimate) -> String {
    let value = NumberText.fixed(score.value, decimals: 2)
    guard let interval = score.interval else { return value }
    return
      "\(value) (\(NumberText.fixed(interval.lowerBound, decimals: 2)) to \(NumberText.fixed(interval.upperBound, decimals: 2)))"
  }
}
