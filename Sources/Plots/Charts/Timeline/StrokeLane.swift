/// A lane with a bar a stroke, a line through it at the contact, and its name above where there is room.
struct StrokeLane: Lane {
  let kind: String
  let strokes: [TimedStroke]
  /// What a stroke with a partner is drawn as. One without is drawn as worse: filled where it was predicted, as an outline
  /// where it should have been.
  var matched = Meaning.prediction

  var name: String { "\(kind) (\(strokes.count))" }
  let height = 50.0
  private static let style = TextStyle.small.colored(.quiet)

  func draw(on canvas: Canvas, in row: Rect, _ time: Axis) {
    let track = Rect(left: row.left, top: row.top + 20, right: row.right, bottom: row.bottom - 4)
    canvas.fill(track, .grid, opacity: 0.5)
    guard !strokes.isEmpty else {
      canvas.text("none", at: track.middle, Anchor(.center, .middle), .note.colored(.quiet))
      return
    }
    var free = row.left
    for stroke in strokes {
      guard let bar = bar(of: stroke, in: track, time) else { continue }
      let isMissed = !stroke.isMatched && matched == .truth
      if isMissed {
        canvas.fill(bar, .background, radius: 3)
        canvas.outline(bar, .worse, width: 2.5, radius: 3)
      } else {
        // Round corners of a thin bar are but a blur.
        canvas.fill(bar, stroke.isMatched ? matched : .worse, radius: bar.width > 8 ? 3 : 0)
      }
      if let x = time.position(of: stroke.contact, in: track), x > bar.left, x < bar.right {
        canvas.line(
          from: Point(x: x, y: bar.top), to: Point(x: x, y: bar.bottom), isMissed ? .worse : .background, width: 2)
      }
      let half = canvas.width(of: stroke.label, Self.style) / 2
      guard bar.middle.x - half >= free, bar.middle.x + half <= row.right else { continue }
      let style = stroke.isMatched ? Self.style : Self.style.colored(.worse)
      canvas.text(stroke.label, at: Point(x: bar.middle.x, y: row.top + 10), Anchor(.center, .middle), style)
      free = bar.middle.x + half + 6
    }
  }

  /// Where a stroke is drawn; `nil` where it has no time or none that is in the clip.
  private func bar(of stroke: TimedStroke, in track: Rect, _ time: Axis) -> Rect? {
    guard stroke.isComplete, let start = time.position(of: stroke.start, in: track),
      let end = time.position(of: stroke.end, in: track), end >= track.left, start <= track.right
    else { return nil }
    // A contact alone is a thin bar.
    let left = min(max(track.left, start), track.right - 3)
    return Rect(left: left, top: track.top, right: min(track.right, max(end, left + 3)), bottom: track.bottom)
  }
}
