import Datasets
import Foundation

/// Label Studio's JSON export of videos with timeline labels: intervals in frames of the video, counted from 1.
///
/// Predictions and other results are passed over, as are annotations that were cancelled. The rater is the annotation's
/// `completed_by`, as e-mail address or number. The clip is known by the video's name.
///
/// - Source: Label Studio documentation, "TimelineLabels", labelstud.io/tags/timelinelabels (`ranges` and `timelinelabels`), and
///   "Export annotations and data from Label Studio", labelstud.io/guide/export.
enum LabelStudio: LabelFormat {
  static let name = "label-studio"
  static let summary = "Label Studio's JSON export, *.json, with timeline labels of videos"
  static let ending = "json"

  static func recognises(_ file: InputFile) -> Bool {
    let start = file.beginning.drop(while: \.isWhitespace)
    return start.hasPrefix("[") && (start.contains("\"annotations\"") || start.contains("\"completed_by\""))
  }

  static func annotations(_ file: InputFile, mapping: LabelMapping) throws -> [Annotation] {
    var all: [Annotation] = []
    try JSONReader.read(file) { json in
      try json.array { json in all += try task(&json, file) }
    }
    return all
  }

  private static func task(_ json: inout JSONReader, _ file: InputFile) throws -> [Annotation] {
    var names: [String] = []
    var found: [Annotation] = []
    try json.object { json, key in
      switch key {
      case "data":
        try json.object { json, _ in
          if try json.kind() == .string { names.append(try json.string()) } else { try json.skip() }
        }
      case "file_upload":
        if try json.kind() == .string { names.append(try json.string()) } else { try json.skip() }
      case "annotations": try json.array { json in found += try annotation(&json, file) }
      default: try json.skip()
      }
    }
    return found.map { annotation in
      var annotation = annotation
      annotation.recordings = names
      return annotation
    }
  }

  private static func annotation(_ json: inout JSONReader, _ file: InputFile) throws -> [Annotation] {
    var rater: String?
    var found: [Annotation] = []
    var isCancelled = false
    try json.object { json, key in
      switch key {
      case "completed_by":
        switch try json.kind() {
        case .number: rater = "\(try json.integer())"
        case .object:
          try json.object { json, key in
            switch key {
            case "email": rater = try json.string()
            default: try json.skip()
            }
          }
        default: try json.skip()
        }
      case "was_cancelled": if try json.kind() == .boolean { isCancelled = try json.boolean() } else { try json.skip() }
      case "result": try json.array { json in found += try result(&json, file) }
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

  private static func result(_ json: inout JSONReader, _ file: InputFile) throws -> [Annotation] {
    var track: String?
    var labels: [String] = []
    var ranges: [(Int, Int)] = []
    try json.object { json, key in
      switch key {
      case "from_name": track = try json.string()
      case "value":
        try json.object { json, key in
          switch key {
          case "timelinelabels": try json.array { json in labels.append(try json.string()) }
          case "ranges": try json.array { json in ranges.append(try range(&json)) }
          default: try json.skip()
          }
        }
      default: try json.skip()
      }
    }
    return labels.flatMap { label in
      ranges.map { start, end in
        Annotation(
          file: file.name, recordings: [], track: track, label: label, start: .frame(start - 1),
          end: start == end ? nil : .frame(end - 1))
      }
    }
  }

  private static func range(_ json: inout JSONReader) throws -> (Int, Int) {
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
    return (start, end)
  }
}
