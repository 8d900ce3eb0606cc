import Files
import Foundation

/// OpenSim's and Cortex's marker files, `.trc`: one file per clip, markers turned into joint centres (`JointCentres`).
///
/// Units are the file's (m, mm, cm, in), y points up unless `--up` sets another axis, and a marker with empty fields,
/// NaN or 0,0,0 is lost. If the times match the frame rate, frames are evenly spaced at that rate; otherwise each has
/// its own time, the first 0.
///
/// - Source: OpenSim documentation, "Marker (.trc) Files" and "Coordinate systems" (x forward, y up, z right).
public struct TRC: CaptureImporter {
  public static let format = "trc"
  public static let summary = "OpenSim and Cortex marker files, *.trc, turned into joint centres"

  static let capture = MotionCapture.Format(name: format, ending: "trc", source: "TRC files") { file, directory, _ in
    try TRCFile(InputFile(file, in: directory))
  }

  let recordings: MotionCapture

  init(_ recordings: MotionCapture) { self.recordings = recordings }
}

/// A TRC file: a header of five lines, then one line per frame, with fields separated by tabs.
struct TRCFile: PointMotion {
  let file: String
  let names: [String]
  let rate: Double
  let times: [Double]?
  let metresPerUnit: Double?
  let upAxis: WorldAxis? = .y
  private let input: InputFile
  /// The start of each frame's line, and its number.
  private let lines: [(start: Int, number: Int)]

  var frameCount: Int { lines.count }

  /// Reads the header and finds the frames.
  ///
  /// - Throws: `DataError` with the line if the header is invalid, gives wrong numbers of markers or frames, or times
  ///   do not increase.
  init(_ input: InputFile) throws {
    file = input.name
    self.input = input
    var lines = try TextLines(input)
    func failure(_ line: Int, _ expected: String, _ found: String) -> DataError {
      DataError(file: input.name, line: line, expected: expected, found: found)
    }
    guard let first = lines.next(), first.text.hasPrefix("PathFileType") else {
      throw failure(1, "PathFileType", "another word or nothing")
    }
    let keys = lines.next()?.fields ?? []
    guard let values = lines.next() else { throw failure(3, "the values of the header", "the end of the file") }
    func value(_ key: String) throws -> String {
      guard let place = keys.firstIndex(of: key), place < values.fields.count else {
        throw failure(2, "\(key) with a value below it", "none")
      }
      return values.fields[place]
    }
    func number(_ key: String) throws -> Double {
      let text = try value(key)
      guard let number = Double(text), number.isFinite else {
        throw failure(values.number, "a number for \(key)", text.prefix(40).debugDescription)
      }
      return number
    }
    rate = try number("DataRate")
    guard rate > 0 else { throw failure(values.number, "a DataRate above 0", "\(rate)") }
    let (frames, markers) = (try number("NumFrames"), try number("NumMarkers"))
    let unit = try value("Units").lowercased()
    let units = ["meters": "m", "metres": "m", "millimeters": "mm", "centimeters": "cm", "inches": "in"]
    guard let length = LengthUnit(rawValue: units[unit] ?? unit) else {
      throw failure(
        values.number,
        "Units of \(LengthUnit.allCases.map(\.rawValue).joined(separator: ", "))"
          + (unit == "px" ? "; Sports2D's files with _m_ in their names have metres" : ""),
        unit.prefix(40).debugDescription)
    }
    metresPerUnit = length.metres
    guard let labels = lines.next(), labels.fields.count > 2, labels.fields[0].hasPrefix("Frame") else {
      throw failure(4, "Frame#, Time and the markers' names", "something else")
    }
    names = labels.fields.dropFirst(2).filter { !$0.isEmpty }
    guard Double(names.count) == markers else {
      throw failure(
        labels.number, "\(values.fields.count > 3 ? try value("NumMarkers") : "") names of markers, as NumMarkers says",
        "\(names.count)")
    }
    guard lines.next() != nil else { throw failure(5, "X1, Y1, Z1 …", "the end of the file") }
    var found: [(start: Int, number: Int)] = []
    var seconds: [Double] = []
    while let line = lines.next() {
      if line.isBlank { continue }
      guard let time = line.number(1) else {
        throw failure(line.number, "a frame number and a time", line.text.prefix(40).debugDescription)
      }
      if let last = seconds.last, time <= last {
        throw failure(line.number, "a time after \(last)", "\(time)")
      }
      found.append((line.start, line.number))
      seconds.append(time)
    }
    guard Double(found.count) == frames else {
      throw failure(values.number, "as many frames as NumFrames says, \(try value("NumFrames"))", "\(found.count)")
    }
    self.lines = found
    let start = seconds.first ?? 0
    let rate = rate
    // Rounding causes errors up to half a frame; more means a missing or late frame.
    let isRegular = seconds.enumerated().allSatisfy { abs($1 - start - Double($0) / rate) < 0.5 / rate }
    times = isRegular ? nil : seconds.map { $0 - start }
  }

  func forEachFrame(_ body: (Int, UnsafeBufferPointer<SIMD3<Double>>) throws -> Void) throws {
    var points = [SIMD3<Double>](repeating: .missing, count: names.count)
    var memory = ReadMemory(of: input)
    try input.bytes.withUnsafeBytes { raw in
      let text = raw.bindMemory(to: UInt8.self)
      var frame = 0
      while frame < lines.count {
        memory.pass(lines[frame].start)
        try read(text, lines[frame], into: &points)
        try points.withUnsafeBufferPointer { try body(frame, $0) }
        frame += 1
      }
    }
  }

  private func read(
    _ text: UnsafeBufferPointer<UInt8>, _ line: (start: Int, number: Int), into points: inout [SIMD3<Double>]
  ) throws {
    var fields = TabbedFields(text, from: line.start)
    _ = fields.next()
    _ = fields.next()
    var column = 0
    while column < points.count * 3 {
      guard let field = fields.next() else {
        throw DataError(
          file: file, line: line.number, expected: "\(points.count * 3 + 2) fields", found: "\(column + 2)")
      }
      guard let value = TabbedFields.number(field) else {
        throw DataError(
          file: file, line: line.number, expected: "a number for \(names[column / 3])",
          found: String(decoding: field.prefix(40), as: UTF8.self).debugDescription)
      }
      points[column / 3][column % 3] = value
      if column % 3 == 2, points[column / 3] == .zero || points[column / 3].isMissing { points[column / 3] = .missing }
      column += 1
    }
    while let field = fields.next() {
      guard field.isEmpty else {
        throw DataError(
          file: file, line: line.number, expected: "\(points.count * 3 + 2) fields", found: "more of them")
      }
    }
  }
}
