import Statistics

/// A row of a timeline. Its name is to its left, on a narrow page above it.
protocol Lane {
  var name: String { get }
  /// The height without the name.
  var height: Double { get }

  /// Whether the name is above the lane instead of beside it.
  func hasNameAbove(on page: Page) -> Bool

  /// Draws everything but the name.
  func draw(on canvas: Canvas, in row: Rect, _ time: Axis)
}

extension Lane {
  private static var nameHeight: Double { TextStyle.note.lineHeight }

  func hasNameAbove(on page: Page) -> Bool { page.isNarrow }

  func height(on page: Page) -> Double { height + (hasNameAbove(on: page) ? Self.nameHeight : 0) }

  /// - Parameters:
  ///   - row: The lane with its name, from the start to the end of the time axis.
  ///   - names: The left edge of the space for the lane's name.
  func draw(on canvas: Canvas, in row: Rect, names: Double, _ time: Axis) {
    guard hasNameAbove(on: canvas.page) else {
      canvas.text(
        name, at: Point(x: row.left - 12, y: row.middle.y), Anchor(.right, .middle), .note,
        maxWidth: row.left - 12 - names)
      return draw(on: canvas, in: row, time)
    }
    let track = Rect(left: row.left, top: row.top + Self.nameHeight, right: row.right, bottom: row.bottom)
    // The time axis' grid must not cross the name.
    canvas.fill(Rect(left: row.left - 1, top: row.top, right: row.right + 1, bottom: track.top), .background)
    canvas.text(
      name, at: Point(x: row.left, y: row.top + Self.nameHeight / 2 + 1), Anchor(.left, .middle), .note,
      maxWidth: row.width)
    draw(on: canvas, in: track, time)
  }
}

extension [any Lane] {
  func height(on page: Page) -> Double { reduce(0) { $0 + $1.height(on: page) } }

  /// Draws the lanes below each other, from the top of `area` down.
  func draw(on canvas: Canvas, in area: Rect, names: Double, _ time: Axis) {
    var y = area.top
    for lane in self {
      let height = lane.height(on: canvas.page)
      lane.draw(
        on: canvas, in: Rect(left: area.left, top: y, right: area.right, bottom: y + height), names: names, time)
      y += height
    }
  }
}

extension Canvas {
  /// Fills a bar of a lane, or draws its outline in the colour of errors if nothing matches it.
  func bar(_ bar: Rect, _ matched: SemanticColor?, radius: Double = 0) {
    // A thin bar has no room inside an outline.
    guard matched == nil, bar.width > 6 else { return fill(bar, matched ?? .worse, radius: radius) }
    fill(bar, .background, radius: radius)
    outline(bar, .worse, width: 2.5, radius: radius)
  }
}

/// A lane with a bar per rep, numbered from 1.
struct RepLane: Lane {
  let kind: String
  let reps: [TimedRep]
  /// The colour of a matched rep.
  var matched = SemanticColor.prediction

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
        let style = reps[index].isMatched ? Self.inside : Self.inside.colored(.worse)
        canvas.text("\(index + 1)", at: Point(x: bar.middle.x, y: bar.middle.y - 3), Anchor(.center, .middle), style)
      }
    } else {
      let upper = Rect(left: track.left, top: track.top, right: track.right, bottom: track.bottom - 15)
      let low = bars.map { $0.map { Rect(left: $0.left, top: upper.top, right: $0.right, bottom: upper.bottom) } }
      draw(low, on: canvas, in: upper, time)
      drawNumbers(below: low, on: canvas)
    }
  }

  /// The position of a rep; `nil` for a time outside the clip.
  private func bar(of rep: TimedRep, in track: Rect, _ time: Axis) -> Rect? {
    guard rep.isComplete, let start = time.position(of: rep.start, in: track),
      let end = time.position(of: rep.end, in: track), end >= track.left, start <= track.right
    else { return nil }
    // One point less at each end separates adjacent reps.
    let left = min(max(track.left, start + 0.75), track.right - 1.5)
    return Rect(left: left, top: track.top, right: min(track.right, max(end - 0.75, left + 1.5)), bottom: track.bottom)
  }

  private func draw(_ bars: [Rect?], on canvas: Canvas, in track: Rect, _ time: Axis) {
    canvas.fill(track, .grid, opacity: 0.5)
    for (rep, bar) in zip(reps, bars) {
      guard let bar else { continue }
      canvas.bar(bar, rep.isMatched ? matched : nil, radius: 3)
      guard let turn = rep.turn, let x = time.position(of: turn, in: track), x > bar.left, x < bar.right else {
        continue
      }
      let notch = (start: Point(x: x, y: bar.bottom - 8), end: Point(x: x, y: bar.bottom))
      canvas.line(
        from: notch.start, to: notch.end, rep.isMatched ? .background : .worse, width: bar.width < 24 ? 1.5 : 2.5)
    }
  }

  /// Writes every number or, if they do not fit, each second, fifth, tenth and so on.
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
      let style = reps[index].isMatched ? Self.below : Self.below.colored(.worse)
      canvas.text("\(index + 1)", at: Point(x: bar.middle.x, y: bar.bottom + 1), Anchor(.center, .top), style)
    }
  }
}

