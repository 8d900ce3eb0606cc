import Coaching
import Evaluation
import Pipeline
import PoseModel
import Scoring
import Statistics

/// One swing: the wrist's speed with its peak, the true and predicted boundaries and contacts, and the wrist's path
/// over the pose at contact.
public struct SwingChart: Chart {
  /// The wrist's position at a moment, in the figure's coordinates; NaN if it was not detected.
  public struct Place: Hashable, Sendable {
    public var time: Double
    public var x: Double
    public var y: Double

    public init(time: Double, x: Double, y: Double) {
      self.time = time
      self.x = x
      self.y = y
    }
  }

  public var clip: String
  /// The detector; empty if unknown.
  public var detector: String
  /// Dataset, its origin, the subject and the detector.
  public var source: String
  /// The speed that decides in the detector.
  public var speed: SignalSeries
  /// The speed of each wrist, first the one that strikes, drawn with its name.
  public var wrists: [SignalSeries]
  public var path: [Place]
  /// The path of the other wrist.
  public var otherPath: [Place]
  /// The pose at contact, or at the peak of speed if no contact is known.
  public var figure: StickFigure?
  /// The labelled and the predicted swing; `nil` for none.
  public var truth: TimedSwing?
  public var prediction: TimedSwing?
  /// Why the stroke is missed, misnamed or invented; `nil` if it is right, or unknown.
  public var cause: String?
  /// Texts printed below the path.
  public var remarks: [String]

  public init(
    clip: String, detector: String = "", source: String, speed: SignalSeries, wrists: [SignalSeries] = [],
    path: [Place], otherPath: [Place] = [], figure: StickFigure?, truth: TimedSwing?, prediction: TimedSwing?,
    cause: String? = nil, remarks: [String] = []
  ) {
    (self.wrists, self.otherPath, self.cause) = (wrists, otherPath, cause)
    self.clip = clip
    self.detector = detector
    self.source = source
    self.speed = speed
    self.path = path
    self.figure = figure
    self.truth = truth
    self.prediction = prediction
    self.remarks = remarks
  }

  /// `Serve found, but named backhand`, or `Serve missed: wrist speed peaked at 1.2, needs > 1.4 (minimumPeakSpeed)`
  public var title: String {
    let isFound = truth != nil && prediction != nil
    return finding + (isFound ? "" : cause.map { ": \($0)" } ?? "")
  }

  private var finding: String {
    func name(_ swing: TimedSwing) -> String { swing.name.isEmpty ? "stroke" : swing.name }
    switch (truth, prediction) {
    case (let truth?, let prediction?):
      let isRight = truth.name == prediction.name || prediction.name.isEmpty || truth.name.isEmpty
      let words = truth.name.isEmpty || prediction.name.isEmpty ? "found" : "found and named right"
      return "\(name(truth)) \(isRight ? words : "found, but \(cause ?? "named \(prediction.name)")")".capitalizedFirst
    case (let truth?, nil): return "\(name(truth)) missed".capitalizedFirst
    case (nil, let prediction?): return "\(name(prediction)) invented".capitalizedFirst
    case (nil, nil): return "No stroke"
    }
  }

  public var subtitle: String {
    let missing = speed.frames.count { !$0.value.isFinite }
    return [
      source.hasSuffix(detector) ? clip : "\(clip), \(detector)", source, "1 swing",
      NumberText.count(speed.frames.count, "frame"), missing > 0 ? "\(missing) without the wrist" : nil,
    ].compactMap { $0 }.joined(separator: " · ")
  }

  public var table: ChartTable {
    let times: [(String, (TimedSwing) -> Double?)] = [
      ("start", { $0.start }), ("peak of speed", { $0.peak }), ("contact", { $0.contact }), ("end", { $0.end }),
    ]
    return ChartTable(
      [
        "moment", .init("true", unit: "s", .fixed(3)), .init("predicted", unit: "s", .fixed(3)),
        .init("difference", unit: "s", .signedFixed(3)),
      ],
      rows: times.map { name, get in
        let (one, other) = (truth.flatMap(get) ?? .nan, prediction.flatMap(get) ?? .nan)
        return [.text(name), .number(one), .number(other), .number(other - one)]
      })
  }

