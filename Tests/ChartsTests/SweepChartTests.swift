import Charts
import Testing

struct SweepChartTests {
  @Test func theCurveNamesDefaultOptimumAndSubjects() throws {
    let texts = try Examples.texts(of: Examples.sweep)
    for text in ["optimum 80: 0.5", "default 90: 1", "anna", "bert", "impossible or undefined"] {
      #expect(texts.contains(text), "\(text) in \(texts)")
    }
    #expect(
      Examples.sweep.subtitle == "mae by angle · test · 3 settings · 2 people · 1 without a value · "
        + "optimum chosen on these people: optimistic")
  }

  @Test func theTableHasEverySetting() {
    let rows: [[String]] = [
      ["angle (degrees)", "mae", "low", "high", "plateau", "mark", "best for people"],
      ["80", "0.5", "0.25", "0.75", "plateau", "optimum", "1"], ["90", "1", "n/a", "n/a", "", "default", "1"],
      ["100", "n/a", "n/a", "n/a", "", "", "0"],
    ]
    #expect(Examples.sweep.table.text == rows)
  }

  /// The axes are those of the names, whatever order the values of a setting have.
  @Test func valuesAreTakenByTheirNames() {
    let settings = [SweptSetting(values: ["b": 2, "a": 1], score: Estimate(3))]
    let (a, b) = (SweptParameter("a"), SweptParameter("b", unit: "seconds"))
    func map(_ parameters: (x: SweptParameter, y: SweptParameter)) -> SweepHeatMap {
      SweepHeatMap(
        topic: "t", source: "s", parameters: parameters, metric: "m", best: .lowest, settings: settings, optimum: 0,
        base: settings[0], subjects: 1)
    }
    #expect(map((a, b)).table.text.map { Array($0.prefix(2)) } == [["a", "b (seconds)"], ["1", "2"]])
    #expect(map((b, a)).table.text.map { Array($0.prefix(2)) } == [["b (seconds)", "a"], ["2", "1"]])
    #expect(map((a, SweptParameter("c"))).settings.isEmpty)
  }

  @Test func theHeatMapWritesItsValues() throws {
    let texts = try Examples.texts(of: Examples.heatMap)
    for text in ["0.50", "0.75", "1.25"] { #expect(texts.contains(text), "\(text) in \(texts)") }
  }

  @Test func whatWasChosenStandsBesideItsDefault() throws {
    let texts = try Examples.texts(of: Examples.chosen)
    for text in ["60 → 110", "angle (degrees), searched from 80 to 120", "100: 1", "110: 2"] {
      #expect(texts.contains(text), "\(text) in \(texts)")
    }
  }

  @Test func aSmoothingStandsThereByItsName() throws {
    let chart = ChosenValues(
      topic: "", source: "",
      parameters: [
        ChosenValues.Parameter(
          name: "smoothing", unit: "", range: 0...2, base: 0, tuned: 2,
          choices: [ChosenValues.Choice(value: 0, folds: 1), ChosenValues.Choice(value: 2, folds: 3)],
          names: ["none", "median:3", "one-euro"])
      ])
    #expect(chart.title == "Folds agree on smoothing (3 of 4 chose one-euro)")
    let texts = try Examples.texts(of: chart)
    for text in ["none → one-euro", "smoothing, searched from none to one-euro", "none: 1", "one-euro: 3", "median:3"] {
      #expect(texts.contains(text), "\(text) in \(texts)")
    }
    #expect(chart.table.text.dropFirst().map { $0[2] } == ["none", "one-euro"])
  }

  /// One dot a fold: two folds colour twice as many pixels as one, and the default none.
  @Test func aFoldIsADot() throws {
    func dots(_ folds: [Int]) throws -> Int {
      let choices = folds.enumerated().map { ChosenValues.Choice(value: 100 + 10 * Double($0), folds: $1) }
      let parameter = ChosenValues.Parameter(
        name: "a", unit: "", range: 80...120, base: 90, tuned: 85, choices: choices)
      let picture = try PNGFile(png(ChosenValues(topic: "", source: "", parameters: [parameter])))
      return picture.pixels.count { $0 == Picture.value(.prediction) }
    }
    let (one, three, apart) = (try dots([1]), try dots([3]), try dots([2, 1]))
    // The legend has a dot too.
    #expect(one > 0 && abs(three - apart) < one / 10 && three > 3 * one / 2)
  }

  /// The best cell is the darkest, whichever way the metric goes.
  @Test(arguments: [
    (SweepHeatMap.Best.lowest, [-2.0, 1, 5], 0), (.highest, [-2, 1, 5], 2), (.nearestToZero, [-2, 1, 5], 1),
  ])
  func darkerIsBetter(best: SweepHeatMap.Best, scores: [Double], darkest: Int) throws {
    let chart = SweepHeatMap(
      topic: "", source: "", parameters: (SweptParameter("x"), SweptParameter("y")), metric: "m", best: best,
      settings: scores.enumerated().map { SweptSetting(values: ["x": Double($0), "y": 0], score: Estimate($1)) },
      optimum: nil,
      base: SweptSetting(values: ["x": 9, "y": 9], score: nil), subjects: 1)
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