/// A lane with a bar per stroke, a line through it at the contact, and its name above if there is room.
struct StrokeLane: Lane {
  let kind: String
  let strokes: [TimedStroke]
  /// The colour of a matched stroke.
  var matched = SemanticColor.prediction

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
      // Round corners of a thin bar would be blurred.
      canvas.bar(bar, stroke.isMatched ? matched : nil, radius: bar.width > 8 ? 3 : 0)
      if let x = time.position(of: stroke.contact, in: track), x > bar.left, x < bar.right {
        canvas.line(
          from: Point(x: x, y: bar.top), to: Point(x: x, y: bar.bottom), stroke.isMatched ? .background : .worse,
          width: 2)
      }
      let half = canvas.width(of: stroke.label, Self.style) / 2
      guard bar.middle.x - half >= free, bar.middle.x + half <= row.right else { continue }
      let style = stroke.isMatched ? Self.style : Self.style.colored(.worse)
      canvas.text(stroke.label, at: Point(x: bar.middle.x, y: row.top + 10), Anchor(.center, .middle), style)
      free = bar.middle.x + half + 6
    }
  }

  /// The position of a stroke; `nil` for a time outside the clip.
  private func bar(of stroke: TimedStroke, in track: Rect, _ time: Axis) -> Rect? {
    guard stroke.isComplete, let start = time.position(of: stroke.start, in: track),
      let end = time.position(of: stroke.end, in: track), end >= track.left, start <= track.right
    else { return nil }
    // A contact alone is a thin bar.
    let left = min(max(track.left, start), track.right - 3)
    return Rect(left: left, top: track.top, right: min(track.right, max(end, left + 3)), bottom: track.bottom)
  }
}

/// A lane with a row for each state of a detector, labelled states above predicted ones.
struct PhaseLane: Lane {
  let phases: [TimedPhase]
  /// The labels with the same names.
  var truth: [TimedPhase] = []

  /// The maximum number of rows.
  private static let limit = 6
  private static let style = TextStyle.small
  private static let others = "others"

  var name: String { truth.isEmpty ? "phases" : "labelled above, predicted below" }
  var height: Double { rowHeight * Double(kinds.count) + 6 }
  private var rowHeight: Double { truth.isEmpty ? 22 : 28 }

  /// The rows have their own names.
  func hasNameAbove(on page: Page) -> Bool { true }

  /// The space for the rows' names.
  var gutter: Double { (kinds.map { Self.style.width(of: $0) }.max() ?? 0) + 18 }

  /// The states in order of appearance; if there are too many, the longest ones.
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
    func fill(_ phase: TimedPhase, _ meaning: SemanticColor?, from top: Double, to bottom: Double) {
      guard let index = rows[phase.name] ?? rows[Self.others] else { return }
      let track = tracks[index]
      guard let start = time.position(of: phase.start, in: track), let end = time.position(of: phase.end, in: track),
        end >= start, end > track.left, start < track.right
      else { return }
      let left = min(max(track.left, start), track.right - 1)
      canvas.bar(
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
      let meaning: SemanticColor? = judged.isRight == nil ? .neutral : judged.isRight == true ? .prediction : nil
      fill(judged.phase, meaning, from: 0.54, to: 1)
    }
  }
}