  public func bodyHeight(on page: Page) -> Double? {
    guard page.isNarrow else { return nil }
    return Legend(entries).rowHeight(ofWidth: page.bodyWidth) + 12 + 340 + lanes.height(on: page)
      + Axis(LinearScale(0...1), edge: .bottom, title: "t").depth + (hasPath ? pathHeight(ofWidth: page.bodyWidth) : 0)
  }

  private var hasPath: Bool { figure != nil || !path.isEmpty }

  private func pathHeight(ofWidth width: Double) -> Double {
    400 + words.height(ofWidth: width, isNarrow: true)
  }

  private var words: SideColumn {
    var words = SideColumn()
    for remark in remarks { words.paragraph(remark, .note) }
    return words
  }

  public func draw(on canvas: Canvas, in area: Rect) {
    let page = canvas.page
    let top = Legend(entries).drawRow(on: canvas, in: area) + 12
    let split = area.left + area.width * (hasPath && !page.isNarrow ? 0.62 : 1)
    let below = hasPath && page.isNarrow ? area.bottom - pathHeight(ofWidth: area.width) : area.bottom
    let left = Rect(left: area.left, top: top, right: split, bottom: below)
    let height = lanes.height(on: page) + 6
    let time = Axis(LinearScale(span), edge: .bottom, title: "time (s)")
    let bottom = left.bottom - time.depth
    let plot = Rect(
      left: left.left + SignalPanel.gutter(on: page) - 8, top: top + 30, right: left.right - (page.isNarrow ? 12 : 24),
      bottom: bottom)
    time.draw(on: canvas, around: plot)
    drawSpeed(on: canvas, time, Rect(left: left.left, top: top, right: plot.right, bottom: bottom - height), plot)
    lanes.draw(
      on: canvas, in: Rect(left: plot.left, top: bottom - height + 6, right: plot.right, bottom: bottom),
      names: left.left, time)
    guard hasPath else { return }
    drawPath(
      on: canvas,
      page.isNarrow
        ? Rect(left: area.left, top: below + 10, right: area.right, bottom: area.bottom)
        : Rect(left: split + 16, top: top, right: area.right, bottom: area.bottom))
  }

  private var span: ClosedRange<Double> {
    let frames = speed.frames.map(\.time)
    let all = frames.isEmpty ? [truth, prediction].compactMap { $0 }.flatMap { [$0.start, $0.end] } : frames
    let finite = all.filter(\.isFinite)
    return LinearScale((finite.min() ?? 0)...(finite.max() ?? 1)).domain
  }

  private var isMatched: Bool { truth != nil && prediction != nil }

  private var lanes: [any Lane] {
    func reps(_ swing: TimedSwing?) -> [TimedRep] {
      swing.map { [TimedRep(start: $0.start, end: $0.end, turn: $0.contact, isMatched: isMatched)] } ?? []
    }
    return [
      RepLane(kind: "true", reps: reps(truth), matched: .truth), RepLane(kind: "predicted", reps: reps(prediction)),
    ]
  }

