import Coaching
import Evaluation
import Pipeline
import Testing

@Suite struct AssignmentTests {
  let types = [DetectorDefinition(SquatStates.self), DetectorDefinition(SquatPosture.self)]

  @Test func namesADetectorAParameterAndAValue() throws {
    #expect(
      try Assignment("reps.squat-states.bottomAngle=95.5", of: types)
        == Assignment(detector: "squat-states", parameter: "bottomAngle", value: 95.5))
    #expect(try Assignment("form.squat-posture.usesDepth=on", of: types).value == 1)
    #expect(try Assignment("form.squat-posture.usesDepth=false", of: types).value == 0)
  }

  @Test(arguments: [
    ("bottomAngle=90", "expected <kind>.<detector>.<parameter>=<value> such as"),
    ("reps.squat-states.bottomAngle", "expected <kind>.<detector>.<parameter>=<value> such as"),
    ("reps.squat-states.botomAngle=90", "did you mean bottomAngle?"),
    ("reps.squat-state.bottomAngle=90", "did you mean reps.squat-states?"),
    ("form.squat-states.bottomAngle=90", "expected one of the detectors reps.squat-states, form.squat-posture"),
    ("reps.squat-states.bottomAngle=deep", "expected a number, found deep"),
    ("reps.squat-states.bottomAngle=nan", "expected a number, found nan"),
    ("reps.squat-states.bottomAngle=500", "bottomAngle takes 20.0 to 170.0 degrees, found 500.0"),
    ("reps.squat-states.usesDepth=2", "expected on or off, found 2"),
  ])
  func refusesWhatItCannotMean(_ text: String, _ words: String) {
    let error = #expect(throws: EvaluationError.self) { try Assignment(text, of: types) }
    #expect(error?.description.contains(words) == true, "\(String(describing: error))")
    guard case .usage = error else {
      Issue.record("expected wrong usage, found \(String(describing: error))")
      return
    }
  }
}
