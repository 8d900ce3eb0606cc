import Foundation
import Testing

/// A JSON text as a reader finds it: its values, and whether every object's keys stand in order.
struct JSONText {
  let text: String
  let object: [String: Any]

  /// - Throws: where the text is anything but one JSON object and a line feed.
  init(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    self.text = text
    #expect(text.hasSuffix("}\n") && text.hasPrefix("{"), sourceLocation: sourceLocation)
    let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
    object = try #require(value as? [String: Any], sourceLocation: sourceLocation)
  }

  subscript(_ key: String) -> Any? { object[key] }

  /// Whether every object's keys stand in order; each key has a line of its own, indented by its depth.
  var hasSortedKeys: Bool {
    var lastKeys: [Int: String] = [:]
    for line in text.split(separator: "\n") {
      let depth = line.prefix { $0 == " " }.count
      // An object that ends, or one that begins in a list, starts the order anew for what is inside it.
      lastKeys = lastKeys.filter { $0.key <= depth }
      guard let match = line.wholeMatch(of: #/ *"([^"]+)" ?: .*/#) else { continue }
      let key = String(match.output.1)
      if let last = lastKeys[depth], last >= key { return false }
      lastKeys[depth] = key
    }
    return true
  }

  /// The text without what is measured on this machine.
  func withoutMeasured(sourceLocation: SourceLocation = #_sourceLocation) throws -> String {
    var lines = text.components(separatedBy: "\n")
    for (key, open, close) in [("measured", "{", "  },"), ("measuredPictures", "[", "  ],")] {
      let start = try #require(lines.firstIndex(of: "  \"\(key)\": \(open)"), sourceLocation: sourceLocation)
      let end = try #require(lines[start...].firstIndex(of: close), sourceLocation: sourceLocation)
      lines.removeSubrange(start...end)
    }
    return lines.joined(separator: "\n")
  }
}

extension Workspace {
  /// Changes a JSON file.
  func edit(_ file: String, _ change: (inout [String: Any]) throws -> Void) throws {
    var object = try JSONText(text(file)).object
    try change(&object)
    let data = try JSONSerialization.data(withJSONObject: object, options: [.prettyPrinted, .sortedKeys])
    try write(data + Data("\n".utf8), to: file)
  }
}
