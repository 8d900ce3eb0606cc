import CPNG
import Charts
import TestSupport
import Testing

struct PNGTests {
  @Test func aFileCarriesItsFacts() throws {
    let chart = Examples.scatter
    let file = try PNGFile(
      png(chart, metadata: [("Software", "FormBench"), ("Suite", "squat"), ("Note", "größer → gleich")]))
    #expect(file.text("Title") == "2 of 4 clips counted right")
    #expect(file.text("Software") == "FormBench" && file.text("Suite") == "squat")
    // What is not ASCII is UTF-8, which only iTXt holds; the subtitle has a middle dot.
    #expect(file.internationalText("Note") == "größer → gleich")
    #expect(file.internationalText("Description") == chart.subtitle)
    #expect(file.first("sRGB") == [0])
    // 96 dots an inch are 3779.5 a metre: 3780 = 0x0EC4, both ways, in metres.
    #expect(file.first("pHYs") == [0, 0, 0x0E, 0xC4, 0, 0, 0x0E, 0xC4, 1])
    #expect(file.first("tIME") == nil)
    #expect(file.width == 1200 && file.height == 700 && file.colourType == 3)
  }

  /// A terminal or a CI runner that prints the file does not obey its texts.
  @Test func foreignTextIsVisible() throws {
    let file = try PNGFile(png(Examples.scatter, metadata: [("Suite", "ä\n::error ::b\u{202E}c\u{1B}[2J\u{0}d")]))
    #expect(file.internationalText("Suite") == "ä\n\\u{3A}:error ::b\\u{202E}c\\u{1B}[2J\\0d")
  }

  @Test func theCallersTextReplacesOurs() throws {
    let file = try PNGFile(png(Examples.scatter, metadata: [("Title", "mine")]))
    #expect(file.text("Title") == "mine")
    #expect(file.chunks.count { $0.type == "tEXt" && $0.data.starts(with: Array("Title\0".utf8)) } == 1)
  }

  @Test func scaleMultipliesPixelsAndDensity() throws {
    let file = try PNGFile(png(Examples.scatter, scale: 2))
    #expect(file.width == 2400 && file.height == 1400)
    // 7559 = 0x1D87.
    #expect(file.first("pHYs") == [0, 0, 0x1D, 0x87, 0, 0, 0x1D, 0x87, 1])
  }

