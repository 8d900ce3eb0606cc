import CCairo
import Charts
import Testing

/// What is told from a picture that shows the same, and what another version of the font may do.
@Suite struct PictureDifferenceTests {
  private static let chart = Examples.paired

  /// The difference of the chart, drawn now, from a picture of it that was changed after it was drawn.
  private func difference(_ change: (Canvas) throws -> Void) throws -> PictureDifference {
    let canvas = try Canvas(size: Self.chart.size)
    Self.chart.draw(on: canvas)
    try change(canvas)
    return try difference(of: PNGPixels(canvas.png()))
  }

  private func difference(of picture: PNGPixels) throws -> PictureDifference {
    let drawn = try DrawnChart(Self.chart)
    return try #require(PictureDifference(from: picture, to: PNGPixels(drawn.bytes), texts: drawn.texts))
  }

  private func box(of text: String, on canvas: Canvas) throws -> Rect {
    try #require(canvas.texts.first { $0.text == text }).box
  }

  @Test func thePictureItselfDoesNotDiffer() throws {
    #expect(try difference { _ in }.isEmpty)
  }

  @Test func everyTextIsMissed() throws {
    let canvas = try Canvas(size: Self.chart.size)
    Self.chart.draw(on: canvas)
    let texts = canvas.texts
    let found = try difference { canvas in
      for text in texts { canvas.fill(text.box, .background) }
    }
    for text in texts { #expect(found.texts.contains(text), "\(text)") }
    // One of them by itself.
    let one = try #require(texts.first { $0.text == "better" })
    #expect(try difference { $0.fill(one.box, .background) }.texts.map(\.text) == ["better"])
  }

  @Test func aMarkThatIsMissingMovedOrOfAnotherColourIsMissed() throws {
    let canvas = try Canvas(size: Self.chart.size)
    Self.chart.draw(on: canvas)
    // Below the last row's name, left of the axis: off all texts and all other marks.
    let place = Point(x: 60, y: try box(of: "better", on: canvas).bottom + 35)
    let plain = try difference { $0.disc(at: place, radius: 5, .prediction) }
    #expect(plain.texts.isEmpty && (1...9).contains(plain.squares.count))
    #expect(plain.squares.allSatisfy { abs($0.middle.x - place.x) <= 9 && abs($0.middle.y - place.y) <= 9 })
    // The same disc, ten pixels off, and in another colour.
    func with(_ x: Double, _ meaning: SemanticColor) throws -> PNGPixels {
      let canvas = try Canvas(size: Size(width: 100, height: 100))
      canvas.disc(at: Point(x: x, y: 50), radius: 5, meaning)
      return try PNGPixels(canvas.png())
    }
    let now = try with(40, .prediction)
    for other in [try with(50, .prediction), try with(40, .better), try with(40, .background)] {
      #expect(PictureDifference(from: other, to: now, texts: [])?.squares.isEmpty == false)
    }
    #expect(PictureDifference(from: now, to: now, texts: [])?.isEmpty == true)
  }

  /// A hair that is as thin as lines get in a chart.
  @Test func aThinLineIsMissed() throws {
    let canvas = try Canvas(size: Size(width: 100, height: 100))
    let empty = try PNGPixels(canvas.png())
    canvas.line(from: Point(x: 10, y: 90), to: Point(x: 90, y: 20), .neutral, width: 1, opacity: 0.6)
    #expect(PictureDifference(from: empty, to: try PNGPixels(canvas.png()), texts: [])?.squares.isEmpty == false)
  }

  @Test func aLegendsSampleInAnotherColourIsMissed() throws {
    let found = try difference { canvas in
      let name = try box(of: "after, worse", on: canvas)
      canvas.disc(at: Point(x: name.left - 21, y: name.middle.y), radius: 7, .better)
    }
    #expect(!found.squares.isEmpty)
  }

  @Test func otherOutlinesOfTheSameFontPass() throws {
    let drawn = try DrawnChart(Self.chart)
    let file = try PNGFile(drawn.bytes)
    // Half a pixel to the right, half a pixel down, and fatter by a third.
    let changes: [(SIMD3<Double>, SIMD3<Double>, SIMD3<Double>) -> SIMD3<Double>] = [
      { here, left, _ in (here + left) / 2 }, { here, _, above in (here + above) / 2 },
      { here, left, _ in here + 0.33 * pointwiseMin(left - here, SIMD3()) },
    ]
    for change in changes {
      let found = try difference(of: PNGPixels(Self.written(file, drawn.texts, change)))
      #expect(found.isEmpty, "\(found.texts.map(\.text)) \(found.squares.count)")
    }
  }

  @Test func anotherSizeIsNotCompared() throws {
    let small = try PNGPixels(png(Self.chart, width: 400))
    #expect(try PictureDifference(from: small, to: PNGPixels(png(Self.chart)), texts: []) == nil)
  }

  private static func color(_ file: PNGFile, _ x: Int, _ y: Int) -> SIMD3<Double> {
    let value = file.pixels[max(0, y) * file.width + max(0, x)]
    return SIMD3(Double(value >> 16 & 255), Double(value >> 8 & 255), Double(value & 255))
  }

  /// The file with other colours where its texts are, written by Cairo.
  ///
  /// - Parameter change: of a pixel, of the one to its left and of the one above.
  private static func written(
    _ file: PNGFile, _ texts: [PlacedText], _ change: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>) -> SIMD3<Double>
  ) throws -> [UInt8] {
    var pixels = file.pixels
    for box in texts.map(\.box) {
      for y in Int(box.top) + 1..<Int(box.bottom) - 1 {
        for x in Int(box.left) + 1..<Int(box.right) - 1 {
          let color = change(Self.color(file, x, y), Self.color(file, x - 1, y), Self.color(file, x, y - 1))
            .rounded(.toNearestOrEven)
          pixels[y * file.width + x] = UInt32(color[0]) << 16 | UInt32(color[1]) << 8 | UInt32(color[2])
        }
      }
    }
    var bytes: [UInt8] = []
    try pixels.withUnsafeMutableBytes { buffer in
      let surface = cairo_image_surface_create_for_data(
        buffer.bindMemory(to: UInt8.self).baseAddress, CAIRO_FORMAT_RGB24, Int32(file.width), Int32(file.height),
        Int32(4 * file.width))
      defer { cairo_surface_destroy(surface) }
      let append: cairo_write_func_t = { closure, data, length in
        closure?.assumingMemoryBound(to: [UInt8].self).pointee.append(
          contentsOf: UnsafeBufferPointer(start: data, count: Int(length)))
        return CAIRO_STATUS_SUCCESS
      }
      let status = withUnsafeMutablePointer(to: &bytes) { cairo_surface_write_to_png_stream(surface, append, $0) }
      try #require(status == CAIRO_STATUS_SUCCESS)
    }
    return bytes
  }
}
