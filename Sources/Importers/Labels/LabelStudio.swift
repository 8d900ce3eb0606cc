import Datasets
import Foundation

/// Label Studio's exports as JSON and as JSON-MIN, of videos and time series: a region is an interval of its label or, where
/// it ends when it begins, a point (`LabelStudioRegion`).
///
/// Predictions and results that mark no time are passed over, as are annotations that were cancelled. The track is the
/// name of the control tag; the rater is who completed the annotation, as e-mail address or number. The clip is known by
/// the video's name.
///
/// - Source: "Export annotations and data from Label Studio", labelstud.io/guide/export, "JSON" and "JSON-MIN", and
///   `convert_to_json_min` of github.com/HumanSignal/label-studio-converter.
enum LabelStudio: LabelFormat {
  static let name = "label-studio"
  static let summary = "Label Studio's JSON and JSON-MIN exports, *.json, of videos and time series"
  static let ending = "json"

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
        found: types.isEmpty ? "none" : "only \(types.joined(separator: ", ")), which mark no time that could be taken")
    }
    return all
  }

  /// What types of results there are, each once.
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

  /// A task: with its annotations, or in a compact export one annotation of it, whose other keys are data and tracks.
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

  /// What a control tag has in a compact export: regions, or answers that mark no time.
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

  /// Who annotated: a number or an address, or an object that has them.
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
