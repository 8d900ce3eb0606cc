/// A lane with the detector's states, each in the shade of its name, which stands in it where there is room.
struct PhaseLane: Lane {
  let phases: [TimedPhase]

  var name: String { "phases" }
  let height = 34.0
  private static let style = TextStyle.small

  func draw(on canvas: Canvas, in row: Rect, _ time: Axis) {
    let track = Rect(left: row.left, top: row.top + 4, right: row.right, bottom: row.bottom - 4)
    canvas.fill(track, .grid, opacity: 0.5)
    var kinds: [String] = []
    for phase in phases where !kinds.contains(phase.name) { kinds.append(phase.name) }
    for phase in phases {
      guard let start = time.position(of: phase.start, in: track), let end = time.position(of: phase.end, in: track),
        end >= start, end > track.left, start < track.right
      else { continue }
      let bar = Rect(
        left: max(track.left, start), top: track.top, right: min(track.right, max(end, start + 1)), bottom: track.bottom
      )
      // Four shades tell neighbours apart; beyond that the names do.
      let level = Double((kinds.firstIndex(of: phase.name) ?? 0) % 4)
      canvas.fill(bar, .neutral, opacity: 0.1 + 0.13 * level)
      guard canvas.width(of: phase.name, Self.style) + 8 <= bar.width else { continue }
      canvas.text(phase.name, at: bar.middle, Anchor(.center, .middle), Self.style)
    }
  }
}
