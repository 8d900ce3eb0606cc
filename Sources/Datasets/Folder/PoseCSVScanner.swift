import CDecimals
import PoseModel

/// Takes the rows of a pose CSV one after the other from bytes in memory.
struct PoseCSVScanner {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let header: PoseCSVHeader
  /// Of each field, where its value goes; meaningless where it is none.
  private let offsets: UnsafeBufferPointer<Int>
  private let file: String
  /// Of the next byte.
  private(set) var position = 0
  /// The header is line 1.
  private var line = 1
  private var lastFrame = Int.min
  private var lastTime: Microseconds?

  /// - Parameters:
  ///   - bytes: the rows after the header, valid as long as the scanner is used, as are the offsets.
  ///   - offsets: of each field, how far from a row's target its value goes, where it is one.
  init(
    _ bytes: UnsafeBufferPointer<UInt8>, header: PoseCSVHeader, offsets: UnsafeBufferPointer<Int>, file: String
  ) {
    self.bytes = bytes
    self.header = header
    self.offsets = offsets
    self.file = file
  }

  /// Puts the values of the next row where they go from `target` on, and returns the row's time; `nil` after the last row.
  mutating func nextRow(_ target: UnsafeMutablePointer<Float>) throws -> Microseconds? {
    guard position < bytes.count else { return nil }
    line += 1
    let start = position
    var time = Microseconds.zero
    let count = header.columns.count
    var field = 0
    while true {
      switch header.columns[field] {
      case .value: field = try takeValues(field, target)
      case .frame:
        try takeFrame(field)
        field += 1
      case .time:
        time = try takeTime(field)
        field += 1
      }
      let isLast = field == count
      guard position < bytes.count, bytes[position] == UInt8(ascii: ",") else {
        guard isLast else { throw fieldCountFailure(start) }
        break
      }
      guard !isLast else { throw fieldCountFailure(start) }
      position += 1
    }
    if position < bytes.count, bytes[position] == UInt8(ascii: "\r") { position += 1 }
    // `isEnd` has seen that a line feed follows.
    position += 1
    return time
  }

  /// Takes the usual numbers from a field on and the first unusual one, and returns the field after them.
  private mutating func takeValues(_ first: Int, _ target: UnsafeMutablePointer<Float>) throws -> Int {
    let run = header.runs[first]
    let offsets = UnsafeBufferPointer(rebasing: offsets[first...])
    let usual = cdecimals_row(bytes.baseAddress, bytes.count, &position, target, offsets.baseAddress, run)
    guard usual < run else { return first + run }
    let field = first + usual
    if let number = DecimalNumber(bytes, at: position), isEnd(number.end) {
      let value = number.float(bytes)
      guard value.isFinite else { throw failure(field, "a number within ±3.4e38") }
      target[offsets[usual]] = value
      position = number.end
    } else {
      try skipMissing(field)
      target[offsets[usual]] = .nan
    }
    return field + 1
  }

  /// Whether a field ends at `place`.
  @inline(__always)
  private func isEnd(_ place: Int) -> Bool {
    guard place < bytes.count else { return true }
    let byte = bytes[place]
    if byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\n") { return true }
    return byte == UInt8(ascii: "\r") && (place + 1 == bytes.count || bytes[place + 1] == UInt8(ascii: "\n"))
  }

  private mutating func skipMissing(_ field: Int) throws {
    let text = fieldText(position)
    guard text.isEmpty || text.lowercased() == "nan" else { throw failure(field, "a number") }
    position += text.utf8.count
  }

  private mutating func takeFrame(_ field: Int) throws {
    guard let number = DecimalNumber(bytes, at: position), isEnd(number.end), let frame = number.integer else {
      throw failure(field, "a whole number")
    }
    guard frame > lastFrame else { throw failure(field, "a number after the last row's \(lastFrame)") }
    lastFrame = frame
    position = number.end
  }

  private mutating func takeTime(_ field: Int) throws -> Microseconds {
    guard let number = DecimalNumber(bytes, at: position), isEnd(number.end),
      let time = Microseconds(seconds: number.double(bytes)), time >= .zero
    else { throw failure(field, "a time in seconds from 0") }
    if let lastTime {
      guard time > lastTime else { throw failure(field, "a time after the last row's \(lastTime.decimalSeconds)") }
      guard time - lastTime <= ClipSize.longestPause else {
        throw failure(field, "a time in seconds at most an hour after the last row's \(lastTime.decimalSeconds)")
      }
    }
    lastTime = time
    position = number.end
    return time
  }

  private func fieldText(_ start: Int) -> String {
    var end = start
    while !isEnd(end) { end += 1 }
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  /// - Precondition: nothing of the field has been taken.
  private func failure(_ field: Int, _ expected: String) -> DataError {
    DataError(
      file: file, line: line, expected: "\(expected) in column \(header.names[field])",
      found: Excerpt.of(fieldText(position)))
  }

  private func fieldCountFailure(_ start: Int) -> DataError {
    let row = bytes[start...].prefix { $0 != UInt8(ascii: "\n") }
    let count = row.reduce(1) { $0 + ($1 == UInt8(ascii: ",") ? 1 : 0) }
    return DataError(file: file, line: line, expected: "\(header.columns.count) fields", found: "\(count)")
  }
}
