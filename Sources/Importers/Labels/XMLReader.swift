import Files
import Foundation

/// Reads an XML document from front to back: elements, their attributes and their text.
///
/// Covers only what annotation tools write: UTF-8 without a document type. The only entities are the five of XML itself
/// and characters by number, which prevents expansion attacks. Comments and processing instructions are ignored. Deeply
/// nested elements need no stack.
///
/// - Source: Extensible Markup Language (XML) 1.0, 5th edition, W3C 2008.
struct XMLReader {
  enum Event {
    case start(name: String, attributes: [String: String])
    case end(name: String)
    case text(String)
  }

  private let file: String
  private let bytes: Data
  private var memory: ReadMemory
  private var position = 0
  private(set) var line = 1
  private var open: [String] = []
  /// The end of an element that closed in its own start tag.
  private var pending: String?
  private var hasRoot = false

  init(_ input: InputFile) throws {
    file = input.name
    bytes = input.bytes
    guard Self.isText(input) else {
      var line = 1
      do { _ = try input.text() } catch let error as DataError { line = error.line ?? 1 }
      throw DataError(file: file, line: line, expected: "XML in UTF-8", found: "bytes that are not UTF-8 text")
    }
    memory = ReadMemory(of: input)
    position = bytes.byteOrderMarkCount
  }

  /// Whether the file is UTF-8 without NUL, checked a megabyte at a time, each up to a character boundary.
  private static func isText(_ input: InputFile) -> Bool {
    var memory = ReadMemory(of: input)
    return input.bytes.withUnsafeBytes { raw in
      var start = 0
      while start < raw.count {
        var end = min(start + (1 << 20), raw.count)
        while end < raw.count, end > start + 1, raw[end] & 0xC0 == 0x80 { end -= 1 }
        let piece = UnsafeRawBufferPointer(rebasing: raw[start..<end])
        guard !piece.contains(0), String(validating: piece, as: UTF8.self) != nil else { return false }
        start = end
        memory.pass(start)
      }
      return true
    }
  }

  func failure(expected: String, found: String) -> DataError {
    DataError(file: file, line: line, expected: expected, found: String(found.prefix(60)))
  }

  /// The next event; `nil` after the root element's end.
  mutating func next() throws -> Event? {
    if let name = pending {
      pending = nil
      open.removeLast()
      return .end(name: name)
    }
    memory.pass(position)
    while position < bytes.count {
      if bytes[position] != UInt8(ascii: "<") {
        let text = try characters(upTo: UInt8(ascii: "<"))
        if !open.isEmpty, !text.isEmpty { return .text(text) }
        guard text.allSatisfy(\.isWhitespace) else {
          throw failure(expected: "an element", found: text.debugDescription)
        }
        continue
      }
      if has("<?") {
        try skip(to: "?>")
      } else if has("<!--") {
        try skip(to: "-->")
      } else if has("<![CDATA[") {
        position += 9
        let start = position
        try skip(to: "]]>")
        if !open.isEmpty { return .text(String(decoding: bytes[start..<(position - 3)], as: UTF8.self)) }
      } else if has("<!") {
        throw failure(expected: "no document type, which could define entities", found: "<!")
      } else if has("</") {
        return try end()
      } else {
        return try start()
      }
    }
    guard open.isEmpty, hasRoot else {
      throw failure(expected: open.last.map { "</\($0.prefix(40))>" } ?? "an element", found: "the end of the file")
    }
    return nil
  }

