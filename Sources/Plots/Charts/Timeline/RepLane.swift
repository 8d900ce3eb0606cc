/// A lane with a bar a rep, numbered from 1.
struct RepLane: Lane {
  let kind: String
  let reps: [TimedRep]
  /// What a rep with a partner is drawn as. One without is drawn as worse: filled where it was predicted, as an outline
  /// where it should have been.
  var matched = Meaning.prediction

  var name: String { "\(kind) (\(reps.count))" }

  let height = 46.0
  private static let inside = TextStyle(size: 16, isBold: true, meaning: .background)
  private static let below = TextStyle.small.colored(.quiet)

  func draw(on canvas: Canvas, in row: Rect, _ time: Axis) {
    let track = Rect(left: row.left, top: row.top + 4, right: row.right, bottom: row.bottom - 4)
    guard !reps.isEmpty else {
      canvas.fill(track, .grid, opacity: 0.5)
      canvas.text("none", at: track.middle, Anchor(.center, .middle), .note.colored(.quiet))
      return
    }
    let bars = reps.map { bar(of: $0, in: track, time) }
    let room = canvas.width(of: "\(reps.count)", Self.inside)
    if bars.allSatisfy({ $0.map { $0.width > room + 2 } ?? true }) {
      draw(bars, on: canvas, in: track, time)
      for (index, bar) in bars.enumerated() {
        guard let bar else { continue }
        let style = isMissed(reps[index]) ? Self.inside.colored(.worse) : Self.inside
        canvas.text("\(index + 1)", at: Point(x: bar.middle.x, y: bar.middle.y - 3), Anchor(.center, .middle), style)
      }
    } else {
      let upper = Rect(left: track.left, top: track.top, right: track.right, bottom: track.bottom - 15)
      let low = bars.map { $0.map { Rect(left: $0.left, top: upper.top, right: $0.right, bottom: upper.bottom) } }
      draw(low, on: canvas, in: upper, time)
      drawNumbers(below: low, on: canvas)
    }
  }

  private func isMissed(_ rep: TimedRep) -> Bool { !rep.isMatched && matched == .truth }

  /// Where a rep is drawn; `nil` where it has no time or none that is in the clip.
  private func bar(of rep: TimedRep, in track: Rect, _ time: Axis) -> Rect? {
    guard rep.isComplete, let start = time.position(of: rep.start, in: track),
      let end = time.position(of: rep.end, in: track), end >= track.left, start <= track.right
    else { return nil }
    // A point less at each end parts two reps of which one begins where the other ends.
    let left = min(max(track.left, start + 0.75), track.right - 1.5)
    return Rect(left: left, top: track.top, right: min(track.right, max(end - 0.75, left + 1.5)), bottom: track.bottom)
  }

  private func draw(_ bars: [Rect?], on canvas: Canvas, in track: Rect, _ time: Axis) {
    canvas.fill(track, .grid, opacity: 0.5)
    for (rep, bar) in zip(reps, bars) {
      guard let bar else { continue }
      if isMissed(rep) {
        canvas.fill(bar, .background, radius: 3)
        canvas.outline(bar, .worse, width: 2.5, radius: 3)
      } else {
        canvas.fill(bar, rep.isMatched ? matched : .worse, radius: 3)
      }
      guard let turn = rep.turn, let x = time.position(of: turn, in: track), x > bar.left, x < bar.right else {
        continue
      }
      let notch = (start: Point(x: x, y: bar.bottom - 8), end: Point(x: x, y: bar.bottom))
      canvas.line(
        from: notch.start, to: notch.end, isMissed(rep) ? .worse : .background, width: bar.width < 24 ? 1.5 : 2.5)
    }
  }

  /// Writes every number, or each second, fifth, tenth and so on, so that their order stays plain.
  private func drawNumbers(below bars: [Rect?], on canvas: Canvas) {
    let centers = bars.map { $0?.middle.x ?? .nan }
    let room = canvas.width(of: "\(reps.count)", Self.below) + 8
    var step = TickStep.one
    while Int(step.value) < reps.count {
      let labelled = stride(from: Int(step.value) - 1, to: centers.count, by: Int(step.value)).map { centers[$0] }
      if zip(labelled, labelled.dropFirst()).allSatisfy({ !($1 - $0 < room) }) { break }
      step = step.next
    }
    for (index, bar) in bars.enumerated() where (index + 1) % Int(step.value) == 0 {
      guard let bar else { continue }
      let style = isMissed(reps[index]) || !reps[index].isMatched ? Self.below.colored(.worse) : Self.below
      canvas.text("\(index + 1)", at: Point(x: bar.middle.x, y: bar.bottom + 1), Anchor(.center, .top), style)
    }
  }
}
