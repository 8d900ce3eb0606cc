/// A lane with a row for each text that was said, a tick at each time at which it was; counts said aloud share one.
struct CueLane: Lane {
  let cues: [TimedCue]

  var name: String { "cues (\(cues.count))" }
  var height: Double { Self.rowHeight * Double(max(1, rows.count)) + 4 }

  private static let rowHeight = 34.0
  private static let limit = 5

  private struct Row {
    var text: String
    var times: [Double]
  }

  /// In the order in which each is said first; beyond the limit one for all that are left.
  private var rows: [Row] {
    var rows: [Row] = []
    var places: [String: Int] = [:]
    var counts: [String] = []
    for cue in cues {
      let isCount = !cue.text.isEmpty && cue.text.allSatisfy(\.isNumber)
      let key = isCount ? "" : cue.text
      if isCount { counts.append(cue.text) }
      if let place = places[key] {
        rows[place].times.append(cue.time)
      } else {
        places[key] = rows.count
        rows.append(Row(text: key, times: [cue.time]))
      }
    }
    if let place = places[""], !counts.isEmpty {
      rows[place].text =
        counts.count > 4 ? "\(counts[0]), \(counts[1]), … \(counts[counts.count - 1])" : counts.joined(separator: ", ")
    }
    for index in rows.indices where rows[index].times.count > 1 { rows[index].text += " (\(rows[index].times.count))" }
    guard rows.count > Self.limit else { return rows }
    let rest = rows[(Self.limit - 1)...]
    let times = rest.flatMap(\.times)
    return rows.prefix(Self.limit - 1)
      + [Row(text: "\(NumberText.count(times.count, "cue")) with \(rest.count) other texts", times: times)]
  }

  func draw(on canvas: Canvas, in row: Rect, _ time: Axis) {
    for (index, spoken) in rows.enumerated() {
      let top = row.top + Self.rowHeight * Double(index)
      // The time axis' grid is not to run through the text.
      canvas.fill(Rect(left: row.left - 1, top: top, right: row.right + 1, bottom: top + 20), .background)
      canvas.text(
        spoken.text, at: Point(x: row.left, y: top + 11), Anchor(.left, .middle), .small, maxWidth: row.width)
      let track = Rect(left: row.left, top: top + 21, right: row.right, bottom: top + Self.rowHeight - 3)
      canvas.fill(track, .grid, opacity: 0.5)
      for moment in spoken.times {
        guard let x = time.position(of: moment, in: row), x >= row.left - 1, x <= row.right + 1 else { continue }
        canvas.line(from: Point(x: x, y: track.top), to: Point(x: x, y: track.bottom), .prediction, width: 2)
      }
    }
  }
}
