import Scoring
import Testing

struct PercentageOfCorrectEventsTests {
  /// 44 / 30 rounds to 1, 46 / 30 to 2, 75 / 30 = 2.5 to the even 2, 105 / 30 = 3.5 to the even 4.
  @Test(arguments: [(0, 1), (10, 1), (44, 1), (46, 2), (75, 2), (105, 4), (300, 10)])
  func toleranceGrowsWithTheSwing(length: Int, tolerance: Int) {
    #expect(PercentageOfCorrectEvents.tolerance(address: 12, impact: 12 + length) == tolerance)
  }

  @Test func toleranceIsAtLeastAFrame() {
    #expect(PercentageOfCorrectEvents.tolerance(address: 40, impact: 10) == 1)
    #expect(PercentageOfCorrectEvents.tolerance(address: 0, impact: 240, rate: 240) == 1)
    #expect(PercentageOfCorrectEvents.tolerance(address: 0, impact: 480, rate: 240) == 2)
    #expect(PercentageOfCorrectEvents.tolerance(address: 0, impact: 480, rate: 0) == 1)
  }

  /// Address is exactly 2 off, top 3 off, impact right, finish not predicted.
  @Test func eventsWithinTheToleranceAreCorrect() {
    let tally = PercentageOfCorrectEvents(
      truth: ["address": 10, "top": 50, "impact": 70, "finish": 90],
      predicted: ["address": 12, "top": 47, "impact": 70, "toe-up": 20], tolerance: 2)
    #expect(tally.value == 2 / 4.0)
    #expect(tally.value(of: "address") == 1)
    #expect(tally.value(of: "top") == 0)
    #expect(tally.value(of: "finish") == 0)
    #expect(tally.value(of: "toe-up") == nil)
  }

  @Test func poolsByAdding() {
    let one = PercentageOfCorrectEvents(truth: ["a": 1, "b": 5], predicted: ["a": 1], tolerance: 1)
    let two = PercentageOfCorrectEvents(truth: ["b": 9], predicted: ["b": 9], tolerance: 1)
    #expect((one + two).value == 2 / 3.0)
    #expect((one + two).value(of: "b") == 1 / 2.0)
    #expect(PercentageOfCorrectEvents().value == nil)
  }
}

extension PercentageOfCorrectEvents: CheckedFunctions {
  static let measures: [Measure] = [
    Measure(.percentageOfCorrectEvents) { clips in
      clips.map { PercentageOfCorrectEvents(truth: $0.events.truth, predicted: $0.events.predicted, tolerance: 2) }
        .reduce(PercentageOfCorrectEvents(), +).value
    }
  ]
}
