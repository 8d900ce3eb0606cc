import Evaluation
import Testing

/// Runs whose change is known, and what blame says of them.
@Suite struct MetricBlameTests {
  /// Ten subjects that differ from each other.
  private let errors = [2.0, 1, 3, 2, 4, 1, 2, 3, 2, 5]

  @Test func theRunAtWhichEveryonesErrorFellIsNamed() throws {
    let kept = try KeptRuns()
    try kept.add(day: 1, errors, counts: ["a": 3, "b": 5])
    try kept.add(day: 2, errors, counts: ["a": 3, "b": 5])
    // Everyone's error is one less, two people's two: the mean gain is 12 / 10.
    let better = errors.enumerated().map { $0.offset < 2 ? max(0, $0.element - 2) : $0.element - 1 }
    try kept.add(day: 3, better, angle: 100, counts: ["a": 4, "b": 5])
    try kept.add(day: 4, better, angle: 100, counts: ["a": 4, "b": 5])
    let blame = try kept.blame()
    #expect(blame.steps.map(\.isChanged) == [false, true, false])
    let step = try #require(blame.shown.first)
    #expect(blame.shown.count == 1 && blame.unshown.isEmpty)
    #expect(step.before.run.id == "sample/2" && step.after.run.id == "sample/3")
    #expect(step.change.gain == 11.0 / 10)
    #expect(step.changedParameters == ["counter.angle: 90.0 → 100.0"])
    // The count of a went from 3 to 4, which is the truth; b stayed.
    let clips = try step.clips(in: kept.store)
    #expect(clips.map(\.clip) == ["data/a"])
    #expect(clips.map(\.gain) == [1])
  }

  /// Of ten gains one is 1 and one −1: their mean is 0.
  @Test func whatGoesBothWaysIsNoise() throws {
    let kept = try KeptRuns()
    try kept.add(day: 1, errors)
    var other = errors
    other[0] += 1
    other[1] -= 1
    try kept.add(day: 2, other)
    let blame = try kept.blame()
    #expect(blame.shown.isEmpty)
    #expect(blame.unshown.map(\.after.run.id) == ["sample/2"])
    #expect(blame.unshown.first?.change.gain == 0)
  }

  @Test func nothingChanged() throws {
    let kept = try KeptRuns()
    for day in 1...3 { try kept.add(day: day, errors) }
    let blame = try kept.blame()
    #expect(blame.shown.isEmpty && blame.unshown.isEmpty)
    #expect(blame.overall?.isChanged == false)
  }

  /// On other data everyone's error is far greater; that is no change of the detector.
  @Test func runsOnOtherDataAreNotComparedAndTheNewestRunsDataCount() throws {
    let kept = try KeptRuns()
    try kept.add(day: 1, errors)
    try kept.add(day: 2, errors.map { $0 + 50 }, data: "two")
    try kept.add(day: 3, errors)
    let trend = try RunHistory(in: kept.store).trend(of: "count.mae")
    #expect(trend.groups.map { $0.map(\.run.id) } == [["sample/1", "sample/3"], ["sample/2"]])
    let blame = try MetricBlame(trend)
    #expect(blame.points.map(\.run.id) == ["sample/1", "sample/3"])
    #expect(blame.shown.isEmpty && blame.unshown.isEmpty)
  }

  /// Each step is a tenth of the noise between people; ten steps are one error for everyone.
  @Test func aDriftIsShownFromTheFirstToTheLastRun() throws {
    let kept = try KeptRuns()
    var values = errors
    try kept.add(day: 1, values)
    for day in 2...11 {
      // One subject a step.
      values[day - 2] += 1
      try kept.add(day: day, values)
    }
    let blame = try kept.blame()
    #expect(blame.shown.isEmpty)
    #expect(blame.unshown.count == 10)
    let overall = try #require(blame.overall)
    #expect(overall.isShown && overall.change.gain == -1)
  }

  /// Two greater steps and a small one that everyone takes: Holm's correction is over the three.
  @Test func theGreatestOfSeveralStepsComesFirst() throws {
    let kept = try KeptRuns()
    let steps = [0, 0.5, 2.5, 3.0]
    for (index, step) in steps.enumerated() { try kept.add(day: index + 1, errors.map { $0 + step }) }
    let shown = try kept.blame().shown
    #expect(shown.map(\.after.run.id) == ["sample/3", "sample/2", "sample/4"])
    #expect(shown.map(\.change.gain) == [-2, -0.5, -0.5])
  }

  @Test func fewSubjectsShowNothing() throws {
    let kept = try KeptRuns()
    try kept.add(day: 1, [2])
    try kept.add(day: 2, [4])
    let step = try #require(try kept.blame().unshown.first)
    #expect(step.change.adjustedP == nil)
    #expect(step.reasonWithoutTest == "one person is too few to generalise")
  }

  @Test func aValueThatIsLostIsAChange() throws {
    let kept = try KeptRuns()
    try kept.add(day: 1, errors)
    try kept.add(day: 2, [nil] + errors.dropFirst().map { Optional($0) })
    let step = try #require(try kept.blame().unshown.first)
    #expect(step.change.oneSidedSubjects == ["data/s00"])
  }
}
