import Charts
import Datasets
import Evaluation
import Foundation
import Pipeline
import PoseModel
import Statistics

/// Clips as the page's player shows them: skeleton, signals, reps and cues, at most 15 frames a second.
///
/// It holds what the timelines hold, for the script Templates/player.js.
public struct Player: Sendable {
  /// A clip, and the same one replayed with the parameters from before a change.
  public struct Entry: Sendable {
    public var title: String
    public var clip: ReplayedClip
    /// `nil` if there is nothing to compare with.
    public var before: ReplayedClip?

    public init(title: String, clip: ReplayedClip, before: ReplayedClip? = nil) {
      (self.title, self.clip, self.before) = (title, clip, before)
    }
  }

  private let clips: [PlayedClip]

  /// Clips without frames are left out.
  public init(_ entries: [Entry]) { clips = entries.compactMap { PlayedClip($0) } }

  /// A page of its own.
  ///
  /// - Throws: `DataError` if a template is wrong.
  public func page(title: String) throws -> String {
    try ReportTemplates.render("clip", .html, PlayerPage(title: title, player: try model))
  }

  /// One for the templates, none without clips.
  var model: [PlayerModel] {
    get throws {
      guard !clips.isEmpty else { return [] }
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      // Within a page `<` could end the element that holds the text.
      let json = String(decoding: try encoder.encode(clips), as: UTF8.self).replacing("<", with: "\\u003c")
      let hash = SHA256()
      hash.update(Data(ReportTemplates.player.utf8))
      return [
        PlayerModel(
          clips: RawText(text: json), script: RawText(text: ReportTemplates.player),
          hash: hash.finish().base64EncodedString())
      ]
    }
  }
}

/// The player in a page.
struct PlayerModel: ModelPart {
  var clips = RawText(text: "[]")
  var script = RawText(text: "")
  /// The script's SHA-256 in base64, by which the page allows this script alone.
  var hash = ""
}

private struct PlayerPage: ModelPart {
  var title = ""
  var player: [PlayerModel] = []
}

/// A clip for the script.
private struct PlayedClip: Encodable {
  struct Span: Encodable {
    var start: Double
    var end: Double
    var turn: Double?
    var isMatched = true
    var why: String?
    var name: String?
  }

  struct Cue: Encodable {
    var time: Double
    var text: String
  }

  struct Guide: Encodable {
    var label: String
    var value: Double
  }

  struct Series: Encodable {
    var name: String
    var unit: String
    /// One for each frame.
    var values: [Double?]
    var guides: [Guide]
  }

  var id: String
  var title: String
  /// Seconds.
  var times: [Double]
  var joints: [String]
  /// Pairs of indices in `joints`.
  var bones: [[Int]]
  /// The joints that the detector reads, as indices in `joints`.
  var reads: [Int]
  /// Width and height of the space of all poses; the longer one is 1.
  var box: [Double]
  /// Base64 of two whole numbers of 16 bits, little-endian, for each frame and joint: x and y as shares of the box's
  /// longer side times 65534, or 65535 for a joint that is missing.
  var poses: Data
  var signals: [Series]
  /// Labelled reps or strokes.
  var truth: [Span]
  /// Those of the detector.
  var found: [Span]
  var before: [Span]?
  var isCompared: Bool
  var cues: [Cue]
  var phases: [Span]
  var labels: [Span]

  private static let rate = 15.0

