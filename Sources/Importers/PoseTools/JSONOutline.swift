import Datasets
import Foundation

/// Which keys and lists the beginning of a JSON file has, to tell whose it is: `[].keypoints[].score`.
///
/// A list's elements are `[]`. Below the first level stands each path also with `*` for its first key, as some tools name
/// their objects after images.
struct JSONOutline {
  private var kinds: [String: Set<JSONReader.Kind>] = [:]

  /// As much of a file as is looked at.
  private static let length = 1 << 16
  private static let deepest = 8

  /// Returns `nil` where the file is no JSON; one that is cut off or goes wrong later on has an outline up to there.
  init?(_ file: InputFile) {
    let start = InputFile(name: file.name, bytes: file.bytes.prefix(Self.length))
    // The end that is cut off is an error, and no matter.
    try? JSONReader.read(start) { json in try note(&json, path: "", general: "", depth: 0) }
    let isStructured = has("", .object) || has("", .array)
    guard isStructured else { return nil }
  }

  func has(_ path: String, _ kind: JSONReader.Kind) -> Bool { kinds[path]?.contains(kind) ?? false }

  /// Some paths, for an error that shows what was found.
  var excerpt: String {
    kinds.keys.filter { !$0.isEmpty && !$0.hasPrefix("*") }.sorted { ($0.count, $0) < ($1.count, $1) }.prefix(4)
      .joined(separator: ", ")
  }

  private mutating func note(
    _ json: inout JSONReader, path: String, general: String, depth: Int
  ) throws {
    let kind = try json.kind()
    kinds[path, default: []].insert(kind)
    kinds[general, default: []].insert(kind)
    guard depth < Self.deepest else { return try json.skip() }
    switch kind {
    case .object:
      try json.object { json, key in
        try note(
          &json, path: path.isEmpty ? key.text : "\(path).\(key.text)",
          general: path.isEmpty ? "*" : "\(general).\(key.text)", depth: depth + 1)
      }
    case .array:
      try json.array { json in try note(&json, path: path + "[]", general: general + "[]", depth: depth + 1) }
    case .string, .number, .boolean, .null: try json.skip()
    }
  }
}
