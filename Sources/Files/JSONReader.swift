import CDecimals
import Foundation

/// Reads a JSON document (RFC 8259) from front to back, one value at a time, without keeping it.
///
/// The caller states the type of the next value, and gets an error with line and path if it is something else. Only
/// requested values are parsed: memory does not depend on the size of the document, and keypoints are read at the speed
/// of digit parsing. Skipped values are still checked.
///
/// ```swift
/// let xs = try JSONReader.read(InputFile("frames.json")) { json in      // [{"x": 1.5}, {"x": 2.5, "note": "far"}]
///   var xs: [Float] = []
///   try json.array { json in
///     try json.object { json, key in
///       switch key {
///       case "x": xs.append(try json.coordinate())
///       default: try json.skip()
///       }
///     }
///   }
///   return xs
/// }
/// ```
///
/// The text is UTF-8, with or without a byte order mark; UTF-16 and UTF-32 are refused. `NaN`, which is not JSON but
/// written by Python's `json`, is read as a missing coordinate.
public struct JSONReader: ~Copyable {
  /// The type of a value, by its first byte.
  public enum Kind: String, Sendable {
    case object = "an object"
    case array = "a list"
    case string = "a text"
    case number = "a number"
    case boolean = "true or false"
    case null = "null"
  }

  /// The file's name in errors.
  public var file: String { source.name }
  private let source: InputFile
  let bytes: UnsafeBufferPointer<UInt8>
  /// The position of the next byte; never within a token between two calls.
  var position: Int
  private var memory: ReadMemory

  /// Reads a whole document: one value and nothing after it.
  ///
  /// - Throws: `DataError` if the text is not JSON, and the errors of `body`.
  public static func read<Result>(
    _ file: InputFile, _ body: (inout JSONReader) throws -> Result
  ) throws -> Result {
    try file.bytes.withUnsafeBytes { raw in
      var reader = try JSONReader(raw.bindMemory(to: UInt8.self), of: file)
      let result = try body(&reader)
      reader.skipSpace()
      guard reader.position == reader.bytes.count else { throw reader.failure(expected: "the end of the file") }
      return result
    }
  }

  /// Reads values of a list again.
  ///
  /// - Parameters:
  ///   - place: The place of the first one, from `place` when the whole document was read.
  ///   - count: How many consecutive ones.
  public static func read(
    _ file: InputFile, from place: Int, count: Int, _ element: (inout JSONReader) throws -> Void
  ) throws {
    try file.bytes.withUnsafeBytes { raw in
      var reader = try JSONReader(raw.bindMemory(to: UInt8.self), of: file)
      reader.position = place
      reader.memory = ReadMemory(of: file, from: place)
      for index in 0..<count {
        if index > 0, try reader.listEnds() { throw reader.failure(expected: "a value", found: "the end of the list") }
        try element(&reader)
        reader.passMemory()
      }
    }
  }

  /// The start of the next value. To go back is to read values again.
  public var place: Int {
    get { position }
    set { position = newValue }
  }

