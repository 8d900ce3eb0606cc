/// The rows of a CSV file with some numeric columns, one after the other, without keeping them.
///
/// Reads the same files as `CSVTable`, with the same numbers. If nothing in the file is quoted, as in recordings, a
/// scanner reads it, and the file may have any size.
public struct NumericCSV {
  /// A row, valid during the call that receives it.
  public struct Row {
    /// In the order of the requested columns; NaN if a field is empty or a word for nothing (`MissingNumber`).
    public let values: UnsafeBufferPointer<Float>
    /// The line on which it begins, from 1.
    public let line: Int
    /// The length of the row in the file, or 0 if unknown.
    public let byteCount: Int
    fileprivate let file: String
    fileprivate let key: (column: String, text: UnsafeBufferPointer<UInt8>)?

    /// The key, which must be a whole number.
    public func integer() throws -> Int {
      guard let number = decimal, let integer = number.integer else { throw failure(expected: "a whole number") }
      return integer
    }

    /// The key, which must be a time, in microseconds.
    ///
    /// - Parameter unit: The microseconds in the column's unit.
    public func microseconds(unit: Double) throws -> Int {
      // Anything beyond 30,000 years is not a time.
      guard let key, let value = decimal?.double(key.text), case let time = (value * unit).rounded(), abs(time) <= 1e18
      else { throw failure(expected: "a time") }
      return Int(time)
    }

    private var decimal: DecimalNumber? { key.flatMap { DecimalNumber(whole: $0.text) } }

    private func failure(expected: String) -> DataError {
      let text = key?.text ?? UnsafeBufferPointer(start: nil, count: 0)
      return DataError(
        file: file, line: line, expected: "\(expected) in column \(key?.column ?? "")",
        found: text.isEmpty ? "an empty field" : Excerpt.of(text))
    }
  }

  private let file: InputFile
  private let columns: [String]
  private let key: String?

  /// - Parameters:
  ///   - columns: The columns of numbers; the file may have others.
  ///   - key: A column that identifies rows.
  public init(_ file: InputFile, columns: [String], key: String?) {
    self.file = file
    self.columns = columns
    self.key = key
  }

  /// Calls `body` with each row.
  ///
  /// - Throws: `DataError` with the line if the file is not a table with these columns or a field is not a number, and
  ///   the errors of `body`.
  public func forEachRow(_ body: (Row) throws -> Void) throws {
    try file.requireBeginningOfText()
    let end = file.headerEnd
    guard hasPlainHeader(end), NumericCSVScanner.isPlain(file, from: end) else { return try forEachQuotedRow(body) }
    try file.bytes.withUnsafeBytes { raw in
      let bytes = raw.bindMemory(to: UInt8.self)
      let header = try CSVTable(
        InputFile(name: file.name, bytes: file.bytes.prefix(end)), required: wanted, ignoringOthers: true)
      let key = key.flatMap { name in header.places[name].map { (name: name, place: $0) } }
      var scanner = NumericCSVScanner(
        bytes, from: min(end + 1, bytes.count), file: file.name, header: header,
        columns: columns.map { header.places[$0] ?? 0 }, key: key?.place)
      var memory = ReadMemory(of: file)
      try withUnsafeTemporaryAllocation(of: Float.self, capacity: max(columns.count, 1)) { values in
        var rowStart = scanner.position
        while let line = try scanner.nextRow(into: values) {
          try body(
            Row(
              values: UnsafeBufferPointer(rebasing: values[..<columns.count]), line: line,
              byteCount: scanner.position - rowStart, file: file.name,
              key: key.map { ($0.name, UnsafeBufferPointer(rebasing: bytes[scanner.keyText])) }))
          memory.pass(scanner.position)
          rowStart = scanner.position
        }
      }
    }
  }

  /// Whether the header is one line, perhaps with names in quotation marks, and not empty.
  private func hasPlainHeader(_ end: Int) -> Bool {
    var header = file.bytes.prefix(end).withoutByteOrderMark
    if header.last == UInt8(ascii: "\r") { header.removeLast() }
    return !header.isEmpty && !header.contains(UInt8(ascii: "\r"))
      && header.count { $0 == UInt8(ascii: "\"") }.isMultiple(of: 2)
  }

  private var wanted: [String] {
    var seen: Set<String> = []
    return (columns + [key].compactMap(\.self)).filter { seen.insert($0).inserted }
  }

