import Files
import Foundation

/// Text of keypoints in other spellings than UTF-8 and JSON, as other systems write it.
///
/// UTF-16 and Windows-1252 become UTF-8, and lines that end with CR end with LF. JSON in a script, with commas before
/// closing brackets or with other text behind it, becomes JSON, as does JSON that was cut off while it was written: its
/// last, incomplete frame is left out. Values of DynamoDB and Firestore, each in an object that says its type, become
/// themselves.
///
/// - Source: Amazon DynamoDB Developer Guide, "Data type descriptors"; Firestore REST reference, `Value`.
enum ForeignText {
  private static let tables: Set = ["csv", "tsv", "txt"]
  private static let documents: Set = ["json", "jsonl", "ndjson"]

  /// A file's content in the spelling that is read, or the file as it is.
  static func plain(_ file: InputFile) -> InputFile {
    let ending = PathParts(PackedContent.unpackedName(file.name)).ending.lowercased()
    let isJSON = documents.contains(ending)
    guard isJSON || tables.contains(ending), file.bytes.count <= largest else { return file }
    let text = utf8(file.bytes)
    let bytes = text ?? file.bytes
    let changed = isJSON ? json(bytes) : lines(bytes)
    return (changed ?? text).map { InputFile(name: file.name, bytes: $0) } ?? file
  }

  /// What is said of a file whose last frame was left out; `nil` for others.
  static func remark(_ file: InputFile) -> String? {
    guard documents.contains(PathParts(file.name).ending.lowercased()), file.bytes.count <= largest,
      JSONRepair(utf8(file.bytes) ?? file.bytes).isCut
    else { return nil }
    return "the file ends within a frame, which is left out"
  }

  /// Text of this size is in memory several times.
  private static let largest = 1 << 27
  /// The part in which text shows its encoding.
  private static let headLength = 1 << 16

  // MARK: Encodings

  /// UTF-16 with a byte order mark, or Windows-1252, as UTF-8; `nil` for other text.
  private static func utf8(_ bytes: Data) -> Data? {
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      return String(data: bytes, encoding: .utf16).map { Data($0.utf8) }
    }
    var head = bytes.prefix(headLength)
    guard head.contains(where: { $0 >= 0x80 }), !head.contains(0) else { return nil }
    // The last character may be cut off.
    while let last = head.last, last >= 0x80 { head.removeLast() }
    guard String(data: head, encoding: .utf8) == nil else { return nil }
    return String(data: bytes, encoding: .windowsCP1252).map { Data($0.utf8) }
  }

  /// Lines that end with LF, of those that end with CR; `nil` for others.
  private static func lines(_ bytes: Data) -> Data? {
    let (carriageReturn, lineFeed) = (UInt8(ascii: "\r"), UInt8(ascii: "\n"))
    let head = bytes.prefix(headLength)
    guard head.contains(carriageReturn), !head.contains(lineFeed) else { return nil }
    return Data(bytes.map { $0 == carriageReturn ? lineFeed : $0 })
  }

  // MARK: JSON

  private static func json(_ bytes: Data) -> Data? {
    let own = script(bytes)
    let repair = JSONRepair(own ?? bytes)
    let whole = repair.repaired ?? own
    return unwrapped(whole ?? bytes) ?? whole
  }

  /// The value of `var poses = […];` or `export default […]`; `nil` for other text.
  private static func script(_ bytes: Data) -> Data? {
    let head = bytes.prefix(200)
    guard let place = head.firstIndex(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }) else { return nil }
    let words = String(decoding: head[..<place], as: UTF8.self).split { $0.isWhitespace || $0 == "\u{FEFF}" }
    guard let first = words.first, ["var", "let", "const", "export"].contains(first),
      words.last == "default" || words.last?.last == "="
    else { return nil }
    return Data(bytes[place...])
  }

  /// Types of DynamoDB and Firestore.
  private static let types: Set = [
    "N", "S", "BOOL", "NULL", "L", "M", "doubleValue", "integerValue", "stringValue", "booleanValue", "nullValue",
    "timestampValue", "mapValue", "arrayValue",
  ]

  /// JSON whose values are not in objects that say their types; `nil` if there are none.
  private static func unwrapped(_ bytes: Data) -> Data? {
    let head = String(decoding: bytes.prefix(headLength).filter { $0 > 0x20 }, as: UTF8.self)
    guard head.contains("{\"N\":\"") || head.contains("{\"doubleValue\":") else { return nil }
    var output = Data(capacity: bytes.count)
    // Whether each open object is a wrapper, and whether the next object is the inner one of `mapValue`.
    var open: [Bool] = []
    var isInner = false
    var place = bytes.startIndex
    while place < bytes.endIndex {
      let byte = bytes[place]
      switch byte {
      case UInt8(ascii: "\""):
        let end = end(ofText: bytes, from: place)
        output += bytes[place..<end]
        place = end
        continue
      case UInt8(ascii: "{"):
        let member = firstKey(bytes, after: place)
        let isWrapper =
          member.map { isInner ? ["fields", "values"].contains($0.key) : types.contains($0.key) } ?? false
        isInner = isWrapper && member.map { ["mapValue", "arrayValue"].contains($0.key) } ?? false
        open.append(isWrapper)
        if isWrapper, let member {
          place = member.value
          continue
        }
        output.append(byte)
      case UInt8(ascii: "}"): if open.popLast() != true { output.append(byte) }
      default: output.append(byte)
      }
      place += 1
    }
    return output
  }

  /// The first key of an object and where its value begins; `nil` for an empty object.
  private static func firstKey(_ bytes: Data, after brace: Int) -> (key: String, value: Int)? {
    func next(_ place: Int) -> Int? { bytes[place...].firstIndex { $0 > 0x20 } }
    guard let start = next(brace + 1), bytes[start] == UInt8(ascii: "\"") else { return nil }
    let end = end(ofText: bytes, from: start)
    guard (2..<20).contains(end - start), let colon = next(end), bytes[colon] == UInt8(ascii: ":"),
      let value = next(colon + 1)
    else {
      return nil
    }
    return (String(decoding: bytes[(start + 1)..<(end - 1)], as: UTF8.self), value)
  }

  /// The place behind a text in quotation marks.
  private static func end(ofText bytes: Data, from start: Int) -> Int {
    var place = start + 1
    while place < bytes.endIndex, bytes[place] != UInt8(ascii: "\"") {
      place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(place + 1, bytes.endIndex)
  }
}