  private init(_ bytes: UnsafeBufferPointer<UInt8>, of source: InputFile) throws {
    self.bytes = bytes
    self.source = source
    memory = ReadMemory(of: source)
    position = bytes.byteOrderMarkCount
    if bytes.count >= 2,
      bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) || bytes[0] == 0 || bytes[1] == 0
    {
      throw DataError(file: file, line: 1, expected: "JSON in UTF-8", found: "UTF-16 or UTF-32")
    }
    skipSpace()
    guard position < bytes.count else { throw DataError(file: file, line: 1, expected: "JSON", found: "an empty file") }
  }

  /// Frees the memory of bytes that have been read.
  @inline(__always)
  mutating func passMemory() { memory.pass(position) }

  /// The type of the next value, by its first byte.
  public func kind() throws -> Kind {
    guard position < bytes.count else { throw failure(expected: "a value") }
    switch bytes[position] {
    case UInt8(ascii: "{"): return .object
    case UInt8(ascii: "["): return .array
    case UInt8(ascii: "\""): return .string
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "N"), UInt8(ascii: "I"): return .number
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return .boolean
    case UInt8(ascii: "n"): return .null
    default: throw failure(expected: "a value")
    }
  }

  /// Reads an object: calls `member` with each key, which must read or skip the key's value, otherwise it is an error.
  public mutating func object(_ member: (inout JSONReader, JSONKey) throws -> Void) throws {
    guard take(UInt8(ascii: "{")) else { throw failure(expected: Kind.object.rawValue) }
    skipSpace()
    if take(UInt8(ascii: "}")) { return }
    while true {
      let key = try key()
      let value = position
      try member(&self, key)
      guard position > value else { throw failure(expected: "a value") }
      passMemory()
      skipSpace()
      if take(UInt8(ascii: ",")) {
        skipSpace()
        continue
      }
      guard take(UInt8(ascii: "}")) else { throw failure(expected: "\",\" or \"}\"") }
      return
    }
  }

  /// Reads a list: calls `element` before each value, which it must read or skip, otherwise it is an error.
  public mutating func array(_ element: (inout JSONReader) throws -> Void) throws {
    guard take(UInt8(ascii: "[")) else { throw failure(expected: Kind.array.rawValue) }
    skipSpace()
    if take(UInt8(ascii: "]")) { return }
    while true {
      let value = position
      try element(&self)
      guard position > value else { throw failure(expected: "a value") }
      passMemory()
      if try listEnds() { return }
    }
  }

  /// After a value of a list: whether the list ends here or another value follows.
  @inline(__always)
  mutating func listEnds() throws -> Bool {
    skipSpace()
    if take(UInt8(ascii: ",")) {
      skipSpace()
      return false
    }
    guard take(UInt8(ascii: "]")) else { throw failure(expected: "\",\" or \"]\"") }
    return true
  }

  /// A text.
  public mutating func string() throws -> String {
    let raw = try rawString()
    return raw.hasEscapes
      ? Self.unescaped(bytes[raw.range]) : String(decoding: bytes[raw.range], as: UTF8.self)
  }

  public mutating func boolean() throws -> Bool {
    if take("true") { return true }
    guard take("false") else { throw failure(expected: Kind.boolean.rawValue) }
    return false
  }

  /// Reads a `null` if one comes next; returns whether it did.
  public mutating func takeNull() -> Bool { take("null") }

  @inline(__always)
  mutating func skipSpace() { Self.skipSpace(bytes, at: &position) }

  @inline(__always)
  static func skipSpace(_ bytes: UnsafeBufferPointer<UInt8>, at place: inout Int) {
    while place < bytes.count {
      let byte = bytes[place]
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
      place &+= 1
    }
  }

  @inline(__always)
  mutating func take(_ byte: UInt8) -> Bool {
    guard position < bytes.count, bytes[position] == byte else { return false }
    position &+= 1
    return true
  }

  /// Consumes a whole word, such as `null`.
  mutating func take(_ word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    guard bytes.count - position >= count, bytes[position] == word.utf8Start[0] else { return false }
    for index in 0..<count where bytes[position + index] != word.utf8Start[index] { return false }
    let end = position + count
    if end < bytes.count, Self.isWordByte(bytes[end]) { return false }
    position = end
    return true
  }

  /// Whether a byte can occur within a number or a word.
  static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "+"),
      UInt8(ascii: "-"):
      true
    default: false
    }
  }
}

/// A key of a JSON object, to be matched with a `switch`. It is only valid while its document is being read.
public struct JSONKey {
  @usableFromInline let bytes: UnsafeBufferPointer<UInt8>
  /// Whether it contains escapes.
  @usableFromInline let hasEscapes: Bool

  init(bytes: UnsafeBufferPointer<UInt8>, hasEscapes: Bool) {
    self.bytes = bytes
    self.hasEscapes = hasEscapes
  }

  /// The key as a text, for messages and names.
  public var text: String {
    hasEscapes ? JSONReader.unescaped(bytes[...]) : String(decoding: bytes, as: UTF8.self)
  }

