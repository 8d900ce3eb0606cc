import Foundation
import PoseModel

/// A clip's poses as CSV: `frame,time_s` and a column `<keypoint>_x`, `_y`, `_z`, `_c` for each keypoint and channel.
///
/// Columns may stand in any order. `frame` is a whole number that grows from row to row and may leave out frames;
/// `time_s` is in seconds, from 0 and strictly increasing in whole microseconds. A missing value is an empty field or
/// `nan`. Lines end with LF or CR LF. Quotation marks, which fields do not need, are taken off first (`CSVParser`).
public enum PoseCSV {
  /// Reads the poses.
  ///
  /// - Throws: `DataError` with the line where a column is missing, unknown or there twice, a row has another number of
  ///   fields, a field is not a finite number, times or frame numbers do not grow, or there are more numbers than a clip
  ///   may have (`ClipSize`).
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

      // Empty lines at the end hold nothing; every other line is a frame.
      var end = bytes.count
      while end > headerEnd, bytes[end - 1] == lineFeed || bytes[end - 1] == carriageReturn { end -= 1 }
      let bodyStart = min(headerEnd + 1, end)
      let body = UnsafeBufferPointer(rebasing: bytes[bodyStart..<end])
      var lines = body.isEmpty ? 0 : 1
      file.forEachPiece(of: bodyStart..<end) { lines += $0.count(of: lineFeed) }
      // A row takes a byte a field at least. Where the file is too short for its lines, one of them lacks fields and
      // reading stops there, so that no more is allocated than a few times the size of the file.
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

  /// What a file says without its quotation marks.
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

  /// The poses as CSV: each number the shortest that reads back as the same Float32, NaN as an empty field.
  ///
  /// - Precondition: the keypoints are those of the skeleton.
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
