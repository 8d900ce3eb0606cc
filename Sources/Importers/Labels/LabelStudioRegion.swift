import Datasets
import Foundation
import PoseModel

/// What one region of Label Studio marks: the `value` of a result, or an element of a compact export.
///
/// - `timelinelabels` with `ranges`, of a video: frames from 1.
/// - `timeserieslabels` with `start` and `end`, of a series: in the unit that the mapping's `times` names, or seconds. Dates,
///   which a series with a `timeFormat` has, are refused: no clip has any.
/// - `labels` with `start` and `end`, of a sound track or a video that is labelled by it: seconds. Regions of text have such
///   numbers too, beside the text that they stand for, and are passed over.
/// - `labels` with a `sequence` of keyframes, of a box in a video: from each that is `enabled` to the next that is not or,
///   without one, to the last frame; frames count from 1.
///
/// - Source: Label Studio documentation, labelstud.io/tags: "TimelineLabels", "TimeSeriesLabels", "AudioPlus" and
///   "VideoRectangle".
struct LabelStudioRegion {
  private(set) var labels: [String] = []
  private(set) var spans: [(start: Annotation.Instant, end: Annotation.Instant?)] = []

  private struct Keyframe {
    var frame = 1
    var isEnabled = true
  }

  /// - Throws: `DataError` where a frame or time is none.
  init(_ json: inout JSONReader, times: LabelMapping.Times) throws {
    var kind = ""
    var bounds: [String: Double] = [:]
    var isText = false
    var date: String?
    var keyframes: [Keyframe] = []
    var frameCount: Int?
    try json.object { json, key in
      switch key {
      case "timelinelabels", "timeserieslabels", "labels":
        kind = key.text
        try json.array { json in labels.append(try json.string()) }
      case "ranges": try json.array { json in spans.append(try Self.range(&json)) }
      case "start" where try json.kind() == .number, "end" where try json.kind() == .number:
        bounds[key.text] = try json.number()
      case "start" where try json.kind() == .string: date = try json.string()
      case "text":
        isText = true
        try json.skip()
      case "sequence": try json.array { json in keyframes.append(try Self.keyframe(&json)) }
      case "framesCount" where try json.kind() == .number: frameCount = Int(try json.number())
      default: try json.skip()
      }
    }
    switch kind {
    case "labels" where !keyframes.isEmpty: spans = Self.runs(keyframes, frameCount: frameCount)
    case "labels", "timeserieslabels":
      if let date, kind == "timeserieslabels" {
        throw json.failure(
          expected: "a start and an end in numbers before this place; label a column of times without timeFormat",
          found: "the date \(date)")
      }
      guard !isText, let start = bounds["start"], let end = bounds["end"] else { break }
      let unit = kind == "labels" ? .seconds : times
      guard end >= start, let first = unit.instant(start), let last = unit.instant(end) else {
        throw json.failure(
          expected: "a start and an end after it in \(unit.rawValue) before this place", found: "\(start) and \(end)")
      }
      spans = [(first, end == start ? nil : last)]
    default: break
    }
  }

  private static func range(_ json: inout JSONReader) throws -> (start: Annotation.Instant, end: Annotation.Instant?) {
    var start: Int?
    var end: Int?
    try json.object { json, key in
      switch key {
      case "start": start = try json.integer()
      case "end": end = try json.integer()
      default: try json.skip()
      }
    }
    guard let start, let end, start >= 1, end >= start, end < 1_000_000_000 else {
      throw json.failure(expected: "a range of frames from 1, with start and end before this place")
    }
    return (.frame(start - 1), start == end ? nil : .frame(end - 1))
  }

  private static func keyframe(_ json: inout JSONReader) throws -> Keyframe {
    var keyframe = Keyframe()
    try json.object { json, key in
      switch key {
      case "frame":
        keyframe.frame = try json.integer()
        guard (1...1_000_000_000).contains(keyframe.frame) else {
          throw json.failure(expected: "a frame from 1", found: "\(keyframe.frame)")
        }
      case "enabled" where try json.kind() == .boolean: keyframe.isEnabled = try json.boolean()
      default: try json.skip()
      }
    }
    return keyframe
  }

  private static func runs(
    _ keyframes: [Keyframe], frameCount: Int?
  ) -> [(start: Annotation.Instant, end: Annotation.Instant?)] {
    let sorted = keyframes.sorted { $0.frame < $1.frame }
    let last = max(frameCount ?? 1, sorted.last?.frame ?? 1)
    var runs: [(first: Int, last: Int)] = []
    var start: Int?
    for keyframe in sorted {
      if keyframe.isEnabled {
        start = start ?? keyframe.frame
      } else if let first = start {
        runs.append((first, keyframe.frame))
        start = nil
      }
    }
    if let start { runs.append((start, last)) }
    return runs.map { (.frame($0.first - 1), $0.first == $0.last ? nil : .frame($0.last - 1)) }
  }

  /// One annotation a label and span.
  func annotations(file: String, line: Int? = nil, track: String?) -> [Annotation] {
    labels.flatMap { label in
      spans.map { span in
        Annotation(
          file: file, line: line, recordings: [], track: track, label: label, start: span.start, end: span.end)
      }
    }
  }
}

extension LabelMapping.Times {
  /// `nil` where it is no time from 0, or no whole frame.
  fileprivate func instant(_ value: Double) -> Annotation.Instant? {
    switch self {
    case .frames:
      guard let frame = Int(exactly: value.rounded()), (0...1_000_000_000).contains(frame) else { return nil }
      return .frame(frame)
    case .seconds, .milliseconds:
      guard let time = Microseconds(seconds: self == .seconds ? value : value / 1000), time >= .zero else { return nil }
      return .time(time)
    }
  }
}