  @Test(arguments: ["", " lead", "trail ", "two  spaces", "ümlaut", String(repeating: "k", count: 80), "tab\t"])
  func aKeyThatAPNGCannotHoldIsRefused(key: String) {
    #expect {
      _ = try png(Examples.scatter, metadata: [(key, "value")])
    } throws: { error in
      guard case ChartError.encoding(let words) = error else { return false }
      return words == "text key '\(key)': expected 1 to 79 ASCII characters with single spaces inside only"
    }
  }

  @Test func fewColoursAreKeptExactly() throws {
    // 256 greys, each next to the one before and in 4 pixels.
    let pixels = (0..<1024).map { UInt32($0 % 256) * 0x01_0101 }
    let file = try encode(pixels, width: 32)
    #expect(file.colourType == 3)
    #expect(file.pixels == pixels)
  }

  @Test func manyNearColoursKeepWithinTheTolerance() throws {
    // Two ramps as anti-aliased edges make them: 256 greys and 256 steps from white to blue.
    let pixels = (0..<512).map { index -> UInt32 in
      let level = UInt32(index % 256)
      return index < 256 ? level << 16 | level << 8 | level : level << 16 | level << 8 | 0xFF
    }
    let file = try encode(pixels, width: 16)
    #expect(file.colourType == 3)
    for (before, after) in zip(pixels, file.pixels) {
      for shift in [0, 8, 16] as [UInt32] {
        let difference = abs(Int(before >> shift & 0xFF) - Int(after >> shift & 0xFF))
        #expect(difference <= Int(CPNG_TOLERANCE), "\(before) became \(after)")
      }
    }
  }

  /// Two shades that are 10 levels apart, each of them a row and more, among more colours than a palette holds.
  @Test func areasKeepTheirColourExactlyHoweverNear() throws {
    let ramp = (0..<512).map { index -> UInt32 in
      let level = UInt32(index % 256)
      return index < 256 ? level << 16 | level << 8 | level : level << 16 | level << 8 | 0xFF
    }
    let areas = [UInt32](repeating: 0x646464, count: 32) + [UInt32](repeating: 0x6E6E6E, count: 16)
    let file = try encode(areas + ramp, width: 16)
    #expect(file.colourType == 3)
    #expect(Array(file.pixels.prefix(48)) == areas)
  }

  @Test func aPictureOfAllColoursIsKeptExactly() throws {
    var random = TestGenerator(seed: 11)
    // More than a palette can stand for, then more than are searched for one.
    for count in [4096, 40_000] {
      let pixels = (0..<count).map { _ in UInt32.random(in: 0...0xFF_FFFF, using: &random) }
      let file = try encode(pixels, width: 64)
      #expect(file.colourType == 2)
      #expect(file.pixels == pixels)
    }
  }

  // Such rows are written as what differs from the one above; `limit` colours take a palette, or do without one.
  @Test(arguments: [200, 30_000])
  func rowsLikeTheOneAboveAreKeptExactly(limit: Int) throws {
    var random = TestGenerator(seed: 12)
    let colours = (0..<limit).map { _ in UInt32.random(in: 0...0xFF_FFFF, using: &random) }
    // Wider than what is counted in one byte.
    var row = (0..<700).map { _ in colours[Int.random(in: 0..<limit, using: &random)] }
    var pixels: [UInt32] = []
    for line in 0..<64 {
      // Every fourth row is the one above, others change a few pixels, one all of them.
      if line == 40 { row.shuffle(using: &random) }
      if !line.isMultiple(of: 4) { row[line] = colours[line] }
      pixels += row
    }
    let file = try encode(pixels, width: 700)
    #expect(file.colourType == (limit == 200 ? 3 : 2))
    let isKept = file.pixels == pixels
    #expect(isKept)
  }

  @Test func aSizeThatAPNGCannotHoldIsRefused() {
    var image = cpng_image(bgrx: nil, width: 0, height: 5, stride: 16)
    var buffer = cpng_buffer()
    var message = [CChar](repeating: 0, count: Int(CPNG_MESSAGE_SIZE))
    #expect(cpng_encode(&image, nil, 0, 0, &buffer, &message) == CPNG_INVALID)
    image = cpng_image(bgrx: nil, width: 5, height: 5, stride: 16)
    #expect(cpng_encode(&image, nil, 0, 0, &buffer, &message) == CPNG_INVALID)
    #expect(
      String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        == "a picture of 5 x 5 pixels, 16 bytes a row: each side must be 1 to 32767 pixels of 4 bytes")
    #expect(buffer.bytes == nil && buffer.size == 0)
  }

  private func encode(_ pixels: [UInt32], width: Int) throws -> PNGFile {
    var buffer = cpng_buffer()
    defer { cpng_buffer_free(&buffer) }
    var message = [CChar](repeating: 0, count: Int(CPNG_MESSAGE_SIZE))
    let bytes = pixels.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8 & 0xFF), UInt8($0 >> 16), 0] }
    let status = bytes.withUnsafeBufferPointer { bytes in
      var image = cpng_image(
        bgrx: bytes.baseAddress, width: Int32(width), height: Int32(pixels.count / width), stride: Int32(4 * width))
      return cpng_encode(&image, nil, 0, 0, &buffer, &message)
    }
    try #require(status == CPNG_OK)
    return try PNGFile(Array(UnsafeBufferPointer(start: buffer.bytes, count: buffer.size)))
  }
}
