/// A lane with a row for each state that a detector was in; where people labelled when it truly was, that stands above
/// what was said, which has the colour of a mistake where the two differ.
struct PhaseLane: Lane {
  let phases: [TimedPhase]
  /// What people labelled, by the same names.
  var truth: [TimedPhase] = []

  /// More rows are no lane any more.
  private static let limit = 6
  private static let style = TextStyle.small
  private static let others = "others"

  var name: String { truth.isEmpty ? "phases" : "labelled above, said below" }
  var height: Double { rowHeight * Double(kinds.count) + 6 }
  private var rowHeight: Double { truth.isEmpty ? 22 : 28 }

  /// The rows have names of their own beside them.
  func hasNameAbove(on page: Page) -> Bool { true }

  /// The room that the rows' names take.
  var gutter: Double { (kinds.map { Self.style.width(of: $0) }.max() ?? 0) + 18 }

  /// In the order in which they come; of too many, the longest.
  private var kinds: [String] {
    var kinds: [String] = []
    var seconds: [String: Double] = [:]
    for phase in truth + phases where phase.start.isFinite && phase.end.isFinite {
      if seconds[phase.name] == nil { kinds.append(phase.name) }
      seconds[phase.name, default: 0] += max(0, phase.end - phase.start)
    }
    guard kinds.count > Self.limit else { return kinds }
    let longest = kinds.enumerated().sorted { a, b in
      let (one, other) = (seconds[a.element] ?? 0, seconds[b.element] ?? 0)
      return one != other ? one > other : a.offset < b.offset
    }.prefix(Self.limit - 1).map(\.element)
    return kinds.filter(longest.contains) + [Self.others]
  }

  func draw(on canvas: Canvas, in row: Rect, _ time: Axis) {
    let kinds = kinds
    var rows: [String: Int] = [:]
    for (index, kind) in kinds.enumerated() { rows[kind] = index }
    let tracks = kinds.indices.map { index in
      Rect(
        left: row.left, top: row.top + rowHeight * Double(index) + 2, right: row.right,
        bottom: row.top + rowHeight * Double(index + 1) - 2)
    }
    for (kind, track) in zip(kinds, tracks) {
      canvas.fill(track, .grid, opacity: 0.5)
      canvas.text(
        kind, at: Point(x: row.left - 10, y: track.middle.y), Anchor(.right, .middle), Self.style,
        maxWidth: row.left - 10 - canvas.page.body.left)
    }
    func fill(_ phase: TimedPhase, _ meaning: Meaning, from top: Double, to bottom: Double) {
      guard let index = rows[phase.name] ?? rows[Self.others] else { return }
      let track = tracks[index]
      guard let start = time.position(of: phase.start, in: track), let end = time.position(of: phase.end, in: track),
        end >= start, end > track.left, start < track.right
      else { return }
      let left = min(max(track.left, start), track.right - 1)
      canvas.fill(
        Rect(
          left: left, top: track.top + top * track.height, right: min(track.right, max(end, left + 1)),
          bottom: track.top + bottom * track.height), meaning)
    }
    guard !truth.isEmpty else {
      for phase in phases { fill(phase, .neutral, from: 0.15, to: 0.85) }
      return
    }
    for phase in truth { fill(phase, .truth, from: 0, to: 0.46) }
    for judged in phases.judged(by: truth) {
      fill(judged.phase, judged.isRight.map { $0 ? .prediction : .worse } ?? .neutral, from: 0.54, to: 1)
    }
  }
}
