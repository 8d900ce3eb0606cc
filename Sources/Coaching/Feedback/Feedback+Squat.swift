extension Feedback {
  /// `nil` for a fault that a squat does not have.
  static func squat(_ fault: FormFault, _ level: CoachingLevel) -> FaultWording? {
    switch (fault, level) {
    case (.kneeValgus, .beginner):
      FaultWording(
        "knees caving in",
        correction: "Try to push your knees out a bit more to avoid them caving in.",
        reason: "This will help protect your knees and improve your strength.",
        cue: "Focus on driving your knees out as you stand up.")
    case (.kneeValgus, .advanced):
      FaultWording(
        "dynamic knee valgus",
        correction: "Keep the patella over the second toe by abducting and externally rotating the hips.",
        reason: "Valgus loads the medial knee and the ACL and takes the gluteals out of the drive.",
        cue: "Spread the floor with your feet from the turn on.")
    case (.forwardLean, .beginner):
      FaultWording(
        "leaning too far forward",
        correction: "Lift your chest and keep your upper body more upright.",
        reason: "That takes strain off your lower back.",
        cue: "Show your chest to the wall in front of you.")
    case (.forwardLean, .advanced):
      FaultWording(
        "excessive forward trunk lean",
        correction:
          "Keep the trunk about parallel to the shins, and its angle the same through the first half of the ascent.",
        reason: "More lean lengthens the moment arm at the lumbar spine and raises its shear.",
        cue: "Let hips and shoulders rise together.")
    case (.kneeForward, .beginner):
      FaultWording(
        "knees going too far forward",
        correction: "Sit back a little more so that your knees stay nearer to your feet.",
        reason: "That keeps pressure off your knees.",
        cue: "Sit back as if onto a chair.")
    case (.kneeForward, .advanced):
      FaultWording(
        "excessive anterior knee travel",
        correction: "Break at the hips first and keep the shin's lean within your ankle's range with the heel down.",
        reason: "Travel beyond it raises patellofemoral load and shifts the pressure to the forefoot.",
        cue: "Hips back, tripod foot.")
    case (.shallow, .beginner):
      FaultWording(
        "not going low enough",
        correction: "Go a bit lower until your thighs are level with the floor.",
        reason: "The full way down works your legs and hips much more.",
        cue: "Lower your hips down to your knees.")
    case (.shallow, .advanced):
      FaultWording(
        "insufficient depth",
        correction: "Descend until the hip crease is level with the top of the knee.",
        reason: "Gluteal and quadriceps work rises with depth, and partial range trains a partial range.",
        cue: "Hip crease to knee, then drive.")
    case (.offBalance, .beginner):
      FaultWording(
        "losing your balance",
        correction: "Keep your weight over the middle of your feet.",
        reason: "A steady stance keeps you safe and lets you push harder.",
        cue: "Press your whole foot into the floor.")
    case (.offBalance, .advanced):
      FaultWording(
        "centre of mass drifting over the base of support",
        correction: "Keep the centre of mass over mid-foot through both phases.",
        reason: "Sway has to be paid for with ankle and hip torque that does not lift the load.",
        cue: "Mid-foot pressure from start to end.")
    default: nil
    }
  }
}
