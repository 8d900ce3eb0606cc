import CPNG
import Files
import Foundation
import Testing

@testable import Charts

/// Animated pictures, read by the rules of the PNG specification, third edition.
@Suite struct AnimationTests {
  private struct Chunk {
    var name: String
    var data: [UInt8]
    func number(_ at: Int) -> Int { data[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
  }

  private func chunks(_ png: [UInt8]) throws -> [Chunk] {
    try #require(png.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
    var chunks: [Chunk] = []
    var at = 8
    while at < png.count {
      let length = png[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
      chunks.append(
        Chunk(name: String(decoding: png[at + 4..<at + 8], as: UTF8.self), data: Array(png[at + 8..<at + 8 + length])))
      at += 12 + length
    }
    return chunks
  }

  /// A square of 10 pixels that goes 20 to the right, then stands still.
  private func moving() throws -> [UInt8] {
    let canvas = try Canvas(size: Size(width: 100, height: 3 * 40))
    for (frame, left) in [10.0, 30, 30].enumerated() {
      canvas.fill(Rect(x: left, y: Double(frame) * 40 + 5, width: 10, height: 10), .worse)
    }
    return try canvas.png(frames: 3, milliseconds: 125)
  }

  @Test func framesHoldWhatChanged() throws {
    let chunks = try chunks(moving())
    #expect(chunks[0].name == "IHDR" && chunks[0].number(0) == 100 && chunks[0].number(4) == 40)
    let names = chunks.map(\.name).filter { ["acTL", "fcTL", "IDAT", "fdAT", "IEND"].contains($0) }
    #expect(names == ["acTL", "fcTL", "IDAT", "fcTL", "fdAT", "fcTL", "fdAT", "IEND"])
    let animation = try #require(chunks.first { $0.name == "acTL" })
    #expect(animation.number(0) == 3 && animation.number(4) == 0)
    // Number, width, height, left, top, then 125 ms.
    let frames = chunks.filter { $0.name == "fcTL" }
    #expect(
      frames.map { [0, 4, 8, 12, 16].map($0.number) } == [
        [0, 100, 40, 0, 0], [1, 30, 10, 10, 5], [3, 1, 1, 0, 0],
      ])
    #expect(frames.allSatisfy { Array($0.data[20...]) == [0, 125, 0x03, 0xE8, 0, 0] })
    #expect(chunks.filter { $0.name == "fdAT" }.map { $0.number(0) } == [2, 4])
  }

  /// What libpng makes of it: the first frame, so that the data of the others hurt nobody.
  @Test func theFirstFrameIsAPictureOfItsOwn() throws {
    var (png, message) = (try moving(), [CChar](repeating: 0, count: Int(CPNG_MESSAGE_SIZE)))
    var pixels = [UInt8](repeating: 0, count: 100 * 40 * 3)
    let status = cpng_read_pixels(&png, png.count, &pixels, pixels.count, &message)
    #expect(status == CPNG_OK)
    func isBackground(_ x: Int, _ y: Int) -> Bool {
      pixels[3 * (y * 100 + x)] == pixels[0] && pixels[3 * (y * 100 + x) + 2] == pixels[2]
    }
    #expect(!isBackground(15, 10) && isBackground(35, 10))
  }

  @Test func framesHaveOneHeight() throws {
    let canvas = try Canvas(size: Size(width: 10, height: 10))
    #expect(throws: ChartError.self) { try canvas.png(frames: 3, milliseconds: 100) }
  }
}
