import Foundation

/// How the processor that wrote a C3D file puts numbers into bytes.
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
      // The word with sign and exponent comes first; the exponent counts from 128 before a fraction of 0.1…, IEEE's from
      // 127 before 1.…, which makes four times as much.
      return first & 0x7F80 == 0 ? 0 : Double(Float(bitPattern: first << 16 | second)) / 4
    }
  }
}
