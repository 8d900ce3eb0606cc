import CDecimals

/// Takes the rows of a CSV file without quotation marks one after the other from bytes in memory.
struct NumericCSVScanner {
  /// Where the last row's field of the key stands.
  private(set) var keyText = 0..<0
  /// Of the next byte.
  private(set) var position: Int

  private let bytes: UnsafeBufferPointer<UInt8>
  private let file: String
  private let names: [String]
  private let columns: [Int]
  private let key: Int?
  /// Of each column of the file, the first of `columns` that it is, or -1.
  private let slots: [Int]
  /// Of each column of the file, how many that are wanted stand together from it on, the key not among them.
  private let runs: [Int]
  private var line = 1

  /// - Parameters:
  ///   - start: where the line after the header begins.
  ///   - columns: those whose numbers are wanted, in the order in which they are given; places in the header.
  ///   - key: the column whose text is wanted.
  init(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, file: String, header: CSVTable, columns: [Int], key: Int?
  ) {
    self.bytes = bytes
    self.file = file
    names = header.columns
    position = start
    self.columns = columns
    self.key = key
    var slots = [Int](repeating: -1, count: names.count)
    for (index, column) in columns.enumerated().reversed() { slots[column] = index }
    self.slots = slots
    var runs = [Int](repeating: 0, count: names.count + 1)
    for index in names.indices.reversed() where slots[index] >= 0 && index != key { runs[index] = 1 + runs[index + 1] }
    self.runs = runs
  }

  /// Puts the numbers of the next row into `values` and returns its line; `nil` after the last row.
  mutating func nextRow(into values: UnsafeMutableBufferPointer<Float>) throws -> Int? {
    line += 1
    while position < bytes.count, Self.isLineEnd(bytes[position]) {
      if bytes[position] == UInt8(ascii: "\n") { line += 1 }
      position += 1
    }
    guard position < bytes.count else { return nil }
    let start = position
    let count = names.count
    var field = 0
    while field < count {
      if runs[field] > 0, let target = values.baseAddress {
        field = try takeNumbers(field, target)
      } else {
        let fieldStart = position
        position = fieldEnd(position)
        if field == key { keyText = fieldStart..<position }
        if slots[field] >= 0 { values[slots[field]] = try number(fieldStart..<position, field) }
        field += 1
      }
      let hasMore = position < bytes.count && bytes[position] == UInt8(ascii: ",")
      guard (field == count) != hasMore else { throw fieldCountFailure(start) }
      if hasMore { position += 1 }
    }
    // A column that is wanted twice was read once.
    for (index, column) in columns.enumerated() where slots[column] != index { values[index] = values[slots[column]] }
    if position < bytes.count, bytes[position] == UInt8(ascii: "\r") { position += 1 }
    position += 1
    return line
  }

  /// Takes the usual numbers from a field on and the first unusual one, and returns the field after them.
  private mutating func takeNumbers(_ first: Int, _ target: UnsafeMutablePointer<Float>) throws -> Int {
    let run = runs[first]
    let usual = slots.withUnsafeBufferPointer { slots in
      cdecimals_row(
        bytes.baseAddress, bytes.count, &position, target, UnsafeBufferPointer(rebasing: slots[first...]).baseAddress,
        run)
    }
    guard usual < run else { return first + run }
    let field = first + usual
    let start = position
    position = fieldEnd(position)
    target[slots[field]] = try number(start..<position, field)
    return field + 1
  }

  @inline(__always)
  private func isEnd(_ place: Int) -> Bool {
    guard place < bytes.count else { return true }
    return bytes[place] == UInt8(ascii: ",") || Self.isLineEnd(bytes[place])
  }

  @inline(__always)
  private func fieldEnd(_ start: Int) -> Int {
    var place = start
    while !isEnd(place) { place += 1 }
    return place
  }

  /// The number of a field, NaN where it is missing.
  private func number(_ range: Range<Int>, _ field: Int) throws -> Float {
    let text = UnsafeBufferPointer(rebasing: bytes[range])
    if let value = Self.value(text) { return value }
    throw DataError(
      file: file, line: line, expected: "\(Self.expected(text)) in column \(names[field])", found: Excerpt.of(text))
  }

  private func fieldCountFailure(_ start: Int) -> DataError {
    let row = bytes[start...].prefix { !Self.isLineEnd($0) }
    let count = row.reduce(1) { $0 + ($1 == UInt8(ascii: ",") ? 1 : 0) }
    return DataError(file: file, line: line, expected: "\(names.count) fields", found: "\(count)")
  }

  @inline(__always)
  private static func isLineEnd(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }
}

extension NumericCSVScanner {
  /// The number of a field, NaN where it is missing; `nil` for anything else.
  static func value(_ field: UnsafeBufferPointer<UInt8>) -> Float? {
    if field.isEmpty { return .nan }
    if let number = DecimalNumber(whole: field) {
      let value = number.float(field)
      return value.isFinite ? value : nil
    }
    return field.count == 3 && String(decoding: field, as: UTF8.self).lowercased() == "nan" ? .nan : nil
  }

  /// What a field should be that `value` knows no number of.
  static func expected(_ field: UnsafeBufferPointer<UInt8>) -> String {
    DecimalNumber(whole: field) == nil ? "a number" : "a number within ±3.4e38"
  }

  /// Whether a scanner reads the file from a line's end on as libcsv does: it is ASCII without quotation marks and NUL, and
  /// no line ends with CR alone.
  static func isPlain(_ file: InputFile, from start: Int) -> Bool {
    var isPlain = true
    // Of the last byte of the piece before.
    var endsWithReturn = false
    file.forEachPiece(of: start..<file.bytes.count) { piece in
      guard isPlain else { return }
      // So most pieces are: lines end with LF.
      if !endsWithReturn, piece.isASCII(without: UInt8(ascii: "\""), 0, UInt8(ascii: "\r")) { return }
      let returns = piece.count(of: UInt8(ascii: "\r"))
      var pairs = 0
      if returns > 0 || endsWithReturn {
        var previous = endsWithReturn ? UInt8(ascii: "\r") : 0
        for byte in piece {
          if byte == UInt8(ascii: "\n"), previous == UInt8(ascii: "\r") { pairs += 1 }
          previous = byte
        }
        let open = piece.last == UInt8(ascii: "\r")
        isPlain = pairs == returns + (endsWithReturn ? 1 : 0) - (open ? 1 : 0)
        endsWithReturn = open
      }
      isPlain = isPlain && piece.isASCII(without: UInt8(ascii: "\""), 0, 0)
    }
    return isPlain && !endsWithReturn
  }
}
