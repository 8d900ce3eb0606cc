import Foundation

/// JSON without white space, with sorted keys: the same bytes for the same value.
package func canonicalJSON(_ value: some Encodable) throws -> Data { try canonicalEncoder.encode(value) }

private let canonicalEncoder: JSONEncoder = {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  return encoder
}()

/// A value that writes its own JSON, with the bytes of `canonicalJSON` in a tenth of an encoder's time.
package protocol JSONWritable {
  func write(to json: inout JSONWriter) throws
}

/// Writes the bytes of `canonicalJSON`: objects whose members are given in the order of their keys; `nil` members are
/// left out.
package struct JSONWriter {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func object(_ members: (inout Self) throws -> Void) rethrows {
    bytes.append(UInt8(ascii: "{"))
    try members(&self)
    bytes.append(UInt8(ascii: "}"))
  }

  package mutating func array<Element>(
    _ elements: [Element], _ value: (inout Self, Element) throws -> Void
  ) throws {
    bytes.append(UInt8(ascii: "["))
    for (index, element) in elements.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      try value(&self, element)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  package mutating func value(_ value: String) throws {
    var value = value
    let isPlain = value.withUTF8 { text in
      let isPlain = text.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
      if isPlain {
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: text)
        bytes.append(UInt8(ascii: "\""))
      }
      return isPlain
    }
    if !isPlain { try encoded(value) }
  }

  package mutating func value(_ value: Double?) throws {
    guard let value else { return bytes.append(contentsOf: "null".utf8) }
    guard value.isFinite else { return try encoded(value) }
    let text = value.description
    bytes.append(contentsOf: text.hasSuffix(".0") ? text.utf8.dropLast(2) : text.utf8[...])
  }

  /// A value that an encoder writes.
  package mutating func encoded(_ value: some Encodable) throws {
    bytes.append(contentsOf: try canonicalJSON(value))
  }

  package mutating func member(_ key: StaticString, _ value: String?) throws {
    guard let value else { return }
    begin(key)
    try self.value(value)
  }

  package mutating func member(_ key: StaticString, _ value: Double?) throws {
    guard let value else { return }
    begin(key)
    try self.value(value)
  }

  package mutating func member(_ key: StaticString, _ value: Bool?) {
    guard let value else { return }
    begin(key)
    bytes.append(contentsOf: (value ? "true" : "false").utf8)
  }

  package mutating func member(_ key: StaticString, _ value: Int?) {
    guard let value else { return }
    begin(key)
    bytes.append(contentsOf: "\(value)".utf8)
  }

  /// A list of objects.
  package mutating func member<Element>(
    _ key: StaticString, _ elements: [Element]?, _ members: (inout Self, Element) throws -> Void
  ) rethrows {
    guard let elements else { return }
    begin(key)
    bytes.append(UInt8(ascii: "["))
    for (index, element) in elements.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      try object { try members(&$0, element) }
    }
    bytes.append(UInt8(ascii: "]"))
  }

  package mutating func member(_ key: StaticString, _ elements: [Double]) throws {
    begin(key)
    try array(elements) { try $0.value($1) }
  }

  package mutating func member(_ key: StaticString, _ elements: [String]) throws {
    begin(key)
    try array(elements) { try $0.value($1) }
  }

  package mutating func member(_ key: StaticString, _ value: (some JSONWritable)?) throws {
    guard let value else { return }
    begin(key)
    try value.write(to: &self)
  }

  /// A table by names.
  package mutating func member<Value>(
    _ key: StaticString, _ table: [String: Value]?, _ value: (inout Self, Value) throws -> Void
  ) throws {
    guard let table else { return }
    begin(key)
    // Texts of ASCII are in the order of their bytes, and compared in a fraction of the time.
    let isASCII = table.keys.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } }
    let sorted = table.sorted {
      isASCII ? $0.key < $1.key : $0.key.utf8.lexicographicallyPrecedes($1.key.utf8)
    }
    try object { json in
      for (name, own) in sorted {
        if json.bytes.last != UInt8(ascii: "{") { json.bytes.append(UInt8(ascii: ",")) }
        try json.value(name)
        json.bytes.append(UInt8(ascii: ":"))
        try value(&json, own)
      }
    }
  }

  /// A member that an encoder writes.
  package mutating func member(_ key: StaticString, encoding value: (some Encodable)?) throws {
    guard let value else { return }
    begin(key)
    try encoded(value)
  }

  private mutating func begin(_ key: StaticString) {
    if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount))
    bytes.append(contentsOf: [UInt8(ascii: "\""), UInt8(ascii: ":")])
  }
}
