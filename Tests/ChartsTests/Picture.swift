import Charts
import Testing

/// A chart drawn in the light theme, to look for colours at the places that its axis names.
struct Picture {
  private let file: PNGFile
  private let texts: [PlacedText]

  init(_ chart: some Chart) throws {
    let canvas = try Canvas(size: chart.size)
    chart.draw(on: canvas)
    file = try PNGFile(canvas.png())
    texts = canvas.texts
  }

  /// The pixels below each other at the lowest text of these words.
  func column(atTick label: String) throws -> [UInt32] {
    try column(at: middle(ofTick: label))
  }

  /// The pixels below each other, halfway between two ticks.
  func column(between one: String, and other: String) throws -> [UInt32] {
    try column(at: (middle(ofTick: one) + middle(ofTick: other)) / 2)
  }

  static func value(_ meaning: SemanticColor) -> UInt32 {
    let color = Theme.light[meaning]
    return UInt32(color.red) << 16 | UInt32(color.green) << 8 | UInt32(color.blue)
  }

  private func column(at x: Double) -> [UInt32] {
    stride(from: Int(x), to: file.pixels.count, by: file.width).map { file.pixels[$0] }
  }

  private func middle(ofTick label: String) throws -> Double {
    let boxes = texts.filter { $0.text == label }.map(\.box)
    return try #require(boxes.max { $0.top < $1.top }).middle.x
  }
}
