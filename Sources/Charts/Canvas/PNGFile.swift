import CPNG

/// The text chunks of a PNG file, by their keys: tEXt, and iTXt that is not compressed, as `png` writes them.
///
/// - Source: PNG specification, third edition (W3C, 2025), 11.3.3.
public struct PNGTexts: Hashable, Sendable {
  private var values: [String: String] = [:]

  /// - Throws: `ChartError.decoding` for anything but a PNG file.
  public init(_ file: [UInt8]) throws(ChartError) {
    guard file.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) else {
      throw .decoding("expected a PNG file's signature")
    }
    // A chunk is its length in four bytes, its type in four, its data, and a checksum in four.
    var start = 8
    while file.count - start >= 12 {
      let length = file[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
      guard length <= file.count - start - 12 else { throw .decoding("a chunk ends beyond the file") }
      let type = String(decoding: file[start + 4..<start + 8], as: UTF8.self)
      note(type, file[start + 8..<start + 8 + length])
      start += 12 + length
    }
  }

  public var keys: [String] { values.keys.sorted() }

  /// The text of a key; `nil` if missing.
  public subscript(_ key: String) -> String? { values[key] }

  private mutating func note(_ type: String, _ data: ArraySlice<UInt8>) {
    guard ["tEXt", "iTXt"].contains(type), let end = data.firstIndex(of: 0) else { return }
    var text = data[(end + 1)...]
    if type == "iTXt" {
      // Compression flag and method, language, and the key in that language.
      guard text.first == 0 else { return }
      text = text.dropFirst(2)
      for _ in 0..<2 {
        guard let next = text.firstIndex(of: 0) else { return }
        text = text[(next + 1)...]
      }
    }
    values[String(decoding: data[..<end], as: UTF8.self)] = String(decoding: text, as: UTF8.self)
  }
}

/// The pixels of a PNG file.
public struct PNGPixels: Hashable, Sendable {
  public let width: Int
  public let height: Int
  /// Red, green and blue of each pixel, row by row from the top left.
  private let rgb: [UInt8]

  /// - Throws: `ChartError.decoding` for anything but a PNG file.
  public init(_ file: [UInt8]) throws(ChartError) {
    var (width, height): (Int32, Int32) = (0, 0)
    try Self.checked { cpng_read_size(file, file.count, &width, &height, $0) }
    let room = 3 * Int(width) * Int(height)
    var status = CPNG_OK
    var message = ""
    rgb = [UInt8](unsafeUninitializedCapacity: room) { buffer, initialized in
      (status, message) = Self.called { cpng_read_pixels(file, file.count, buffer.baseAddress, room, $0) }
      initialized = status == CPNG_OK ? room : 0
    }
    guard status == CPNG_OK else { throw .decoding(message) }
    (self.width, self.height) = (Int(width), Int(height))
  }

  private static func checked(_ call: (UnsafeMutablePointer<CChar>?) -> cpng_status) throws(ChartError) {
    let (status, message) = called(call)
    guard status == CPNG_OK else { throw .decoding(message) }
  }

  private static func called(
    _ call: (UnsafeMutablePointer<CChar>?) -> cpng_status
  ) -> (status: cpng_status, message: String) {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(CPNG_MESSAGE_SIZE)) { message in
      let status = call(message.baseAddress)
      return (status, status == CPNG_OK ? "" : message.baseAddress.map { String(cString: $0) } ?? "")
    }
  }

  /// The mean of red, green and blue over the part of an area within the picture; `nil` if there is none.
  func mean(left: Int, top: Int, right: Int, bottom: Int) -> SIMD3<Double>? {
    let (left, top, right, bottom) = (max(0, left), max(0, top), min(right, width), min(bottom, height))
    guard left < right, top < bottom else { return nil }
    var (red, green, blue) = (0, 0, 0)
    rgb.withUnsafeBufferPointer { rgb in
      for y in top..<bottom {
        var place = 3 * (y * width + left)
        let end = 3 * (y * width + right)
        while place < end {
          red += Int(rgb[place])
          green += Int(rgb[place + 1])
          blue += Int(rgb[place + 2])
          place += 3
        }
      }
    }
    return SIMD3(Double(red), Double(green), Double(blue)) / Double((right - left) * (bottom - top))
  }
}
