import Charts
import Testing

struct LatencyChartTests {
  @Test func keepsTheThreeLatenciesApart() throws {
    #expect(Examples.latency.subtitle == "Latency · test · 3 blocks of 64 frames · 2 reports")
    var named = Examples.latency
    named.subjects = 1
    #expect(named.subtitle == "Latency · test · 3 blocks of 64 frames · 2 reports of 1 person")
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

  @Test func aCueBeforeItsFrameIsExplained() throws {
    func headings(_ samples: [Double]) throws -> [String] {
      var chart = Examples.latency
      chart.cameraToCue = .measured([LatencySeries(name: "cycle", samples: samples, quantiles: [])])
      return try Examples.texts(of: chart).filter { $0.hasPrefix("Delay from camera to cue") }
    }
    #expect(try headings([30, 40]) == ["Delay from camera to cue: ms"])
    #expect(
      try headings([-80, 40]) == ["Delay from camera to cue: ms (below 0: early)"])
  }

  @Test func longNamesAreToldApart() throws {
    let names = (1...24).map { "detector-of-the-squat-with-a-long-name-\($0)-and-an-end-that-all-of-them-share" }
    var chart = Examples.latency
    chart.updateCost = .measured(
      names.map { LatencySeries(name: $0, samples: [8, 9], quantiles: [.init("p50", 9)]) })
    let texts = try Examples.texts(of: chart)
    let drawn = Set(texts.filter { $0.hasPrefix("…") })
    #expect(drawn.count == 24, "\(drawn)")
  }

  @Test func aPanelWithoutSeriesSaysSo() throws {
    let chart = LatencyChart(
      source: "test", updateCost: .measured([]), reportLateness: .measured([]), cameraToCue: .measured([]))
    #expect(try Examples.texts(of: chart).count { $0 == "n/a: not measured" } == 3)
  }
}