  private func drawSpeed(on canvas: Canvas, _ time: Axis, _ area: Rect, _ plot: Rect) {
    let shadow = truth.map { [TimedRep(start: $0.start, end: $0.end, isMatched: true)] } ?? []
    let moments = [truth, prediction].compactMap { $0 }.flatMap { [$0.start, $0.end, $0.contact ?? $0.start] }
    SignalPanel(
      signal: speed, time: time, reps: shadow, hasMargin: false, beside: wrists.flatMap { $0.frames.map(\.value) },
      others: wrists, crossings: moments
    )
    .draw(on: canvas, in: area, left: plot.left)
    let inner = Rect(
      left: plot.left, top: area.top + TextStyle.label.lineHeight + 10, right: area.right, bottom: area.bottom - 10)
    for (swing, meaning) in [(truth, SemanticColor.truth), (prediction, .prediction)] {
      guard let swing else { continue }
      for moment in [swing.start, swing.end] {
        line(at: moment, time, inner, meaning, dash: [], on: canvas)
      }
      if let contact = swing.contact { line(at: contact, time, inner, meaning, dash: [6, 4], on: canvas) }
    }
    drawWrists(on: canvas, time, inner)
    drawPeak(on: canvas, time, inner)
  }

  private func line(
    at moment: Double, _ time: Axis, _ plot: Rect, _ meaning: SemanticColor, dash: [Double], on canvas: Canvas
  ) {
    guard let x = time.position(of: moment, in: plot), x >= plot.left - 1, x <= plot.right + 1 else { return }
    canvas.line(from: Point(x: x, y: plot.top), to: Point(x: x, y: plot.bottom), meaning, width: 1.5, dash: dash)
    canvas.avoid(Rect(left: x - 1, top: plot.top, right: x + 1, bottom: plot.bottom))
  }

  /// A thin line for each wrist, named where it is fastest.
  private func drawWrists(on canvas: Canvas, _ time: Axis, _ plot: Rect) {
    let scale = SignalPanel.scale(speed.levels + wrists.flatMap { $0.frames.map(\.value) })
    let panel = Panel(x: time, y: Axis(scale, edge: .left), plot: plot)
    for (wrist, meaning) in zip(wrists, [SemanticColor.ink, .focus]) {
      let points = wrist.frames.map { panel.point($0.time, $0.value) }
      canvas.clipped(to: plot) { canvas.path(points, meaning, width: 1.5) }
    }
    // Names stand beside the curves of a stroke. A whole recording has too many points to keep clear of.
    for wrist in wrists where wrist.frames.count <= 500 {
      panel.avoid(wrist.frames.map { (x: $0.time, y: Estimate($0.value)) }, on: canvas)
    }
    for wrist in wrists {
      let seen = wrist.frames.compactMap { panel.point($0.time, $0.value) }
      guard let top = seen.filter({ plot.left <= $0.x && $0.x <= plot.right }).min(by: { $0.y < $1.y }) else {
        continue
      }
      canvas.label(
        wrist.name, beside: Rect(x: top.x - 3, y: top.y - 3, width: 6, height: 6), .small, within: plot)
    }
  }

  /// Marks the predicted peak on the curve, or the true one if there is no other.
  private func drawPeak(on canvas: Canvas, _ time: Axis, _ plot: Rect) {
    guard let peak = prediction?.peak ?? truth?.peak, peak.isFinite else { return }
    let frames = speed.frames.filter(\.value.isFinite)
    guard let frame = frames.min(by: { abs($0.time - peak) < abs($1.time - peak) }) else { return }
    let scale = SignalPanel.scale(speed.levels + wrists.flatMap { $0.frames.map(\.value) })
    let panel = Panel(x: time, y: Axis(scale, edge: .left), plot: plot)
    guard let point = panel.point(frame.time, frame.value), point.x >= plot.left, point.x <= plot.right else { return }
    canvas.disc(at: point, radius: 6, prediction?.peak == nil ? .truth : .prediction, rim: .background)
    // Above the plot, where no line crosses it.
    canvas.text(
      "peak \(NumberText.significant(frame.value)) at \(NumberText.fixed(frame.time, decimals: 2)) s",
      at: Point(x: plot.right, y: plot.top - 8), Anchor(.right, .bottom), .note, maxWidth: 0.6 * plot.width)
  }

