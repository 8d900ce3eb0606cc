/// A lane with a tick a cue, its text beside it where there is room.
struct CueLane: Lane {
  let cues: [TimedCue]

  var name: String { "cues (\(cues.count))" }
  let height = 58.0

  func draw(on canvas: Canvas, in row: Rect, _ time: Axis) {
    let lines = [row.top + 16, row.top + 40]
    for cue in cues {
      guard let x = time.position(of: cue.time, in: row), x >= row.left, x <= row.right else { continue }
      let isLate = x + canvas.width(of: cue.text, .note) + 6 > row.right
      let anchor = Anchor(isLate ? .right : .left, .middle)
      let line = lines.first { y in
        let place = Point(x: isLate ? x - 6 : x + 6, y: y)
        return canvas.text(cue.text, at: place, anchor, .note, maxWidth: row.width / 3) != nil
      }
      // A tick is as high as its text, so that it crosses no other; one without a text is short.
      let (top, bottom) = line.map { ($0 - 10, $0 + 10) } ?? (row.top + 1, row.top + 7)
      canvas.line(from: Point(x: x, y: top), to: Point(x: x, y: bottom), .neutral, width: 2)
    }
  }
}
