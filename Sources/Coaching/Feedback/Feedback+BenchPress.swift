extension Feedback {
  /// `nil` for a fault that a bench press does not have.
  static func benchPress(_ fault: FormFault, _ level: CoachingLevel) -> FaultWording? {
    switch (fault, level) {
    case (.shallow, .beginner):
      FaultWording(
        "stopping above the chest",
        correction: "Lower the bar until it lightly touches your chest.",
        reason: "The whole way trains your chest much better than half of it.",
        cue: "Touch your chest, then press.")
    case (.shallow, .advanced):
      FaultWording(
        "incomplete eccentric range",
        correction: "Lower to a controlled touch, the elbows level with the shoulders or below.",
        reason: "The pectorals are loaded most near the chest, where the sticking region begins.",
        cue: "Pull the bar down to the touch point.")
    case (.noLockout, .beginner):
      FaultWording(
        "not straightening the arms",
        correction: "Push until your arms are straight.",
        reason: "Your triceps work the most in the last part.",
        cue: "Punch the ceiling.")
    case (.noLockout, .advanced):
      FaultWording(
        "missing elbow lockout",
        correction: "Extend both elbows fully over the shoulders before the next descent.",
        reason: "The triceps finish the lift, and locked arms carry the bar on bone between repetitions.",
        cue: "Finish over the shoulders.")
    case (.uneven, .beginner):
      FaultWording(
        "one arm higher than the other",
        correction: "Push with both arms equally so that the bar stays level.",
        reason: "A level bar spares your shoulders and builds both sides.",
        cue: "Keep the bar level like a shelf.")
    case (.uneven, .advanced):
      FaultWording(
        "asymmetric elbow extension",
        correction:
          "Match both elbows' angles through the press; check grip and scapular set, and cut the load if it stays.",
        reason: "Asymmetry overloads one shoulder and grows with fatigue.",
        cue: "Drive both fists at one speed.")
    case (.elbowFlare, .beginner):
      FaultWording(
        "elbows pointing out to the sides",
        correction: "Bring your elbows somewhat closer to your body.",
        reason: "That is much kinder to your shoulders.",
        cue: "Tuck your elbows halfway in.")
    case (.elbowFlare, .advanced):
      FaultWording(
        "excessive shoulder abduction",
        correction: "Hold the upper arms at 45 to 70 degrees of abduction with the scapulae retracted.",
        reason: "Near 90 degrees the anterior capsule and the acromioclavicular joint take more of the load.",
        cue: "Bend the bar to set the elbows.")
    case (.barDrift, .beginner):
      FaultWording(
        "the bar wandering",
        correction: "Lower and press the bar along the same line.",
        reason: "A steady line keeps the weight over your shoulders.",
        cue: "Same way down, same way up.")
    case (.barDrift, .advanced):
      FaultWording(
        "excessive horizontal bar path",
        correction: "Keep the bar's arc short, from the lower chest to over the shoulder joints.",
        reason: "The further the bar is from the shoulder the longer its moment arm there.",
        cue: "Up and back to the rack position.")
    default: nil
    }
  }
}
