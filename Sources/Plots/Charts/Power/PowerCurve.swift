/// How the chance of each answer grows with the number of subjects: what to record before anyone records it.
public struct PowerCurve: Chart {
  /// One line of the chart.
  public struct Series: Hashable, Sendable {
    public var name: String
    public var meaning: Meaning
    /// 0…1, one for each number of subjects, with the intervals that simulation error leaves.
    public var chances: [Estimate]

    public init(_ name: String, _ meaning: Meaning, chances: [Estimate]) {
      self.name = name
      self.meaning = meaning
      self.chances = chances
    }
  }

  public var title: String
  /// What the simulation draws from.
  public var source: String
  public var subjects: [Int]
  public var series: [Series]
  /// The chance to be reached, 0…1.
  public var goal: Double

  public init(title: String, source: String, subjects: [Int], series: [Series], goal: Double = 0.8) {
    self.title = title
    self.source = source
    self.subjects = subjects
    self.series = series
    self.goal = goal
  }

  public var subtitle: String { source }

  public var table: [[String]] {
    [["subjects"] + series.map(\.name)]
      + subjects.enumerated().map { index, count in
        ["\(count)"]
          + series.map {
            $0.chances.count > index ? $0.chances[index].text(decimals: 3) : NumberText.missing
          }
      }
  }

  public func draw(on canvas: Canvas, in area: Rect) {
    var entries = series.map { LegendEntry(.line($0.meaning), $0.name) }
    if series.contains(where: { $0.chances.contains { $0.interval != nil } }) {
      entries.append(LegendEntry(.shade(.uncertain), "95 % interval"))
    }
    entries.append(LegendEntry(.dashedLine(.quiet), "\(NumberText.plain(goal * 100)) %"))
    let bottom = Legend(entries).drawRow(on: canvas, in: area)
    let panel = Panel(
      x: Axis(LinearScale(covering: [0] + subjects.map(Double.init), isWhole: true), edge: .bottom, title: "subjects"),
      y: Axis(LinearScale(0...1), edge: .left, title: "chance"),
      in: Rect(left: area.left, top: bottom + 12, right: area.right, bottom: area.bottom), on: canvas)
    panel.drawAxes(on: canvas)
    if let y = panel.y.position(of: goal, in: panel.plot) {
      canvas.line(
        from: Point(x: panel.plot.left, y: y), to: Point(x: panel.plot.right, y: y), .quiet, width: 1.5, dash: [6, 4])
    }
    for line in series {
      panel.drawBand(through: zip(subjects, line.chances).map { (x: Double($0), y: $1) }, on: canvas)
    }
    for line in series {
      let points = zip(subjects, line.chances).map { panel.point(Double($0), $1.value) }
      canvas.path(points, line.meaning, width: 2.5)
      for point in points {
        if let point { canvas.disc(at: point, radius: 4, line.meaning, rim: .background, rimWidth: 1) }
      }
    }
  }
}
