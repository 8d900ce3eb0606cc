/// The three latencies, each in a panel of its own with its own axis, because their numbers never mix: what one update
/// costs, how late an event is reported in recording time, and how long a user waits from camera to cue.
public struct LatencyChart: Chart {
  public var title: String
  /// Dataset, its origin and the machine: what the times come from.
  public var source: String
  /// Nanoseconds a frame, measured in blocks of frames.
  public var updateCost: LatencyPanel
  /// What the clock reads for an empty interval, in nanoseconds a frame: no cost below it can be told from none.
  public var clockFloor: Double?
  /// Milliseconds of recording time from an event to its report; below 0 where it is reported ahead.
  public var reportLateness: LatencyPanel
  /// Milliseconds from the camera's frame to the cue.
  public var cameraToCue: LatencyPanel

  public init(
    title: String = "Latency", source: String, updateCost: LatencyPanel, clockFloor: Double? = nil,
    reportLateness: LatencyPanel, cameraToCue: LatencyPanel
  ) {
    self.title = title
    self.source = source
    self.updateCost = updateCost
    self.clockFloor = clockFloor
    self.reportLateness = reportLateness
    self.cameraToCue = cameraToCue
  }

  public var subtitle: String {
    let sizes = [updateCost.count("block"), reportLateness.count("report"), cameraToCue.count("cue")]
    return ([source] + sizes.compactMap { $0 }).joined(separator: " · ")
  }

  public func bodyHeight(on page: Page) -> Double? {
    panels.reduce(Self.footnote.height(ofWidth: page.bodyWidth)) { $0 + $1.height(on: page) }
  }

  private static let footnote = Footnote(
    "Bars: the square root of the number of samples. Strokes: the quantiles that are named.")

  /// A row for each quantile of each series of each panel.
  public var table: [[String]] {
    let header = ["latency", "detector", "samples", "quantile", "value"]
    return [header]
      + panels.flatMap { panel -> [[String]] in
        switch panel.content {
        case .unavailable(let reason): [[panel.name, NumberText.missing, "0", NumberText.missing, reason]]
        case .measured(let series):
          series.flatMap { series in
            series.quantiles.map { quantile in
              [panel.name, series.name, "\(series.finite.count)", quantile.name, panel.label(quantile.value)]
            }
          }
        }
      }
  }

  public func draw(on canvas: Canvas, in area: Rect) {
    let names = panels.flatMap { $0.content.series.map { canvas.width(of: $0.name, .note) } }
    let gutter = min(240, max(100, names.max() ?? 0))
    var y = area.top
    for panel in panels {
      let bottom = y + panel.height(on: canvas.page)
      panel.draw(on: canvas, in: Rect(left: area.left, top: y, right: area.right, bottom: bottom), gutter: gutter)
      y = bottom
    }
    Self.footnote.draw(on: canvas, in: area)
  }

  /// With 0, and with a little room, so that no bar stands on the end.
  private static func scale(covering values: [Double]) -> LinearScale {
    let finite = [0] + values.filter { abs($0) < 1e12 }
    let (least, most) = (finite.min() ?? 0, finite.max() ?? 1)
    let room = 0.02 * max(most - least, 1)
    return LinearScale((least < 0 ? least - room : 0)...(most > 0 ? most + room : room))
  }

  private var panels: [DistributionPanel] {
    let costs = updateCost.values + [clockFloor ?? .nan]
    let duration: @Sendable (Double) -> String = { LogScale.duration(nanoseconds: $0) }
    let milliseconds: @Sendable (Double) -> String = {
      $0.isFinite ? "\(NumberText.fixed($0, decimals: 1)) ms" : NumberText.missing
    }
    return [
      DistributionPanel(
        name: "update cost", heading: "What one update costs: time a frame (log scale)", content: updateCost,
        scale: LogScale(covering: costs, label: duration),
        label: { LogScale.duration(nanoseconds: $0, keepingZeros: true) },
        line: clockFloor.map { Threshold(label: "clock's floor \(duration($0))", value: $0) }),
      DistributionPanel(
        name: "report lateness", heading: "How late an event is reported: ms of recording time",
        content: reportLateness, scale: Self.scale(covering: reportLateness.values),
        label: milliseconds),
      DistributionPanel(
        name: "camera to cue", heading: "How long a user waits: ms from camera to cue", content: cameraToCue,
        scale: Self.scale(covering: cameraToCue.values), label: milliseconds),
    ]
  }
}
