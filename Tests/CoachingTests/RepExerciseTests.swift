import Coaching
import PoseModel
import Testing

/// The reps of an exercise that is defined by data.
@Suite struct RepExerciseTests {
  typealias Fixture = ExerciseFixture
  static let up = [-1.0, -0.5, 0, 0.4, 0.8, 1]
  static let raise = up + up.reversed()

  /// Left below -0.5 + 0.1 upwards at 0.2 s, turned past 0.5 at 0.4 s, at 1 m high first at 0.5 s, left the turn below 0.4
  /// at 0.9 s (0), and back below -0.5 at 1.1 s.
  @Test func aRepGoesThroughItsPhases() throws {
    let events = try Fixture.events(Self.raise, of: Fixture.raise())
    #expect(events.phases == ["raising", "up", "lowering", "down"])
    #expect(
      events.reps == [Rep(start: Microseconds(200_000), end: Microseconds(1_100_000), turn: Microseconds(500_000))])
    // Without faults nothing is judged.
    #expect(events.grades.isEmpty)
  }

  @Test func halfARepDoesNotCountAndIsJudgedWhereItIsAnAttempt() throws {
    let half = [-1, -0.3, 0, 0.3, 0, -0.3, -0.6, -1]
    let low = Fixture.fault("low", .normal, costs: 20, .maximum, .below, 0.7)
    let silent = try Fixture.events(half, of: Fixture.raise(faults: [low]))
    #expect(silent.reps.isEmpty && silent.faults.isEmpty)
    let judged = try Fixture.events(half, of: Fixture.raise(faults: [low], attempt: 0.2))
    #expect(judged.reps.isEmpty && judged.faults == ["low"] && judged.grades == [80])
  }

  /// The deductions add up, the most severe fault is spoken, and of two as severe the earlier one.
  @Test func faultsAreGradedAndTheWorstIsSpoken() throws {
    let faults = [
      Fixture.fault("early", .normal, costs: 10, .atStart, .above, -0.45),
      Fixture.fault("high", .high, costs: 30, .maximum, .above, 0.9),
      Fixture.fault("also", .high, costs: 35, .atTurn, .above, 0.9),
      Fixture.fault("never", .high, costs: 50, .minimum, .above, 0),
    ]
    let events = try Fixture.events(Self.raise, of: Fixture.raise(faults: faults))
    #expect(events.faults == ["early", "high", "also"])
    #expect(events.grades == [25])
    #expect(events.cues == ["Mind high"])
  }

  /// Over the rep's frames from 0 to 0 by 0, 0.4, 0.8, 1, 1, 0.8, 0.4, 0, -0.5 (not yet below the start): mean 3.9/9.
  @Test(arguments: [
    (ExerciseStatistic.mean, 0.43, 0.44), (.range, 1.49, 1.51), (.rise, 0.99, 1.01), (.minimum, -0.51, -0.49),
    (.maximum, 0.99, 1.01), (.atStart, -0.01, 0.01), (.atTurn, 0.99, 1.01), (.atEnd, -0.51, -0.49),
  ])
  func statisticsOverARep(_ statistic: ExerciseStatistic, _ low: Double, _ high: Double) throws {
    let faults = [
      Fixture.fault("above", .low, costs: 1, statistic, .above, low),
      Fixture.fault("below", .low, costs: 1, statistic, .below, high),
      Fixture.fault("over", .low, costs: 1, statistic, .above, high),
      Fixture.fault("under", .low, costs: 1, statistic, .below, low),
    ]
    #expect(try Fixture.events(Self.raise, of: Fixture.raise(faults: faults)).faults == ["above", "below"])
  }

  /// A phase's own frames: on the way up the hand gets to 0.4 at most before it is past the turn.
  @Test func aStatisticOfAPhase() throws {
    let faults = [
      Fixture.fault("raising", .low, costs: 1, .maximum, phase: 1, .below, 0.45),
      Fixture.fault("whole", .low, costs: 1, .maximum, .below, 0.45),
    ]
    #expect(try Fixture.events(Self.raise, of: Fixture.raise(faults: faults)).faults == ["raising"])
  }

  /// The hand comes down to -1 two tenths of a second after the rep is over: seen only by who waits for it.
  @Test func theFinishIsWatched() throws {
    let hands = Self.raise.dropLast() + [-0.6, -0.8, -1, -1, -1, -1]
    let high = Fixture.fault("high", .low, costs: 10, .minimum, phase: 0, .above, -0.9)
    #expect(try Fixture.events(Array(hands), of: Fixture.raise(faults: [high])).faults == ["high"])
    let patient = try Fixture.events(Array(hands), of: Fixture.raise(faults: [high], finish: 0.3))
    #expect(patient.faults.isEmpty && patient.grades == [100])
    let grade = try #require(patient.last)
    #expect(grade.time == Microseconds(1_100_000) && grade.reported == Microseconds(1_500_000))
  }

  /// The next rep begins before the finish is over: the last one is judged then.
  @Test func theNextRepEndsTheFinish() throws {
    let high = Fixture.fault("high", .low, costs: 10, .minimum, phase: 0, .above, -0.9)
    let events = try Fixture.events(Self.raise + Self.raise.dropFirst(), of: Fixture.raise(faults: [high], finish: 60))
    #expect(events.reps.count == 2 && events.grades == [100])
  }

  @Test func missingFramesChangeNothingUntilARepIsForgotten() throws {
    let gone = [Double](repeating: .nan, count: 20)
    let hands = Array(Self.up) + gone + Self.up.reversed()
    #expect(try Fixture.events(hands, of: Fixture.raise()).reps.count == 1)
    #expect(try Fixture.events(hands, of: Fixture.raise(forget: 3)).reps.count == 1)
    // The rest of the dropped rep is one that begins in the middle; it is past the turn at its first frame.
    let forgotten = try Fixture.events(hands, of: Fixture.raise(forget: 1)).reps
    #expect(forgotten.map(\.start) == [Microseconds(2_600_000)])
  }

  @Test func tooShortIsNoRep() throws {
    #expect(try Fixture.events([-1, 1, -1], of: Fixture.raise()).reps.isEmpty)
    #expect(try Fixture.events([-1, 1, -1], of: Fixture.raise(), replacing: ["minimumDuration": 0.1]).reps.count == 1)
  }

  /// Raises at a height that fixed thresholds never see: the range is 2 to 3.
  @Test func adaptiveThresholdsFollowTheRange() throws {
    let hands = (0..<6).flatMap { _ in Self.raise.map { 2.5 + $0 / 2 } }
    #expect(try Fixture.events(hands, of: Fixture.raise()).reps.isEmpty)
    #expect(try Fixture.events(hands, of: Fixture.raise(adapts: true)).reps.count >= 5)
    // Moving by 0.2 is no movement where 0.3 is the least.
    let still = (0..<6).flatMap { _ in Self.raise.map { 2.5 + $0 / 10 } }
    #expect(try Fixture.events(still, of: Fixture.raise(adapts: true)).phases.isEmpty)
  }

  /// The mean of the last 0.25 s, three frames: -1, -0.75, -0.5, -0.03 (left above -0.4), 0.4, 0.73, 2.6/3 at 0.6 s, 0.73, 0.4,
  /// -0.07, -1.6/3 (back below -0.5 at 1 s).
  @Test func aSignalIsCountedAsItsMeanOverATime() throws {
    let hands = [-1, -0.5, 0, 0.4, 0.8, 1, 0.8, 0.4, 0, -0.6, -1, -1]
    let events = try Fixture.events(hands, of: Fixture.raise(average: 0.25))
    #expect(
      events.reps == [Rep(start: Microseconds(300_000), end: Microseconds(1_000_000), turn: Microseconds(600_000))])
    // A slip of the estimator for a frame is -1/3 for three frames, and its own value past the turn.
    let slip = [-1.0, -1, -1, 1, -1, -1, -1, -1]
    #expect(try Fixture.events(slip, of: Fixture.raise(average: 0.25)).phases == ["raising", "down"])
    #expect(try Fixture.events(slip, of: Fixture.raise()).phases == ["up", "down"])
    // A frame without the joints has no value and takes no part in the next ones: 1.8/2 at 0.7 s.
    let gap = [-1, -0.5, 0, 0.4, 0.8, 1, .nan, 0.8, 0, -0.6, -1, -1]
    #expect(
      try Fixture.events(gap, of: Fixture.raise(average: 0.25)).reps == [
        Rep(start: Microseconds(300_000), end: Microseconds(1_000_000), turn: Microseconds(700_000))
      ])
  }

  /// After a raise from -1 to 1, one to 0.2: 60 % of the range, and past the turn only if that is at 55 %.
  @Test func aRepTurnsAtItsOwnShareOfTheRange() throws {
    let hands = Self.raise + [-0.6, -0.2, 0.2, -0.2, -0.6, -1]
    let exercise = try Fixture.raise(adapts: true)
    #expect(try Fixture.events(hands, of: exercise).reps.count == 1)
    #expect(try Fixture.events(hands, of: exercise, replacing: ["turnMargin": 0.45]).reps.count == 2)
  }

  /// Shoulders that lean towards the camera and back look half as far from the hips, and a hand that does not move looks to
  /// be at 0.1 / 0.1 of a trunk above the hips for 0.1 / 0.2.
  @Test func aLeanIsNoRepByTheLongestLength() throws {
    func reps(_ reference: ExerciseSignal.Reference, depth: Float, usesDepth: Double = 0) throws -> Int {
      var exercise = try Fixture.raise()
      exercise.signals[0] = ExerciseSignal(
        "hand", .height(try Fixture.part("left_wrist"), above: try Fixture.part("root"), per: .trunk), side: .left,
        reference: reference)
      let frames = [0.2, 0.2, 0.2, 0.1, 0.1, 0.1, 0.1, 0.2, 0.2, 0.2].enumerated().map { index, trunk in
        var frame = PoseFrame(time: Microseconds(frame: index, rate: 10))
        for side in Side.allCases {
          frame.set(side.hip, x: 0.5, y: 0.6, z: 0)
          frame.set(side.shoulder, x: 0.5, y: Float(0.6 - trunk), z: trunk < 0.2 ? depth : 0)
        }
        frame.set(.leftWrist, x: 0.5, y: 0.5, z: 0)
        frame.setMidpoints()
        return frame
      }
      func run(_ base: some PoseObserver) -> [Event] {
        var detector = LiveDetector(base)
        return frames.flatMap { detector.update($0) }
      }
      let settings = try ParameterValues(
        exercise.definition.parameters, replacing: ["start": 0.65, "turn": 0.9, "usesDepth": usesDepth])
      return run(try exercise.definition.detector(settings)).reps.count
    }
    #expect(try reps(.current, depth: 0) == 1)
    #expect(try reps(.longest, depth: 0) == 0)
    // In space the trunk keeps its length if it leans (0.1² + 0.1732² = 0.2²), and a shorter one is shorter.
    #expect(try reps(.longest, depth: 0.1732, usesDepth: 1) == 0)
    #expect(try reps(.longest, depth: 0, usesDepth: 1) == 1)
  }

  /// The hand rises by 0.5 trunk lengths a frame, 5 a second; the window of a tenth of a second is one frame.
  @Test func aSpeedIsInTrunkLengthsPerSecond() throws {
    let steady = [-1.0, -0.5, 0, 0.5, 1, 0.5, 0, -0.5, -1]
    for (bound, limit) in [(ExerciseCondition.Bound.above, 4.9), (.below, 5.1)] {
      let fast = Fixture.fault("fast", .low, costs: 10, signal: 1, .mean, bound, limit)
      #expect(try Fixture.events(steady, of: Fixture.raise(faults: [fast])).faults == ["fast"])
    }
    let faster = Fixture.fault("fast", .low, costs: 10, signal: 1, .maximum, .above, 5.1)
    #expect(try Fixture.events(steady, of: Fixture.raise(faults: [faster])).faults.isEmpty)
  }

  @Test func valuesThatDoNotGoTogetherAreRefused() throws {
    let exercise = try Fixture.raise()
    #expect(throws: ParameterError.self) { try Fixture.events([], of: exercise, replacing: ["start": 0.35]) }
    #expect(throws: ParameterError.self) { try Fixture.events([], of: exercise, replacing: ["turn": -2]) }
  }
}