/// JSON or JSON Lines whose end is missing or followed by other text, or in which commas stand before closing brackets.
private struct JSONRepair {
  /// The repaired document; `nil` if it needs no repair or cannot be repaired.
  private(set) var repaired: Data?
  /// Whether its end is missing.
  private(set) var isCut = false

  private struct Level {
    var bracket: UInt8
    var elements = 0
    var lastComma = 0
  }

  init(_ bytes: Data) {
    var levels: [Level] = []
    // Commas before closing brackets.
    var needless: [Int] = []
    var (documents, end) = (0, 0)
    var isText = false
    var last = UInt8(ascii: " ")
    var lastPlace = 0
    /// Where text that is not JSON begins.
    var foreign: Int?
    bytes.withUnsafeBytes { bytes in
      var place = 0
      while place < bytes.count {
        let byte = bytes[place]
        defer { place += 1 }
        if isText {
          if byte == UInt8(ascii: "\\") { place += 1 }
          if byte == UInt8(ascii: "\"") { isText = false }
          continue
        }
        guard byte > 0x20 else { continue }
        switch byte {
        case UInt8(ascii: "\""): isText = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): levels.append(Level(bracket: byte))
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          if last == UInt8(ascii: ","), !levels.isEmpty { needless.append(lastPlace) }
          if levels.popLast() != nil, levels.isEmpty { (documents, end, foreign) = (documents + 1, place + 1, nil) }
        case UInt8(ascii: ","):
          if !levels.isEmpty {
            levels[levels.count - 1].elements += 1
            levels[levels.count - 1].lastComma = place
          }
        default: break
        }
        if levels.isEmpty, documents > 0, place >= end { foreign = foreign ?? place }
        (last, lastPlace) = (byte, place)
      }
    }
    var rest: Data?
    if !levels.isEmpty {
      if documents >= Self.fewest {
        rest = bytes.prefix(end)
      } else if let frames = levels.firstIndex(where: { $0.bracket == UInt8(ascii: "[") }),
        case let level = levels[frames],
        level.elements >= Self.fewest - 1
      {
        // The last frame is whole if its brackets are closed.
        let isWhole = frames == levels.count - 1 && (last == UInt8(ascii: "}") || last == UInt8(ascii: "]"))
        let closed = levels[...frames].reversed().map { $0.bracket + 2 }
        rest = bytes.prefix(isWhole ? lastPlace + 1 : level.lastComma) + closed
      }
      isCut = rest != nil
    } else if foreign != nil, documents == 1 {
      rest = bytes.prefix(end)
    }
    guard rest != nil || !needless.isEmpty else { return }
    var whole = Data(rest ?? bytes)
    for place in needless where place < whole.count { whole[whole.startIndex + place] = UInt8(ascii: " ") }
    repaired = whole
  }

  /// The fewest frames of a recording that can lose its last one.
  private static let fewest = 8
}
