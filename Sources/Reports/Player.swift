import Charts
import Datasets
import Evaluation
import Files
import Foundation
import Pipeline
import PoseModel
import Statistics

/// The clips of a page's player: skeleton, signals, reps and cues, at most 15 frames per second.
///
/// The player has the same data as the timelines, in the form that Templates/player.js reads.
public struct Player: Sendable {
  /// A replayed clip, with its replay at the parameters before a change.
  public struct Entry: Sendable {
    public var title: String
    public var clip: ReplayedClip
    /// `nil` without a comparison.
    public var before: ReplayedClip?
    /// The address of the clip's video, relative to the page; `nil` for none.
    public var video: String?
    /// A clip whose first correct rep is shown as a ghost, if the clip has none; `nil` for none.
    public var model: ReplayedClip?
    /// What would mend missed and invented reps, sentences for each.
    public var fixes: [ParameterFix.Mistake: [String]]
    /// How before and now differ if not by detector or parameters: `smoothing none`, `smoothing median:5`.
    public var sides: [String]

    public init(
      title: String, clip: ReplayedClip, before: ReplayedClip? = nil, video: String? = nil, model: ReplayedClip? = nil,
      fixes: [ParameterFix.Mistake: [String]] = [:], sides: [String] = []
    ) {
      (self.title, self.clip, self.before, self.video, self.model) = (title, clip, before, video, model)
      (self.fixes, self.sides) = (fixes, sides)
    }

    /// The clip as JSON for the script; `nil` without frames.
    func json() throws -> Data? { try PlayedClip(self).map { try Player.encoder.encode($0) } }
  }

  private let clips: [PlayedClip]

  /// Omits clips without frames.
  public init(_ entries: [Entry]) { clips = entries.compactMap { PlayedClip($0) } }

  init(_ clips: [PlayedClip]) { self.clips = clips }

  /// The limit in bytes of the clips in a page of more than a player. The first clip is always included.
  private static let clipLimit = 300_000

  /// As many of the entries, from the first on, as a page of more than a player has.
  static func fitting(_ entries: [Entry]) throws -> [Entry] {
    var room = clipLimit
    let shown = try entries.prefix { entry in
      room -= try entry.json()?.count ?? 0
      return room >= 0
    }
    return Array(shown.isEmpty ? entries.prefix(1) : shown)
  }

  /// A clip with a correct rep, for a clip without one: of the same exercise and view, if possible of the same person.
  ///
  /// - Parameters:
  ///   - about: Exercise, view and person.
  ///   - replay: Called for a few of the others.
  /// - Returns: `nil` if the clip has a correct rep, or none of the other clips has one.
  public static func model<Other>(
    for clip: ReplayedClip, among others: [Other], about: (Other) -> [String],
    replay: (Other) throws -> ReplayedClip?
  ) rethrows -> ReplayedClip? {
    let own = [clip.result.exercise, clip.result.view, clip.result.subject]
    guard !clip.hasCorrectRep else { return nil }
    let alike = others.filter { about($0).prefix(2) == own.prefix(2) }
    let ofOneself = alike.filter { about($0)[2] == own[2] }
    for other in (ofOneself + alike.filter { about($0)[2] != own[2] }).prefix(modelTries) {
      // With other parameters the clip itself may have one.
      if let model = try replay(other), model.result.id != clip.result.id, model.hasCorrectRep { return model }
    }
    return nil
  }

  /// A clip with a correct rep among the clips of a session, at its own parameters.
  public static func model(for clip: ReplayedClip, in session: ReplaySession) throws -> ReplayedClip? {
    try model(for: clip, among: Array(session.clips.indices)) { index in
      let info = session.clips[index].clip.info
      return [info.exercise, info.view, info.subject]
    } replay: {
      try session.replay($0, by: session.setting)
    }
  }

  private static let modelTries = 12

  /// What would mend the missed, misnamed and invented reps and strokes of a clip, as far as that is cheap: of a
  /// detector in this process, and until a number of clips was replayed.
  ///
  /// - Parameter room: The clips that may still be replayed; reduced by those that were.
  public static func fixes(
    for clip: ReplayedClip, in session: ReplaySession, room: inout Int
  ) throws -> [ParameterFix.Mistake: [String]] {
    guard clip.setting.outside == nil, !clip.setting.definition.parameters.isEmpty,
      let index = session.clips.firstIndex(where: { $0.id == clip.result.id })
    else { return [:] }
    let trials = try ParameterTrials(onClip: index, by: clip.setting, in: session)
    var fixes: [ParameterFix.Mistake: [String]] = [:]
    for mistake in trials.mistakes ?? [] {
      room -= session.clips.count
      guard room >= 0 else { break }
      fixes[mistake] = try ParameterFix(mistake, by: trials).sentences
    }
    return fixes
  }