  private func drawPath(on canvas: Canvas, _ area: Rect) {
    canvas.text(
      otherPath.isEmpty ? "wrist's path" : "both wrists' paths", at: Point(x: area.left, y: area.top),
      Anchor(.left, .top), .label, maxWidth: area.width)
    let texts = min(0.5 * area.height, words.height(ofWidth: area.width, isNarrow: canvas.page.isNarrow))
    let room = Rect(left: area.left, top: area.top + 34, right: area.right, bottom: area.bottom - texts - 6)
    let others = otherPath.filter { $0.x.isFinite && $0.y.isFinite }
    let seen = path.filter { $0.x.isFinite && $0.y.isFinite }
    let frame = FigureFrame(
      showing: figure.map { [$0] } ?? [], and: (seen + others).map { Point(x: $0.x, y: $0.y) }, in: room.inset(by: 14))
    if let figure { canvas.figure(figure, in: frame, width: 4) }
    let during = prediction ?? truth
    func points(_ isWanted: (Double) -> Bool) -> [Point?] {
      path.map { isWanted($0.time) ? frame.point($0.x, $0.y) : nil }
    }
    canvas.clipped(to: room) {
      canvas.path(otherPath.map { frame.point($0.x, $0.y) }, .focus, width: 1.5)
      canvas.path(points { _ in true }, .quiet, width: 1.5)
      if let during, during.isComplete {
        canvas.path(
          points { (during.start...during.end).contains($0) }, prediction == nil ? .truth : .prediction, width: 4)
      }
    }
    for (moment, meaning, radius) in [
      (truth?.contact, SemanticColor.truth, 10.0), (prediction?.contact, .prediction, 6),
    ] {
      guard let moment, moment.isFinite, let place = seen.min(by: { abs($0.time - moment) < abs($1.time - moment) }),
        let point = frame.point(place.x, place.y)
      else { continue }
      canvas.disc(at: point, radius: radius, meaning, rim: .background, rimWidth: 2)
    }
    if seen.isEmpty, figure == nil {
      canvas.text("wrist not detected", at: room.middle, Anchor(.center, .middle), .label.colored(.quiet))
    }
    words.draw(on: canvas, in: Rect(left: area.left, top: room.bottom + 6, right: area.right, bottom: area.bottom))
  }

  private var entries: [LegendEntry] {
    let candidates = [
      (isMatched, LegendEntry(.bar(.truth), "true swing")),
      (isMatched, LegendEntry(.bar(.prediction), "predicted swing")),
      (truth != nil && prediction == nil, LegendEntry(.outlinedBar(.worse), "true swing, missed")),
      (prediction != nil && truth == nil, LegendEntry(.outlinedBar(.worse), "predicted swing, invented")),
      (truth?.contact != nil, LegendEntry(.disc(.truth), "true contact")),
      (prediction?.contact != nil, LegendEntry(.disc(.prediction), "predicted contact")),
      (truth?.isComplete == true, LegendEntry(.faintShade(.truth), "during the true swing")),
      (
        !path.isEmpty && (prediction ?? truth)?.isComplete == true,
        LegendEntry(.line(prediction == nil ? .truth : .prediction), "wrist's path during the swing")
      ),
      (!speed.gaps.isEmpty, LegendEntry(.shade(.uncertain), "no signal")),
    ]
    return candidates.filter(\.0).map(\.1) + StickFigure.entries(for: figure.map { [$0] } ?? [])
  }
}

/// The moments of one stroke with a racket or club, in seconds from the clip's start; `nil` if unknown.
public struct TimedSwing: Hashable, Sendable {
  public var start: Double
  public var end: Double
  /// The time of the wrist's highest speed.
  public var peak: Double?
  /// The time of the contact with the ball.
  public var contact: Double?
  /// `forehand`; empty if unknown.
  public var name: String

  public init(start: Double, end: Double, peak: Double? = nil, contact: Double? = nil, name: String = "") {
    self.name = name
    self.start = start
    self.end = end
    self.peak = peak
    self.contact = contact
  }

