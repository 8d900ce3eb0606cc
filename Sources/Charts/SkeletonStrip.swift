import Coaching
import Evaluation
import PoseModel
import Statistics

/// The poses of one clip at important moments, coloured by each joint's confidence, at one scale except for distorted
/// poses.
public struct SkeletonStrip: Chart {
  public var clip: String
  /// The detector; empty if unknown.
  public var detector: String
  /// Dataset, its origin, the subject and the pose estimator.
  public var source: String
  public var moments: [PosedMoment]
  /// What the detector found, in a sentence without a full stop; `nil` to count the moments.
  public var finding: String?

  public init(clip: String, detector: String = "", source: String, moments: [PosedMoment], finding: String? = nil) {
    self.finding = finding
    self.clip = clip
    self.detector = detector
    self.source = source
    self.moments = moments
  }

  /// The poses of a timeline, and what it finds.
  public init(_ timeline: ClipTimeline) {
    self.init(
      clip: timeline.clip, detector: timeline.detector, source: timeline.source, moments: timeline.moments,
      finding: timeline.title)
  }

  /// The finding; without one `None of 4 moments is wrong`, or `Wrong at 1 of 5 moments: true rep 3 missed`
  public var title: String {
    if let finding { return finding }
    let wrong = moments.filter(\.isWrong)
    guard !moments.isEmpty else { return "No moment to show" }
    guard let first = wrong.first else {
      return "None of \(NumberText.count(moments.count, "moment")) is wrong"
    }
    return "Wrong at \(wrong.count) of \(NumberText.count(moments.count, "moment")): \(first.caption)"
      + (wrong.count > 1 ? ", …" : "")
  }

  public var subtitle: String {
    [
      source.hasSuffix(detector) ? clip : "\(clip), \(detector)", source, "1 clip",
      NumberText.count(moments.count, "moment"),
    ].joined(separator: " · ")
  }

  private var row: FigureRow { FigureRow(moments: moments, limit: 24, rows: (wide: 3, narrow: 6), isAlone: true) }

  public func bodyHeight(on page: Page) -> Double? {
    Legend(StickFigure.entries(for: moments.map(\.figure))).rowHeight(ofWidth: page.bodyWidth) + 40
      + row.height(ofWidth: page.bodyWidth, on: page)
  }

  public var table: ChartTable {
    ChartTable(
      [.init("time", unit: "s", .fixed(2)), "moment", "confidence high", "medium", "low", "missing"],
      rows: moments.map { moment in
        let joints = moment.figure.joints
        func count(_ certainty: StickFigure.Certainty) -> ChartTable.Cell {
          .count(joints.count { $0.isDrawn && $0.certainty == certainty })
        }
        return [
          .number(moment.time), .text(moment.caption), count(.sure), count(.doubtful), count(.poor),
          .count(joints.count { !$0.isDrawn }),
        ]
      })
  }

  public func draw(on canvas: Canvas, in area: Rect) {
    guard moments.contains(where: \.time.isFinite) else {
      canvas.paragraph("No moment to show.", in: area, .label)
      return
    }
    let top = Legend(StickFigure.entries(for: moments.map(\.figure))).drawRow(on: canvas, in: area) + 10
    let hidden = moments.count - row.shown(in: area.width, on: canvas.page).count
    if hidden > 0 {
      let note = "\(hidden) more \(hidden == 1 ? "moment" : "moments") not shown"
      canvas.text(
        note, at: Point(x: area.right, y: area.bottom), Anchor(.right, .bottom), .note.colored(.quiet))
    }
    row.draw(
      on: canvas,
      in: Rect(left: area.left, top: top, right: area.right, bottom: area.bottom - TextStyle.note.lineHeight))
  }
}

/// The poses of a clip at important moments, to be drawn below its timeline.
public struct Moments {
  let poses: PoseSequence
  let bones: [Bone]

  public init(poses: PoseSequence, bones: [Bone]) {
    self.poses = poses
    self.bones = bones
  }

  private struct Moment {
    /// In seconds.
    var time: Double
    var caption: String
    var isWrong = false
  }

  /// The shortest disagreement about a state that counts as an error, in seconds.
  private static let shortestState = 0.4
  /// The number of moments of a clip without events.
  private static let samples = 4

