/// A line of JSON that is written piece by piece, as one of a stream of messages.
package struct JSONLine: Sendable {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Adds text that needs no escapes: brackets, commas and keys.
  package mutating func raw(_ text: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Adds JSON that is written already.
  package mutating func json(_ line: JSONLine) { bytes += line.bytes }

  /// Adds text that is JSON already.
  package mutating func json(_ text: String) {
    var text = text
    text.withUTF8 { bytes.append(contentsOf: $0) }
  }

  package mutating func string(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case 0..<0x20:
        let digits = String(byte, radix: 16)
        json("\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)")
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  package mutating func strings(_ texts: [String]) { list(texts) { $0.string($1) } }

  /// Adds a number with the fewest digits that read back as the same one; `null` if it is not finite.
  package mutating func number(_ value: Double) { value.isFinite ? json(value.description) : raw("null") }

  package mutating func number(_ value: Float) { value.isFinite ? json(value.description) : raw("null") }

  package mutating func list<Element>(_ elements: [Element], _ write: (inout Self, Element) -> Void) {
    bytes.append(UInt8(ascii: "["))
    for (index, element) in elements.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      write(&self, element)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  /// Adds the line feed.
  package mutating func end() { bytes.append(UInt8(ascii: "\n")) }

  /// Adds the points of one row as lists of their channels: `[[1.5,2.5,1.0],null]`.
  ///
  /// - Parameters:
  ///   - columns: One column per point and channel, point by point, each of `rows` values.
  ///   - needed: The positions of the two channels without which a point is `null`.
  /// - Precondition: `columns` holds `rows * points * channels` values, and `row` is one of them.
  package mutating func points(
    of columns: [Float], row: Int, of rows: Int, points: Int, channels: Int, needing needed: (Int, Int)
  ) {
    precondition(row >= 0 && row < rows && columns.count >= rows * points * channels)
    bytes.append(UInt8(ascii: "["))
    for point in 0..<points {
      if point > 0 { bytes.append(UInt8(ascii: ",")) }
      let first = point * channels
      guard columns[(first + needed.0) * rows + row].isFinite, columns[(first + needed.1) * rows + row].isFinite else {
        raw("null")
        continue
      }
      for channel in 0..<channels {
        bytes.append(channel == 0 ? UInt8(ascii: "[") : UInt8(ascii: ","))
        number(columns[(first + channel) * rows + row])
      }
      bytes.append(UInt8(ascii: "]"))
    }
    bytes.append(UInt8(ascii: "]"))
  }
}