  var isComplete: Bool { start.isFinite && end.isFinite && start <= end }
}

extension ChartRecipe {
  static let swing = ChartRecipe(
    "swing", "One stroke: wrist speed with peak and boundaries, the wrist's path, and the contact.",
    needs: "a run of swing detectors and its dataset; --clip; --detector",
    takes: [.run, .detector, .clip]
  ) { context in
    let run = try context.storedRun()
    let results = run.results
    let detector = try context.detector(in: results, having: "a swing detector whose wrist speed can be traced") {
      name in
      guard let definition = try? context.registry.detector(named: name) else { return false }
      return definition.profile.kind == .swing && SwingTrace.canTrace(definition.parameters)
    }
    let clip = try context.clip(in: results, detector: detector)
    let replayed = try context.replay(clip, of: results, detector: detector)
    let chart = try SwingPicture(replayed).chart(source: results.source(detector, on: clip))
    return [Picture(chart, notes: [context.replayNote(clip, results)], metadata: run.metadata)]
  }
}

/// A stroke of a clip: the first one that is wrong (named wrong, missed or invented), otherwise the first one.
struct SwingPicture {
  private let clip: ReplayedClip
  private let stroke: Stroke?
  private let truth: TimedSwing?
  private let prediction: TimedSwing?
  /// Why it is missed, misnamed or invented; `nil` if it is right.
  private let cause: String?

  init(_ clip: ReplayedClip) {
    self.clip = clip
    let matches = clip.strokes
    let shown = matches.flatMap { Self.told($0, in: clip.labels.intervals) }
    let (truth, prediction) = (shown?.truth, shown?.prediction)
    stroke =
      clip.timeline.events.lazy.compactMap { event -> Stroke? in
        guard case .stroke(let stroke) = event.kind, stroke.contact.seconds == prediction?.contact else { return nil }
        return stroke
      }.first
    self.truth = truth.map { TimedSwing(start: $0.start, end: $0.end, contact: $0.contact, name: $0.label) }
    self.prediction = prediction.map {
      TimedSwing(start: $0.start, end: $0.end, peak: $0.contact, contact: $0.contact, name: $0.label)
    }
    let reason: RepReason? =
      switch (truth, prediction) {
      case (let truth?, nil):
        matches?.truth.firstIndex { $0.time.seconds == truth.contact }.flatMap { clip.strokeReasons?.missed[$0] }
      case (nil, let prediction?):
        matches?.predicted.firstIndex { $0.contact.seconds == prediction.contact }
          .flatMap { clip.strokeReasons?.wrong[$0] }
      case (let truth?, _?):
        matches?.truth.firstIndex { $0.time.seconds == truth.contact }.flatMap { clip.strokeReasons?.misnamed[$0] }
      case (nil, nil): nil
      }
    cause = reason?.words
  }

  /// A stroke as labelled and as predicted; one is `nil` if it is missed or invented.
  typealias Sides = (truth: TimedStroke?, prediction: TimedStroke?)

  /// The stroke to draw; `nil` without strokes.
  static func told(_ matches: StrokeMetrics.Matches, in intervals: [Segment]) -> Sides? {
    let strokes = StrokePairs(matches, in: intervals)
    let found = matches.pairs.map { pair -> Sides in (strokes.truth[pair.truth], strokes.predicted[pair.predicted]) }
    let missed = strokes.truth.filter { !$0.isMatched }.map { stroke -> Sides in (stroke, nil) }
    let invented = strokes.predicted.filter { !$0.isMatched }.map { stroke -> Sides in (nil, stroke) }
    func contact(_ stroke: Sides) -> Double { stroke.truth?.contact ?? stroke.prediction?.contact ?? .infinity }
    let ordered = (found + missed + invented).sorted { contact($0) < contact($1) }
    let wrong = ordered.first { stroke in
      guard let truth = stroke.truth?.label, let prediction = stroke.prediction?.label else { return true }
      return truth != prediction && !truth.isEmpty && !prediction.isEmpty
    }
    return wrong ?? ordered.first
  }