  /// The clips that are replayed at most for the fixes of a page.
  public static let fixRoom = 4000

  /// A page with the finding and the player.
  ///
  /// - Parameters:
  ///   - title: The clip and the detector.
  ///   - finding: A sentence.
  /// - Throws: `DataError` if a template is invalid.
  public func page(title: String, finding: String, cause: String?) throws -> String {
    try ReportTemplates.render(
      "clip", .html, PlayerPage(title: title, finding: finding, cause: cause, player: try model))
  }

  /// The player for the templates; empty without clips.
  var model: [PlayerModel] {
    get throws {
      guard !clips.isEmpty else { return [] }
      return [
        PlayerModel(
          clips: try InlineScript.data(clips), script: .player, hasVideos: clips.contains { $0.video != nil })
      ]
    }
  }

  fileprivate static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }
}

extension ClipTimeline {
  /// Labelled reps, or strokes.
  fileprivate var truthSpans: [PlayedClip.Span] {
    trueReps.map { PlayedClip.Span($0) } + trueStrokes.map { PlayedClip.Span($0) }
  }

  /// Detected reps, or strokes.
  fileprivate var foundSpans: [PlayedClip.Span] {
    predictedReps.map { PlayedClip.Span($0) } + predictedStrokes.map { PlayedClip.Span($0) }
  }
}

extension ClipTimeline {
  /// Labelled and detected reps or strokes, and whether they are right or wrong.
  fileprivate func spans(
    of clip: ReplayedClip
  ) -> (truth: [PlayedClip.Span], found: [PlayedClip.Span], isCompared: Bool) {
    (truthSpans, foundSpans, clip.strokes == nil ? comparesReps : clip.labels.hasStrokeLabels)
  }
}

extension ReplayedClip {
  /// The faults of a rep that most of its raters marked.
  fileprivate var labelledFaults: [PlayedClip.Span] {
    struct Case: Hashable { var (rep, name): (Int?, String) }
    let judged = Dictionary(grouping: labels.faults) { Case(rep: $0.rep, name: $0.name) }
    let seen = judged.filter { 2 * $0.value.count(where: \.present) > $0.value.count }.keys
    return seen.compactMap { fault in
      let reps = labels.reps ?? []
      guard let index = fault.rep else {
        return PlayedClip.Span(
          start: poses.times.first?.seconds ?? 0, end: poses.times.last?.seconds ?? 0, name: fault.name)
      }
      guard reps.indices.contains(index) else { return nil }
      return PlayedClip.Span(start: reps[index].start.seconds, end: reps[index].end.seconds, name: fault.name)
    }.sorted { ($0.start, $0.name ?? "") < ($1.start, $1.name ?? "") }
  }

  /// The labelled reps and strokes that were found and have no fault.
  fileprivate var correctReps: [PlayedClip.Span] {
    let timeline = ClipTimeline(self, source: "", hasFigures: false)
    let faults = labelledFaults
    return timeline.truthSpans
      .filter { rep in rep.isMatched && !faults.contains { $0.start < rep.end && rep.start < $0.end } }
  }

  var hasCorrectRep: Bool { !correctReps.isEmpty }
}

/// A script within a page. The page's content security policy allows it by its hash.
struct InlineScript: ModelPart {
  var text: RawText
  /// The SHA-256 of the text in base64.
  var hash: String

  init(_ text: String) {
    self.text = RawText(text: text)
    let hash = SHA256()
    hash.update(Data(text.utf8))
    self.hash = hash.finish().base64EncodedString()
  }

  static var player: InlineScript { InlineScript(ReportTemplates.player) }

  /// A value as JSON, for a script.
  static func data(_ value: some Encodable) throws -> RawText {
    // Within a page `<` could end the script element.
    RawText(
      text: visibleJSON(String(decoding: try Player.encoder.encode(value), as: UTF8.self)).replacing(
        "<", with: "\\u003c"))
  }
}

/// The player in a page.
struct PlayerModel: ModelPart {
  var clips = RawText(text: "[]")
  var script = InlineScript.player
  var hasVideos = false
}

/// A page of a player alone.
struct PlayerPage: ModelPart {
  var title = ""
  var finding = ""
  /// Why the first mistake happened.
  var cause: String?
  var player: [PlayerModel] = []
}

