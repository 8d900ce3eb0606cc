import Foundation

/// A key of a JSON object, to be matched with a `switch`. It is valid while its document is being read.
public struct JSONKey {
  let bytes: UnsafeBufferPointer<UInt8>
  /// What the key means where it is written with escapes.
  let unescaped: String?

  /// The key as a text, for messages and names.
  public var text: String { unescaped ?? String(decoding: bytes, as: UTF8.self) }

  @inline(__always)
  public static func ~= (name: StaticString, key: JSONKey) -> Bool {
    if let text = key.unescaped { return text == name.description }
    guard name.utf8CodeUnitCount == key.bytes.count, let start = key.bytes.baseAddress else { return false }
    return memcmp(name.utf8Start, start, key.bytes.count) == 0
  }
}

extension JSONReader {
  /// Reads a key with its colon.
  mutating func key() throws -> JSONKey {
    let start = position
    guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
      throw failure(expected: "a key in quotation marks")
    }
    let raw = try rawString()
    skipSpace()
    guard take(UInt8(ascii: ":")) else { throw failure(expected: "\":\"") }
    skipSpace()
    return JSONKey(
      bytes: UnsafeBufferPointer(rebasing: bytes[raw.range]),
      unescaped: raw.hasEscapes ? try unescaped(raw.range, at: start) : nil)
  }
}
