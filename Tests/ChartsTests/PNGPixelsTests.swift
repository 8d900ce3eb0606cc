import Charts
import Testing

struct PNGPixelsTests {
  @Test func whatWasWrittenIsReadAgain() throws {
    let pixels = try PNGPixels(png(Examples.scatter))
    #expect(pixels.width == 1200 && pixels.height == 700)
    #expect(try pixels == PNGPixels(png(Examples.scatter, metadata: [("Run", "other")])))
    #expect(try pixels != PNGPixels(png(Examples.scatter, theme: .dark)))
  }

  @Test func textsAreReadAgain() throws {
    let texts = try PNGTexts(png(Examples.scatter, metadata: [("Suite", "squat"), ("Unit", "µs → ms")]))
    #expect(texts.keys == ["Description", "Font", "Suite", "Table", "Texts", "Title", "Unit"])
    #expect(texts["Suite"] == "squat" && texts["Unit"] == "µs → ms")
    #expect(texts["Title"] == Examples.scatter.title && texts["Description"] == Examples.scatter.subtitle)
    #expect(texts["Run"] == nil)
  }

  @Test func otherFactsAreOtherTextsInTheFileWhoeverDrawsThem() throws {
    let chart = Examples.scatter
    var clips = chart.clips
    clips[0].predicted += 1
    let other = CountScatter(source: chart.source, clips: clips, subjects: chart.subjects, remarks: chart.remarks)
    func table(_ chart: some Chart, _ width: Double = 1200) throws -> String? {
      try PNGTexts(png(chart, width: width))["Table"]
    }
    #expect(try table(chart) == table(chart, 400) && table(chart) != table(other))
    // The words: a chart of another width has others.
    func words(_ chart: some Chart) throws -> String? { try PNGTexts(png(chart))["Texts"] }
    var renamed = chart
    renamed.remarks.append("one more")
    #expect(try words(chart) == words(chart) && words(chart) != words(renamed))
    #expect(try table(chart) == table(renamed))
  }

  @Test(arguments: [[], [1, 2, 3], Array("not a picture, and long enough to be looked at".utf8)] as [[UInt8]])
  func whatIsNoPictureIsRefused(bytes: [UInt8]) {
    #expect {
      _ = try PNGPixels(bytes)
    } throws: { error in
      guard case ChartError.decoding = error else { return false }
      return true
    }
  }

  @Test func aTruncatedPictureIsRefused() throws {
    let bytes = try png(Examples.scatter)
    #expect(throws: ChartError.self) { try PNGPixels(Array(bytes.prefix(bytes.count / 2))) }
  }

  @Test func textsOfNoPictureAreRefused() throws {
    #expect(throws: ChartError.self) { try PNGTexts([1, 2, 3]) }
    let bytes = try png(Examples.scatter)
    // In the middle of the data of its pixels, the last chunk but one.
    #expect(throws: ChartError.self) { try PNGTexts(Array(bytes.prefix(bytes.count / 2))) }
  }
}
