import Foundation

/// Lines with the same number of values, separated by commas, without a header, as motion capture software writes them.
///
/// A missing value is an empty field or `nan`. Spaces around a number are ignored, as are empty lines at the end.
public struct NumberRows: Sendable {
  public let rowCount: Int
  public let columnCount: Int
  /// Row by row; NaN if missing.
  public let values: [Float]

  /// - Throws: `DataError` with the line if the number of fields is wrong or a field is not a finite number.
  public init(_ file: InputFile, columnCount: Int) throws {
    self.columnCount = columnCount
    var values: [Float] = []
    var line = 0
    try file.requireBeginningOfText()
    try file.bytes.withoutByteOrderMark.withUnsafeBytes { raw in
      let bytes = raw.bindMemory(to: UInt8.self)
      var end = bytes.count
      while end > 0, Self.isBlank(bytes[end - 1]) || bytes[end - 1] == UInt8(ascii: "\n") { end -= 1 }
      // A number and its comma take at least two bytes: no file makes this allocate much more than itself.
      values.reserveCapacity(min(end / 2 + columnCount, end))
      var start = 0
      while start < end {
        line += 1
        let limit = min(end, start + InputFile.longestRow + 1)
        let lineEnd = bytes[start..<limit].firstIndex(of: UInt8(ascii: "\n")) ?? limit
        guard lineEnd - start <= InputFile.longestRow else { throw file.tooLong(line, longest: InputFile.longestRow) }
        let before = values.count
        var fieldStart = start
        while fieldStart <= lineEnd {
          let fieldEnd = bytes[fieldStart..<lineEnd].firstIndex(of: UInt8(ascii: ",")) ?? lineEnd
          guard let value = Self.value(UnsafeBufferPointer(rebasing: bytes[fieldStart..<fieldEnd])) else {
            throw DataError(
              file: file.name, line: line, expected: "a number in column \(values.count - before + 1)",
              found: Excerpt.of(bytes[fieldStart..<fieldEnd]))
          }
          values.append(value)
          fieldStart = fieldEnd + 1
        }
        guard values.count - before == columnCount else {
          throw DataError(
            file: file.name, line: line, expected: "\(columnCount) numbers", found: "\(values.count - before)")
        }
        start = lineEnd + 1
      }
    }
    guard line > 0 else {
      throw DataError(file: file.name, line: 1, expected: "\(columnCount) numbers per line", found: "an empty file")
    }
    rowCount = line
    self.values = values
  }

  /// NaN for a missing value, `nil` for anything but that or a finite number.
  private static func value(_ field: UnsafeBufferPointer<UInt8>) -> Float? {
    var text = field[...]
    while let first = text.first, isBlank(first) { text.removeFirst() }
    while let last = text.last, isBlank(last) { text.removeLast() }
    if text.isEmpty { return .nan }
    let bytes = UnsafeBufferPointer(rebasing: text)
    if let number = DecimalNumber(whole: bytes) {
      let value = number.float(bytes)
      return value.isFinite ? value : nil
    }
    return bytes.count == 3 && String(decoding: bytes, as: UTF8.self).lowercased() == "nan" ? .nan : nil
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
  }
}
