import Charts
import Testing

struct ClassChartTests {
  @Test func theMatrixStatesCountsSharesAndRecalls() throws {
    #expect(
      Examples.confusion.subtitle == "Predicted and true classes · test · 12 reps of 2 people · 2 classes · 9 right")
    #expect(
      Examples.confusion.table.text == [
        ["true", "deep", "shallow", "no answer", "reps", "recall", "low", "high"],
        ["deep", "6", "1", "1", "8", "0.75", "0.41", "0.93"], ["shallow", "1", "3", "0", "4", "0.75", "n/a", "n/a"],
      ])
    let texts = try Examples.texts(of: Examples.confusion)
    #expect(texts.count { $0 == "75 %" } == 2)
    for text in ["25 %", "0.75 (0.41 to 0.93)", "no answer", "accuracy 0.75"] { #expect(texts.contains(text)) }
  }

  /// Three serves, of which two are found, and one that is made up.
  @Test func whatIsMadeUpIsNotCountedAmongWhatIsThere() throws {
    let chart = ConfusionChart(
      source: "test", kind: "stroke", truths: ["serve", "none"], background: "none", counts: [[2, 1], [1, 0]])
    #expect(chart.subtitle == "Predicted and true classes · test · 3 strokes · 1 class · 2 right · 1 invented")
    #expect(chart.table.text.map { $0[4] } == ["recall", "0.67", "n/a"])
    // Nothing that was taken for nothing is no cell.
    #expect(try !Examples.texts(of: chart).contains("0"))
  }

  @Test func longNamesOfColumnsBecomeNumbers() throws {
    let long = "a-name-without-any-place-to-break".replacing("-", with: "_")
    let chart = ConfusionChart(
      source: "test", truths: [long, "b"], predictions: [long, "b", "c"], counts: [[1, 0, 0], [0, 1, 0]])
    let texts = try Examples.texts(of: chart)
    for text in ["2 b", "1", "2", "3", "3 = c"] { #expect(texts.contains(text), "\(text) in \(texts)") }
    #expect(texts.contains { $0.hasPrefix("1 a_name") })
  }

  @Test func aMatrixOfNothingSaysSo() throws {
    for chart in [
      ConfusionChart(source: "", kind: "clip", truths: [], counts: []),
      ConfusionChart(source: "", kind: "clip", truths: ["a"], counts: [[0]]),
    ] {
      #expect(try Examples.texts(of: chart).contains("No clip has a true class."))
    }
    #expect(
      ConfusionChart(source: "", truths: ["a"], counts: []).table.text[1] == ["a", "0", "0", "n/a", "n/a", "n/a"])
  }

  /// From recall 0.5 to 1 the precision is 0.8 throughout: two places between are level, as they would not be on a
  /// straight line from (0.5, 1) to (1, 0.8).
  @Test func precisionFallsInSteps() throws {
    let rates = [(0.9, 0.5, 1.0), (0.5, 1, 0.8)].map {
      ThresholdRates(threshold: $0.0, recall: Estimate($0.1), precision: Estimate($0.2))
    }
    let chart = PrecisionRecallCurve(
      Classification(
        topic: "", source: "", curves: [ThresholdCurve(name: "c", rates: rates)], positives: 1, negatives: 1))
    let levels = try [0.6, 0.8].map { recall -> Int in
      let column = try Picture(chart).column(atTick: "\(recall)")
      return try #require(column.firstIndex(of: Picture.value(.prediction)))
    }
    #expect(levels[0] == levels[1])
  }

  @Test func bothCurvesStateWhatTheyRestOn() throws {
    #expect(Examples.precisionRecall.subtitle == "Precision and recall · test · 16 reps of 2 people · 4 positive")
    let texts = try Examples.texts(of: Examples.precisionRecall)
    for text in ["chance: 0.25 are positive", "threshold 0.9", "95 % interval", "operating point"] {
      #expect(texts.contains(text), "\(text) in \(texts)")
    }
    #expect(
      Examples.precisionRecall.table.text[1] == ["depth", "0.9", "0.500", "0.250", "0.750", "1.000", "0.500", "1.000"])
    #expect(Examples.roc.table.text.last == ["depth", "0.5", "0.250", "n/a", "n/a", "1.000", "n/a", "n/a"])
    let empty = ROCCurve(Classification(topic: "", source: "", curves: [], positives: 0, negatives: 0))
    #expect(try Examples.texts(of: empty).contains("No threshold has both rates."))
  }

  @Test func reliabilityIsSortedAndLeavesOutWhatIsEmpty() throws {
    #expect(Examples.reliability.subtitle == "Reliability of the confidence · test · 12 reps · 3 bins")
    #expect(
      Examples.reliability.table.text == [
        ["stated", "observed", "low", "high", "reps"], ["0.250", "0.250", "n/a", "n/a", "4"],
        ["0.750", "0.500", "0.250", "0.750", "8"], ["n/a", "n/a", "n/a", "n/a", "0"],
      ])
    #expect(
      try Examples.texts(of: ReliabilityDiagram(source: "", bins: [])).contains("No rep has a confidence."))
  }
}
