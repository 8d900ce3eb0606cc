/// The mean gain of each metric with its interval and margin: a forest plot in which right is better.
///
/// Each metric has its own scale with 0 in the middle, since milliseconds and shares have none in common; the numbers
/// stand beside it.
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

  public var size: Size { Size(width: 1200, height: max(300, 240 + rowHeight * Double(differences.count))) }

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

  private let rowHeight = 34.0
  private let numbersWidth = 450.0

  public func draw(on canvas: Canvas, in area: Rect) {
    let top = Legend(entries).drawRow(on: canvas, in: area) + 40
    let names = min(330, differences.map { canvas.width(of: $0.name, .note) }.max() ?? 0)
    let plot = Rect(
      left: area.left + names + 18, top: top, right: area.right - numbersWidth,
      bottom: area.bottom - TextStyle.note.lineHeight - 12)
    let middle = plot.middle.x
    canvas.text(
      "← worse", at: Point(x: middle - 14, y: top - 10), Anchor(.right, .bottom), .note.colored(.quiet))
    canvas.text("better →", at: Point(x: middle + 14, y: top - 10), Anchor(.left, .bottom), .note.colored(.quiet))
    let rows = CategoryScale(differences.map(\.name))
    for (index, difference) in differences.enumerated() {
      draw(difference, on: canvas, at: plot.top + (rows.fraction(of: Double(index)) ?? 0) * plot.height, plot)
    }
    canvas.line(from: Point(x: middle, y: plot.top), to: Point(x: middle, y: plot.bottom), .ink, width: 1.5)
    canvas.text(
      "each metric on a scale of its own, 0 in the middle", at: Point(x: area.left, y: area.bottom),
      Anchor(.left, .bottom), .note.colored(.quiet), maxWidth: area.width)
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
    canvas.text(
      difference.name, at: Point(x: plot.left - 10, y: y), Anchor(.right, .middle), .note, maxWidth: plot.left - 36)
    let place = Point(x: plot.right + 14, y: y)
    canvas.text(numbers(difference), at: place, Anchor(.left, .middle), .note, maxWidth: numbersWidth - 18)
    let reach = 1.08 * difference.reach
    let axis = Axis(LinearScale(reach > 0 ? -reach...reach : -1...1), edge: .bottom)
    if let margin = difference.margin, margin > 0, let edge = axis.position(of: -margin, in: plot) {
      canvas.fill(Rect(left: edge, top: y - 13, right: plot.middle.x, bottom: y + 13), .tolerance)
    }
    canvas.line(from: Point(x: plot.left, y: y), to: Point(x: plot.right, y: y), .grid)
    if let interval = difference.gain.interval, let left = axis.position(of: interval.lowerBound, in: plot),
      let right = axis.position(of: interval.upperBound, in: plot)
    {
      canvas.line(from: Point(x: left, y: y), to: Point(x: right, y: y), difference.meaning, width: 4)
    }
    guard let x = axis.position(of: difference.gain.value, in: plot) else { return }
    canvas.disc(at: Point(x: x, y: y), radius: 6, .ink, rim: .background)
  }

  /// `+0.24 [+0.06, +0.42] reps, p 0.031`
  private func numbers(_ difference: MetricDifference) -> String {
    guard difference.gain.value.isFinite else { return NumberText.missing }
    guard !difference.isUnchanged else { return "unchanged" }
    let unit = difference.unit.isEmpty ? "" : " \(difference.unit)"
    return "\(difference.gain.signedText)\(unit)\(difference.remark.isEmpty ? "" : ", \(difference.remark)")"
  }
}