  @inlinable @inline(__always)
  public static func ~= (name: StaticString, key: JSONKey) -> Bool {
    guard !key.hasEscapes else { return key.text == name.description }
    let count = name.utf8CodeUnitCount
    guard count == key.bytes.count else { return false }
    for index in 0..<count where name.utf8Start[index] != key.bytes[index] { return false }
    return true
  }
}

extension JSONReader {
  /// Reads a key with its colon.
  mutating func key() throws -> JSONKey {
    guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
      throw failure(expected: "a key in quotation marks")
    }
    let raw = try rawString()
    skipSpace()
    guard take(UInt8(ascii: ":")) else { throw failure(expected: "\":\"") }
    skipSpace()
    return JSONKey(bytes: UnsafeBufferPointer(rebasing: bytes[raw.range]), hasEscapes: raw.hasEscapes)
  }
}

extension JSONReader {
  /// Reads a text without decoding it: its range between the quotation marks. Checks that it is UTF-8 without control
  /// characters or unknown escapes.
  mutating func rawString() throws -> (range: Range<Int>, hasEscapes: Bool) {
    guard take(UInt8(ascii: "\"")) else { throw failure(expected: Kind.string.rawValue) }
    let start = position
    // Most texts are keys of a few plain letters.
    if bytes.count &- start >= 8 {
      let word = UInt64(
        littleEndian: UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: start, as: UInt64.self))
      let end = Self.firstSpecial(word)
      if end < 8, bytes[start &+ end] == UInt8(ascii: "\"") {
        position = start &+ end &+ 1
        return (start..<start &+ end, false)
      }
    }
    var all: UInt8 = 0
    var hasEscapes = false
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") {
        if all >= 0x80 { try checkUTF8(start..<position) }
        position &+= 1
        return (start..<position &- 1, hasEscapes)
      }
      if byte == UInt8(ascii: "\\") {
        hasEscapes = true
        try skipEscape()
        continue
      }
      guard byte >= 0x20 else { throw failure(expected: "no control character in a text") }
      all |= byte
      position &+= 1
    }
    throw failure(expected: "a quotation mark at the end of a text")
  }

  /// The index of the first of eight bytes that is a quotation mark, a backslash, a control character or not ASCII, or
  /// 8.
  @inline(__always)
  private static func firstSpecial(_ word: UInt64) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = word ^ (ones &* 0x22)
    let slashes = word ^ (ones &* 0x5C)
    // The lowest marked byte is correct; those above it may be marked because of a borrow.
    let zeros = (quotes &- ones) & ~quotes | (slashes &- ones) & ~slashes | (word &- ones &* 0x20) & ~word | word
    return (zeros & (ones &* 0x80)).trailingZeroBitCount >> 3
  }

  private mutating func skipEscape() throws {
    let start = position
    position += 1
    guard position < bytes.count else { throw failure(expected: "an escape") }
    switch bytes[position] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      position += 1
    case UInt8(ascii: "u"):
      position += 1
      for _ in 0..<4 {
        guard position < bytes.count, Self.hexValue(bytes[position]) != nil else {
          position = start
          throw failure(expected: "\\u and four hexadecimal digits")
        }
        position += 1
      }
    default:
      position = start
      throw failure(expected: "one of the escapes of JSON")
    }
  }

  private mutating func checkUTF8(_ range: Range<Int>) throws {
    guard String(validating: bytes[range], as: UTF8.self) == nil else { return }
    position = range.lowerBound
    throw failure(expected: "UTF-8 text", found: "bytes that are not UTF-8")
  }

  /// The text between quotation marks with its escapes resolved; half a surrogate pair becomes U+FFFD.
  static func unescaped(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String {
    var units: [UInt16] = []
    var text = ""
    func flush() {
      text += String(decoding: units, as: UTF16.self)
      units = []
    }
    var place = bytes.startIndex
    while place < bytes.endIndex {
      guard bytes[place] == UInt8(ascii: "\\") else {
        let end = bytes[place...].firstIndex(of: UInt8(ascii: "\\")) ?? bytes.endIndex
        flush()
        text += String(decoding: bytes[place..<end], as: UTF8.self)
        place = end
        continue
      }
      let letter = bytes[place + 1]
      if letter == UInt8(ascii: "u") {
        units.append(bytes[(place + 2)..<(place + 6)].reduce(0) { $0 << 4 | UInt16(hexValue($1) ?? 0) })
        place += 6
      } else {
        units.append(UInt16(meanings[letter] ?? letter))
        place += 2
      }
    }
    flush()
    return text
  }

  /// The escapes with a special meaning.
  private static let meanings: [UInt8: UInt8] = [
    UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D,
    UInt8(ascii: "t"): 0x09,
  ]

  private static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

extension JSONReader {
  /// The deepest nesting of lists and objects in a skipped value.
  static let deepest = 1000

  /// Skips a value, however large, and checks it. Does not recurse.
  public mutating func skip() throws {
    // Whether each open list or object is an object.
    var open: [Bool] = []
    while true {
      switch try kind() {
      case .object, .array:
        guard open.count < Self.deepest else {
          throw failure(expected: "at most \(Self.deepest) nested lists and objects", found: "more")
        }
        let isObject = take(UInt8(ascii: "{"))
        if !isObject { position &+= 1 }
        skipSpace()
        if !take(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")), isObject || !skipNumbers() {
          open.append(isObject)
          if isObject { _ = try key() }
          continue
        }
      case .string: _ = try rawString()
      case .number: try skipNumber()
      case .boolean: _ = try boolean()
      case .null: guard takeNull() else { throw failure(expected: "a value") }
      }
      // After a value: the next one of its list or object, or the end of one or more of them.
      while true {
        guard let isObject = open.last else { return }
        if isObject {
          skipSpace()
          if take(UInt8(ascii: ",")) {
            skipSpace()
            _ = try key()
            break
          }
          guard take(UInt8(ascii: "}")) else { throw failure(expected: "\",\" or \"}\"") }
        } else if try !listEnds() {
          break
        }
        open.removeLast()
      }
    }
  }

  /// Skips the ordinary numbers of a list; returns whether the list ends with them.
  private mutating func skipNumbers() -> Bool {
    withUnsafeTemporaryAllocation(of: Float.self, capacity: 64) { buffer in
      while true {
        var isClosed = false
        let usual = cdecimals_list(
          bytes.baseAddress, bytes.count, &position, buffer.baseAddress, buffer.count, &isClosed)
        guard !isClosed else {
          position &+= 1
          return true
        }
        guard usual == buffer.count else { return false }
      }
    }
  }

  /// Skips a list of numbers that will be read, and only then checked, later. A list of anything else is checked now.
  ///
  /// - Returns: Whether the list has elements.
  public mutating func postponeNumbers() throws -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: "[") else {
      throw failure(expected: "a list of numbers")
    }
    let end = cdecimals_list_end(bytes.baseAddress, bytes.count, position + 1)
    guard end < bytes.count else {
      try skip()
      return true
    }
    position += 1
    skipSpace()
    let isEmpty = position == end
    position = end + 1
    return !isEmpty
  }
}

extension JSONReader {
  /// An error of the next value: it names the line and the path, such as `[12].keypoints[3].x`, and shows what was
  /// found.
  public func failure(expected: String, clip: String? = nil) -> DataError {
    failure(expected: expected, found: found, clip: clip)
  }

  /// An error at the current position.
  public func failure(expected: String, found: String, clip: String? = nil) -> DataError {
    let path = path
    let line = bytes[..<min(position, bytes.count)].reduce(1) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) }
    return DataError(
      file: file, line: line, clip: clip, expected: path.isEmpty ? expected : "\(expected) at \(path)", found: found)
  }

  /// The text at the position, cut short.
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

  /// The keys and list indices that lead to the position. Found by reading again from the start, because only errors
  /// need it.
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

  /// The number of levels that a path shows.
  private static let longestPath = 12
}
