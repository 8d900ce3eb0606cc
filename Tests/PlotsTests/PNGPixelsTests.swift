import Plots
import Testing

struct PNGPixelsTests {
  private func pixels(_ chart: some Chart, theme: Theme = .light) throws -> PNGPixels {
    try PNGPixels(png(chart, theme: theme))
  }

  @Test func whatWasWrittenIsReadAgain() throws {
    let bytes = try png(Examples.scatter)
    let pixels = try PNGPixels(bytes)
    #expect(pixels.width == 1200 && pixels.height == 700)
    #expect(pixels.difference(from: pixels) == 0)
    let white = try Canvas(size: Size(width: 1200, height: 700))
    let share = try #require(pixels.difference(from: PNGPixels(white.png())))
    #expect(share > 0.01 && share < 0.5)
  }

  @Test func anotherMarkIsADifferenceAndAnotherSizeIsNone() throws {
    let canvas = try Canvas(size: Size(width: 80, height: 80))
    let empty = try PNGPixels(canvas.png())
    // Four of the hundred squares of 8 x 8.
    canvas.fill(Rect(x: 16, y: 16, width: 16, height: 16), .worse)
    #expect(try PNGPixels(canvas.png()).difference(from: empty) == 0.04)
    let faint = try Canvas(size: Size(width: 80, height: 80))
    // From 255 to 248 at the most: within the tolerance.
    faint.fill(Rect(x: 0, y: 0, width: 80, height: 80), .grid, opacity: 0.25)
    #expect(try PNGPixels(faint.png()).difference(from: empty) == 0)
    let other = try PNGPixels(Canvas(size: Size(width: 81, height: 80)).png())
    #expect(other.difference(from: empty) == nil)
  }

  @Test(arguments: [[], [1, 2, 3], Array("not a picture, and long enough to be looked at".utf8)] as [[UInt8]])
  func whatIsNoPictureIsRefused(bytes: [UInt8]) {
    #expect {
      _ = try PNGPixels(bytes)
    } throws: { error in
      guard case PlotError.decoding = error else { return false }
      return true
    }
  }

  @Test func aTruncatedPictureIsRefused() throws {
    let bytes = try png(Examples.scatter)
    #expect(throws: PlotError.self) { try PNGPixels(Array(bytes.prefix(bytes.count / 2))) }
  }
}