  func chart(source: String) throws -> SwingChart {
    let (faster, left, right) = (try trace(nil), try trace(.left), try trace(.right))
    let hand = stroke?.analysis?.hand ?? .right
    let span = span
    let times = clip.poses.times.map(\.seconds)
    let frames = times.indices.filter { span.contains(times[$0]) }
    let contact = prediction?.contact ?? truth?.contact
    let moment = contact.flatMap { contact in times.lastIndex { $0 <= contact + 1e-6 } }
    func series(_ trace: SwingTrace, _ name: String, thresholds: [Threshold] = []) -> SignalSeries {
      let kept = trace.times.indices.filter { span.contains(trace.times[$0].seconds) }
      return SignalSeries(
        name: name, unit: "body heights/s", times: kept.map { trace.times[$0].seconds },
        values: kept.map { trace.speeds[$0] }, thresholds: thresholds)
    }
    func path(_ wrist: Joint) -> [SwingChart.Place] {
      frames.map { frame in
        SwingChart.Place(
          time: times[frame], x: Double(clip.poses[wrist, .x, frame]), y: Double(clip.poses[wrist, .y, frame]))
      }
    }
    return SwingChart(
      clip: clip.result.name, detector: clip.setting.name, source: source,
      speed: series(faster, "faster wrist's speed", thresholds: faster.thresholds),
      wrists: hand == .left
        ? [series(left, "left wrist"), series(right, "right wrist")]
        : [series(right, "right wrist"), series(left, "left wrist")],
      path: path(hand == .left ? .leftWrist : .rightWrist), otherPath: path(hand == .left ? .rightWrist : .leftWrist),
      figure: moment.map { Moments(poses: clip.poses, bones: clip.bones).figure(clip.poses.frame($0)) }, truth: truth,
      prediction: prediction, cause: cause,
      remarks: [names, lateness, (stroke?.analysis?.metrics).flatMap(words)].compactMap { $0 })
  }

  private func trace(_ hand: Hand?) throws -> SwingTrace {
    do {
      return try SwingTrace(clip.setting.values, hand: hand, on: clip.poses)
    } catch {
      throw EvaluationError.missing(
        what: "detector \(clip.setting.name)", expected: "a traced wrist", found: "\(error)")
    }
  }

  /// The stroke with some time around it, or the whole clip.
  private var span: ClosedRange<Double> {
    let starts = [prediction?.start, truth?.start].compactMap { $0 }
    let ends = [prediction?.end, truth?.end].compactMap { $0 }
    guard let start = starts.min(), let end = ends.max(), start <= end else { return -Double.infinity...(.infinity) }
    return start - 0.5...end + 0.5
  }

  /// `named forehand, labelled backhand`
  private var names: String? {
    switch (prediction?.name, truth?.name) {
    case (let name?, let truth?): "named \(name), labelled \(truth)"
    case (let name?, nil): "named \(name), not labelled"
    case (nil, let truth?): "labelled \(truth); no detection counts as it"
    case (nil, nil): "no stroke, found or labelled"
    }
  }

  private var lateness: String? {
    guard let found = prediction?.contact, let truth = truth?.contact else { return nil }
    return "contact \(NumberText.signed((found - truth) * 1000, unit: "ms")) ms from the label"
  }

  private func words(_ metrics: AnalysisResult.SwingMetrics) -> String? {
    let parts = [
      metrics.backswingAngle.map { "backswing \(NumberText.fixed(Double($0), decimals: 0))°" },
      metrics.followThroughHeight.map {
        "follow-through \(NumberText.fixed(Double($0), decimals: 2)) body heights above the neck"
      },
    ].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}