/// A clip for the script.
struct PlayedClip: Encodable, Sendable {
  struct Span: Encodable, Sendable {
    var start: Double
    var end: Double
    var turn: Double?
    var isMatched = true
    var why: String?
    var name: String?
    /// Whether it was found and named otherwise; `nil` for no.
    var isMisnamed: Bool?
    /// What would mend a missed, misnamed or invented one; `nil` if unknown.
    var fix: [String]?
  }

  struct Cue: Encodable, Sendable {
    var time: Double
    var text: String
  }

  struct Guide: Encodable, Sendable {
    var label: String
    var value: Double
  }

  struct Series: Encodable, Sendable {
    var name: String
    var unit: String
    /// One for each frame.
    var values: [Double?]
    var guides: [Guide]
    var moving: [Moving]
  }

  /// A threshold that follows its signal.
  struct Moving: Encodable, Sendable {
    var label: String
    /// One for each frame.
    var values: [Double?]
  }

  var id: String
  var title: String
  /// The times of the frames in seconds.
  var times: [Double]
  var joints: [String]
  /// Pairs of indices into `joints`.
  var bones: [[Int]]
  /// The joints that the detector reads, as indices into `joints`.
  var reads: [Int]
  /// Width and height of the bounding box of all poses; the longer side is 1.
  var box: [Double]
  /// Left, top and height of the recorded image in units of `box`; `nil` for poses in metres or relative units.
  var image: [Double]?
  var video: String?
  /// Two unsigned integers per frame and joint, little-endian, as base64: x and y as shares of the box's longer side times
  /// the greatest integer but one, or the greatest integer for a missing joint.
  var poses: Data
  /// The bytes of each integer, 1 or 2.
  var width = 2
  var signals: [Series] = []
  /// Labelled reps or strokes.
  var truth: [Span] = []
  /// Reps or strokes that the detector found.
  var found: [Span] = []
  /// The turns that nearly counted where the count is too low and the times of the reps are not labelled.
  var nearly: [Span] = []
  var before: [Span]?
  /// How the settings before and now differ: `bottomAngle 90`, `bottomAngle 85`; empty if unknown.
  var sides: [String] = []
  /// Whether a detector was replayed on the clip.
  var hasDetector = true
  /// Whether the detector reports reps or strokes.
  var isCounting = true
  var isCompared = false
  /// The first reason for an error of the clip, shown where none belongs to the moment; `nil` for none.
  var cause: String?
  var cues: [Cue] = []
  var phases: [Span] = []
  var labels: [Span] = []
  var labelledFaults: [Span] = []
  /// The faults that the detector reported.
  var faults: [Span] = []
  /// A correct rep of another clip, for a clip without one; at most one.
  var model: [PlayedClip] = []

  private static let rate = 15.0

  /// `nil` for a clip without frames.
  init?(_ entry: Player.Entry) {
    let clip = entry.clip
    self.init(
      id: clip.result.id, title: entry.title, clip.poses, bones: clip.bones, in: clip.manifest,
      reads: clip.setting.profile.joints)
    let timeline = ClipTimeline(clip, source: "", hasFigures: false)
    let seconds = Self.frames(of: clip.poses.times).map { clip.poses.times[$0].seconds }
    video = entry.video
    signals = timeline.signals.map { signal in
      Series(
        name: signal.name, unit: signal.unit, values: Self.sampled(signal.values, of: signal, at: seconds),
        guides: signal.thresholds.map { Guide(label: $0.label, value: $0.value) },
        moving: signal.moving.map {
          Moving(label: $0.label, values: Self.sampled($0.values, of: signal, at: seconds))
        })
    }
    (truth, found, isCompared) = timeline.spans(of: clip)
    nearly = timeline.nearly.map { Span($0) }
    cause = clip.firstCause
    isCounting = clip.strokes != nil || clip.outcome?.reps != nil
    for pair in clip.misnamedStrokes where truth.indices.contains(pair.truth) {
      truth[pair.truth].isMisnamed = true
      truth[pair.truth].why = pair.reason.words
    }
    for (rep, words) in clip.misjudged {
      if let rep, truth.indices.contains(rep), truth[rep].why == nil { truth[rep].why = words }
    }
    for (mistake, words) in entry.fixes {
      switch mistake {
      case .missed(let index) where truth.indices.contains(index),
        .misnamed(let index) where truth.indices.contains(index):
        truth[index].fix = words
      case .invented(let index) where found.indices.contains(index): found[index].fix = words
      default: break
      }
    }
    if let old = entry.before {
      before = ClipTimeline(old, source: "", hasFigures: false).foundSpans
      let own = old.setting.differences(from: clip.setting)
      sides = own.isEmpty ? entry.sides : own
    }
    cues = timeline.cues.map { Cue(time: $0.time, text: $0.text) }
    phases = timeline.phases.map { Span($0) }
    labels = timeline.trueIntervals.map { Span($0) }
    labelledFaults = clip.labelledFaults
    faults = clip.timeline.events.compactMap { event in
      guard case .fault(let name, let rep) = event.kind else { return nil }
      return Span(start: rep.start.seconds, end: rep.end.seconds, name: name)
    }
    model = [entry.model.flatMap { PlayedClip(model: $0) }].compactMap(\.self)
  }

