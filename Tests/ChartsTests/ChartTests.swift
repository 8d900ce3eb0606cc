import Charts
import Foundation
import Testing

/// What holds for every chart, whatever it is given.
struct ChartTests {
  /// Every chart of the module is in the tests below.
  @Test func everyChartIsTested() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources/Charts")
      .standardizedFileURL
    let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    let declared = try files.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }.flatMap { file in
      try String(contentsOf: file, encoding: .utf8).matches(of: /public struct (\w+): (?:\w+, )*Chart\b/)
        .map { String($0.1) }
    }
    #expect(!declared.isEmpty)
    var random = RandomCharts(seed: 1)
    let missing = Set(declared).subtracting(random.all().map { "\(type(of: $0))" }).sorted()
    #expect(missing.isEmpty, "add a random \(missing.joined(separator: ", ")) to RandomCharts.all()")
  }

  /// 120 draws of every chart on a page, of which three widths take their turns: thousands of pictures.
  @Test(arguments: 0..<120 as Range<UInt64>)
  func textsStayApartAndInsideAndReadable(seed: UInt64) throws {
    var random = RandomCharts(seed: seed)
    let pixels = [1200.0, 400, 760][Int(seed % 3)]
    let page = Page(pixels: pixels)
    for chart in random.all() {
      let canvas = try Canvas(size: chart.size(on: page))
      chart.draw(on: canvas)
      let boxes = canvas.texts.map(\.box)
      for (index, box) in boxes.enumerated() {
        #expect(canvas.bounds.contains(box), "\(type(of: chart)), seed \(seed): \(canvas.texts[index])")
        for other in boxes[..<index] where box.overlaps(other) {
          Issue.record("\(type(of: chart)), seed \(seed): \(canvas.texts[index]) lies on \(other)")
        }
      }
      let smallest = canvas.texts.map(\.size).min() ?? .infinity
      #expect(smallest * pixels / page.width >= 10, "\(type(of: chart)), seed \(seed) at \(pixels) pixels")
    }
  }

  /// Whatever stands beside the plot on a wide page is still there on a narrow one: the same numbers, not fewer.
  @Test func aNarrowPageKeepsWhatIsSaid() throws {
    for (chart, words) in [
      (Examples.scatter, ["MAE 1.00 [0.20, 1.80]", "Worst clips: true → predicted", "5 → 8  (+3)"]),
      (Examples.errors, ["+3  (5 → 8)", "+0.50 (−1.25 to +2.25)"]),
      (Examples.gains, ["−0.50 (−0.75 to −0.25) reps, p 0.031"]),
      (Examples.blandAltman, ["+1.50 (−1.00 to +4.00)", "3 of 4 reps"]), (Examples.confusion, ["accuracy 0.75"]),
      (Examples.latency, ["p50 9.00 ns, p90 10.0 ns"]), (Examples.scores, ["1.25 (0.50 to 2.00)"]),
      (Examples.paired, ["5 → 6 (5)"]), (Examples.card, ["No one is older than 30."]),
      (Examples.swing, ["contact 0.25 s late"]),
    ] as [(any Chart, [String])] {
      let canvas = try Canvas(size: chart.size(on: Page(pixels: 400)))
      chart.draw(on: canvas)
      let texts = canvas.texts.map(\.text)
      for word in words { #expect(texts.contains(word), "\(type(of: chart)): \(word) in \(texts)") }
    }
  }

  /// On a phone's width the shades of a heat map, and names that differ in their middle only, are still explained.
  @Test func aNarrowPageTellsLongNamesApart() throws {
    func texts(_ chart: some Chart) throws -> [String] {
      let canvas = try Canvas(size: chart.size(on: Page(pixels: 400)))
      chart.draw(on: canvas)
      return canvas.texts.map(\.text)
    }
    #expect(try texts(Examples.heatMap).contains("shades: \(Examples.heatMap.metric)"))
    let (start, end) = ("recordings-of-the-second-week-in-the-north-hall-", "-seen-from-the-left-side-at-thirty-frames")
    let chart = PairedDots(
      topic: "t", source: "s", kind: "clip", axisTitle: "reps",
      values: (1...3).map { PairedValue(name: "\(start)person-\($0)\(end)", before: 1, after: 2, gain: 1) })
    let names = try texts(chart)
    for person in 1...3 {
      #expect(names.count { $0.hasPrefix("…\(person)-seen-from") } == 1, "\(names)")
    }
    // Where the ends tell them apart, both ends stay.
    var ends = chart
    for index in ends.values.indices { ends.values[index].name = "\(index)\(start)\(end)\(index)" }
    let short = try texts(ends)
    for index in 0..<3 {
      #expect(short.count { $0.hasPrefix("\(index)recordings") && $0.hasSuffix("frames\(index)") } == 1, "\(short)")
    }
    // A name and numbers that do not stand beside each other both stand whole.
    var gains = Examples.gains
    gains.differences[0].name = "count.off-by-one of squat-states"
    let words = try texts(gains)
    #expect(words.contains(gains.differences[0].name) && words.contains("−0.50 (−0.75 to −0.25) reps, p 0.031"))
  }

  @Test func aPictureHasTheWidthAskedFor() throws {
    for (pixels, scale) in [(320.0, 1.0), (400, 1), (400, 2), (1200, 2), (2400, 1)] {
      let file = try PNGFile(png(Examples.errors, width: pixels, scale: scale))
      #expect(file.width == Int(pixels * scale))
    }
  }

  @Test(arguments: [1, 2] as [UInt64])
  func equalInputGivesEqualBytes(seed: UInt64) throws {
    var first = RandomCharts(seed: seed)
    var second = RandomCharts(seed: seed)
    for (one, other) in zip(first.all(), second.all()) {
      #expect(try png(one) == png(other), "\(type(of: one)), seed \(seed)")
    }
  }

  @Test func layoutIsTheSameAtTwiceTheScale() throws {
    for chart in Examples.all {
      let single = try Canvas(size: chart.size)
      let double = try Canvas(size: chart.size, scale: 2)
      chart.draw(on: single)
      chart.draw(on: double)
      #expect(single.texts.map(\.text) == double.texts.map(\.text))
      for (one, other) in zip(single.texts, double.texts) { #expect(abs(one.box.x - other.box.x) < 0.1) }
    }
  }

  @Test func titleAndSubtitleAreDrawnWhole() throws {
    for chart in Examples.all {
      let texts = try Examples.texts(of: chart)
      let lines = texts.prefix(5).map { $0.replacing("\u{A0}", with: " ") }
      let wholes = (1...lines.count).map { lines.prefix($0).joined(separator: " ") }
      #expect(wholes.contains("\(chart.title) \(chart.subtitle)"), "\(type(of: chart)): \(lines)")
      #expect(!chart.title.isEmpty && !chart.title.hasSuffix(".") && chart.title != chart.subtitle)
    }
  }

  @Test func tablesNameTheirColumnsAndAreRectangular() {
    for seed in 0..<20 as Range<UInt64> {
      var random = RandomCharts(seed: seed)
      for chart in random.all() {
        let table = chart.table
        #expect(table.rows.allSatisfy { $0.count == table.columns.count }, "\(type(of: chart)), seed \(seed)")
      }
    }
  }

  @Test func aUsualChartIsSmall() throws {
    for chart in Examples.all {
      let size = try png(chart).count
      #expect(size < 60 * 1024, "\(type(of: chart)): \(size) bytes")
    }
  }
}
