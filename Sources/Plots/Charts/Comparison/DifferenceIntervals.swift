/// The mean gain of each metric with its interval and margin: a forest plot in which right is better.
///
/// Each metric has its own scale with 0 in the middle, since milliseconds and shares have none in common; the numbers
/// stand beside it. What neither changed nor gates is named below the plot.
public struct DifferenceIntervals: Chart {
  public var title: String
  /// Dataset, its origin and what is compared.
  public var source: String
  public var differences: [MetricDifference]
  /// How many subjects and clips the differences are of.
  public var subjects: Int
  public var clips: Int

  public init(
    title: String = "Gain in each metric", source: String, differences: [MetricDifference], subjects: Int, clips: Int
  ) {
    self.title = title
    self.source = source
    self.differences = differences
    self.subjects = subjects
    self.clips = clips
  }

  public var subtitle: String {
    [
      source, NumberText.size("clip", clips, subjects: subjects), "95 % t interval on the subjects' paired differences",
    ].joined(separator: " · ")
  }

  public func bodyHeight(on page: Page) -> Double? {
    Legend(entries).rowHeight(ofWidth: page.bodyWidth) + 40
      + RowLayout.height(
        mark: 34, names: shown.map(\.name), numbers: shown.map(numbers), on: page)
      + footnote.height(ofWidth: page.bodyWidth)
  }

  private var shown: [MetricDifference] { differences.filter { $0.margin != nil || $0.isChanged } }

  public var table: [[String]] {
    [["metric", "gain", "from", "to", "margin", "unit", "remark"]]
      + differences.map { difference in
        let interval = difference.gain.interval
        return [
          difference.name, NumberText.signed(difference.gain.value, decimals: 3),
          NumberText.fixed(interval?.lowerBound ?? .nan, decimals: 3),
          NumberText.fixed(interval?.upperBound ?? .nan, decimals: 3),
          difference.margin.map { NumberText.plain($0, decimals: 3) } ?? "", difference.unit, difference.remark,
        ]
      }
  }

  public func draw(on canvas: Canvas, in area: Rect) {
    let top = Legend(entries).drawRow(on: canvas, in: area) + 40
    let shown = shown
    let layout = RowLayout(
      names: shown.map(\.name), numbers: shown.map(numbers),
      in: Rect(
        left: area.left, top: top, right: area.right, bottom: area.bottom - footnote.height(ofWidth: area.width)),
      on: canvas)
    let plot = layout.plot
    let middle = plot.middle.x
    canvas.text(
      "← worse", at: Point(x: middle - 14, y: top - 10), Anchor(.right, .bottom), .note.colored(.quiet))
    canvas.text("better →", at: Point(x: middle + 14, y: top - 10), Anchor(.left, .bottom), .note.colored(.quiet))
    for (index, difference) in shown.enumerated() {
      let y = layout.y(index)
      layout.drawTexts(of: index, on: canvas)
      draw(difference, on: canvas, at: y, plot)
      canvas.line(from: Point(x: middle, y: y - 17), to: Point(x: middle, y: y + 17), .ink, width: 1.5)
      drawMean(of: difference, on: canvas, at: y, plot)
    }
    footnote.draw(on: canvas, in: area)
  }

  private var footnote: Footnote {
    let left = differences.filter { $0.margin == nil && !$0.isChanged }
    let parts = [("unchanged", left.filter(\.isUnchanged)), ("without a gain", left.filter { !$0.isUnchanged })]
    let words = parts.filter { !$0.1.isEmpty }.map { "; \($0.0): \($0.1.map(\.name).joined(separator: ", "))" }
    return Footnote("each metric on a scale of its own, 0 in the middle" + words.joined())
  }

  private var entries: [LegendEntry] {
    let candidates = [
      (true, LegendEntry(.disc(.ink), "mean gain of the subjects")),
      (differences.contains { $0.meaning == .better }, LegendEntry(.line(.better), "better")),
      (differences.contains { $0.meaning == .worse }, LegendEntry(.line(.worse), "worse")),
      (
        differences.contains { $0.meaning == .neutral && !$0.isUnchanged },
        LegendEntry(.line(.neutral), "the interval holds 0")
      ),
      (differences.contains { $0.margin != nil }, LegendEntry(.area(.tolerance), "loss that is accepted")),
    ]
    return candidates.filter(\.0).map(\.1)
  }

  private func draw(_ difference: MetricDifference, on canvas: Canvas, at y: Double, _ plot: Rect) {
    let axis = axis(of: difference)
    if let margin = difference.margin, margin > 0, let edge = axis.position(of: -margin, in: plot) {
      canvas.fill(Rect(left: edge, top: y - 13, right: plot.middle.x, bottom: y + 13), .tolerance)
    }
    canvas.line(from: Point(x: plot.left, y: y), to: Point(x: plot.right, y: y), .grid)
    if let interval = difference.gain.interval, let left = axis.position(of: interval.lowerBound, in: plot),
      let right = axis.position(of: interval.upperBound, in: plot)
    {
      canvas.line(from: Point(x: left, y: y), to: Point(x: right, y: y), difference.meaning, width: 4)
    }
  }

  private func drawMean(of difference: MetricDifference, on canvas: Canvas, at y: Double, _ plot: Rect) {
    guard let x = axis(of: difference).position(of: difference.gain.value, in: plot) else { return }
    canvas.disc(at: Point(x: x, y: y), radius: 6, .ink, rim: .background)
  }

  private func axis(of difference: MetricDifference) -> Axis {
    let reach = 1.08 * difference.reach
    return Axis(LinearScale(reach > 0 ? -reach...reach : -1...1), edge: .bottom)
  }

  /// `+0.24 [+0.06, +0.42] reps, p 0.031`
  private func numbers(_ difference: MetricDifference) -> String {
    guard difference.gain.value.isFinite else { return NumberText.missing }
    guard !difference.isUnchanged else { return "unchanged" }
    let unit = difference.unit.isEmpty ? "" : " \(difference.unit)"
    return "\(difference.gain.signedText)\(unit)\(difference.remark.isEmpty ? "" : ", \(difference.remark)")"
  }
}
