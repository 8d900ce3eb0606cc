import Files
import Foundation

/// All points of a frame in one field of a table, as JSON, Python or NumPy print them.
enum PointField {
  /// The people of a field.
  static func poses(_ value: JSONValue, scores: JSONValue?, _ reader: inout PointReader) -> [[Float]] {
    let value = scores.map { .object([("keypoints", value), ("scores", $0)]) } ?? value
    if let pose = reader.pose(value) { return [pose] }
    guard case .array(let people) = value else { return [] }
    var poses: [[Float]] = []
    for person in people {
      guard let pose = reader.pose(person) else { return [] }
      poses.append(pose)
    }
    return poses
  }

  /// The list or object of a field, as JSON, Python, NumPy or PyTorch print it, or its many numbers; `nil` for other
  /// texts.
  static func value(_ text: String) -> JSONValue? {
    guard let first = text.utf8.first else { return nil }
    guard "[{(".utf8.contains(first) else {
      if text.hasSuffix(")") {
        // array([…], dtype=float32)
        let call = /(?:np\.)?(?:array|tensor)\((\[.*\])(?:,[^\]]*)?\)/.dotMatchesNewlines()
        return text.wholeMatch(of: call).flatMap { value(String($0.1)) }
      }
      let numbers = text.split { " ,;|".contains($0) }.map { Double($0) }
      guard numbers.count >= fewestNumbers, !numbers.contains(nil) else { return nil }
      return .array(numbers.compactMap(\.self).map { JSONValue.number($0) })
    }
    var plain = text
    for (word, other) in [("(", "["), (")", "]"), ("'", "\""), ("None", "null"), ("nan", "NaN")] {
      plain = plain.replacingOccurrences(of: word, with: other)
    }
    func read(_ text: String) -> JSONValue? {
      try? JSONReader.read(InputFile(name: "", bytes: Data(text.utf8))) { try $0.value(limit: largestField) }
    }
    if let value = read(plain) { return value }
    // NumPy has spaces between numbers, and none after their points.
    let spaced = plain.replacing(/([0-9.\]N])\s+(?=[-\[0-9.N])/) { "\($0.1), " }
    return read(spaced.replacing(/([0-9])\.(?=[^0-9])/) { "\($0.1).0" })
  }

  /// Fewer numbers are no body.
  private static let fewestNumbers = 24

  /// The most values of a field: a hundred people.
  private static let largestField = 100_000
}
