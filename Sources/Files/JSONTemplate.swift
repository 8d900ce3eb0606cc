/// The text of a JSON value without its numbers: values that differ in their numbers alone are read by it at the speed
/// of digit parsing.
public struct JSONTemplate: Sendable {
  /// The text before each number and after the last, one after the other.
  private let literals: [UInt8]
  private let ends: [Int]

  /// The number of numbers.
  public var count: Int { ends.count - 1 }

  /// - Parameters:
  ///   - text: A JSON value.
  ///   - isFixed: Whether the number at an index, counted over all numbers of the text, is a part of the template.
  public init(_ text: some Collection<UInt8>, isFixed: (Int) -> Bool = { _ in false }) {
    let text = Array(text)
    var (literals, ends): ([UInt8], [Int]) = ([], [])
    var (place, number, isText) = (0, 0, false)
    text.withUnsafeBufferPointer { bytes in
      while place < bytes.count {
        let byte = bytes[place]
        if !isText, byte == UInt8(ascii: "-") || byte &- UInt8(ascii: "0") < 10,
          let decimal = DecimalNumber(bytes, at: place)
        {
          if isFixed(number) { literals += bytes[place..<decimal.end] } else { ends.append(literals.count) }
          number += 1
          place = decimal.end
          continue
        }
        if isText, byte == UInt8(ascii: "\\"), place + 1 < bytes.count {
          literals.append(byte)
          place += 1
        } else if byte == UInt8(ascii: "\"") {
          isText.toggle()
        }
        literals.append(bytes[place])
        place += 1
      }
    }
    self.literals = literals
    self.ends = ends + [literals.count]
  }

  /// The text with other numbers.
  public func text(_ numbers: [Int]) -> [UInt8] {
    var (text, start): ([UInt8], Int) = ([], 0)
    for (index, end) in ends.enumerated() {
      text += literals[start..<end]
      if index < numbers.count { text += Array("\(numbers[index])".utf8) }
      start = end
    }
    return text
  }

  /// Reads numbers between the literals from a position on; the position after them, or `nil` for other text.
  fileprivate func read(
    _ bytes: UnsafeBufferPointer<UInt8>, at position: Int, into numbers: inout [Double]
  ) -> Int? {
    var (place, start) = (position, 0)
    return literals.withUnsafeBufferPointer { literals in
      for (index, end) in ends.enumerated() {
        guard bytes.count - place >= end - start else { return nil }
        for offset in 0..<(end - start) where bytes[place &+ offset] != literals[start &+ offset] { return nil }
        place += end - start
        start = end
        guard index < numbers.count else { return place }
        guard place < bytes.count, let number = DecimalNumber(bytes, at: place),
          JSONReader.isJSON(number, bytes, at: place)
        else { return nil }
        numbers[index] = number.double(bytes)
        guard numbers[index].isFinite else { return nil }
        place = number.end
      }
      return place
    }
  }
}

extension JSONReader {
  /// Reads the next value if it is a template with numbers.
  ///
  /// - Parameter numbers: Receives the numbers; as many as the template has.
  /// - Returns: Whether it is; otherwise the value is not read.
  public mutating func numbers(of template: JSONTemplate, into numbers: inout [Double]) -> Bool {
    guard numbers.count == template.count, let end = template.read(bytes, at: position, into: &numbers),
      end == bytes.count || !Self.isWordByte(bytes[end])
    else { return false }
    position = end
    return true
  }
}
