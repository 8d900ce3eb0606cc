/// A metric over the runs that were kept, in their order, each with its interval. Runs on other data are never joined
/// by a line; releases are marked, and so is the run where the metric changed.
public struct MetricHistory: Chart {
  public struct Run: Hashable, Sendable {
    /// A short name: a date or a revision.
    public var name: String
    public var score: Estimate
    /// What tells the data apart: the datasets' hashes.
    public var data: String
    /// The release that this run stands for; `nil` for none.
    public var release: String?
    /// How many subjects have a value in it; `nil` where it is not known.
    public var subjects: Int?

    public init(name: String, score: Estimate, data: String, release: String? = nil, subjects: Int? = nil) {
      self.name = name
      self.score = score
      self.data = data
      self.release = release
      self.subjects = subjects
    }
  }

  public var title: String
  /// Suite, datasets, their origin and the detector.
  public var source: String
  /// The metric with its unit and its better direction.
  public var metric: String
  /// Oldest first.
  public var runs: [Run]
  /// Position in `runs` of the one to name, with why.
  public var remarkable: (run: Int, remark: String)?

  public init(
    title: String, source: String, metric: String, runs: [Run], remarkable: (run: Int, remark: String)? = nil
  ) {
    self.title = title
    self.source = source
    self.metric = metric
    self.runs = runs
    self.remarkable = remarkable
  }

  public var subtitle: String {
    let data = Set(runs.map(\.data)).count
    let missing = runs.count { !$0.score.value.isFinite }
    return [
      source, subjectWords, NumberText.count(runs.count, "run"), NumberText.count(data, "version") + " of the data",
      missing > 0 ? "\(missing) without a value" : nil,
    ].compactMap { $0 }.joined(separator: " · ")
  }

  /// `10 subjects`, or `8 to 10 subjects` where runs differ.
  private var subjectWords: String? {
    let counts = runs.compactMap(\.subjects)
    guard let least = counts.min(), let most = counts.max() else { return nil }
    return least == most ? NumberText.count(most, "subject") : "\(least) to \(most) subjects"
  }

  public var table: [[String]] {
    [["run", metric, "low", "high", "subjects", "data", "release"]]
      + runs.map { run in
        let interval = run.score.interval
        return [
          run.name, NumberText.fixed(run.score.value, decimals: 3),
          NumberText.fixed(interval?.lowerBound ?? .nan, decimals: 3),
          NumberText.fixed(interval?.upperBound ?? .nan, decimals: 3),
          run.subjects.map { "\($0)" } ?? NumberText.missing, run.data, run.release ?? "",
        ]
      }
  }

  /// Neighbouring runs on the same data, as positions.
  var stretches: [Range<Int>] {
    var stretches: [Range<Int>] = []
    for index in runs.indices {
      if let last = stretches.last, runs[last.lowerBound].data == runs[index].data {
        stretches[stretches.count - 1] = last.lowerBound..<index + 1
      } else {
        stretches.append(index..<index + 1)
      }
    }
    return stretches
  }

  public func draw(on canvas: Canvas, in area: Rect) {
    guard !runs.isEmpty else {
      canvas.paragraph("No run is kept.", in: area, .label)
      return
    }
    let top = Legend(entries).drawRow(on: canvas, in: area) + 14
    let panel = Panel(
      x: Axis(CategoryScale(runs.map(\.name)), edge: .bottom),
      y: Axis(LinearScale(covering: runs.flatMap(\.score.values)), edge: .left, title: metric),
      in: Rect(left: area.left, top: top, right: area.right, bottom: area.bottom), on: canvas)
    panel.drawAxes(on: canvas)
    for stretch in stretches.dropFirst() { drawSeam(before: stretch.lowerBound, on: canvas, panel) }
    for stretch in stretches {
      panel.drawBand(through: stretch.map { (x: Double($0), y: runs[$0].score) }, on: canvas)
      canvas.path(stretch.map { panel.point(Double($0), runs[$0].score.value) }, .prediction, width: 2.5)
    }
    for stretch in stretches where stretch.count == 1 {
      panel.drawWhisker(at: Double(stretch.lowerBound), runs[stretch.lowerBound].score, on: canvas)
    }
    for (index, run) in runs.enumerated() {
      guard let point = panel.point(Double(index), run.score.value) else { continue }
      let radius = runs.count > 80 ? 3.0 : 5
      canvas.disc(at: point, radius: radius, .prediction, rim: .background, rimWidth: 1)
    }
    panel.avoid(runs.enumerated().map { (x: Double($0), y: Estimate($1.score.value)) }, on: canvas)
    drawReleases(on: canvas, panel)
    drawRemark(on: canvas, panel)
    if !runs.contains(where: { $0.score.value.isFinite }) {
      canvas.text("No run has a value.", at: panel.plot.middle, Anchor(.center, .middle), .label)
    }
  }

  /// A gap in the picture where the data changed.
  private func drawSeam(before index: Int, on canvas: Canvas, _ panel: Panel) {
    guard let x = panel.x.position(of: Double(index), in: panel.plot) else { return }
    let middle = x - panel.plot.width / Double(2 * runs.count)
    canvas.fill(
      Rect(x: middle - 3, y: panel.plot.top, width: 6, height: panel.plot.height), .neutral, opacity: 0.35)
  }

  private func drawReleases(on canvas: Canvas, _ panel: Panel) {
    // Many lines would hide the runs.
    let areFew = runs.count { $0.release != nil } <= 20
    for (index, run) in runs.enumerated() {
      guard let release = run.release, let x = panel.x.position(of: Double(index), in: panel.plot) else { continue }
      let (top, bottom) = (Point(x: x, y: panel.plot.top), Point(x: x, y: panel.plot.bottom))
      if areFew { canvas.line(from: top, to: bottom, .ink, dash: [4, 4]) }
      let mark = Point(x: x, y: panel.plot.top)
      canvas.polygon([mark, Point(x: x - 6, y: mark.y - 9), Point(x: x + 6, y: mark.y - 9)], .ink)
      canvas.text(
        release, at: Point(x: x + 6, y: panel.plot.top + 4), Anchor(.left, .top), .note,
        maxWidth: min(160, panel.plot.right - x - 8))
    }
  }

  private func drawRemark(on canvas: Canvas, _ panel: Panel) {
    guard let remarkable, runs.indices.contains(remarkable.run),
      let point = panel.point(Double(remarkable.run), runs[remarkable.run].score.value)
    else { return }
    canvas.disc(at: point, radius: 9, .ink, rim: .background)
    canvas.label(
      remarkable.remark, beside: Rect(x: point.x - 9, y: point.y - 9, width: 18, height: 18), .note,
      within: panel.plot)
  }

  private var entries: [LegendEntry] {
    let candidates = [
      (true, LegendEntry(.disc(.prediction), "one run")),
      (runs.contains { $0.score.interval != nil }, LegendEntry(.shade(.uncertain), "95 % interval")),
      (remarkable != nil, LegendEntry(.disc(.ink), "the run to look at")),
      (runs.contains { $0.release != nil }, LegendEntry(.dashedLine(.ink), "release")),
      (stretches.count > 1, LegendEntry(.shade(.neutral), "other data from here on")),
    ]
    return candidates.filter(\.0).map(\.1)
  }
}
