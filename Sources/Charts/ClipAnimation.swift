import Evaluation
import PoseModel
import Statistics

/// A clip as a small animated picture, for places without scripts: its skeleton twice on one clock, above the
/// detector's reps before a change and now.
///
/// The APNG shows the first seconds with an error of the current detector; programs without animation show its first
/// frame.
public struct ClipAnimation {
  private struct Side {
    var name: String
    /// The detector's reps; `nil` if the side shows the labels.
    var found: [TimedRep]?
    /// What it counted, also without times of reps; `nil` if the side shows the labels.
    var count: Int?
    /// The labelled reps, each with whether this side found it.
    var truth: [TimedRep]

    /// `before: 2 so far, 4 in the clip`
    func words(until time: Double) -> String {
      let reps = found ?? truth
      return "\(name): \(reps.count { $0.end <= time }) so far, \(reps.count) in the clip"
    }
  }

  /// The maximum file size in bytes.
  public static let limit = 150_000

  private let clip: ReplayedClip
  private let sides: [Side]
  /// The duration in seconds.
  private let window: ClosedRange<Double>

  private static let size = Size(width: 560, height: 300)
  private static let longest = 4.0
  private static let lane = 16.0
  /// The space for the lanes' names.
  private static let names = 74.0

  /// - Parameter before: The clip with the parameters before the change; `nil` to show the labels instead.
  public init(_ clip: ReplayedClip, before: ReplayedClip?) {
    self.clip = clip
    let now = ClipTimeline(clip, source: "", hasFigures: false)
    let then = before.map { ClipTimeline($0, source: "", hasFigures: false) }
    sides = [
      then.map {
        Side(
          name: "before", found: $0.predictedReps, count: before?.outcome?.count ?? $0.predictedReps.count,
          truth: $0.trueReps)
      } ?? Side(name: "labelled", found: nil, count: nil, truth: now.trueReps),
      Side(
        name: "now", found: now.predictedReps, count: clip.outcome?.count ?? now.predictedReps.count,
        truth: now.trueReps),
    ]
    let spans = (now.trueReps + now.predictedReps).sorted { $0.start < $1.start }
    let wrong = spans.first { !$0.isMatched } ?? spans.first
    let times = clip.poses.times
    let (first, last) = (times.first?.seconds ?? 0, times.last?.seconds ?? 0)
    let start = min(max(first, (wrong?.start ?? first) - 0.5), last)
    let end = min(max((wrong?.end ?? last) + 0.5, start), start + Self.longest, last)
    window = start...max(start, end)
  }

  /// `s09_front_2: counted 2 before, 0 now, 4 labelled`
  public var title: String {
    let counts = sides.compactMap { side in side.count.map { "\($0) \(side.name)" } }
    let labelled = clip.result.trueCount ?? sides[1].truth.count
    return "\(clip.result.name): counted \(counts.joined(separator: ", ")), \(labelled) labelled"
  }

  /// An APNG of at most `limit` bytes, with as many frames per second as fit.
  ///
  /// - Throws: `ChartError` if drawing fails.
  public func png(metadata: [(key: String, value: String)] = []) throws(ChartError) -> [UInt8] {
    for rate in [10.0, 8, 6, 5, 4, 3, 2] {
      let bytes = try png(rate: rate, metadata: metadata)
      if bytes.count <= Self.limit { return bytes }
    }
    return try png(rate: 0, metadata: metadata)
  }

  /// - Parameter rate: Frames per second; 0 for one frame.
  private func png(rate: Double, metadata: [(key: String, value: String)]) throws(ChartError) -> [UInt8] {
    let count = max(1, Int((window.upperBound - window.lowerBound) * rate))
    let times = (0..<count).map { window.lowerBound + (rate > 0 ? Double($0) / rate : 0) }
    let poses = clip.poses
    let moments = Moments(poses: poses, bones: clip.bones)
    var frame = 0
    let figures = times.map { time in
      while frame + 1 < poses.frameCount, poses.times[frame + 1].seconds <= time + 1e-9 { frame += 1 }
      return moments.figure(poses.frame(frame))
    }
    let canvas = try Canvas(size: Size(width: Self.size.width, height: Self.size.height * Double(count)))
    let half = Self.size.width / 2
    for (index, time) in times.enumerated() {
      for (place, side) in sides.enumerated() {
        let area = Rect(
          x: half * Double(place), y: Self.size.height * Double(index), width: half, height: Self.size.height)
        draw(side, figures[index], among: figures, at: time, on: canvas, in: area.inset(by: 12))
      }
    }
    return try canvas.png(
      frames: count, milliseconds: rate > 0 ? Int((1000 / rate).rounded()) : 0,
      metadata: [(key: "Title", value: title)] + metadata)
  }

  private func draw(
    _ side: Side, _ figure: StickFigure, among figures: [StickFigure], at time: Double, on canvas: Canvas, in area: Rect
  ) {
    canvas.text(
      side.words(until: time), at: Point(x: area.left, y: area.top), Anchor(.left, .top), .note, maxWidth: area.width)
    let lanes = Rect(
      left: area.left + Self.names, top: area.bottom - 2 * Self.lane - 4, right: area.right, bottom: area.bottom)
    let stage = Rect(left: area.left, top: area.top + 28, right: area.right, bottom: lanes.top - 10)
    canvas.figure(figure, in: FigureFrame(showing: figures, in: stage), width: 3)
    let length = max(window.upperBound - window.lowerBound, 1e-6)
    func x(_ time: Double) -> Double {
      lanes.left + lanes.width * min(max((time - window.lowerBound) / length, 0), 1)
    }
    for (row, (name, reps)) in [("labelled", side.truth), ("counted", side.found ?? [])].enumerated() {
      guard row == 0 || side.found != nil else { continue }
      let top = lanes.top + Double(row) * (Self.lane + 4)
      canvas.text(
        name, at: Point(x: area.left, y: top + Self.lane / 2), Anchor(.left, .middle), .small.colored(.quiet),
        maxWidth: Self.names - 4)
      canvas.fill(Rect(left: lanes.left, top: top, right: lanes.right, bottom: top + Self.lane), .grid, opacity: 0.5)
      for rep in reps where rep.end > window.lowerBound && rep.start < window.upperBound {
        let isMatched = side.found == nil || rep.isMatched
        canvas.bar(
          Rect(left: x(rep.start), top: top, right: x(rep.end), bottom: top + Self.lane),
          isMatched ? row == 0 ? .truth : .prediction : nil)
      }
    }
    canvas.line(
      from: Point(x: x(time), y: lanes.top - 4), to: Point(x: x(time), y: lanes.bottom), .ink, width: 2)
  }
}
