extension TimelinePair {
  public func bodyHeight(on page: Page) -> Double? {
    let halves = [before, after].reduce(0) { $0 + halfHeight(of: $1, on: page) }
    return Legend(entries).rowHeight(ofWidth: page.bodyWidth) + 8 + halves + 6 + below.height(on: page)
      + Self.axis(0...1).depth
  }

  private static func axis(_ span: ClosedRange<Double>) -> Axis {
    Axis(LinearScale(span), edge: .bottom, title: "time (s)")
  }

  private static let nameHeight = 38.0

  /// One setting with its name, its signal and what it said.
  private func halfHeight(of setting: Setting, on page: Page) -> Double {
    Self.nameHeight + (page.isNarrow ? 190 : 220) + said(by: setting).height(on: page)
  }

  private func said(by setting: Setting) -> [any Lane] {
    guard kind == nil else { return [RepLane(kind: "predicted", reps: setting.reps)] }
    return (phaseLane(of: setting).map { [$0] } ?? []) + [CueLane(cues: setting.cues)]
  }

  /// Both settings have one, or neither.
  private func phaseLane(of setting: Setting) -> PhaseLane? {
    guard kind == nil, !(before.phases + after.phases + trueIntervals).isEmpty else { return nil }
    return PhaseLane(phases: setting.phases, truth: trueIntervals)
  }

  /// What both settings share. Which of them found a rep stands in the lane of changes.
  private var below: [any Lane] {
    let all = trueReps.map { TimedRep(start: $0.start, end: $0.end, turn: $0.turn, isMatched: true) }
    let truth: [any Lane] = [RepLane(kind: "true", reps: all, matched: .truth)]
    return kind == nil ? (all.isEmpty ? [] : truth) : truth + [ChangeLane(gained: gained, lost: lost)]
  }

  public func draw(on canvas: Canvas, in area: Rect) {
    let page = canvas.page
    let time = Self.axis(span)
    let top = Legend(entries).drawRow(on: canvas, in: area) + 8
    let bottom = area.bottom - time.depth
    let signals = [before, after].compactMap(\.signal)
    let names = [before, after].compactMap { phaseLane(of: $0)?.gutter }.max() ?? 0
    let plot = Rect(
      left: area.left + max(SignalPanel.gutter(on: page), min(names, 140)), top: top,
      right: area.right - SignalPanel.margin(for: signals, on: page), bottom: bottom)
    time.draw(on: canvas, around: plot)
    var y = top
    for setting in [before, after] {
      let lanes = said(by: setting)
      let end = y + halfHeight(of: setting, on: page)
      let signal = Rect(
        left: area.left, top: y + Self.nameHeight, right: plot.right, bottom: end - lanes.height(on: page))
      canvas.fill(Rect(left: plot.left - 1, top: y - 2, right: plot.right + 1, bottom: signal.top), .background)
      canvas.text(
        setting.name, at: Point(x: area.left, y: y + 10), Anchor(.left, .top), .heading, maxWidth: area.width)
      if let series = setting.signal {
        SignalPanel(signal: series, time: time, reps: trueReps, beside: signals.flatMap(\.levels))
          .draw(on: canvas, in: signal, left: plot.left)
      }
      lanes.draw(
        on: canvas, in: Rect(left: plot.left, top: signal.bottom, right: plot.right, bottom: end),
        names: area.left, time)
      y = end
    }
    below.draw(
      on: canvas, in: Rect(left: plot.left, top: y + 6, right: plot.right, bottom: bottom), names: area.left, time)
  }

  private var entries: [LegendEntry] {
    let predicted = kind == nil ? [] : before.reps + after.reps
    let (gained, lost) = kind == nil ? ([], []) : (gained, lost)
    let name = kind ?? "rep"
    let signals = [before, after].compactMap(\.signal)
    let said = trueIntervals.isEmpty ? [] : (before.phases + after.phases).judged(by: trueIntervals)
    let candidates: [(Bool, LegendEntry)] = [
      (!trueReps.isEmpty, LegendEntry(.bar(.truth), "true \(name)")),
      (predicted.contains(where: \.isMatched), LegendEntry(.bar(.prediction), "predicted \(name), matched")),
      (predicted.contains { !$0.isMatched }, LegendEntry(.bar(.worse), "predicted \(name), false")),
      (!gained.isEmpty, LegendEntry(.bar(.better), "found now")),
      (!lost.isEmpty, LegendEntry(.outlinedBar(.worse), "no longer found")),
      (!trueIntervals.isEmpty, LegendEntry(.bar(.truth), "labelled")),
      (said.contains { $0.isRight == true }, LegendEntry(.bar(.prediction), "said, as labelled")),
      (said.contains { $0.isRight == false }, LegendEntry(.bar(.worse), "said, otherwise labelled")),
      (said.contains { $0.isRight == nil }, LegendEntry(.bar(.neutral), "said, nothing labelled")),
      (
        !signals.isEmpty && trueReps.contains(where: \.isComplete),
        LegendEntry(.faintShade(.truth), "during a true \(name)")
      ),
      (signals.contains { !$0.gaps.isEmpty }, LegendEntry(.shade(.uncertain), "no signal")),
    ]
    return candidates.filter(\.0).map(\.1)
  }
}