  /// The turns of a timeline's reps, the contacts of strokes and the states, with the detector's misses, false
  /// detections and confusions marked as wrong. Without any of these, a few from the whole clip.
  public func posed(in chart: ClipTimeline) -> [PosedMoment] {
    var moments = reps(chart) + strokes(chart) + states(chart)
    if moments.isEmpty {
      moments = chart.cues.map { Moment(time: $0.time, caption: "cue") }
    }
    if moments.isEmpty, let first = poses.times.first?.seconds, let last = poses.times.last?.seconds {
      moments = (0..<Self.samples).map { index in
        let share = (Double(index) + 0.5) / Double(Self.samples)
        return Moment(time: first + share * (last - first), caption: "no prediction")
      }
    }
    let times = poses.times.map(\.seconds)
    let signal = chart.signals.first { !$0.thresholds.isEmpty }
    return moments.compactMap { moment in
      guard let frame = times.lastIndex(where: { $0 <= moment.time + 1e-9 }) else { return nil }
      return PosedMoment(
        time: moment.time, caption: moment.caption, figure: figure(poses.frame(frame)), isWrong: moment.isWrong,
        measured: signal?.words(at: moment.time))
    }
  }

  /// A few frames with a person from the whole clip.
  public func sampled(_ count: Int) -> [PosedMoment] {
    let seen = (0..<poses.frameCount).filter { frame in
      Joint.allCases.contains { poses[$0, .x, frame].isFinite }
    }
    return (0..<min(count, seen.count)).map { index in
      let frame = seen[(seen.count - 1) * (2 * index + 1) / (2 * count)]
      return PosedMoment(
        time: poses.times[frame].seconds, caption: "frame \(frame)", figure: figure(poses.frame(frame)))
    }
  }

  private func reps(_ chart: ClipTimeline) -> [Moment] {
    func turn(_ rep: TimedRep) -> Double { rep.turn ?? rep.start + (rep.end - rep.start) / 2 }
    guard chart.comparesReps else {
      let reps = chart.predictedReps.isEmpty ? chart.trueReps : chart.predictedReps
      return reps.enumerated().map { Moment(time: turn($1), caption: "rep \($0 + 1)") }
        + chart.nearly.map { Moment(time: turn($0), caption: "nearly counted", isWrong: true) }
    }
    let predicted = chart.predictedReps.enumerated().map { index, rep in
      Moment(
        time: turn(rep), caption: rep.isMatched ? "rep \(index + 1)" : "invented rep \(index + 1)",
        isWrong: !rep.isMatched)
    }
    return predicted
      + chart.trueReps.enumerated().filter { !$0.element.isMatched }.map {
        Moment(time: turn($0.element), caption: "true rep \($0.offset + 1) missed", isWrong: true)
      }
  }

  private func strokes(_ chart: ClipTimeline) -> [Moment] {
    chart.predictedStrokes.map {
      Moment(time: $0.contact, caption: $0.isMatched ? $0.label : "invented \($0.label)", isWrong: !$0.isMatched)
    }
      + chart.trueStrokes.filter { !$0.isMatched }.map {
        Moment(time: $0.contact, caption: "missed \($0.label)", isWrong: true)
      }
  }

  private func states(_ chart: ClipTimeline) -> [Moment] {
    guard !chart.trueIntervals.isEmpty else { return [] }
    let said = chart.phases.judged(by: chart.trueIntervals).compactMap { phase, isRight -> Moment? in
      guard let isRight, phase.end - phase.start >= Self.shortestState else { return nil }
      let middle = phase.start + (phase.end - phase.start) / 2
      let truth = chart.trueIntervals.first { $0.start <= middle && middle < $0.end }?.name ?? ""
      return Moment(
        time: middle, caption: isRight ? phase.name : "\(truth), predicted \(phase.name)", isWrong: !isRight)
    }
    guard said.isEmpty else { return said }
    return chart.trueIntervals.map {
      Moment(time: $0.start + ($0.end - $0.start) / 2, caption: "\($0.name), no prediction", isWrong: true)
    }
  }

