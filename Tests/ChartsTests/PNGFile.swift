import CCairo
import Testing

/// A PNG file taken apart by the test itself: its chunks by the specification, its pixels by Cairo's own reader.
struct PNGFile {
  struct Chunk {
    var type: String
    var data: [UInt8]
  }

  let chunks: [Chunk]
  let width: Int
  let height: Int
  /// 0xRRGGBB, row by row.
  let pixels: [UInt32]

  init(_ bytes: [UInt8]) throws {
    try #require(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
    var chunks: [Chunk] = []
    var offset = 8
    while offset + 12 <= bytes.count {
      let length = Self.number(bytes[offset..<offset + 4])
      let type = String(decoding: bytes[offset + 4..<offset + 8], as: UTF8.self)
      try #require(offset + 12 + length <= bytes.count)
      chunks.append(Chunk(type: type, data: Array(bytes[offset + 8..<offset + 8 + length])))
      offset += 12 + length
    }
    try #require(offset == bytes.count && chunks.first?.type == "IHDR" && chunks.last?.type == "IEND")
    self.chunks = chunks
    (width, height, pixels) = try Self.decode(bytes)
  }

  func first(_ type: String) -> [UInt8]? { chunks.first { $0.type == type }?.data }

  /// 2 for true colour, 3 for a palette (PNG specification, table 11.1).
  var colourType: UInt8? { first("IHDR")?[9] }

  /// The value of a tEXt chunk.
  func text(_ key: String) -> String? { value(key, in: "tEXt", skipping: 1) }

  /// The value of an iTXt chunk without language: key, 0, not compressed, method 0, no language 0, no translation 0.
  func internationalText(_ key: String) -> String? { value(key, in: "iTXt", skipping: 5) }

  private func value(_ key: String, in type: String, skipping: Int) -> String? {
    chunks.filter { $0.type == type && $0.data.starts(with: Array(key.utf8) + [0]) }.first.map {
      String(decoding: $0.data.dropFirst(key.utf8.count + skipping), as: UTF8.self)
    }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

  private struct Reader {
    var bytes: [UInt8]
    var offset = 0
  }

  private static func decode(_ bytes: [UInt8]) throws -> (Int, Int, [UInt32]) {
    var reader = Reader(bytes: bytes)
    let read: cairo_read_func_t = { closure, target, length in
      guard let reader = closure?.assumingMemoryBound(to: Reader.self), let target,
        reader.pointee.offset + Int(length) <= reader.pointee.bytes.count
      else { return CAIRO_STATUS_READ_ERROR }
      for index in 0..<Int(length) { target[index] = reader.pointee.bytes[reader.pointee.offset + index] }
      reader.pointee.offset += Int(length)
      return CAIRO_STATUS_SUCCESS
    }
    let surface = try #require(
      withUnsafeMutablePointer(to: &reader) { cairo_image_surface_create_from_png_stream(read, $0) })
    defer { cairo_surface_destroy(surface) }
    try #require(cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS)
    let width = Int(cairo_image_surface_get_width(surface))
    let height = Int(cairo_image_surface_get_height(surface))
    let stride = Int(cairo_image_surface_get_stride(surface))
    let data = UnsafeRawPointer(try #require(cairo_image_surface_get_data(surface)))
    var pixels: [UInt32] = []
    pixels.reserveCapacity(width * height)
    for y in 0..<height {
      for x in 0..<width {
        pixels.append(data.load(fromByteOffset: y * stride + 4 * x, as: UInt32.self) & 0xFF_FFFF)
      }
    }
    return (width, height, pixels)
  }
}
