extension Feedback {
  /// What holds for every lift.
  static func anyLift(_ fault: FormFault, _ level: CoachingLevel) -> FaultWording {
    switch (fault, level) {
    case (.rushed, .beginner):
      FaultWording(
        "going too fast",
        correction: "Slow down, above all on the way down.",
        reason: "Control keeps you safe and makes the muscles work for longer.",
        cue: "Count to two on the way down.")
    case (.rushed, .advanced):
      FaultWording(
        "uncontrolled or uneven tempo",
        correction: "Take at least a second for the eccentric phase and give every repetition the same time.",
        reason: "A free fall gives away the eccentric stimulus and hides losses of position.",
        cue: "Two down, one up.")
    case (_, .beginner):
      FaultWording(
        fault.rawValue.words, correction: "Use a lighter weight and move slowly through the whole range.",
        reason: "Clean movement comes before heavy weight.", cue: "Slow and clean.")
    case (_, .advanced):
      FaultWording(
        fault.rawValue.words, correction: "Reduce the load until the position holds through the whole range.",
        reason: "Technique that breaks under load is trained as it breaks.", cue: "Own the position.")
    }
  }
}

extension String {
  /// A label as it is spoken: `elbow_flare` is elbow flare.
  fileprivate var words: String { split(separator: "_").joined(separator: " ") }
}
