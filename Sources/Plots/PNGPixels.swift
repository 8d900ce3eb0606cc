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

  /// The side in pixels of the squares that `difference(from:)` looks at.
  static let square = 8
  /// How many levels of 255 the mean of a square may differ in any channel, which another version of a font does.
  static let tolerance = 24

  /// The share of squares of 8 x 8 pixels whose mean differs from that of the other picture by more than 24 levels in
  /// any channel; `nil` where the pictures differ in size.
  ///
  /// Glyphs that lie half a pixel off change few means; a mark that is missing, new or of another colour does.
  public func difference(from other: PNGPixels) -> Double? {
    guard width == other.width, height == other.height else { return nil }
    var (different, all) = (0, 0)
    for top in stride(from: 0, to: height, by: Self.square) {
      for left in stride(from: 0, to: width, by: Self.square) {
        all += 1
        if isDifferent(from: other, left: left, top: top) { different += 1 }
      }
    }
    return all == 0 ? 0 : Double(different) / Double(all)
  }

  private func isDifferent(from other: PNGPixels, left: Int, top: Int) -> Bool {
    let (right, bottom) = (min(left + Self.square, width), min(top + Self.square, height))
    let count = (right - left) * (bottom - top)
    for channel in 0..<3 {
      var sum = 0
      for y in top..<bottom {
        for x in left..<right {
          let place = 3 * (y * width + x) + channel
          sum += Int(rgb[place]) - Int(other.rgb[place])
        }
      }
      if abs(sum) > Self.tolerance * count { return true }
    }
    return false
  }
}