  /// The first correct rep of a clip; `nil` for none.
  private init?(model clip: ReplayedClip) {
    guard let rep = clip.correctReps.first else { return nil }
    self.init(
      id: clip.result.id, title: clip.result.name, clip.poses, bones: clip.bones, in: clip.manifest, reads: [],
      within: rep.start...max(rep.start, rep.end))
    truth = [rep]
  }

  /// A clip with its labels, without a detector, at fewer frames per second if it is long; `nil` without frames.
  ///
  /// - Parameter room: The bytes that its frames may take in a page.
  init?(_ clip: PreparedClip, of manifest: Manifest, room: Int) {
    let joints = Joint.allCases.count { joint in
      clip.poses.times.indices.contains { clip.poses[joint, .x, $0].isFinite }
    }
    // Two bytes a joint as base64, and the time.
    let most = max(2, room / (joints * 8 / 3 + 7))
    let duration = zip(clip.poses.times.suffix(1), clip.poses.times.prefix(1)).map { ($0 - $1).seconds }.first ?? 0
    self.init(
      id: clip.id, title: clip.info.name, clip.poses, bones: Skeleton.named(manifest.skeleton)?.bones ?? [],
      in: manifest, reads: [], rate: min(Self.rate, Double(most - 1) / max(duration, 1e-3)), width: 1)
    hasDetector = false
    truth = (clip.groundTruth.reps ?? []).map {
      Span(start: $0.start.seconds, end: $0.end.seconds, turn: $0.turn?.seconds)
    }
    truth += clip.groundTruth.events.map { Span(instant: $0.time.seconds, name: $0.label) }
    labels = clip.groundTruth.intervals.map {
      Span(start: $0.start.seconds, end: $0.end.seconds, name: $0.label)
    }
  }

  private init?(
    id: String, title: String, _ poses: PoseSequence, bones all: [Bone], in manifest: Manifest, reads joints: [Joint],
    within span: ClosedRange<Double>? = nil, rate: Double = Self.rate, width: Int = 2
  ) {
    let frames = Self.frames(of: poses.times, at: rate).filter { span?.contains(poses.times[$0].seconds) ?? true }
    guard !frames.isEmpty else { return nil }
    (self.id, self.title) = (id, title)
    times = frames.map { poses.times[$0].seconds.rounded(by: 1e3) }
    let present = Joint.allCases.filter { joint in frames.contains { poses[joint, .x, $0].isFinite } }
    self.joints = present.map(\.name)
    bones = all.compactMap { bone in
      present.firstIndex(of: bone.start).flatMap { one in present.firstIndex(of: bone.end).map { [one, $0] } }
    }
    reads = joints.flatMap { joint in
      // A joint with two sides is listed by its left one.
      [joint.name, joint.name.replacing("left_", with: "right_")].compactMap { name in
        present.firstIndex { $0.name == name }
      }
    }
    let space = PoseSpace(poses, present, frames)
    box = [space.width, space.height]
    switch manifest.coordinates.unit {
    case .image, .pixel: image = space.image
    case .metre, .relative: image = nil
    }
    self.poses = space.quantised(poses, present, frames, width: width)
    self.width = width
  }

  /// The first frame of each step of a grid.
  ///
  /// - Parameter rate: Steps per second.
  private static func frames(of times: [Microseconds], at rate: Double = Self.rate) -> [Int] {
    guard let first = times.first else { return [] }
    var next = 0.0
    return times.indices.filter { index in
      // Frames at 15 or 30 per second lie on the grid: a millisecond absorbs rounding.
      let time = (times[index] - first).seconds + 0.001
      guard time >= next else { return false }
      next = ((time * rate).rounded(.down) + 1) / rate
      return true
    }
  }

