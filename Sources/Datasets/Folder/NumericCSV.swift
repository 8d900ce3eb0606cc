/// The rows of a CSV file of which some columns are numbers, one after the other, without keeping them.
///
/// What a `CSVTable` reads is read here too, and to the same numbers. Where nothing in the file is quoted, which is so in
/// recordings, a scanner does it, and a file may be of any size.
public struct NumericCSV {
  /// A row, valid while it is given.
  public struct Row {
    /// In the order of the columns that were asked for; NaN where a field is empty or `nan`.
    public let values: UnsafeBufferPointer<Float>
    /// The line on which it begins, from 1.
    public let line: Int
    /// How long it is in the file, or 0 where that is not known.
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
    /// - Parameter unit: microseconds that the unit of the column has.
    public func microseconds(unit: Double) throws -> Int {
      // Beyond 30,000 years nothing is a time.
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
  ///   - columns: whose fields are numbers; there may be others in the file.
  ///   - key: a column by which rows are known.
  public init(_ file: InputFile, columns: [String], key: String?) {
    self.file = file
    self.columns = columns
    self.key = key
  }

  /// Calls `body` with each row.
  ///
  /// - Throws: `DataError` with the line where the file is no table with these columns or a field is no number, and what
  ///   `body` throws.
  public func forEachRow(_ body: (Row) throws -> Void) throws {
    try file.requireNoUTF16()
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

  /// The same for a file with quotation marks, or whatever else only libcsv knows.
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
