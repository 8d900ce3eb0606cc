extension ClipTimeline {
  public func bodyHeight(on page: Page) -> Double? {
    let plots = page.isNarrow ? 190 : signals.count < 2 ? 380 : signals.count == 2 ? 200 : 160.0
    return Legend(entries).rowHeight(ofWidth: page.bodyWidth) + 10 + plots * Double(max(1, signals.count))
      + lanes.height(on: page) + 6 + Self.axis(0...1).depth + strip(on: page) + noteHeight(on: page)
  }

  private static func axis(_ span: ClosedRange<Double>) -> Axis {
    Axis(LinearScale(span), edge: .bottom, title: "time (s)")
  }

  private func strip(on page: Page) -> Double {
    figures.height(ofWidth: page.bodyWidth, on: page, belowAxis: true)
  }

  /// What there was no room for.
  private func note(on page: Page) -> Footnote? {
    let hidden = moments.count { $0.time.isFinite } - figures.shown(in: page.bodyWidth, on: page).count
    let parts = [
      omitted.isEmpty ? nil : "the signals \(omitted.joined(separator: ", "))",
      hidden > 0 ? "the poses at \(hidden) more \(hidden == 1 ? "moment" : "moments")" : nil,
    ].compactMap { $0 }
    return parts.isEmpty ? nil : Footnote("Not drawn: \(parts.joined(separator: "; ")).")
  }

  private func noteHeight(on page: Page) -> Double { note(on: page)?.height(ofWidth: page.bodyWidth) ?? 0 }

  /// The room to the left of where time begins.
  private func gutter(on page: Page) -> Double {
    max(SignalPanel.gutter(on: page), min(phaseLane?.gutter ?? 0, 140))
  }

  public func draw(on canvas: Canvas, in area: Rect) {
    let page = canvas.page
    let time = Self.axis(span)
    let lanes = lanes
    let strip = strip(on: page)
    let top = Legend(entries).drawRow(on: canvas, in: area) + 10
    let end = area.bottom - noteHeight(on: page)
    let bottom = end - strip - time.depth
    let laneTop = bottom - lanes.height(on: page) - 6
    let plot = Rect(
      left: area.left + gutter(on: page), top: top,
      right: area.right - SignalPanel.margin(for: signals, on: page), bottom: bottom)

    // The axis comes first, as its grid runs behind everything.
    time.draw(on: canvas, around: plot)
    let figures = figures
    // Through the signals only: no line is to cross the lanes' texts.
    let marked = Rect(left: plot.left, top: top, right: plot.right, bottom: laneTop)
    figures.drawMoments(on: canvas, in: marked, time, width: area.width)
    let height = (laneTop - top) / Double(max(1, signals.count))
    for (index, signal) in signals.enumerated() {
      let y = top + Double(index) * height
      let room = Rect(left: area.left, top: y, right: plot.right, bottom: y + height)
      SignalPanel(signal: signal, time: time, reps: trueReps).draw(on: canvas, in: room, left: plot.left)
    }
    lanes.draw(
      on: canvas, in: Rect(left: plot.left, top: laneTop + 6, right: plot.right, bottom: bottom), names: area.left, time
    )
    if !moments.isEmpty {
      let row = Rect(left: area.left, top: end - strip, right: area.right, bottom: end)
      figures.draw(on: canvas, in: row, below: (time, plot))
    }
    note(on: page)?.draw(on: canvas, in: area)
  }

  private var phaseLane: PhaseLane? {
    phases.isEmpty && trueIntervals.isEmpty ? nil : PhaseLane(phases: phases, truth: trueIntervals)
  }

  private var lanes: [any Lane] {
    let repLanes = [
      RepLane(kind: "true", reps: drawn(trueReps), matched: .truth),
      RepLane(kind: "predicted", reps: drawn(predictedReps)),
    ]
    let reps: [any Lane] = !comparesReps ? repLanes.filter { !$0.reps.isEmpty } : hasReps ? repLanes : []
    let strokes: [any Lane] =
      hasStrokes
      ? [
        StrokeLane(kind: "true", strokes: trueStrokes, matched: .truth),
        StrokeLane(kind: "predicted", strokes: predictedStrokes),
      ] : []
    return reps + strokes + (phaseLane.map { [$0] } ?? []) + (cues.isEmpty ? [] : [CueLane(cues: cues)])
  }

  /// Reps that were not compared are drawn as those with a partner.
  private func drawn(_ reps: [TimedRep]) -> [TimedRep] {
    comparesReps
      ? reps : reps.map { TimedRep(start: $0.start, end: $0.end, turn: $0.turn, isMatched: true) }
  }

  /// What occurs in this clip.
  private var entries: [LegendEntry] {
    let all = trueReps + predictedReps
    let plain: [(Bool, LegendEntry)] = [
      (!trueReps.isEmpty, LegendEntry(.bar(.truth), "true rep")),
      (!predictedReps.isEmpty, LegendEntry(.bar(.prediction), "predicted rep")),
    ]
    let compared: [(Bool, LegendEntry)] = [
      (trueReps.contains(where: \.isMatched), LegendEntry(.bar(.truth), "true rep, found")),
      (trueReps.contains { !$0.isMatched }, LegendEntry(.outlinedBar(.worse), "true rep, missed")),
      (predictedReps.contains(where: \.isMatched), LegendEntry(.bar(.prediction), "predicted rep, matched")),
      (predictedReps.contains { !$0.isMatched }, LegendEntry(.bar(.worse), "predicted rep, false")),
    ]
    let said = trueIntervals.isEmpty ? [] : phases.judged(by: trueIntervals)
    let others: [(Bool, LegendEntry)] = [
      (all.contains { $0.turn != nil }, LegendEntry(.notchedBar(.truth), "turning point")),
      (trueStrokes.contains(where: \.isMatched), LegendEntry(.bar(.truth), "true stroke, found")),
      (trueStrokes.contains { !$0.isMatched }, LegendEntry(.outlinedBar(.worse), "true stroke, missed")),
      (predictedStrokes.contains(where: \.isMatched), LegendEntry(.bar(.prediction), "predicted stroke, matched")),
      (predictedStrokes.contains { !$0.isMatched }, LegendEntry(.bar(.worse), "predicted stroke, false")),
      (!trueIntervals.isEmpty, LegendEntry(.bar(.truth), "labelled")),
      (said.contains { $0.isRight == true }, LegendEntry(.bar(.prediction), "said, as labelled")),
      (said.contains { $0.isRight == false }, LegendEntry(.bar(.worse), "said, otherwise labelled")),
      (said.contains { $0.isRight == nil }, LegendEntry(.bar(.neutral), "said, nothing labelled")),
      (
        !signals.isEmpty && trueReps.contains(where: \.isComplete),
        LegendEntry(.faintShade(.truth), "during a true rep")
      ),
      (signals.contains { !$0.gaps.isEmpty }, LegendEntry(.shade(.uncertain), "no signal")),
      (!signals.isEmpty && !moments.isEmpty, LegendEntry(.dottedLine(.quiet), "pose below")),
    ]
    let candidates = (comparesReps ? compared : plain) + others
    return candidates.filter(\.0).map(\.1) + StickFigure.entries(for: moments.map(\.figure))
  }
}