  /// `nil` for a clip without frames.
  init?(_ entry: Player.Entry) {
    let (clip, poses) = (entry.clip, entry.clip.poses)
    let frames = Self.frames(of: poses.times)
    guard !frames.isEmpty else { return nil }
    let timeline = ClipTimeline(clip, source: "", hasFigures: false)
    (id, title) = (clip.result.id, entry.title)
    times = frames.map { poses.times[$0].seconds.rounded(by: 1e3) }
    let present = Joint.allCases.filter { joint in frames.contains { poses[joint, .x, $0].isFinite } }
    joints = present.map(\.name)
    bones = clip.bones.compactMap { bone in
      present.firstIndex(of: bone.start).flatMap { one in present.firstIndex(of: bone.end).map { [one, $0] } }
    }
    reads = clip.setting.profile.joints.flatMap { joint in
      // Of a joint with sides it names one.
      [joint.name, joint.name.replacing("left_", with: "right_")].compactMap { name in
        present.firstIndex { $0.name == name }
      }
    }
    let space = PoseSpace(poses, present, frames)
    box = [space.width, space.height]
    self.poses = space.quantised(poses, present, frames)
    signals = timeline.signals.map { signal in
      Series(
        name: signal.name, unit: signal.unit, values: Self.sampled(signal, at: frames.map { poses.times[$0].seconds }),
        guides: signal.thresholds.map { Guide(label: $0.label, value: $0.value) })
    }
    truth = timeline.trueReps.map { Span($0) } + timeline.trueStrokes.map { Span($0) }
    found = timeline.predictedReps.map { Span($0) } + timeline.predictedStrokes.map { Span($0) }
    before = entry.before.map { before in
      let timeline = ClipTimeline(before, source: "", hasFigures: false)
      return timeline.predictedReps.map { Span($0) } + timeline.predictedStrokes.map { Span($0) }
    }
    isCompared = timeline.comparesReps
    cues = timeline.cues.map { Cue(time: $0.time, text: $0.text) }
    phases = timeline.phases.map { Span($0) }
    labels = timeline.trueIntervals.map { Span($0) }
  }

  /// The first frame of each fifteenth of a second that has one.
  private static func frames(of times: [Microseconds]) -> [Int] {
    guard let first = times.first else { return [] }
    var next = 0.0
    return times.indices.filter { index in
      // A millisecond less, as frames at 15 or 30 a second lie on the grid.
      let time = (times[index] - first).seconds + 0.001
      guard time >= next else { return false }
      next = ((time * rate).rounded(.down) + 1) / rate
      return true
    }
  }

  /// The latest known value at each time, if it is not older than a quarter of a second.
  private static func sampled(_ signal: SignalSeries, at times: [Double]) -> [Double?] {
    var next = 0
    return times.map { time in
      while next < signal.times.count, signal.times[next] <= time + 1e-6 { next += 1 }
      guard next > 0, time - signal.times[next - 1] < 0.25 else { return nil }
      let value = Double(signal.values[next - 1])
      return value.isFinite ? value.rounded(by: 1e3) : nil
    }
  }
}

extension PlayedClip.Span {
  fileprivate init(_ rep: TimedRep) {
    self.init(start: rep.start, end: rep.end, turn: rep.turn, isMatched: rep.isMatched, why: rep.reason)
  }

  fileprivate init(_ stroke: TimedStroke) {
    // What is known by an instant alone still needs a width to be seen.
    let half = stroke.end > stroke.start ? 0 : 0.03
    self.init(
      start: stroke.start - half, end: stroke.end + half, turn: stroke.contact, isMatched: stroke.isMatched,
      why: stroke.reason, name: stroke.label)
  }

  fileprivate init(_ phase: TimedPhase) { self.init(start: phase.start, end: phase.end, name: phase.name) }
}

/// The part of the picture in which a clip's poses are.
private struct PoseSpace {
  private var left = Float.zero
  private var top = Float.zero
  private var scale: Float = 1
  private(set) var width = 1.0
  private(set) var height = 1.0

  /// A few joints in wrong places far outside do not make the rest small.
  init(_ poses: PoseSequence, _ joints: [Joint], _ frames: [Int]) {
    func range(_ channel: Channel) -> ClosedRange<Float>? {
      let values = joints.flatMap { joint in frames.map { Double(poses[joint, channel, $0]) } }.filter(\.isFinite)
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

  func quantised(_ poses: PoseSequence, _ joints: [Joint], _ frames: [Int]) -> Data {
    var bytes = Data(capacity: frames.count * joints.count * 4)
    func add(_ value: UInt16) { withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) } }
    for frame in frames {
      for joint in joints {
        let (x, y) = ((poses[joint, .x, frame] - left) / scale, (poses[joint, .y, frame] - top) / scale)
        let isThere = x.isFinite && y.isFinite
        for share in [x, y] { add(isThere ? UInt16((min(max(share, 0), 1) * 65_534).rounded()) : 65_535) }
      }
    }
    return bytes
  }
}

extension Double {
  /// - Parameter parts: Of one.
  fileprivate func rounded(by parts: Double) -> Double { (self * parts).rounded() / parts }
}
