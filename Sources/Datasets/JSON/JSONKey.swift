/// A key of a JSON object, to be matched with a `switch`. It is valid while its document is being read.
public struct JSONKey {
  @usableFromInline let bytes: UnsafeBufferPointer<UInt8>
  /// Whether it is written with escapes, which do not mean themselves.
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
