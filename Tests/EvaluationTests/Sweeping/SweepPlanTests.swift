import Coaching
import Evaluation
import Pipeline
import Testing

@Suite struct SweepPlanTests {
  private func axis(_ text: String) throws -> SweepAxis {
    try SweepAxis(text, of: [DetectorDefinition(SquatStates.self), DetectorDefinition(SquatPosture.self)])
  }

  @Test func severalAxesAreAGrid() throws {
    let plan = try SweepPlan([
      axis("reps.squat-states.bottomAngle=80,90"), axis("reps.squat-states.standingAngle=150,155,160"),
    ])
    #expect(plan.detector == "squat-states")
    #expect(plan.points == [[80, 150], [80, 155], [80, 160], [90, 150], [90, 155], [90, 160]])
  }

  @Test func aSampleFillsTheRangesEvenly() throws {
    let plan = try SweepPlan(
      [axis("reps.squat-states.bottomAngle=70...110"), axis("reps.squat-states.hysteresis=0...9")],
      sampling: SweepPlan.Sampling(count: 36, seed: 5))
    #expect(plan.points.count == 36)
    // Of 36 = 4 x 9 points, bases 2 and 3 put one into each cell of a grid of 4 x 9. Values are rounded to a ten
    // thousandth, which moves none of these over an edge.
    let cells = plan.points.map { [Int(($0[0] - 70) / 10), Int($0[1])] }
    #expect(Set(cells).count == 36)
  }

  @Test func theSeedChoosesTheSample() throws {
    func points(_ seed: UInt64) throws -> [[Double]] {
      try SweepPlan(
        [axis("reps.squat-states.bottomAngle=70...110"), axis("reps.squat-states.usesDepth=off,on")],
        sampling: SweepPlan.Sampling(count: 10, seed: seed)
      ).points
    }
    #expect(try points(1) == points(1))
    #expect(try points(1) != points(2))
    #expect(try Set(points(1).map { $0[1] }) == [0, 1])
  }

  /// A list of three values has three settings, however many are asked for.
  @Test func noSettingIsTriedTwice() throws {
    let plan = try SweepPlan(
      [axis("reps.squat-states.bottomAngle=70,80,90")], sampling: SweepPlan.Sampling(count: 50, seed: 1))
    #expect(plan.points.map { $0[0] }.sorted() == [70, 80, 90])
  }

  @Test(
    arguments: [
      ([], nil, "expected at least one parameter"),
      (["reps.squat-states.bottomAngle=80", "reps.squat-states.bottomAngle=90"], nil, "found bottomAngle twice"),
      (
        ["reps.squat-states.bottomAngle=80", "form.squat-posture.goodScore=60"], nil,
        "expected parameters of one detector, found squat-states and squat-posture"
      ),
      (["reps.squat-states.bottomAngle=70...110"], nil, "has no step"),
      (
        ["reps.squat-states.bottomAngle=70...110:0.1", "reps.squat-states.standingAngle=140...170:0.5"], nil,
        "expected at most 10000 settings, found 24461 combinations"
      ),
      (["reps.squat-states.bottomAngle=70...110"], 10_001, "expected at most 10000 settings, found 10001 samples"),
      (["reps.squat-states.bottomAngle=70...110"], 0, "--sample takes a whole number of 1 or more"),
    ] as [([String], Int?, String)])
  func refusesWhatItCannotTry(_ texts: [String], _ count: Int?, _ words: String) throws {
    let axes = try texts.map(axis)
    let error = #expect(throws: EvaluationError.self) {
      try SweepPlan(axes, sampling: count.map { SweepPlan.Sampling(count: $0, seed: 1) })
    }
    #expect(error?.description.contains(words) == true, "\(String(describing: error))")
  }
}