  func figure(_ frame: PoseFrame) -> StickFigure {
    let joints = Joint.allCases.map { joint in
      StickFigure.Joint(
        x: Double(frame[joint, .x]), y: Double(frame[joint, .y]),
        certainty: ConfidenceBands.standard[frame[joint, .confidence]].map { band in
          switch band {
          case .green: .sure
          case .yellow: .doubtful
          case .orange: .poor
          }
        })
    }
    return StickFigure(
      joints: joints, bones: bones.map { StickFigure.Bone(from: $0.start.index, to: $0.end.index) },
      head: Self.head(of: joints))
  }

  private static let face: [Joint] = [.nose, .leftEye, .rightEye, .leftEar, .rightEar]

  /// The circle around the ears or, if not both are seen, around all that is seen of the face.
  ///
  /// Of an adult's head seen from the front, the radius is some 0.75 of the distance of the ears and 0.27 of that of the
  /// shoulders; seen from the side, about the distance from ear to nose. The largest of them counts, up to 0.35 of the
  /// longest of trunk, thighs and shanks, as a misplaced ear or nose would inflate the head.
  ///
  /// - Returns: `nil` without a joint of the face, or without two joints to measure by.
  static func head(of joints: [StickFigure.Joint]) -> StickFigure.Head? {
    func seen(_ all: [Joint]) -> [StickFigure.Joint] { all.map { joints[$0.index] }.filter(\.isDrawn) }
    func distance(_ one: Joint, _ other: Joint) -> Double {
      let ends = seen([one, other])
      guard ends.count == 2 else { return 0 }
      let (dx, dy) = (ends[0].x - ends[1].x, ends[0].y - ends[1].y)
      return (dx * dx + dy * dy).squareRoot()
    }
    let ears = seen([.leftEar, .rightEar])
    let around = ears.count == 2 ? ears : seen(face)
    let sides: [(Joint, Joint)] = [
      (.leftShoulder, .leftHip), (.leftHip, .leftKnee), (.leftKnee, .leftAnkle), (.rightShoulder, .rightHip),
      (.rightHip, .rightKnee), (.rightKnee, .rightAnkle),
    ]
    let longest = sides.map { distance($0, $1) }.max() ?? 0
    let measured = max(
      0.75 * distance(.leftEar, .rightEar), 0.27 * distance(.leftShoulder, .rightShoulder),
      distance(.leftEar, .nose), distance(.rightEar, .nose))
    let radius = longest > 0 ? min(measured, 0.35 * longest) : measured
    guard let certainty = around.compactMap(\.certainty).min(), radius > 0 else { return nil }
    let count = Double(around.count)
    return StickFigure.Head(
      x: around.reduce(0) { $0 + $1.x } / count, y: around.reduce(0) { $0 + $1.y } / count, radius: radius,
      certainty: certainty, face: Set(face.map(\.index)),
      neck: joints[Joint.neck.index].isDrawn ? Joint.neck.index : nil)
  }
}

extension [Event] {
  /// The cues and their times.
  var cues: [TimedCue] {
    sorted { $0.reported < $1.reported }.compactMap { event in
      if case .cue(let cue) = event.kind { TimedCue(time: event.reported.seconds, text: cue.text) } else { nil }
    }
  }

  /// The person's phases; the last one ends with the clip. In seconds.
  public func phases(until end: Double) -> [TimedPhase] {
    var phases: [TimedPhase] = []
    for event in self {
      guard case .phase(let name) = event.kind else { continue }
      if !phases.isEmpty { phases[phases.count - 1].end = event.time.seconds }
      phases.append(TimedPhase(start: event.time.seconds, end: end, name: name))
    }
    return phases
  }
}

extension ChartRecipe {
  static let skeletons = ChartRecipe(
    "skeletons",
    "Poses of a clip at its predicted and true turning points, contacts or states.",
    needs: "a run and its dataset; --clip (default: the worst); --detector",
    takes: [.run, .detector, .clip]
  ) { context in
    let run = try context.storedRun()
    let detector = try context.replayable(run.results)
    let clip = try context.clip(in: run.results, detector: detector)
    let replayed = try context.replay(clip, of: run.results, detector: detector)
    let timeline = ClipTimeline(replayed, of: run.results, source: run.results.source(detector, on: clip))
    return [
      Picture(
        SkeletonStrip(timeline),
        notes: [context.replayNote(clip, run.results)], metadata: run.metadata)
    ]
  }
}
