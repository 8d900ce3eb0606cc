import CPNG

/// The pixels of a PNG file.
public struct PNGPixels: Hashable, Sendable {
  public let width: Int
  public let height: Int
  /// Red, green and blue of each pixel, from the top left.
  private let rgb: [UInt8]

  /// - Throws: `PlotError.decoding` for what is no PNG file.
  public init(_ file: [UInt8]) throws(PlotError) {
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

  private static func checked(_ call: (UnsafeMutablePointer<CChar>?) -> cpng_status) throws(PlotError) {
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

  /// The mean of red, green and blue over an area, of which what lies beyond the picture is left out; `nil` for nothing.
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
