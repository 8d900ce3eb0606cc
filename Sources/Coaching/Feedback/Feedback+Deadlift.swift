extension Feedback {
  /// `nil` for a fault that a deadlift does not have.
  static func deadlift(_ fault: FormFault, _ level: CoachingLevel) -> FaultWording? {
    switch (fault, level) {
    case (.roundedBack, .beginner):
      FaultWording(
        "a rounded back",
        correction: "Keep your back flat and your chest up from the floor to the top.",
        reason: "A flat back keeps your spine safe under the weight.",
        cue: "Squeeze your shoulder blades into your back pockets.")
    case (.roundedBack, .advanced):
      FaultWording(
        "loss of spinal neutrality",
        correction: "Set the lats and brace before the pull, and keep head, thorax and pelvis in one line.",
        reason: "A flexed spine shifts the load from muscle to ligaments and discs and adds shear.",
        cue: "Brace, lats down, then pull.")
    case (.barDrift, .beginner):
      FaultWording(
        "the bar moving away from you",
        correction: "Keep the bar close to your legs all the way.",
        reason: "A bar that is close is lighter on your back.",
        cue: "Drag the bar up your legs.")
    case (.barDrift, .advanced):
      FaultWording(
        "horizontal bar drift",
        correction: "Hold the bar over mid-foot and against the shins by extending the shoulders with the lats.",
        reason: "Every centimetre forward lengthens the moment arm at the hips and the lumbar spine.",
        cue: "Sweep the bar in.")
    case (.hipsFirst, .beginner):
      FaultWording(
        "the hips shooting up first",
        correction: "Let your hips and your chest rise at the same time.",
        reason: "Otherwise your back has to do the work of your legs.",
        cue: "Push the floor away with your legs.")
    case (.hipsFirst, .advanced):
      FaultWording(
        "early knee extension without hip extension",
        correction: "Keep the trunk's angle until the bar passes the knees, extending knees and hips together.",
        reason: "Hips that lead turn the pull into a stiff-legged one and raise the lumbar extension moment.",
        cue: "Leg press the floor, chest with the hips.")
    case (.noLockout, .beginner):
      FaultWording(
        "not standing up all the way",
        correction: "Finish by standing tall with straight knees and hips.",
        reason: "The last bit trains your hips and completes the lift.",
        cue: "Squeeze your glutes at the top.")
    case (.noLockout, .advanced):
      FaultWording(
        "incomplete hip and knee lockout",
        correction: "Finish with knees and hips extended and the shoulders behind the bar, without leaning back.",
        reason: "The gluteals do their share in the last degrees, and a lift counts at lockout only.",
        cue: "Hips through, ribs down.")
    case (.shouldersOffBar, .beginner):
      FaultWording(
        "shoulders not above the bar",
        correction: "Start with your shoulders right above the bar and your arms hanging straight.",
        reason: "From there the bar goes straight up.",
        cue: "Long arms, shoulders over the bar.")
    case (.shouldersOffBar, .advanced):
      FaultWording(
        "shoulders away from the bar at lift-off",
        correction: "Set hip height so that the arms hang vertically, with the scapulae over the bar.",
        reason: "From any other place the bar swings to the plumb line before it rises.",
        cue: "Wedge in until the arms are plumb.")
    case (.feetWide, .beginner):
      FaultWording(
        "feet too far apart",
        correction: "Put your feet about as wide apart as your hips.",
        reason: "Then your legs can push straight down and your arms have room.",
        cue: "Stand as if you were about to jump.")
    case (.feetWide, .advanced):
      FaultWording(
        "stance too wide for a conventional pull",
        correction:
          "Stand hip to shoulder width with the shins inside the arms, or change to a sumo set-up as a whole.",
        reason: "In between, the arms push the knees in and the grip widens, which lengthens the pull.",
        cue: "Jump stance, shins inside the arms.")
    default: nil
    }
  }
}