  private mutating func start() throws -> Event {
    guard !(open.isEmpty && hasRoot) else { throw failure(expected: "one root element", found: "another one") }
    hasRoot = true
    position += 1
    let name = try self.name()
    var attributes: [String: String] = [:]
    while true {
      skipSpace()
      if has("/>") {
        position += 2
        pending = name
        break
      }
      if has(">") {
        position += 1
        break
      }
      let key = try self.name()
      skipSpace()
      guard has("=") else {
        throw failure(expected: "= after the attribute \(key.prefix(40))", found: "something else")
      }
      position += 1
      skipSpace()
      guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") || bytes[position] == UInt8(ascii: "'") else {
        throw failure(expected: "a value in quotation marks for \(key.prefix(40))", found: "something else")
      }
      let quote = bytes[position]
      position += 1
      let value = try characters(upTo: quote)
      guard position < bytes.count else { throw failure(expected: "a quotation mark", found: "the end of the file") }
      position += 1
      guard attributes.updateValue(value, forKey: key) == nil else {
        throw failure(expected: "each attribute once", found: "\(key.prefix(40)) twice")
      }
    }
    open.append(name)
    return .start(name: name, attributes: attributes)
  }

  private mutating func end() throws -> Event {
    position += 2
    let name = try self.name()
    skipSpace()
    guard has(">"), name == open.last else {
      throw failure(expected: open.last.map { "</\($0.prefix(40))>" } ?? "no end", found: "</\(name.prefix(40))>")
    }
    position += 1
    open.removeLast()
    return .end(name: name)
  }

  private mutating func name() throws -> String {
    let start = position
    position = bytes.withUnsafeBytes { raw in
      var end = start
      while end < raw.count, !Self.endsName(raw[end]) { end &+= 1 }
      return end
    }
    guard position > start else { throw failure(expected: "a name", found: "none") }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private static func endsName(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x09, 0x0D, 0x0A, UInt8(ascii: "/"), UInt8(ascii: ">"), UInt8(ascii: "="), UInt8(ascii: "<"),
      UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "&"):
      true
    default: false
    }
  }

  /// Text with its references resolved, up to a byte, which is not consumed.
  private mutating func characters(upTo stop: UInt8) throws -> String {
    let start = position
    let (end, lines, isPlain) = bytes.withUnsafeBytes { raw in
      var (end, lines) = (start, 0)
      while end < raw.count, raw[end] != stop, raw[end] != UInt8(ascii: "&") {
        if raw[end] == UInt8(ascii: "\n") { lines += 1 }
        end &+= 1
      }
      return (end, lines, end == raw.count || raw[end] == stop)
    }
    if isPlain {
      position = end
      line += lines
      return String(decoding: bytes[start..<end], as: UTF8.self)
    }
    var text: [UInt8] = []
    while position < bytes.count, bytes[position] != stop {
      let byte = bytes[position]
      if byte == UInt8(ascii: "&") {
        text += Array(try reference().utf8)
        continue
      }
      if byte == UInt8(ascii: "\n") { line += 1 }
      text.append(byte)
      position += 1
    }
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func reference() throws -> String {
    let rest = bytes[position...].prefix(12)
    guard let end = rest.firstIndex(of: UInt8(ascii: ";")) else {
      throw failure(expected: "; after an &", found: String(decoding: rest, as: UTF8.self))
    }
    let name = String(decoding: bytes[(position + 1)..<end], as: UTF8.self)
    position = end + 1
    if let known = ["lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'"][name] { return known }
    let code = name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst(1))
    guard name.hasPrefix("#"), let code, let scalar = Unicode.Scalar(code), code != 0 else {
      throw failure(expected: "one of the entities of XML itself or a character's number", found: "&\(name);")
    }
    return String(Character(scalar))
  }

  private func has(_ text: StaticString) -> Bool {
    guard position + text.utf8CodeUnitCount <= bytes.count else { return false }
    for index in 0..<text.utf8CodeUnitCount where bytes[position + index] != text.utf8Start[index] { return false }
    return true
  }

  private mutating func skip(to end: StaticString) throws {
    while position < bytes.count {
      if has(end) {
        position += end.utf8CodeUnitCount
        return
      }
      if bytes[position] == UInt8(ascii: "\n") { line += 1 }
      position += 1
    }
    throw failure(expected: end.description, found: "the end of the file")
  }

  private mutating func skipSpace() {
    while position < bytes.count, case let byte = bytes[position],
      byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A
    {
      if bytes[position] == UInt8(ascii: "\n") { line += 1 }
      position += 1
    }
  }
}
