import Coaching
import Testing

@testable import Evaluation

/// Which values a search may take.
@Suite struct TuneAxisTests {
  private func axis(_ values: String, base: Double) throws -> TuneAxis {
    let axis = try SweepAxis("reps.squat-states.\(values)", of: [DetectorDefinition(SquatStates.self)])
    return TuneAxis(axis.parameter, over: axis.extent, base: base)
  }

  @Test func aRangeHasRoundSteps() throws {
    // 60 degrees in steps of 1; half a degree would be 120 steps.
    let degrees = try axis("bottomAngle=70...130", base: 90)
    #expect(degrees.levels == (70...130).map(Double.init))
    #expect(degrees.levels[degrees.start] == 90)
    // 1 in hundredths, each as a person types it.
    #expect(try axis("minimumConfidence=0...1", base: 0.3).levels == (0...100).map { Double($0) / 100 })
    // 150 in steps of 2, 0.8 in hundredths, 0.03 in steps of 0.0005 (60), since 0.0002 would be 150.
    #expect(try axis("bottomAngle=20...170", base: 90).levels.count == 76)
    #expect(try axis("minimumConfidence=0.1...0.9", base: 0.3).levels.count == 81)
    let narrow = try axis("minimumConfidence=0.3...0.33", base: 0.3)
    #expect(narrow.levels.count == 61)
    #expect(narrow.levels[1] == 0.3005)
  }

  @Test func theEndsAndTheSuitesOwnValueAreAmongThem() throws {
    let axis = try axis("bottomAngle=70.25...72.75", base: 71.111)
    #expect(axis.levels.first == 70.25)
    #expect(axis.levels.last == 72.75)
    #expect(axis.levels[axis.start] == 71.111)
    #expect(axis.levels == axis.levels.sorted())
    #expect(Set(axis.levels).count == axis.levels.count)
  }

  /// A window of n frames delays by (n - 1)/2 of them, One Euro a joint at rest by 1/(2π · 2.5 Hz): 1.9 of 30 a second.
  @Test func smoothingsRiseByTheirDelay() throws {
    let own = try SmoothingChoice("average:4")
    let axis = TuneAxis(SmoothingChoice.usual, base: own)
    let names = ["none", "average:3", "median:3", "average:4", "one-euro", "average:5", "median:5"]
    #expect(axis.quantity == .smoothing(try names.map { try SmoothingChoice($0) }))
    #expect(axis.levels == (0...6).map(Double.init))
    #expect(axis.base == 3 && axis.start == 3)
  }

  @Test func smoothingsAreAList() throws {
    func plan(_ texts: String...) throws -> TunePlan {
      try TunePlan(
        texts, search: TuneSearch(method: .coordinate, budget: 1, seed: 1), of: [DetectorDefinition(SquatStates.self)])
    }
    let named = try plan("smoothing=none,one-euro:1,7,2,average:4")
    #expect(named.smoothings.map(\.description) == ["none", "one-euro:1.0,7.0,2.0", "average:4"])
    #expect(named.axes.isEmpty && !named.isWhole)
    #expect(try plan().smoothings == SmoothingChoice.usual && plan().isWhole)
    #expect(try plan("smoothing").smoothings == SmoothingChoice.usual)
    #expect(SmoothingChoice.usual.count == 6)
    #expect(try plan("reps.squat-states.bottomAngle").smoothings == [])
  }

  @Test func aNarrowedRangeIsNotLeftForTheDefault() throws {
    let axis = try axis("bottomAngle=100...130", base: 90)
    #expect(axis.levels.first == 100)
    #expect(axis.start == 0)
    let listed = try self.axis("bottomAngle=114,80,84", base: 90)
    #expect(listed.levels == [80, 84, 114])
    #expect(listed.start == 1)
  }
}
