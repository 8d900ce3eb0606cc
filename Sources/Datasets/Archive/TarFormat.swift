/// The interchange format of POSIX `tar`: what a folder of files needs of it.
///
/// - Source: POSIX.1-2017, pax, "ustar Interchange Format" and "pax Extended Header".
enum TarFormat {
  static let blockSize = 512

  /// Where a header's fields are.
  static let name = 0..<100
  static let mode = 100..<108
  static let user = 108..<116
  static let group = 116..<124
  static let size = 124..<136
  static let modified = 136..<148
  static let checksum = 148..<156
  static let kind = 156
  static let magic = 257..<265
  static let prefix = 345..<500

  static let ustar = Array("ustar\u{0}00".utf8)
  static let file = UInt8(ascii: "0")
  static let folder = UInt8(ascii: "5")
  /// A record of what does not fit the next header.
  static let extended = UInt8(ascii: "x")

  /// The sum of a header's bytes with its own field as spaces.
  static func sum(_ header: [UInt8]) -> Int {
    header.enumerated().reduce(0) { $0 + (checksum.contains($1.offset) ? 32 : Int($1.element)) }
  }

  /// Zeros up to a whole block.
  static func padding(after size: Int) -> [UInt8] {
    [UInt8](repeating: 0, count: (blockSize - size % blockSize) % blockSize)
  }
}
