import Coaching
import PoseModel
import Testing

/// The holds of an exercise that is defined by data: a hand above its shoulder.
@Suite struct HoldExerciseTests {
  typealias Fixture = ExerciseFixture

  private func hold(_ hands: [Double]) throws -> [Event] {
    let condition = ExerciseCondition(
      signal: 0, statistic: .mean, phase: nil, bound: .above,
      threshold: Fixture.parameter("held", 0, .trunkLengths, in: -5...5))
    let rule = HoldRule(
      conditions: [condition], label: "correct", rest: "rest",
      minimumDuration: Fixture.parameter("minimumDuration", 0.3))
    let faults = [
      Fixture.fault("high", .normal, costs: 40, .mean, .above, 1),
      Fixture.fault("too_high", .high, costs: 100, .mean, .above, 1.5),
    ]
    return try Fixture.events(hands, of: Fixture.exercise(.hold(rule), faults: faults))
  }

  private func times(_ value: Double, _ count: Int) -> [Double] { [Double](repeating: value, count: count) }

  /// Rest to 1 s, held to 2 s, too high for 1 s of 4, and rest again.
  @Test func postureAndGrade() throws {
    let events = try hold(times(-1, 10) + times(0.5, 10) + times(1.2, 10) + times(0.5, 20) + times(-1, 10))
    #expect(events.phases == ["correct", "high", "correct", "rest"])
    let starts = events.compactMap { if case .phase = $0.kind { $0.time } else { nil } }
    #expect(starts == [1_000_000, 2_000_000, 3_000_000, 5_000_000].map { Microseconds($0) })
    #expect(events.allSatisfy { $0.reported >= $0.time })
    #expect(events.faults == ["high"] && events.cues == ["Mind high"])
    let grade = try #require(events.grades.first)
    #expect(abs(grade - (100 - 40 * 1 / 4)) < 1e-9)
  }

  @Test func theWorstFaultNamesThePosture() throws {
    #expect(try hold(times(2, 10)).phases == ["too_high"])
  }

  /// Two frames are shorter than 0.3 s.
  @Test func whatIsShortIsNotSaid() throws {
    let events = try hold(times(0.5, 10) + times(1.2, 2) + times(0.5, 10) + [.nan, .nan] + times(0.5, 5))
    #expect(events.phases == ["correct"])
  }

  @Test func nobodyIsNoHold() throws {
    #expect(try hold(times(0.5, 10) + times(.nan, 10)).phases == ["correct", "rest"])
  }
}
