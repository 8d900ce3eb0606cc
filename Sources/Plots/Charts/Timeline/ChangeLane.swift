/// A lane with the true reps that one setting finds and the other does not.
struct ChangeLane: Lane {
  let gained: [TimedRep]
  let lost: [TimedRep]

  var name: String { "changed (\(gained.count + lost.count))" }
  let height = 34.0

  func draw(on canvas: Canvas, in row: Rect, _ time: Axis) {
    let track = Rect(left: row.left, top: row.top + 4, right: row.right, bottom: row.bottom - 4)
    canvas.fill(track, .grid, opacity: 0.5)
    if gained.isEmpty, lost.isEmpty {
      canvas.text("nothing", at: track.middle, Anchor(.center, .middle), .small.colored(.quiet))
    }
    for rep in gained {
      if let bar = bar(of: rep, in: track, time) { canvas.fill(bar, .better, radius: 3) }
    }
    for rep in lost {
      guard let bar = bar(of: rep, in: track, time) else { continue }
      canvas.fill(bar, .background, radius: 3)
      canvas.outline(bar, .worse, width: 2.5, radius: 3)
    }
  }

  private func bar(of rep: TimedRep, in track: Rect, _ time: Axis) -> Rect? {
    guard rep.isComplete, let start = time.position(of: rep.start, in: track),
      let end = time.position(of: rep.end, in: track), end >= track.left, start <= track.right
    else { return nil }
    let left = max(track.left, min(start, track.right - 1.5))
    return Rect(left: left, top: track.top, right: min(track.right, max(end, left + 1.5)), bottom: track.bottom)
  }
}
