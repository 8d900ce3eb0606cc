import Files
import Foundation
import PoseModel

/// Label Studio's exports as JSON and as JSON-MIN, of videos and time series: a region is an interval with its label
/// or, if start and end are equal, a point (`LabelStudioRegion`).
///
/// Predictions, results without a time and cancelled annotations are ignored. The track is the name of the control tag;
/// the rater is the person who completed the annotation, by e-mail address or number. The clip has the video's name.
///
/// - Source: "Export annotations and data from Label Studio", labelstud.io/guide/export, "JSON" and "JSON-MIN", and
///   `convert_to_json_min` of github.com/HumanSignal/label-studio-converter.
enum LabelStudio: LabelFormat {
  static let name = "label-studio"
  static let summary = "Label Studio's JSON and JSON-MIN exports, *.json, of videos and time series"
  static let ending = "json"
  /// Frames a second of its timeline, unless a project's configuration says otherwise.
  static let usualRate = 25.0

  static func recognises(_ file: InputFile) -> Bool {
    let start = file.beginning.drop(while: \.isWhitespace)
    let isCompact = start.contains("\"annotation_id\"") && start.contains("\"annotator\"")
    return start.hasPrefix("[")
      && (start.contains("\"annotations\"") || start.contains("\"completed_by\"") || isCompact)
  }

  static func annotations(_ file: InputFile, mapping: LabelMapping) throws -> [Annotation] {
    var all: [Annotation] = []
    try JSONReader.read(file) { json in
      try json.array { json in
        all += try task(&json, file, mapping.times)
        try LabelImport.checkCount(all.count, file)
      }
    }
    guard !all.isEmpty else {
      let types = try types(file)
      throw DataError(
        file: file.name,
        expected:
          "regions of timelinelabels, of timeserieslabels, of labels on sound, or of videorectangle with labels",
        found: types.isEmpty ? "none" : "only \(types.joined(separator: ", ")), which mark no usable time")
    }
    return all
  }

  /// The types of results, each once.
  private static func types(_ file: InputFile) throws -> [String] {
    var types: Set<String> = []
    func read(_ keys: ArraySlice<String>, _ json: inout JSONReader) throws {
      switch try json.kind() {
      case .array: try json.array { json in try read(keys, &json) }
      case .object where !keys.isEmpty:
        try json.object { json, key in
          if key.text == keys.first { try read(keys.dropFirst(), &json) } else { try json.skip() }
        }
      case .string where keys.isEmpty: types.insert(try json.string())
      default: try json.skip()
      }
    }
    try JSONReader.read(file) { json in try read(["annotations", "result", "type"], &json) }
    return types.sorted()
  }

  /// A task with its annotations; in a compact export one annotation, whose other keys are data and tracks.
  private static func task(
    _ json: inout JSONReader, _ file: InputFile, _ times: LabelMapping.Times
  ) throws -> [Annotation] {
    var names: [String] = []
    var rater: String?
    var isCancelled = false
    var found: [Annotation] = []
    var compact: [Annotation] = []
    try json.object { json, key in
      switch key {
      case "data" where try json.kind() == .object:
        try json.object { json, _ in
          if try json.kind() == .string { names.append(try json.string()) } else { try json.skip() }
        }
      case "annotations" where try json.kind() == .array:
        try json.array { json in found += try annotation(&json, file, times) }
      case "annotator", "completed_by": rater = try person(&json)
      case "was_cancelled" where try json.kind() == .boolean: isCancelled = try json.boolean()
      case "predictions", "created_at", "updated_at", "meta", "drafts", "lead_time": try json.skip()
      default:
        switch try json.kind() {
        case .string: names.append(try json.string())
        case .array: compact += try regions(&json, file, track: key.text, times)
        default: try json.skip()
        }
      }
    }
    return (found + (isCancelled ? [] : compact)).map { annotation in
      var annotation = annotation
      annotation.recordings = names
      annotation.rater = annotation.rater ?? rater
      return annotation
    }
  }

  /// The value of a control tag in a compact export: regions, or answers without a time.
  static func regions(
    _ json: inout JSONReader, _ file: InputFile, line: Int? = nil, track: String, _ times: LabelMapping.Times
  ) throws -> [Annotation] {
    var found: [Annotation] = []
    try json.array { json in
      guard try json.kind() == .object else { return try json.skip() }
      found += try LabelStudioRegion(&json, times: times).annotations(file: file.name, line: line, track: track)
    }
    return found
  }

  /// The annotator: a number or an address, or an object that contains them.
  private static func person(_ json: inout JSONReader) throws -> String? {
    var name: String?
    switch try json.kind() {
    case .number: name = "\(try json.integer())"
    case .string: name = try json.string()
    case .object:
      try json.object { json, key in
        switch key {
        case "email": name = try json.string()
        default: try json.skip()
        }
      }
    default: try json.skip()
    }
    return name
  }

  private static func annotation(
    _ json: inout JSONReader, _ file: InputFile, _ times: LabelMapping.Times
  ) throws -> [Annotation] {
    var rater: String?
    var found: [Annotation] = []
    var isCancelled = false
    try json.object { json, key in
      switch key {
      case "completed_by": rater = try person(&json)
      case "was_cancelled" where try json.kind() == .boolean: isCancelled = try json.boolean()
      case "result" where try json.kind() == .array: try json.array { json in found += try result(&json, file, times) }
      default: try json.skip()
      }
    }
    return isCancelled
      ? []
      : found.map { annotation in
        var annotation = annotation
        annotation.rater = rater
        return annotation
      }
  }

