import Plots
import Testing

/// What holds for every chart, whatever it is given.
struct ChartTests {
  @Test(arguments: 0..<120 as Range<UInt64>)
  func textsStayApartAndInside(seed: UInt64) throws {
    var random = RandomCharts(seed: seed)
    for chart in random.all() {
      let canvas = try Canvas(size: chart.size)
      chart.draw(on: canvas)
      let boxes = canvas.texts.map(\.box)
      for (index, box) in boxes.enumerated() {
        #expect(canvas.bounds.contains(box), "\(type(of: chart)), seed \(seed): \(canvas.texts[index])")
        for other in boxes[..<index] where box.overlaps(other) {
          Issue.record("\(type(of: chart)), seed \(seed): \(canvas.texts[index]) lies on \(other)")
        }
      }
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
      #expect(texts.first == chart.title)
      #expect(texts.dropFirst().first?.replacing("\u{A0}", with: " ") == chart.subtitle)
    }
  }

  @Test func tablesNameTheirColumnsAndAreRectangular() {
    for seed in 0..<20 as Range<UInt64> {
      var random = RandomCharts(seed: seed)
      for chart in random.all() {
        let widths = Set(chart.table.map(\.count))
        #expect(widths.count == 1, "\(type(of: chart)), seed \(seed)")
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
