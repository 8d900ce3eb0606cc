import Charts
import Statistics
import Testing

struct ComparisonChartTests {
  @Test func theLargestLossStandsFirst() throws {
    #expect(
      Examples.paired.subtitle == "Counts · test · 4 clips · 1 better, 1 worse, 1 no change, 1 n/a")
    #expect(
      Examples.paired.table.text == [
        ["clip", "before", "after", "true", "gain"], ["worse", "5", "6", "5", "−1"], ["same", "4", "4", "", "0"],
        ["better", "1", "3", "7", "+2"], ["missing", "2", "n/a", "", "n/a"],
      ])
    let texts = try Examples.texts(of: Examples.paired)
    #expect(texts.contains("5 → 6 (5)") && texts.contains("1 → 3 (7)") && !texts.contains("missing"))
    #expect(texts.contains("numbers: before → after (true); 1 clip without a value on one side"))
    #expect(texts.contains("after, better") && texts.contains("after, worse") && texts.contains("after, no change"))
  }

  /// Gains of −20 to 19: the thirty largest are −20, both of each size from 19 to 6, and of the two of size 5 the loss;
  /// nine others and the one without a change are not.
  @Test func ofManyTheLargestChangesAreShown() throws {
    let values = (-20..<20).map {
      PairedValue(name: "s\($0)", before: 0, after: Double($0), gain: Double($0))
    }
    let texts = try Examples.texts(
      of: PairedDots(topic: "t", source: "test", kind: "person", axisTitle: "x", values: values))
    #expect(texts.contains("s-20") && texts.contains("s19") && texts.contains("s-5") && texts.contains("s6"))
    #expect(!texts.contains("s5") && !texts.contains("s-4") && !texts.contains("s0"))
    #expect(
      texts.contains(
        "numbers: before → after; 9 people with smaller changes not shown; 1 person without a change not shown"))
  }

  @Test func ofManyThoseWithoutAChangeAreLeftOut() throws {
    let values = (0..<40).map { PairedValue(name: "s\($0)", before: 1, after: $0 == 7 ? 2 : 1, gain: $0 == 7 ? 1 : 0) }
    let texts = try Examples.texts(
      of: PairedDots(topic: "t", source: "test", kind: "person", axisTitle: "x", values: values))
    #expect(texts.contains("s7") && !texts.contains("s6"))
    #expect(texts.contains("numbers: before → after; 39 people without a change not shown"))
  }

  /// 3 → 5 of 4 is as far off, on the other side; 2 → 4 without a true count is neither; 4 → 4 is no change.
  @Test func aChangeOfSidesIsNotNoChange() throws {
    let sides = PairedValue(name: "a", before: 3, after: 5, truth: 4, gain: 0)
    let unlabelled = PairedValue(name: "b", before: 2, after: 4, gain: .nan)
    let same = PairedValue(name: "c", before: 4, after: 4, truth: 4, gain: 0)
    let better = PairedValue(name: "d", before: 2, after: 4, truth: 4, gain: 2)
    func chart(_ values: [PairedValue]) -> PairedDots {
      PairedDots(topic: "t", source: "s", kind: "clip", axisTitle: "reps", values: values, isWhole: true)
    }
    let all = chart([sides, unlabelled, same, better])
    #expect(all.title == "Counts better for 1 of 3 clips, worse for none")
    #expect(
      all.subtitle == "t · s · 4 clips · 1 better, 1 as far off on the other side, 1 without a true value, 1 no change")
    let texts = try Examples.texts(of: all)
    #expect(texts.contains("numbers: before → after (true); a from one too few to one too many"), "\(texts)")
    #expect(texts.contains("after, no true value"))
    #expect(chart([sides, same]).title == "As far off on the other side for 1 of 2 clips")
    #expect(chart([unlabelled]).title == "1 clip changed, none with a true value")
  }

  /// Better and worse are what is shown, whatever the interval; another interval says that no loss is beyond the margin
  /// if it ends above that, and otherwise nothing.
  @Test func anIntervalWithinTheMarginHolds() throws {
    func legend(_ low: Double, _ high: Double, margin: Double?, shown: ShownChange? = nil) throws -> [String] {
      let gain = Estimate((low + high) / 2, lower: low, upper: high)
      let difference = MetricDifference(name: "n", unit: "", gain: gain, margin: margin, shown: shown)
      let chart = DifferenceIntervals(source: "", differences: [difference], subjects: 8, clips: 8)
      let texts = try Examples.texts(of: chart)
      return texts.filter { ["better", "worse", "no loss beyond the margin", "open: may be chance"].contains($0) }
    }
    #expect(try legend(-0.125, 0.375, margin: 0.25) == ["no loss beyond the margin"])
    #expect(try legend(-0.25, 0.375, margin: 0.25) == ["no loss beyond the margin"])
    #expect(try legend(-0.375, 0.125, margin: 0.25) == ["open: may be chance"])
    #expect(try legend(-0.125, 0.375, margin: nil) == ["open: may be chance"])
    #expect(try legend(-0.375, -0.125, margin: 0.25) == ["open: may be chance"])
    #expect(try legend(-0.375, -0.125, margin: 0.5, shown: .worse) == ["worse"])
    #expect(try legend(0.125, 0.375, margin: 0.5, shown: .better) == ["better"])
  }

  @Test func gainsHaveTheirNumbersBesideThem() throws {
    let texts = try Examples.texts(of: Examples.gains)
    #expect(texts.contains("−0.50 (−0.75 to −0.25) reps, p 0.031"))
    #expect(texts.contains("loss within the margin, down to −1") && texts.contains("worse"))
    #expect(texts.contains("gain, in margins"))
    // What did not change or has no margin takes no row.
    for name in ["same", "one subject", "undefined", "unchanged gate", "unseen"] { #expect(!texts.contains(name)) }
    #expect(
      texts.contains(
        "no margin, not on this scale: one subject +0.10; unchanged: same, unchanged gate; without a gain: undefined, "
          + "unseen"))
    // Numbers are whole, however long.
    var long = Examples.gains
    long.differences.append(
      MetricDifference(
        name: "phantom reps, squat-states", unit: "reps/min", gain: Estimate(-1.42, lower: -2.21, upper: -0.63),
        margin: 0.5, shown: .worse, remark: "pooled, p 0.004, Holm 0.035"))
    #expect(try Examples.texts(of: long).contains("−1.42 (−2.21 to −0.63) reps/min, pooled, p 0.004, Holm 0.035"))
    // Without any margin there is no common scale.
    var own = Examples.gains
    for index in own.differences.indices { own.differences[index].margin = nil }
    let apart = try Examples.texts(of: own)
    #expect(apart.contains("one subject") && !apart.contains("gain, in margins"))
    #expect(
      apart.contains(
        "each metric on its own scale, 0 in the middle; unchanged: same, unchanged gate; without a gain: undefined, "
          + "unseen"))
    #expect(
      Examples.gains.table.text[1] == ["count.mae", "−0.5", "−0.750", "−0.250", "0.2", "reps", "p 0.031"])
  }
}