  private static func result(
    _ json: inout JSONReader, _ file: InputFile, _ times: LabelMapping.Times
  ) throws -> [Annotation] {
    var track: String?
    var region: LabelStudioRegion?
    try json.object { json, key in
      switch key {
      case "from_name": track = try json.string()
      case "value" where try json.kind() == .object: region = try LabelStudioRegion(&json, times: times)
      default: try json.skip()
      }
    }
    return region?.annotations(file: file.name, track: track) ?? []
  }
}

/// A region of Label Studio: the `value` of a result, or an element of a compact export.
///
/// - `timelinelabels` with `ranges`, of a video: frames from 1.
/// - `timeserieslabels` with `start` and `end`, of a series: in the unit that the mapping's `times` names, or seconds.
///   Dates, as in a series with a `timeFormat`, are refused: no clip has dates.
/// - `labels` with `start` and `end`, of a sound track or a video that is labelled by it: seconds. Regions of text have
///   such numbers too, beside their text, and are ignored.
/// - `labels` with a `sequence` of keyframes, of a box in a video: from each that is `enabled` to the next that is not
///   or, without one, to the last frame; frames count from 1. The tool's frames are not the recording's: it counts 25 a
///   second unless its configuration says otherwise. `framesCount` and `duration`, if both are there, give their times.
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

  /// - Throws: `DataError` for an invalid frame or time.
  init(_ json: inout JSONReader, times: LabelMapping.Times) throws {
    var kind = ""
    var bounds: [String: Double] = [:]
    var isText = false
    var date: String?
    var keyframes: [Keyframe] = []
    var frameCount: Int?
    var duration: Microseconds?
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
      case "framesCount" where try json.kind() == .number:
        frameCount = Int(exactly: try json.number().rounded()).flatMap { (1...1_000_000_000).contains($0) ? $0 : nil }
      case "duration" where try json.kind() == .number: duration = Microseconds(seconds: try json.number())
      default: try json.skip()
      }
    }
    switch kind {
    case "labels" where !keyframes.isEmpty:
      spans = Self.runs(keyframes, frameCount: frameCount, duration: duration)
    case "labels", "timeserieslabels":
      if let date, kind == "timeserieslabels" {
        throw json.failure(
          expected: "numbers for start and end before this place; label a column of times without timeFormat",
          found: "the date \(date)")
      }
      guard !isText, let start = bounds["start"], let end = bounds["end"] else { break }
      let unit = kind == "labels" ? .seconds : times
      guard end >= start, let first = unit.instant(start), let last = unit.instant(end) else {
        throw json.failure(
          expected: "a start and an end no earlier, in \(unit.rawValue), before this place",
          found: "\(start) and \(end)")
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
    _ keyframes: [Keyframe], frameCount: Int?, duration: Microseconds?
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
    func instant(_ frame: Int) -> Annotation.Instant {
      guard let frameCount, let duration, duration > .zero,
        (0.1...10_000).contains(Double(frameCount) / duration.seconds)
      else { return .frame(frame - 1) }
      return .videoFrame(frame - 1, of: frameCount, lasting: duration)
    }
    return runs.map { (instant($0.first), $0.first == $0.last ? nil : instant($0.last)) }
  }

  /// One annotation per label and span.
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
  /// `nil` if it is negative, or not a whole frame.
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

/// Label Studio's CSV export, `.csv`: one annotation per line, with a column for each control tag and each field of the
/// task's data.
///
/// A tag's column holds its regions as JSON (`LabelStudioRegion`); the rater is the `annotator`. Cancelled annotations
/// are ignored. The other columns give the clip's name.
///
/// - Source: "Export annotations and data from Label Studio", labelstud.io/guide/export, "CSV", and
///   `label_studio_converter/exports/csv2.py` of github.com/HumanSignal/label-studio-converter.
enum LabelStudioTable: LabelFormat {
  static let name = "label-studio-csv"
  static let summary = "Label Studio's CSV export, *.csv, of videos and time series"
  static let ending = "csv"

  private static let own: Set = [
    "annotation_id", "annotator", "agreement", "created_at", "id", "lead_time", "updated_at", "was_cancelled",
  ]

  static func recognises(_ file: InputFile) -> Bool {
    let header = file.beginning.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    let columns = Set(header.split(separator: ",").map { $0.trimmingCharacters(in: ["\"", " "]) })
    return columns.isSuperset(of: ["annotation_id", "annotator", "lead_time"])
  }

  static func annotations(_ file: InputFile, mapping: LabelMapping) throws -> [Annotation] {
    let columns = try CSVTable(file, required: ["annotator"], ignoringOthers: true).columns
    let table = try CSVTable(file, required: columns)
    return try table.rows.flatMap { row -> [Annotation] in
      if try table.columns.contains("was_cancelled") && row.textIfPresent("was_cancelled")?.lowercased() == "true" {
        return []
      }
      var names: [String] = []
      var found: [Annotation] = []
      for column in columns where !own.contains(column) {
        // A text box may contain several lines, and is not a region.
        guard let text = try? row.textIfPresent(column) else { continue }
        guard text.hasPrefix("[") else {
          names.append(text)
          continue
        }
        let field = InputFile(name: file.name, bytes: Data(text.utf8))
        do {
          found += try JSONReader.read(field) {
            try LabelStudio.regions(&$0, file, line: row.line, track: column, mapping.times)
          }
        } catch var error as DataError {
          // The field's reader counts only its own lines.
          error.line = row.line
          throw error
        }
      }
      let rater = try row.textIfPresent("annotator")
      return found.map { annotation in
        var annotation = annotation
        annotation.recordings = names
        annotation.rater = rater
        return annotation
      }
    }
  }
}