  /// The latest value at each time, not older than 0.25 s.
  private static func sampled(_ values: [Float], of signal: SignalSeries, at times: [Double]) -> [Double?] {
    var next = 0
    return times.map { time in
      while next < signal.times.count, signal.times[next] <= time + 1e-6 { next += 1 }
      guard next > 0, time - signal.times[next - 1] < 0.25 else { return nil }
      let value = Double(values[next - 1])
      return value.isFinite ? value.rounded(by: 1e3) : nil
    }
  }
}

extension PlayedClip.Span {
  fileprivate init(_ rep: TimedRep) {
    self.init(start: rep.start, end: rep.end, turn: rep.turn, isMatched: rep.isMatched, why: rep.reason)
  }

  fileprivate init(_ stroke: TimedStroke) {
    if stroke.end > stroke.start {
      self.init(start: stroke.start, end: stroke.end, turn: stroke.contact, name: stroke.label)
    } else {
      self.init(instant: stroke.contact, name: stroke.label)
    }
    (isMatched, why) = (stroke.isMatched, stroke.reason)
  }

  /// A span of 60 ms around an instant, wide enough to see.
  fileprivate init(instant: Double, name: String) {
    self.init(start: instant - 0.03, end: instant + 0.03, turn: instant, name: name)
  }

  fileprivate init(_ phase: TimedPhase) { self.init(start: phase.start, end: phase.end, name: phase.name) }
}

extension DetectorSetting {
  /// How two settings differ, each in a few words: of one detector the values of changed parameters, otherwise the names
  /// of the detectors; empty if nothing differs.
  func differences(from now: DetectorSetting) -> [String] {
    guard name == now.name else { return [name, now.name] }
    let changed = definition.parameters.filter { values[$0] != now.values[$0] }
    guard let first = changed.first else { return [] }
    let more = changed.count > 1 ? " and \(changed.count - 1) more" : ""
    return [values, now.values].map { "\(first.name) \(NumberText.plain($0[first]))\(more)" }
  }
}

/// The bounding box of a clip's poses.
private struct PoseSpace {
  private var left = Float.zero
  private var top = Float.zero
  private var scale: Float = 1
  private(set) var width = 1.0
  private(set) var height = 1.0

  /// Covers 99 % of the coordinates: a few outliers do not shrink the rest.
  init(_ poses: PoseSequence, _ joints: [Joint], _ frames: [Int]) {
    func range(_ channel: Channel) -> ClosedRange<Float>? {
      let values = joints.flatMap { joint in frames.map { Double(poses[joint, channel, $0]) } }.filter { $0.isFinite }
      let sorted = values.sorted()
      guard let low = quantile(0.005, ofSorted: sorted), let high = quantile(0.995, ofSorted: sorted) else {
        return nil
      }
      let margin = max(0.05 * (high - low), 1e-6)
      return Float(low - margin)...Float(high + margin)
    }
    guard let x = range(.x), let y = range(.y) else { return }
    (left, top) = (x.lowerBound, y.lowerBound)
    let (across, down) = (x.upperBound - x.lowerBound, y.upperBound - y.lowerBound)
    scale = max(across, down)
    (width, height) = (Double(across / scale).rounded(by: 1e4), Double(down / scale).rounded(by: 1e4))
  }

  /// Left, top and height of the recorded image, for poses in image heights.
  var image: [Double] { [-left / scale, -top / scale, 1 / scale].map { Double($0).rounded(by: 1e4) } }

  /// - Parameter width: The bytes of an integer, 1 or 2.
  func quantised(_ poses: PoseSequence, _ joints: [Joint], _ frames: [Int], width: Int) -> Data {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(frames.count * joints.count * 2 * width)
    let greatest: UInt16 = width == 1 ? 255 : 65_535
    func add(_ share: Float, isThere: Bool) {
      let value = isThere ? UInt16((min(max(share, 0), 1) * Float(greatest - 1)).rounded()) : greatest
      bytes.append(UInt8(truncatingIfNeeded: value))
      if width == 2 { bytes.append(UInt8(truncatingIfNeeded: value >> 8)) }
    }
    for frame in frames {
      for joint in joints {
        let (x, y) = ((poses[joint, .x, frame] - left) / scale, (poses[joint, .y, frame] - top) / scale)
        let isThere = x.isFinite && y.isFinite
        add(x, isThere: isThere)
        add(y, isThere: isThere)
      }
    }
    return Data(bytes)
  }
}

extension Double {
  /// - Parameter parts: The number of steps per unit.
  fileprivate func rounded(by parts: Double) -> Double { (self * parts).rounded() / parts }
}
