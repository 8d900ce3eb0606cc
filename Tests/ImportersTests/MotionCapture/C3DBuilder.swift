import Foundation

/// Writes C3D files as c3d.org describes them.
struct C3DBuilder {
  enum Processor: UInt8, CaseIterable { case intel = 84, dec, mips }

  var processor = Processor.intel
  var isInteger = false
  var names = MarkerBody.markers.map(\.name)
  /// A point each, in millimetres; `nil` is written with a residual of −1.
  var frames: [[SIMD3<Double>?]] = [MarkerBody.markers.map(\.place), MarkerBody.markers.map(\.place)]
  var unit = "mm"
  /// `POINT:Y_SCREEN`.
  var shownUpright: String?
  var rate = 120.0
  /// Samples of analog data a frame, which stand after its points.
  var analog = 3
  var saidFrames: Int?
  var longFrames: Int?
  /// The block of the first frame, counted from 1, in the header and in `POINT:DATA_START`; `nil` for the right one.
  var saidStart: Int?
  /// `POINT:USED` as a float in place of an integer.
  var usedAsFloat: Double?
  /// How many labels one parameter takes.
  var labelLimit = 255

  var data: Data {
    let scale = isInteger ? 0.1 : -0.1
    var parameters: [UInt8] = [1, 0x50, 0, processor.rawValue]
    parameters += group("POINT", 1) + group("SUBJECTS", 2)
    parameters +=
      usedAsFloat.map { parameter("USED", 1, 4, [], real($0)) } ?? parameter("USED", 1, 2, [], word(names.count))
    parameters += parameter("SCALE", 1, 4, [], real(scale))
    parameters +=
      parameter("RATE", 1, 4, [], real(rate)) + parameter("FRAMES", 1, 2, [], word(saidFrames ?? frames.count))
    if let longFrames { parameters += parameter("LONG_FRAMES", 1, 4, [], real(Double(longFrames))) }
    var start = 0
    while start < names.count {
      let part = names[start..<min(start + labelLimit, names.count)]
      let name = "LABELS" + (start == 0 ? "" : "\(start / labelLimit + 1)")
      let text = part.flatMap { Array($0.padding(toLength: 8, withPad: " ", startingAt: 0).utf8) }
      parameters += parameter(name, 1, -1, [8, UInt8(part.count)], text)
      start += labelLimit
    }
    if let saidStart { parameters += parameter("DATA_START", 1, 2, [], word(saidStart)) }
    if let shownUpright {
      parameters += parameter("Y_SCREEN", 1, -1, [UInt8(shownUpright.utf8.count)], Array(shownUpright.utf8))
    }
    parameters += parameter("UNITS", 1, -1, [UInt8(unit.utf8.count)], Array(unit.utf8))
    parameters += parameter("NAMES", 2, -1, [4, 1], Array("Anna".utf8)) + [0, 0]
    let blocks = (parameters.count + 511) / 512
    parameters += [UInt8](repeating: 0, count: blocks * 512 - parameters.count)
    parameters[2] = UInt8(blocks)
    var header: [UInt8] = [2, 0x50]
    header += word(names.count) + word(analog) + word(1) + word(frames.count) + word(0) + real(scale)
    header += word(saidStart ?? 2 + blocks) + word(1) + real(rate)
    header += [UInt8](repeating: 0, count: 512 - header.count)
    return Data(header + parameters + frames.flatMap { points($0, scale: scale) })
  }

  private func points(_ frame: [SIMD3<Double>?], scale: Double) -> [UInt8] {
    frame.flatMap { point -> [UInt8] in
      let place = point ?? SIMD3(7, 7, 7)
      let fields = [place.x, place.y, place.z]
      if isInteger {
        return fields.flatMap { word(Int(($0 / scale).rounded()) & 0xFFFF) } + word(point == nil ? 0xFFFF : 5)
      }
      return fields.flatMap(real) + real(point == nil ? -1 : 5)
    } + (0..<analog).flatMap { isInteger ? word($0) : real(Double($0)) }
  }

  private func group(_ name: String, _ id: Int) -> [UInt8] {
    [UInt8(name.utf8.count), UInt8(bitPattern: Int8(-id))] + Array(name.utf8) + word(3) + [0]
  }

  private func parameter(_ name: String, _ id: UInt8, _ type: Int8, _ dimensions: [UInt8], _ value: [UInt8]) -> [UInt8]
  {
    // A locked parameter has the length of its name negated.
    [UInt8(bitPattern: -Int8(name.utf8.count)), id] + Array(name.utf8)
      + word(2 + 2 + dimensions.count + value.count + 1)
      + [UInt8(bitPattern: type), UInt8(dimensions.count)] + dimensions + value + [0]
  }

  private func word(_ value: Int) -> [UInt8] {
    let bytes = [UInt8(value & 0xFF), UInt8(value >> 8 & 0xFF)]
    return processor == .mips ? bytes.reversed() : bytes
  }

  private func real(_ value: Double) -> [UInt8] {
    // DEC's floats count the exponent so that the same bits mean a quarter, and begin with the word of the sign.
    let bits = Int((processor == .dec ? Float(value) * 4 : Float(value)).bitPattern)
    return processor == .intel ? word(bits & 0xFFFF) + word(bits >> 16) : word(bits >> 16) + word(bits & 0xFFFF)
  }
}
