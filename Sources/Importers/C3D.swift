import Files
import Foundation

/// C3D files of marker systems, `.c3d`: one file per clip, markers turned into joint centres (`JointCentres`).
///
/// Integers and floats of Intel, DEC and MIPS processors. Units are the file's. Up is `POINT:Y_SCREEN`, which the
/// people in the file must not contradict; if that is absent or not an axis, up follows from the people or `--up`. A
/// marker with a negative residual, or at 0,0,0, is lost.
///
/// - Source: The C3D File Format: User Guide, c3d.org, sections on the header, the parameter section and 3D data.
public struct C3D: CaptureImporter {
  public static let format = "c3d"
  public static let summary = "C3D marker files, *.c3d, turned into joint centres"

  static let capture = MotionCapture.Format(name: format, ending: "c3d", source: "C3D files") { file, directory, _ in
    try C3DFile(InputFile(file, in: directory))
  }

  let recordings: MotionCapture

  init(_ recordings: MotionCapture) { self.recordings = recordings }
}

/// A C3D file: a header of 512 bytes, parameters, and frames of points and analog samples.
struct C3DFile: PointMotion {
  let file: String
  let names: [String]
  let rate: Double
  let frameCount: Int
  let metresPerUnit: Double?
  /// The vertical axis of a screen by `POINT:Y_SCREEN`, as plotting programs read it; `nil` if it is not an axis.
  ///
  /// - Source: py-c3d 0.6, `Manager.get_screen_xy_axis`; BTK writes `+Z` there.
  let upAxis: WorldAxis?
  let subject: String?
  private let input: InputFile
  private let numbers: C3DNumbers
  /// The start of the first frame.
  private let start: Int
  private let bytesPerFrame: Int
  /// The factor of an integer; negative if coordinates are floats and need no factor.
  private let scale: Double

