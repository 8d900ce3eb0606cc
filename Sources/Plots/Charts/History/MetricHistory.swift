/// A metric over the runs that were kept, in their order, each with its interval. A line joins runs on the same data and no
/// others; those on other data than the newest stand back. Releases are marked, and so is the run where the metric changed.
public struct MetricHistory: Chart {
  public struct Run: Hashable, Sendable {
    /// A short name: a date or a revision.
    public var name: String
    public var score: Estimate
    /// What tells apart on what it was run: the datasets' hashes, and what was done to them.
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
      source, subjectWords, NumberText.count(runs.count, "run"),
      data == 1 ? "all on the same data" : "on \(data) different data",
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

  /// The runs on the same data, as positions; those with the newest run last.
  private var groups: [[Int]] {
    Dictionary(grouping: runs.indices) { runs[$0].data }.values.sorted { ($0.last ?? 0) < ($1.last ?? 0) }
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
    let groups = groups
    for (index, group) in groups.enumerated() {
      drawRuns(group, isNewest: index == groups.count - 1, on: canvas, panel)
    }
    panel.avoid(runs.enumerated().map { (x: Double($0), y: Estimate($1.score.value)) }, on: canvas)
    drawReleases(on: canvas, panel)
    drawRemark(on: canvas, panel)
    for group in groups.dropLast() { name(group, on: canvas, panel) }
    if !runs.contains(where: { $0.score.value.isFinite }) {
      canvas.text("No run has a value.", at: panel.plot.middle, Anchor(.center, .middle), .label)
    }
  }

  private func drawRuns(_ positions: [Int], isNewest: Bool, on canvas: Canvas, _ panel: Panel) {
    let meaning: Meaning = isNewest ? .prediction : .neutral
    if isNewest, positions.count > 1 {
      panel.drawBand(through: positions.map { (x: Double($0), y: runs[$0].score) }, on: canvas)
    } else {
      for position in positions { panel.drawWhisker(at: Double(position), runs[position].score, on: canvas) }
    }
    canvas.path(positions.map { panel.point(Double($0), runs[$0].score.value) }, meaning, width: isNewest ? 2.5 : 1.5)
    for position in positions {
      guard let point = panel.point(Double(position), runs[position].score.value) else { continue }
      canvas.disc(at: point, radius: runs.count > 80 ? 3 : 5, meaning, rim: .background, rimWidth: 1)
    }
  }

  /// Says beside the last of them on what these were run.
  private func name(_ positions: [Int], on canvas: Canvas, _ panel: Panel) {
    guard let last = positions.last(where: { runs[$0].score.value.isFinite }),
      let point = panel.point(Double(last), runs[last].score.value)
    else { return }
    canvas.label(
      runs[last].data, beside: Rect(x: point.x - 6, y: point.y - 6, width: 12, height: 12), .note, within: panel.plot)
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
    let isMixed = Set(runs.map(\.data)).count > 1
    let candidates = [
      (!isMixed, LegendEntry(.disc(.prediction), "one run")),
      (isMixed, LegendEntry(.disc(.prediction), "a run on the newest one's data")),
      (isMixed, LegendEntry(.disc(.neutral), "on other data")),
      (runs.contains { $0.score.interval != nil }, LegendEntry(.shade(.uncertain), "95 % interval")),
      (remarkable != nil, LegendEntry(.disc(.ink), "the run to look at")),
      (runs.contains { $0.release != nil }, LegendEntry(.dashedLine(.ink), "release")),
    ]
    return candidates.filter(\.0).map(\.1)
  }
}
