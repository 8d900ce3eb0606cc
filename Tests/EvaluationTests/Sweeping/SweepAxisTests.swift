import Coaching
import Evaluation
import Pipeline
import Testing

@Suite struct SweepAxisTests {
  let types = [DetectorDefinition(SquatStates.self), DetectorDefinition(SquatPosture.self)]

  @Test(arguments: [
    ("bottomAngle=80,100,90", [80, 100, 90]), ("bottomAngle=70...76:2", [70, 72, 74, 76]),
    // The end is no whole number of steps away.
    ("bottomAngle=70...75:2", [70, 72, 74]), ("minimumConfidence=0.1...0.4:0.1", [0.1, 0.2, 0.3, 0.4]),
    ("usesDepth=off,on", [0, 1]), ("bottomAngle=90", [90]),
  ])
  func readsValues(_ text: String, _ values: [Double]) throws {
    let axis = try SweepAxis("reps.squat-states.\(text)", of: types)
    #expect(axis.detector == "squat-states" && text.hasPrefix(axis.parameter.name))
    #expect(axis.extent == .values(values))
  }

  @Test func readsARangeWithoutAStep() throws {
    #expect(try SweepAxis("reps.squat-states.bottomAngle=70...110", of: types).extent == .range(70...110))
  }

  @Test(arguments: [
    ("reps.squat-states.bottomAngle", "expected <kind>.<detector>.<parameter>=<values>"),
    ("reps.squat-states.bottomAngle=", "expected <kind>.<detector>.<parameter>=<values>"),
    ("reps.squat-states.botomAngle=80,90", "did you mean bottomAngle?"),
    ("reps.squat-states.bottomAngle=80,", "expected a number, found "),
    ("reps.squat-states.bottomAngle=80,500", "bottomAngle takes 20.0 to 170.0 degrees, found 500.0"),
    ("reps.squat-states.bottomAngle=80,90,80", "expected each value once"),
    ("reps.squat-states.bottomAngle=110...70:2", "expected a range that goes up"),
    ("reps.squat-states.bottomAngle=70...110:0", "expected a step above 0, found 0"),
    ("reps.squat-states.bottomAngle=70...110:-2", "expected a step above 0, found -2"),
    ("reps.squat-states.bottomAngle=70...90...110", "expected a range such as 70...110:2"),
    ("reps.squat-states.bottomAngle=70...110:2:3", "expected a range such as 70...110:2"),
    ("reps.squat-states.bottomAngle=70-110", "expected a range such as 70...110:2, found 70-110"),
    ("reps.squat-states.bottomAngle=70:110", "expected a range such as 70...110:2, found 70:110"),
    ("reps.squat-states.bottomAngle=70...110:1e-9", "expected at most 10000 values"),
    ("reps.squat-states.usesDepth=off...on", "expected off,on"),
  ])
  func refusesWhatItCannotMean(_ text: String, _ words: String) {
    let error = #expect(throws: EvaluationError.self) { try SweepAxis(text, of: types) }
    #expect(error?.description.contains(words) == true, "\(String(describing: error))")
    guard case .usage = error else {
      Issue.record("expected wrong usage, found \(String(describing: error))")
      return
    }
  }
}