  /// Reads header and parameters.
  ///
  /// The frames start at the block of `POINT:DATA_START`, else of the header; if both are 0, after the parameters.
  ///
  /// If the file has several frame counts, the first of these applies: `TRIAL:ACTUAL_START_FIELD` and
  /// `ACTUAL_END_FIELD`, `POINT:LONG_FRAMES`, `POINT:FRAMES`, the header's (c3d.org, "The TRIAL group", "LONG_FRAMES").
  ///
  /// - Throws: `DataError` if the file is not a C3D file, or too short for its declared frames.
  init(_ input: InputFile) throws {
    try input.requireReadableSize()
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
    // Markers without a label cannot be distinguished, and there may be spare labels.
    names = (0..<pointCount).map { $0 < labels.count ? labels[$0] : "" }
    let shown = parameters["POINT:Y_SCREEN"]?.texts.first?.lowercased() ?? ""
    upAxis = WorldAxis(rawValue: shown.hasPrefix("+") ? String(shown.dropFirst()) : shown)
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
    // A block counted from 1; some programs write 0 in one place or both, and the frames follow the parameters.
    let declared = [parameters["POINT:DATA_START"]?.count, word(9)].compactMap { $0 }.first { $0 > 0 }
    start = declared.map { ($0 - 1) * 512 } ?? parameters.end
    guard start >= 512, start <= bytes.count else {
      throw failure("the frames to start within the file", "them at byte \(start) of \(bytes.count)")
    }
    frameCount = try Self.frameCount(parameters, header: word(5) - word(4) + 1) { failure("a number of frames", $0) }
    let room = (bytes.count - start) / bytesPerFrame
    guard frameCount <= room else {
      throw failure("\(frameCount) frames, as declared", "room for \(room): it is cut off or its header is wrong")
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

/// The parameter section of a C3D file: groups of named values.
///
/// - Source: c3d.org, "Parameter header", "Group format", "Parameter format".
struct C3DParameters {
  struct Value {
    enum Kind: Int8 {
      case character = -1
      case byte = 1
      case integer = 2
      case float = 4
    }

    let kind: Kind
    let dimensions: [Int]
    let bytes: Data
    let numbers: C3DNumbers

    private var elementSize: Int { Swift.abs(Int(kind.rawValue)) }

    /// All values as numbers; 16-bit values are signed.
    var doubles: [Double] {
      bytes.withUnsafeBytes { raw in
        (0..<raw.count / elementSize).map { index in
          switch kind {
          case .character, .byte: Double(raw[index])
          case .integer: Double(numbers.integer(raw, index * 2))
          case .float: numbers.float(raw, index * 4)
          }
        }
      }
    }

    /// A whole number; 16-bit values are unsigned.
    var count: Int? {
      guard let value = doubles.first, value.isFinite, value.magnitude < 1e15 else { return nil }
      return kind == .integer && value < 0 ? Int(value) + 65536 : Int(value)
    }

    /// A 32-bit whole number from two 16-bit ones, the lower first.
    var longCount: Int? {
      guard kind == .integer, bytes.count >= 4 else { return nil }
      return bytes.withUnsafeBytes { Int(numbers.word($0, 0)) | Int(numbers.word($0, 2)) << 16 }
    }

    /// The texts of a character array, without trailing spaces; a single text if the array has one dimension.
    var texts: [String] {
      guard kind == .character else { return [] }
      let length = dimensions.first ?? bytes.count
      guard length > 0 else { return [] }
      return stride(from: 0, to: bytes.count, by: length).map { start in
        let part = bytes.dropFirst(start).prefix(length)
        return String(decoding: part.filter { $0 != 0 }, as: UTF8.self).trimmingCharacters(in: .whitespaces)
      }
    }
  }

  let numbers: C3DNumbers
  /// The end of the section's blocks, counted from the file's start.
  let end: Int
  private var values: [String: Value] = [:]

  /// - Parameter start: The start of the section in the file.
  /// - Throws: `DataError` if the section is invalid or extends past the end of the file.
  init(_ file: InputFile, at start: Int) throws {
    func failure(_ expected: String, _ found: String) -> DataError {
      DataError(file: file.name, expected: expected, found: found)
    }
    let bytes = file.bytes
    guard start >= 0, start + 4 <= bytes.count else {
      throw failure("a parameter section at byte \(start)", "a file of \(bytes.count) bytes")
    }
    guard let numbers = C3DNumbers(rawValue: bytes[start + 3]) else {
      throw failure("a processor of 84 (Intel), 85 (DEC) or 86 (MIPS)", "\(bytes[start + 3])")
    }
    self.numbers = numbers
    let end = min(start + max(Int(bytes[start + 2]), 1) * 512, bytes.count)
    self.end = end
    var groups: [Int: String] = [:]
    var parameters: [(group: Int8, name: String, value: Value)] = []
    try bytes.withUnsafeBytes { raw in
      var place = start + 4
      while place + 2 <= end {
        let length = Int(Int8(bitPattern: raw[place]).magnitude)
        let group = Int8(bitPattern: raw[place + 1])
        guard length > 0, group != 0 else { break }
        let pointer = place + 2 + length
        guard pointer + 2 <= end else {
          throw failure("a parameter within the parameter section", "one beyond its end")
        }
        let name = String(decoding: raw[(place + 2)..<pointer], as: UTF8.self).uppercased()
        if group < 0 {
          groups[-Int(group)] = name
        } else {
          let value = try Self.value(raw, at: pointer + 2, end: end, numbers, bytes) {
            failure("a value of \(name) within the parameter section", $0)
          }
          parameters.append((group, name, value))
        }
        let offset = Int(numbers.word(raw, pointer))
        if offset == 0 { break }
        guard offset >= 2 else { throw failure("a parameter after \(name)", "one that begins within it") }
        place = pointer + offset
      }
    }
    for (group, name, value) in parameters { values["\(groups[Int(group)] ?? ""):\(name)"] = value }
  }

  subscript(_ name: String) -> Value? { values[name] }

  private static func value(
    _ raw: UnsafeRawBufferPointer, at start: Int, end: Int, _ numbers: C3DNumbers, _ bytes: Data,
    failure: (String) -> DataError
  ) throws -> Value {
    guard start + 2 <= end else { throw failure("none") }
    guard let kind = Value.Kind(rawValue: Int8(bitPattern: raw[start])) else {
      throw failure("a type of \(Int8(bitPattern: raw[start]))")
    }
    let count = Int(raw[start + 1])
    guard count <= 7, start + 2 + count <= end else { throw failure("\(count) dimensions") }
    let dimensions = (0..<count).map { Int(raw[start + 2 + $0]) }
    // At most 255 in each of seven dimensions, which fits in 64 bits.
    let size = dimensions.reduce(Int(kind.rawValue.magnitude), *)
    let first = start + 2 + count
    guard size <= end - first else { throw failure("one of \(size) bytes") }
    return Value(kind: kind, dimensions: dimensions, bytes: Data(bytes[first..<first + size]), numbers: numbers)
  }
}

/// The byte format of numbers, by the processor that wrote a C3D file.
///
/// - Source: c3d.org, "Parameter header": 84 is Intel, 85 DEC (VAX F floats), 86 SGI/MIPS (big-endian).
enum C3DNumbers: UInt8 {
  case intel = 84
  case dec = 85
  case mips = 86

  func word(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> UInt16 {
    let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
    return self == .mips ? first << 8 | second : second << 8 | first
  }

  func integer(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> Int { Int(Int16(bitPattern: word(bytes, place))) }

  func float(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> Double {
    let (first, second) = (UInt32(word(bytes, place)), UInt32(word(bytes, place + 2)))
    switch self {
    case .intel: return Double(Float(bitPattern: second << 16 | first))
    case .mips: return Double(Float(bitPattern: first << 16 | second))
    case .dec:
      // The word with sign and exponent comes first. The exponent is biased by 128 before a fraction of 0.1…, IEEE's by
      // 127 before 1.…: a factor of four.
      return first & 0x7F80 == 0 ? 0 : Double(Float(bitPattern: first << 16 | second)) / 4
    }
  }
}
