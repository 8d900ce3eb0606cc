import Charts
import Testing

struct SweepChartTests {
  @Test func theCurveNamesDefaultOptimumAndSubjects() throws {
    let texts = try Examples.texts(of: Examples.sweep)
    for text in ["optimum 80: 0.5", "default 90: 1", "anna", "bert", "impossible or undefined"] {
      #expect(texts.contains(text), "\(text) in \(texts)")
    }
    #expect(
      Examples.sweep.subtitle == "mae by angle · test · 3 settings · 2 subjects · 1 without a value · "
        + "optimum chosen on these subjects: optimistic")
  }

  @Test func theTableHasEverySetting() {
    let rows: [[String]] = [
      ["angle (degrees)", "mae", "low", "high", "plateau", "mark", "best for subjects"],
      ["80", "0.5", "0.25", "0.75", "plateau", "optimum", "1"], ["90", "1", "n/a", "n/a", "", "default", "1"],
      ["100", "n/a", "n/a", "n/a", "", "", "0"],
    ]
    #expect(Examples.sweep.table.text == rows)
  }

  @Test func theHeatMapWritesItsValues() throws {
    let texts = try Examples.texts(of: Examples.heatMap)
    for text in ["0.50", "0.75", "1.25"] { #expect(texts.contains(text), "\(text) in \(texts)") }
  }

  @Test func whatWasChosenStandsBesideItsDefault() throws {
    #expect(try Examples.texts(of: Examples.chosen).contains("60 → 110"))
  }

  /// The best cell is the darkest, whichever way the metric goes.
  @Test(arguments: [
    (SweepHeatMap.Best.lowest, [-2.0, 1, 5], 0), (.highest, [-2, 1, 5], 2), (.nearestToZero, [-2, 1, 5], 1),
  ])
  func darkerIsBetter(best: SweepHeatMap.Best, scores: [Double], darkest: Int) throws {
    let chart = SweepHeatMap(
      topic: "", source: "", parameters: ("x", "y"), metric: "m", best: best,
      settings: scores.enumerated().map { SweptSetting(values: [Double($0), 0], score: Estimate($1)) }, optimum: nil,
      base: SweptSetting(values: [9, 9], score: nil), subjects: 1)
    let picture = try PNGFile(png(chart))
    // A third, a half and five sixths of the plot's width, away from the texts.
    let lights = [220, 520, 820].map { x -> UInt32 in
      let pixel = picture.pixels[300 * 1200 + x]
      // Its green, which falls from light to dark.
      return (pixel >> 8) & 255
    }
    #expect(lights.indices.min { lights[$0] < lights[$1] } == darkest, "\(lights)")
  }
}
