import Files
import Foundation
import PoseModel

/// A clip's poses as CSV: `frame,time_s` and a column `<keypoint>_x`, `_y`, `_z`, `_c` for each keypoint and channel.
///
/// Columns may be in any order. `frame` is a whole number that increases from row to row and may skip frames; `time_s`
/// is in seconds, from 0 and strictly increasing in whole microseconds. A missing value is an empty field or `nan`.
/// Lines end with LF or CR LF. Quotation marks, which are not needed, are removed first (`CSVParser`).
public enum PoseCSV {
  /// Reads the poses.
  ///
  /// - Throws: `DataError` with the line if a column is missing, unknown or duplicate, a row has a wrong number of
  ///   fields, a field is not a finite number, times or frame numbers do not increase, or there are more numbers than a
  ///   clip may have (`ClipSize`).
  public static func read(_ file: InputFile, skeleton: Skeleton, channels: [Channel]) throws -> Keypoints {
    try file.requireNoUTF16()
    do {
      return try readPlain(file, skeleton: skeleton, channels: channels)
    } catch let error as DataError {
      guard file.bytes.contains(UInt8(ascii: "\"")) else { throw error }
      return try readPlain(unquoted(file), skeleton: skeleton, channels: channels)
    }
  }

  private static func readPlain(_ file: InputFile, skeleton: Skeleton, channels: [Channel]) throws -> Keypoints {
    try file.bytes.withUnsafeBytes { raw in
      let bytes = raw.bindMemory(to: UInt8.self)
      let start = bytes.byteOrderMarkCount
      let headerEnd = bytes[start...].firstIndex(of: lineFeed) ?? bytes.count
      var header = bytes[start..<headerEnd]
      if header.last == carriageReturn { header.removeLast() }
      let columns = try PoseCSVHeader(
        UnsafeBufferPointer(rebasing: header), file: file.name, skeleton: skeleton, channels: channels)

      // Empty lines at the end are ignored; every other line is a frame.
      var end = bytes.count
      while end > headerEnd, bytes[end - 1] == lineFeed || bytes[end - 1] == carriageReturn { end -= 1 }
      let bodyStart = min(headerEnd + 1, end)
      let body = UnsafeBufferPointer(rebasing: bytes[bodyStart..<end])
      var lines = body.isEmpty ? 0 : 1
      file.forEachPiece(of: bodyStart..<end) { lines += $0.count(of: lineFeed) }
      // Each field takes at least one byte of a row. If the file is too short for its lines, one of them lacks fields
      // and reading stops there. This limits memory to a few times the size of the file.
      let capacity = min(lines, body.count / columns.names.count + 1)
      let width = skeleton.keypoints.count * channels.count
      try ClipSize.check(frames: capacity, of: width, file: file.name)
      var times: [Microseconds] = []
      times.reserveCapacity(capacity)
      var memory = ReadMemory(of: file)
      let offsets = columns.columns.map { column in
        if case .value(let place) = column { place * capacity } else { 0 }
      }
      let values = try [Float](unsafeUninitializedCapacity: capacity * width) { values, initialized in
        values.preferLargePages()
        guard let start = values.baseAddress else { return }
        try offsets.withUnsafeBufferPointer { offsets in
          var scanner = PoseCSVScanner(body, header: columns, offsets: offsets, file: file.name)
          while let time = try scanner.nextRow(start + times.count) {
            times.append(time)
            memory.pass(bodyStart + scanner.position)
          }
        }
        initialized = capacity * width
      }
      return Keypoints(
        times: times, keypointCount: skeleton.keypoints.count, channels: channels, values: values)
    }
  }

  /// The content of a file without its quotation marks.
  private static func unquoted(_ file: InputFile) throws -> InputFile {
    let parser = try CSVParser(file)
    var bytes = Data()
    bytes.reserveCapacity(file.bytes.count)
    for row in parser.rows {
      for field in row.fields {
        if field > row.fields.lowerBound { bytes.append(UInt8(ascii: ",")) }
        bytes.append(contentsOf: parser.field(field))
      }
      bytes.append(lineFeed)
    }
    return InputFile(name: file.name, bytes: bytes)
  }

  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  /// The poses as CSV: each number in the shortest form that reads back as the same Float32, NaN as an empty field.
  ///
  /// - Precondition: The keypoints are the skeleton's.
  public static func encode(_ keypoints: Keypoints, skeleton: Skeleton) -> Data {
    precondition(keypoints.keypointCount == skeleton.keypoints.count)
    var data = Data()
    data.reserveCapacity(keypoints.values.count * 11)
    let names = PoseCSVHeader.names(skeleton: skeleton, channels: keypoints.channels)
    data.append(contentsOf: names.joined(separator: ",").utf8)
    let count = keypoints.frameCount
    for frame in 0..<count {
      var row = "\n\(frame),\(keypoints.times[frame].decimalSeconds)"
      for start in stride(from: 0, to: keypoints.values.count, by: count) {
        row += ","
        let value = keypoints.values[start + frame]
        if !value.isNaN { row += value.shortestDecimal }
      }
      data.append(contentsOf: row.utf8)
    }
    data.append(UInt8(ascii: "\n"))
    return data
  }
}

