import Charts
import Testing

struct LatencyChartTests {
  @Test func keepsTheThreeLatenciesApart() throws {
    #expect(Examples.latency.subtitle == "Latency · test · 3 blocks of 64 frames · 2 reports")
    let texts = try Examples.texts(of: Examples.latency)
    #expect(texts.contains("n/a: no frame rate is given"))
    #expect(texts.contains("9.00 ns") && texts.contains("10.0 ns") && texts.contains("110.0 ms"))
    #expect(texts.contains { $0.hasSuffix("Timer overhead: 0.1 ns a frame.") })
  }

  @Test func listsEveryQuantileWithItsNumberOfSamples() {
    #expect(
      Examples.latency.table.text == [
        ["latency", "detector", "samples", "quantile", "value", "unit"],
        ["update cost", "cycle", "3", "p50", "9.00", "ns"], ["update cost", "cycle", "3", "p90", "10.0", "ns"],
        ["report lateness", "cycle", "2", "p50", "110.0", "ms"],
        ["camera to cue", "n/a", "0", "n/a", "no frame rate is given", ""],
      ])
  }

  @Test func aPanelWithoutSeriesSaysSo() throws {
    let chart = LatencyChart(
      source: "test", updateCost: .measured([]), reportLateness: .measured([]), cameraToCue: .measured([]))
    #expect(try Examples.texts(of: chart).count { $0 == "n/a: not measured" } == 3)
  }
}