  /// Calls `body` with each row of a file with quotation marks, or anything else that only libcsv supports.
  private func forEachQuotedRow(_ body: (Row) throws -> Void) throws {
    let table = try CSVTable(file, required: wanted, ignoringOthers: true)
    let places = columns.map { table.places[$0] ?? 0 }
    let keyPlace = key.flatMap { table.places[$0] }
    var values = [Float](repeating: .nan, count: columns.count)
    for row in table.rows {
      for (index, place) in places.enumerated() {
        values[index] = try row.field(place).withUnsafeBufferPointer { text in
          guard let value = NumericCSVScanner.value(text) else {
            throw row.failure(columns[index], expected: NumericCSVScanner.expected(text))
          }
          return value
        }
      }
      try values.withUnsafeBufferPointer { values in
        guard let key, let keyPlace else {
          return try body(Row(values: values, line: row.line, byteCount: 0, file: file.name, key: nil))
        }
        try row.field(keyPlace).withUnsafeBufferPointer { text in
          try body(Row(values: values, line: row.line, byteCount: 0, file: file.name, key: (key, text)))
        }
      }
    }
  }
}

/// Reads the rows of a CSV file without quotation marks one after the other from bytes in memory.
struct NumericCSVScanner {
  /// The range of the key's field in the last row.
  private(set) var keyText = 0..<0
  /// The position of the next byte.
  private(set) var position: Int

  private let bytes: UnsafeBufferPointer<UInt8>
  private let file: String
  private let names: [String]
  private let columns: [Int]
  private let key: Int?
  /// The first index in `columns` of each column of the file, or -1.
  private let slots: [Int]
  /// The number of consecutive requested columns that start at each column of the file, without the key.
  private let runs: [Int]
  private var line = 1

  /// - Parameters:
  ///   - start: The start of the line after the header.
  ///   - columns: The requested numeric columns, in their order; indices in the header.
  ///   - key: The column whose text is requested.
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

  /// Writes the numbers of the next row into `values` and returns its line; `nil` after the last row.
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
    // A column that is requested twice was read once.
    for (index, column) in columns.enumerated() where slots[column] != index { values[index] = values[slots[column]] }
    if position < bytes.count, bytes[position] == UInt8(ascii: "\r") { position += 1 }
    position += 1
    return line
  }

  /// Reads ordinary numbers from a field on, up to and including the first unusual one, and returns the field after
  /// them.
  private mutating func takeNumbers(_ first: Int, _ target: UnsafeMutablePointer<Float>) throws -> Int {
    let run = runs[first]
    let usual = slots.withUnsafeBufferPointer { slots in
      bytes.takeFields(
        at: &position, into: target, offsets: UnsafeBufferPointer(rebasing: slots[first..<first + run]))
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

  /// The number of a field, NaN if missing.
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

/// The words that programs write for a number that is not there.
///
/// - Source: Python, `str(None)`; pandas, `read_csv`, `na_values`; R, `write.csv`.
enum MissingNumber {
  static func isWord(_ field: UnsafeBufferPointer<UInt8>) -> Bool {
    field.count <= 4 && words.contains(String(decoding: field, as: UTF8.self).lowercased())
  }

  private static let words: Set = ["nan", "none", "null", "na", "n/a", "-"]
}

extension NumericCSVScanner {
  /// The number of a field, NaN if missing; `nil` for anything else.
  static func value(_ field: UnsafeBufferPointer<UInt8>) -> Float? {
    if field.isEmpty { return .nan }
    if let number = DecimalNumber(whole: field) {
      let value = number.float(field)
      return value.isFinite ? value : nil
    }
    return MissingNumber.isWord(field) ? .nan : nil
  }

  /// The expected content of a field that `value` cannot read.
  static func expected(_ field: UnsafeBufferPointer<UInt8>) -> String {
    DecimalNumber(whole: field) == nil ? "a number" : "a number within ±3.4e38"
  }

  /// Whether a scanner can read the file from a line end on like libcsv: it is ASCII without quotation marks and NUL,
  /// and no line ends with CR alone.
  static func isPlain(_ file: InputFile, from start: Int) -> Bool {
    var isPlain = true
    // Whether the last byte of the previous piece was CR.
    var endsWithReturn = false
    file.forEachPiece(of: start..<file.bytes.count) { piece in
      guard isPlain else { return }
      // Most pieces have only LF as line ends.
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