/// A lane with a row for each cue's text, with a tick at each time; spoken counts share one row.
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

  /// The rows in the order of each text's first time; beyond the limit one row for all others.
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
      // The time axis' grid must not cross the text.
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

/// A lane with the true reps that only one of two settings found.
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
      if let bar = bar(of: rep, in: track, time) { canvas.bar(bar, nil, radius: 3) }
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

/// A true or predicted rep on a timeline.
public struct TimedRep: Hashable, Sendable {
  /// Seconds from the clip's start.
  public var start: Double
  public var end: Double
  /// The turning point, if known.
  public var turn: Double?
  /// Whether the rep is matched with a rep of the other side.
  public var isMatched: Bool
  /// The reason if it is not matched; `nil` if unknown.
  public var reason: String?

  public init(start: Double, end: Double, turn: Double? = nil, isMatched: Bool, reason: String? = nil) {
    self.start = start
    self.end = end
    self.turn = turn
    self.isMatched = isMatched
    self.reason = reason
  }

  var isComplete: Bool { start.isFinite && end.isFinite && start <= end }
}

/// A true or predicted stroke on a timeline.
public struct TimedStroke: Hashable, Sendable {
  /// Seconds from the clip's start; both are the contact if only that is known.
  public var start: Double
  public var end: Double
  public var contact: Double
  /// The name of the stroke.
  public var label: String
  /// Whether the stroke is matched with a stroke of the other side.
  public var isMatched: Bool
  /// Why it is missed, misnamed or invented; `nil` if unknown or right.
  public var reason: String?

  public init(
    start: Double, end: Double, contact: Double, label: String, isMatched: Bool, reason: String? = nil
  ) {
    self.start = start
    self.end = end
    self.contact = contact
    self.label = label
    self.isMatched = isMatched
    self.reason = reason
  }

  var isComplete: Bool { start.isFinite && end.isFinite && contact.isFinite && start <= end }
}

/// An interval of a clip in which a detector was in one state.
public struct TimedPhase: Hashable, Sendable {
  /// Seconds from the clip's start.
  public var start: Double
  public var end: Double
  public var name: String

  public init(start: Double, end: Double, name: String) {
    self.start = start
    self.end = end
    self.name = name
  }
}

extension [TimedPhase] {
  /// These phases split at the changes of the labels, each part with whether the labels agree; `nil` without a label.
  public func judged(by truth: [TimedPhase]) -> [(phase: TimedPhase, isRight: Bool?)] {
    let labelled = truth.filter(\.isComplete).sorted { $0.start < $1.start }
    let edges = Set(labelled.flatMap { [$0.start, $0.end] }).sorted()
    var parts: [(phase: TimedPhase, isRight: Bool?)] = []
    for phase in self where phase.isComplete {
      var start = phase.start
      for end in edges.filter({ phase.start < $0 && $0 < phase.end }) + [phase.end] where end > start {
        let middle = start + (end - start) / 2
        let names = labelled.filter { $0.start <= middle && middle < $0.end }.map(\.name)
        parts.append(
          (
            TimedPhase(start: start, end: end, name: phase.name),
            names.isEmpty ? nil : names.contains(phase.name)
          ))
        start = end
      }
    }
    return parts
  }

  /// The labelled seconds, and the seconds of them in which these phases agree.
  public func agreement(with truth: [TimedPhase]) -> (labelled: Double, right: Double) {
    let right = judged(by: truth).filter { $0.isRight == true }.reduce(0) { $0 + $1.phase.end - $1.phase.start }
    return (truth.filter(\.isComplete).reduce(0) { $0 + $1.end - $1.start }, right)
  }
}

extension TimedPhase {
  var isComplete: Bool { start.isFinite && end.isFinite && start <= end }
}

/// A message that the coach gave, on a timeline.
public struct TimedCue: Hashable, Sendable {
  /// Seconds from the clip's start.
  public var time: Double
  public var text: String

  public init(time: Double, text: String) {
    self.time = time
    self.text = text
  }
}
