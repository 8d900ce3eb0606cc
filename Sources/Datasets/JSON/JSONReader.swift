import Foundation

/// Reads a JSON document (RFC 8259) from front to back, one value at a time, without keeping it.
///
/// Whoever reads says what must come next, and gets an error with line and path where something else does. Only what is
/// asked for is turned into values, so the memory needed does not depend on the size of the document, and keypoints are
/// read as fast as their digits can be. What is skipped is checked all the same.
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
/// The text is UTF-8, with or without a byte order mark; UTF-16 and UTF-32 are refused. `NaN`, which no JSON has but
/// Python's `json` writes, is taken for a missing coordinate.
public struct JSONReader: ~Copyable {
  /// What a value is, by its first byte.
  public enum Kind: String, Sendable {
    case object = "an object"
    case array = "a list"
    case string = "a text"
    case number = "a number"
    case boolean = "true or false"
    case null = "null"
  }

  /// The name that errors give the file.
  public var file: String { source.name }
  private let source: InputFile
  let bytes: UnsafeBufferPointer<UInt8>
  /// Of the next byte to be read; never in the middle of a token between two calls.
  var position: Int
  private var memory: ReadMemory

  /// Reads a whole document: one value, after which nothing follows.
  ///
  /// - Throws: `DataError` where the text is no JSON, and whatever `body` throws.
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

  /// Reads values of a list once more.
  ///
  /// - Parameters:
  ///   - place: the first one's, which `place` gave when the whole document was read.
  ///   - count: how many that follow each other.
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

  /// Where the value begins that comes next.
  public var place: Int { position }

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

  /// Gives back the memory of what has been read.
  @inline(__always)
  mutating func passMemory() { memory.pass(position) }

  /// What comes next, by its first byte.
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

  /// Reads an object: calls `member` with each key, which must read or skip the key's value; one that is left is an error.
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

  /// Reads a list: calls `element` before each value, which it must read or skip; one that is left is an error.
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

  /// Reads a `null`, or nothing where something else comes next; says which.
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

  /// Takes a whole word, such as `null`.
  mutating func take(_ word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    guard bytes.count - position >= count, bytes[position] == word.utf8Start[0] else { return false }
    for index in 0..<count where bytes[position + index] != word.utf8Start[index] { return false }
    let end = position + count
    if end < bytes.count, Self.isWordByte(bytes[end]) { return false }
    position = end
    return true
  }

  /// Whether a byte may stand within a number or a word.
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
