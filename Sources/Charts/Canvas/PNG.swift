import CCairo
import CPNG
import Files

/// A chart as a PNG file, with the positions of its texts.
public struct DrawnChart: Sendable {
  public let bytes: [UInt8]
  /// The positions of the texts, in pixels.
  public let texts: [PlacedText]

  /// Draws the chart in sRGB, without a date: equal input gives equal bytes.
  ///
  /// - Parameters:
  ///   - width: The width in pixels at scale 1, which defines the layout.
  ///   - scale: The factor for the pixels; the file's resolution is 96 dots per inch times this.
  ///   - metadata: Text chunks such as suite, run and content hash, after Title, Description, Table (the facts as CSV),
  ///     Texts (the drawn texts, one line each) and Font (`TextStyle.fontMeasures`), which it may replace. A key has 1
  ///     to 79 printable ASCII characters, a value any text.
  /// - Throws: `ChartError` if drawing fails.
  public init(
    _ chart: some Chart, width: Double = 1200, scale: Double = 1, theme: Theme = .light,
    metadata: [(key: String, value: String)] = []
  ) throws(ChartError) {
    let page = Page(pixels: width)
    let canvas = try Canvas(size: chart.size(on: page), scale: scale * width / page.width, theme: theme)
    chart.draw(on: canvas)
    let own = [
      (key: "Title", value: chart.title), (key: "Description", value: chart.subtitle),
      (key: "Table", value: chart.table.csv),
      (key: "Texts", value: canvas.texts.map(\.text).joined(separator: "\n")),
      (key: "Font", value: TextStyle.fontMeasures),
    ]
    bytes = try canvas.png(
      resolution: 96 * scale, metadata: own.filter { pair in !metadata.contains { $0.key == pair.key } } + metadata)
    texts = canvas.texts.map { $0.scaled(by: canvas.scale) }
  }
}

/// The chart as a PNG file: the bytes of a `DrawnChart`.
///
/// - Throws: `ChartError` if drawing fails.
public func png(
  _ chart: some Chart, width: Double = 1200, scale: Double = 1, theme: Theme = .light,
  metadata: [(key: String, value: String)] = []
) throws(ChartError) -> [UInt8] {
  try DrawnChart(chart, width: width, scale: scale, theme: theme, metadata: metadata).bytes
}

extension Canvas {
  /// The picture as a PNG file with the given texts.
  ///
  /// - Parameters:
  ///   - resolution: In dots per inch; `nil` for 96 per point.
  ///   - frames: The number of pictures of equal height, one below the other; more than one make an animation.
  ///   - milliseconds: The duration of each frame.
  /// - Throws: `ChartError` if drawing fails.
  public func png(
    resolution: Double? = nil, frames: Int = 1, milliseconds: Int = 0, metadata: [(key: String, value: String)] = []
  ) throws(ChartError) -> [UInt8] {
    cairo_surface_flush(surface)
    try check()
    guard let pixels = cairo_image_surface_get_data(surface) else { throw .drawing("no pixels") }
    var image = cpng_image(
      bgrx: pixels, width: cairo_image_surface_get_width(surface), height: cairo_image_surface_get_height(surface),
      stride: cairo_image_surface_get_stride(surface))
    var buffer = cpng_buffer()
    defer { cpng_buffer_free(&buffer) }
    // An inch is 0.0254 m.
    let density = (resolution ?? 96 * scale) / 0.0254

    let (status, message) = withTexts(metadata) { texts in
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(CPNG_MESSAGE_SIZE)) { message in
        let status = cpng_encode_animation(
          &image, Int32(frames), Int32(milliseconds), texts.baseAddress, Int32(texts.count), density, &buffer,
          message.baseAddress)
        return (status, message.baseAddress.map { String(cString: $0) } ?? "")
      }
    }
    guard status == CPNG_OK else { throw .encoding(message) }
    return Array(UnsafeBufferPointer(start: buffer.bytes, count: buffer.size))
  }
}

/// Calls `body` with the pairs as C strings, end to end in one buffer. Values are made visible: they may be foreign, and
/// a terminal or a CI runner may print the file.
private func withTexts<Result>(
  _ pairs: [(key: String, value: String)], _ body: (UnsafeBufferPointer<cpng_text>) -> Result
) -> Result {
  let pairs = pairs.map { (key: $0.key, value: $0.value.visible) }
  let bytes = pairs.flatMap { Array($0.key.utf8CString) + Array($0.value.utf8CString) }
  return bytes.withUnsafeBufferPointer { buffer in
    var texts: [cpng_text] = []
    var next = buffer.baseAddress
    for pair in pairs {
      let value = next.map { $0 + pair.key.utf8.count + 1 }
      texts.append(cpng_text(key: next, value: value))
      next = value.map { $0 + pair.value.utf8.count + 1 }
    }
    return texts.withUnsafeBufferPointer(body)
  }
}
