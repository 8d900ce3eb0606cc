import Charts
import Testing

/// Charts of many runs: disturbed ones, those kept over time, and what they all ran on.
struct RunChartTests {
  /// Undisturbed 0.5, accepted 0.5 more: 0.75 is within it and 1.5 is not.
  @Test func theLadderTellsWhereTheMarginIsLeft() throws {
    #expect(Examples.ladder.subtitle == "mae under noise · test · 24 clips of 12 people · 4 steps · 1 without a value")
    #expect(Examples.ladder.table.text.map { $0[4] } == ["within the margin", "yes", "yes", "no", "n/a"])
    #expect(try Examples.texts(of: Examples.ladder).contains("loses more than the margin"))
    #expect(Examples.ladder.title.hasSuffix("; beyond the margin only there"), "\(Examples.ladder.title)")
    var higher = Examples.ladder
    higher.isHigherBetter = true
    #expect(higher.table.text.map { $0[4] } == ["within the margin", "yes", "yes", "yes", "n/a"])
    higher.margin = nil
    #expect(higher.table.text.dropFirst().allSatisfy { $0[4] == "n/a" })
  }

  @Test func runsOnOtherDataAreNotJoined() throws {
    func isJoined(_ data: [String]) throws -> Bool {
      let runs = zip(["a1", "a2", "a3"], data).map { MetricHistory.Run(name: $0, score: Estimate(1), data: $1) }
      let chart = MetricHistory(topic: "t", source: "", metric: "m", runs: runs)
      return try Picture(chart).column(between: "a2", and: "a3").contains(Picture.value(.prediction))
    }
    #expect(try isJoined(["x", "x", "x"]))
    #expect(try !isJoined(["x", "x", "y"]))
    #expect(try !isJoined(["x", "y", "z"]))
  }

  /// Those on the newest run's data are joined past one on other data between them, which stands back.
  @Test func runsOnTheSameDataAreJoinedPastOthers() throws {
    let runs = zip(["a1", "a2", "a3"], ["x", "y", "x"]).map {
      MetricHistory.Run(name: $0, score: Estimate($1 == "x" ? 1 : 3), data: $1)
    }
    let picture = try Picture(MetricHistory(topic: "t", source: "", metric: "m", runs: runs))
    for (left, right) in [("a1", "a2"), ("a2", "a3")] {
      #expect(try picture.column(between: left, and: right).contains(Picture.value(.prediction)))
    }
    #expect(try Examples.texts(of: MetricHistory(topic: "t", source: "", metric: "m", runs: runs)).contains("y"))
  }

  @Test func theHistoryMarksReleasesAndTheRunToLookAt() throws {
    #expect(
      Examples.history.subtitle
        == "mae over the runs · test · 9 to 10 people · 4 runs · on 2 versions of the data · 1 without a value")
    let texts = try Examples.texts(of: Examples.history)
    for text in ["1.0", "changed by 2 clips", "run on other data", "d1", "a4"] {
      #expect(texts.contains(text), "\(text) in \(texts)")
    }
    #expect(Examples.history.table.text[1] == ["a1", "1.000", "0.500", "1.500", "10", "d1", "1.0"])
    #expect(Examples.history.table.text[3] == ["a3", "2.000", "n/a", "n/a", "n/a", "d2", ""])
  }

  /// The others range from 1 to 1.25: 3 is 1.75 above the ends, more than twice 0.25, and 1.5 only 0.25.
  @Test func aRunFarFromBothEndsIsNamed() {
    func title(_ values: [Double]) -> String {
      let runs = values.enumerated().map { MetricHistory.Run(name: "a\($0)", score: Estimate($1), data: "d") }
      return MetricHistory(topic: "t", source: "", metric: "error (reps, lower is better)", runs: runs).title
    }
    #expect(title([1, 3, 1.25]) == "Error rose from 1.00 to 1.25 over 3 runs; 3.00 in a1")
    #expect(title([1, 1.5, 1.25]) == "Error rose from 1.00 to 1.25 over 3 runs")
    #expect(title([1, 1, 0, 1]) == "Error without a lasting change: 1.00 at both ends, over 4 runs; 0.00 in a2")
  }

  /// Beside the intervals of changes, 1 to 3, the first run's own is not drawn, and the axis has no room for it.
  @Test func theAxisOfAHistoryCoversWhatIsDrawn() throws {
    let runs = [
      MetricHistory.Run(name: "a", score: Estimate(1, lower: 0, upper: 8), data: "d"),
      MetricHistory.Run(name: "b", score: Estimate(2), change: Estimate(1, lower: 0, upper: 2), data: "d"),
    ]
    let texts = try Examples.texts(of: MetricHistory(topic: "t", source: "", metric: "m", runs: runs))
    #expect(!texts.contains("8"), "\(texts)")
  }

  @Test func aSharesAxisEndsAtOne() throws {
    func texts(isShare: Bool) throws -> [String] {
      let runs = ["a", "b"].map { MetricHistory.Run(name: $0, score: Estimate(1), data: "d") }
      return try Examples.texts(of: MetricHistory(topic: "t", source: "", metric: "m", isShare: isShare, runs: runs))
    }
    #expect(try texts(isShare: true).contains("1.0") && !texts(isShare: true).contains("1.6"))
    #expect(try texts(isShare: false).contains("1.6"))
  }

  @Test func theCardHoldsFactsDistributionsAndCautions() throws {
    let texts = try Examples.texts(of: Examples.card)
    for text in ["frames", "900", "clips by view", "front", "2", "empty", "none", "Limits"] {
      #expect(texts.contains(text), "\(text) in \(texts)")
    }
    #expect(Examples.card.table.text.count == 1 + 2 + 2 + 1)
  }

  /// Of twelve kinds nine have a row of their own: 10 + 11 + 12 things are in the others.
  @Test func manyKindsArePutTogether() throws {
    let counts = (1...12).map { DatasetCard.Count("k\($0)", $0) }
    var chart = DatasetCard(
      name: "n", source: "", clips: 1, subjects: 1, facts: [], distributions: [.init(title: "t", counts: counts)])
    let texts = try Examples.texts(of: chart)
    #expect(texts.contains("3 others") && texts.contains("33") && texts.contains("k9") && !texts.contains("k10"))
    // What does not add up has the most of any.
    chart.distributions[0].areParts = false
    let rates = try Examples.texts(of: chart)
    #expect(rates.contains("3 others, max") && rates.contains("12") && !rates.contains("33"))
  }
}
