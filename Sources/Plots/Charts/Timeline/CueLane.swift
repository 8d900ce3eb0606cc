/// A lane with a tick a cue, its text beside it where there is room.
struct CueLane: Lane {
  let cues: [TimedCue]

  var name: String { "cues (\(cues.count))" }
  let height = 58.0

  func draw(on canvas: Canvas, in row: Rect, _ time: Axis) {
    let lines = [row.top + 16, row.top + 40]
    let places = cues.map { time.position(of: $0.time, in: row) ?? .nan }
    for (index, cue) in cues.enumerated() {
      guard let x = time.position(of: cue.time, in: row), x >= row.left, x <= row.right else { continue }
      let isLate = x + canvas.width(of: cue.text, .note) + 6 > row.right
      let anchor = Anchor(isLate ? .right : .left, .middle)
      // As long as there is room before the cue after next: the next one stands in the other line.
      let next = index + 2 < places.count ? places[index + 2] : row.right
      let room = max(row.width / 3, isLate ? 0 : next - x - 18)
      let line = lines.first { y in
        let place = Point(x: isLate ? x - 6 : x + 6, y: y)
        return canvas.text(cue.text, at: place, anchor, .note, maxWidth: room) != nil
      }
      // A tick is as high as its text, so that it crosses no other; one without a text is short.
      let (top, bottom) = line.map { ($0 - 10, $0 + 10) } ?? (row.top + 1, row.top + 7)
      canvas.line(from: Point(x: x, y: top), to: Point(x: x, y: bottom), .neutral, width: 2)
    }
  }
}
