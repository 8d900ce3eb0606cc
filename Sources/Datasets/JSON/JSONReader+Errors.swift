extension JSONReader {
  /// An error of the value that comes next: it names the line and the path, such as `[12].keypoints[3].x`, and shows what
  /// stands there.
  public func failure(expected: String, clip: String? = nil) -> DataError {
    failure(expected: expected, found: found, clip: clip)
  }

  /// An error of the place that has been reached.
  public func failure(expected: String, found: String, clip: String? = nil) -> DataError {
    let path = path
    let line = bytes[..<min(position, bytes.count)].reduce(1) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) }
    return DataError(
      file: file, line: line, clip: clip, expected: path.isEmpty ? expected : "\(expected) at \(path)", found: found)
  }

  /// What stands at the position, cut short.
  private var found: String {
    guard position < bytes.count else { return "the end of the file" }
    let first = bytes[position]
    if first == UInt8(ascii: "\"") {
      let text = bytes[(position + 1)...].prefix(64).prefix { $0 != UInt8(ascii: "\"") && $0 >= 0x20 }
      return "the text \(Excerpt.of(text))"
    }
    let word = bytes[position...].prefix(64).prefix(while: Self.isWordByte)
    return Excerpt.of(word.isEmpty ? bytes[position...(position)] : word)
  }

  /// The keys and numbers of list elements that lead to the position: found by reading again from the start, as only
  /// errors need it.
  private var path: String {
    enum Level {
      case element(Int)
      case member(String)
    }
    var levels: [Level] = []
    var depth = 0
    var text: Range<Int>?
    var place = 0
    while place < min(position, bytes.count) {
      let byte = bytes[place]
      switch byte {
      case UInt8(ascii: "\""):
        let start = place + 1
        place = start
        while place < position, bytes[place] != UInt8(ascii: "\"") {
          place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        text = start..<min(place, bytes.count)
      case UInt8(ascii: ":"):
        if let key = text, depth == levels.count, !levels.isEmpty {
          levels[depth - 1] = .member(String(decoding: bytes[key].prefix(40), as: UTF8.self))
        }
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        if depth == levels.count, depth < Self.longestPath {
          levels.append(byte == UInt8(ascii: "[") ? .element(0) : .member(""))
        }
        depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        if depth == levels.count, depth > 0 { levels.removeLast() }
        depth = max(0, depth - 1)
      case UInt8(ascii: ","):
        if depth == levels.count, case .element(let index)? = levels.last { levels[depth - 1] = .element(index + 1) }
      default: break
      }
      place += 1
    }
    let path = levels.reduce(into: "") { path, level in
      switch level {
      case .element(let index): path += "[\(index)]"
      case .member(let key) where key.isEmpty: break
      case .member(let key): path += path.isEmpty ? key : ".\(key)"
      }
    }
    return depth > levels.count ? path + "…" : path
  }

  /// Levels that a path shows.
  private static let longestPath = 12
}