/// The columns of a pose CSV: the frame's number, its time, or a channel of a keypoint.
struct PoseCSVHeader {
  enum Column: Hashable {
    case frame, time
    /// The column of `Keypoints`: keypoint by keypoint, channel by channel.
    case value(Int)
  }

  /// In the order of the file.
  let columns: [Column]
  /// The number of consecutive columns with consecutive values, from each column on.
  let runs: [Int]
  let names: [String]

  /// The names in the order of writing.
  static func names(skeleton: Skeleton, channels: [Channel]) -> [String] {
    ["frame", "time_s"] + skeleton.keypoints.flatMap { keypoint in channels.map { "\(keypoint)_\($0.suffix)" } }
  }

  /// - Parameter line: the first line of the file, without its end.
  init(_ line: UnsafeBufferPointer<UInt8>, file: String, skeleton: Skeleton, channels: [Channel]) throws {
    func failure(_ expected: String, _ found: String) -> DataError {
      DataError(file: file, line: 1, expected: expected, found: found)
    }
    let known = Self.names(skeleton: skeleton, channels: channels)
    var places = Dictionary(uniqueKeysWithValues: known.enumerated().map { ($1, $0) })
    names = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
    let given = Set(names)
    if let missing = known.first(where: { !given.contains($0) }) {
      let near = NearNames.of(missing, in: names.filter { places[$0] == nil })
      throw failure("column \(missing)", near.isEmpty ? "no such column" : "only \(near.joined(separator: ", "))")
    }
    columns = try names.map { name in
      guard let place = places.removeValue(forKey: name) else {
        if known.contains(name) { throw failure("unique columns", "column \(name) twice") }
        let suffixes = channels.map { "_\($0.suffix)" }.joined(separator: ", ")
        throw failure(
          "only frame, time_s and the keypoints of \(skeleton.name) with \(suffixes)", "column \(Excerpt.of(name))")
      }
      switch place {
      case 0: return .frame
      case 1: return .time
      default: return .value(place - 2)
      }
    }
    var runs = [Int](repeating: 0, count: columns.count)
    for (index, column) in columns.enumerated().reversed() {
      if case .value = column { runs[index] = 1 + (index + 1 < columns.count ? runs[index + 1] : 0) }
    }
    self.runs = runs
  }
}

extension Channel {
  /// The part after a keypoint's name in the columns of a pose CSV.
  var suffix: String {
    switch self {
    case .x: "x"
    case .y: "y"
    case .z: "z"
    case .confidence: "c"
    }
  }
}

/// Reads the rows of a pose CSV one after the other from bytes in memory.
struct PoseCSVScanner {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let header: PoseCSVHeader
  /// The target offset of each field's value; meaningless for fields without one.
  private let offsets: UnsafeBufferPointer<Int>
  private let file: String
  /// The position of the next byte.
  private(set) var position = 0
  /// The header is line 1.
  private var line = 1
  private var lastFrame = Int.min
  private var lastTime: Microseconds?

  /// - Parameters:
  ///   - bytes: The rows after the header. They and the offsets must outlive the scanner.
  ///   - offsets: The target offset of each field's value within a row, if it has one.
  init(
    _ bytes: UnsafeBufferPointer<UInt8>, header: PoseCSVHeader, offsets: UnsafeBufferPointer<Int>, file: String
  ) {
    self.bytes = bytes
    self.header = header
    self.offsets = offsets
    self.file = file
  }

  /// Writes the values of the next row to `target`, and returns the row's time; `nil` after the last row.
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
    // `isEnd` has checked that a line feed follows.
    position += 1
    return time
  }

  /// Reads ordinary numbers from a field on, up to and including the first unusual one, and returns the field after
  /// them.
  private mutating func takeValues(_ first: Int, _ target: UnsafeMutablePointer<Float>) throws -> Int {
    let run = header.runs[first]
    let offsets = UnsafeBufferPointer(rebasing: offsets[first..<first + run])
    let usual = bytes.takeFields(at: &position, into: target, offsets: offsets)
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

  /// - Precondition: No part of the field has been read.
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
