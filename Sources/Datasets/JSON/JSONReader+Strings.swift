import Foundation

extension JSONReader {
  /// Reads a text without turning it into one: where it stands between its quotation marks. It is checked to be UTF-8
  /// and to have neither control characters nor unknown escapes.
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

  /// The place of the first of eight bytes that is a quotation mark, a backslash, a control character or beyond ASCII, or 8.
  @inline(__always)
  private static func firstSpecial(_ word: UInt64) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = word ^ (ones &* 0x22)
    let slashes = word ^ (ones &* 0x5C)
    // The lowest byte that is marked is right; those above it may be marked for a borrow.
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

  /// The escapes that do not mean themselves.
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
