import Datasets
import Foundation

/// A C3D file: a header of 512 bytes, parameters, and frames of points and analog samples.
struct C3DFile: PointMotion {
  let file: String
  let names: [String]
  let rate: Double
  let frameCount: Int
  let metresPerUnit: Double?
  /// What `POINT:Y_SCREEN` has a screen show upright, as programs that draw the points take it; `nil` where it is no axis.
  ///
  /// - Source: py-c3d 0.6, `Manager.get_screen_xy_axis`; BTK writes `+Z` there.
  let upAxis: Axis?
  let subject: String?
  private let input: InputFile
  private let numbers: C3DNumbers
  /// Where the first frame begins.
  private let start: Int
  private let bytesPerFrame: Int
  /// What an integer is multiplied with; negative where coordinates are floats and need no factor.
  private let scale: Double

  /// Reads header and parameters.
  ///
  /// Where there are several numbers of frames, the first of these counts: `TRIAL:ACTUAL_START_FIELD` and
  /// `ACTUAL_END_FIELD`, `POINT:LONG_FRAMES`, `POINT:FRAMES`, the header's (c3d.org, "The TRIAL group", "LONG_FRAMES").
  ///
  /// - Throws: `DataError` where the file is no C3D file, or too short for the frames that it says it has.
  init(_ input: InputFile) throws {
    let bytes = input.bytes
    func failure(_ expected: String, _ found: String) -> DataError {
      DataError(file: input.name, expected: expected, found: found)
    }
    guard bytes.count >= 512, bytes[1] == 0x50 else {
      throw failure("a C3D file, whose second byte is 0x50", bytes.count < 512 ? "\(bytes.count) bytes" : "another one")
    }
    let parameters = try C3DParameters(input, at: (Int(bytes[0]) - 1) * 512)
    let numbers = parameters.numbers
    // Words of the header are counted from 1.
    func word(_ number: Int) -> Int { bytes.withUnsafeBytes { Int(numbers.word($0, (number - 1) * 2)) } }
    func real(_ number: Int) -> Double { bytes.withUnsafeBytes { numbers.float($0, (number - 1) * 2) } }
    file = input.name
    self.input = input
    self.numbers = numbers
    let pointCount = parameters["POINT:USED"]?.count ?? word(2)
    guard pointCount > 0 else { throw failure("markers", "none") }
    guard pointCount <= bytes.count / 8 else {
      throw failure("room for \(pointCount) markers", "a file of \(bytes.count) bytes")
    }
    scale = parameters["POINT:SCALE"]?.doubles.first ?? real(7)
    guard scale.isFinite, scale != 0 else { throw failure("a POINT:SCALE other than 0", "\(scale)") }
    rate = parameters["POINT:RATE"]?.doubles.first ?? real(11)
    subject = parameters["SUBJECTS:NAMES"]?.texts.first { !$0.isEmpty }
    var labels: [String] = []
    for number in 1... {
      guard let more = parameters[number == 1 ? "POINT:LABELS" : "POINT:LABELS\(number)"] else { break }
      labels += more.texts
    }
    // Markers without a label can't be told apart, and there may be labels to spare.
    names = (0..<pointCount).map { $0 < labels.count ? labels[$0] : "" }
    let shown = parameters["POINT:Y_SCREEN"]?.texts.first?.lowercased() ?? ""
    upAxis = Axis(rawValue: shown.hasPrefix("+") ? String(shown.dropFirst()) : shown)
    let unit = parameters["POINT:UNITS"]?.texts.first?.lowercased() ?? ""
    if unit.isEmpty {
      metresPerUnit = nil
    } else if let length = LengthUnit(rawValue: unit) {
      metresPerUnit = length.metres
    } else {
      throw failure(
        "POINT:UNITS of \(LengthUnit.allCases.map(\.rawValue).joined(separator: ", "))",
        unit.prefix(40).debugDescription)
    }
    let size = scale < 0 ? 4 : 2
    bytesPerFrame = (pointCount * 4 + word(3)) * size
    start = ((parameters["POINT:DATA_START"]?.count ?? word(9)) - 1) * 512
    guard start >= 512, start <= bytes.count else {
      throw failure("the frames to begin within the file", "them at byte \(start) of \(bytes.count)")
    }
    frameCount = try Self.frameCount(parameters, header: word(5) - word(4) + 1) { failure("a number of frames", $0) }
    let room = (bytes.count - start) / bytesPerFrame
    guard frameCount <= room else {
      throw failure("\(frameCount) frames, as the file says", "room for \(room): it is cut off or its header is wrong")
    }
  }

  private static func frameCount(
    _ parameters: C3DParameters, header: Int, failure: (String) -> DataError
  ) throws -> Int {
    let count: Int
    if let first = parameters["TRIAL:ACTUAL_START_FIELD"]?.longCount,
      let last = parameters["TRIAL:ACTUAL_END_FIELD"]?.longCount
    {
      count = last - first + 1
    } else {
      count = parameters["POINT:LONG_FRAMES"]?.count ?? parameters["POINT:FRAMES"]?.count ?? header
    }
    guard count > 0 else { throw failure("\(count)") }
    return count
  }

  func forEachFrame(_ body: (Int, UnsafeBufferPointer<SIMD3<Double>>) throws -> Void) throws {
    var points = [SIMD3<Double>](repeating: .missing, count: names.count)
    var memory = ReadMemory(of: input)
    try input.bytes.withUnsafeBytes { raw in
      var frame = 0
      while frame < frameCount {
        var place = start + frame * bytesPerFrame
        memory.pass(place)
        var point = 0
        while point < points.count {
          points[point] = scale < 0 ? float(raw, &place) : integer(raw, &place)
          if points[point] == .zero || points[point].isMissing { points[point] = .missing }
          point += 1
        }
        try points.withUnsafeBufferPointer { try body(frame, $0) }
        frame += 1
      }
    }
  }

  /// - Source: c3d.org, "Notes for programmers - Floating-point 3D Data": a negative fourth number is an invalid point.
  private func float(_ raw: UnsafeRawBufferPointer, _ place: inout Int) -> SIMD3<Double> {
    defer { place += 16 }
    guard numbers.float(raw, place + 12) >= 0 else { return .missing }
    return SIMD3(numbers.float(raw, place), numbers.float(raw, place + 4), numbers.float(raw, place + 8))
  }

  /// - Source: c3d.org, "Notes for programmers - Integer 3D Data".
  private func integer(_ raw: UnsafeRawBufferPointer, _ place: inout Int) -> SIMD3<Double> {
    defer { place += 8 }
    guard numbers.integer(raw, place + 6) >= 0 else { return .missing }
    return SIMD3(
      Double(numbers.integer(raw, place)), Double(numbers.integer(raw, place + 2)),
      Double(numbers.integer(raw, place + 4))) * scale
  }
}
