import Charts
import Testing

/// A chart that a user of the module writes, from the public grammar alone.
private struct TempoChart: Chart {
  let title = "Tempo"
  let seconds: [Double]
  var subtitle: String { "\(seconds.count) reps" }
  var table: ChartTable {
    ChartTable(
      ["rep", .init("tempo", unit: "s", .fixed(1))], rows: seconds.enumerated().map { [.count($0 + 1), .number($1)] })
  }

  func draw(on canvas: Canvas, in area: Rect) {
    let panel = Panel(
      x: Axis(LinearScale(covering: seconds.indices.map(Double.init), isWhole: true), edge: .bottom, title: "rep"),
      y: Axis(LinearScale(covering: [0] + seconds), edge: .left, title: "seconds"), in: area, on: canvas)
    panel.drawAxes(on: canvas)
    canvas.path(seconds.enumerated().map { panel.point(Double($0), $1) }, .prediction, width: 2)
    Legend([LegendEntry(.line(.prediction), "tempo")]).drawRow(on: canvas, in: panel.plot)
  }
}

struct OutsideChartTests {
  @Test func aChartFromOutsideNeedsOnlyThePublicGrammar() throws {
    let chart = TempoChart(seconds: [2.1, 2.4, .nan, 3.0])
    #expect(chart.table.text == [["rep", "tempo (s)"], ["1", "2.1"], ["2", "2.4"], ["3", "n/a"], ["4", "3.0"]])
    #expect(chart.table.rows[2][1].value == nil && chart.table.rows[3][1].value == 3)
    let texts = try Examples.texts(of: chart)
    #expect(texts.starts(with: ["Tempo", "4\u{A0}reps"]) && texts.contains("seconds") && texts.contains("tempo"))
    #expect(try PNGFile(png(chart)).width == 1200)
  }
}
