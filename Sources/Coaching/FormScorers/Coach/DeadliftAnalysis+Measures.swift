extension DeadliftAnalysis {
  public static let exercise = CoachedExercise.deadlift
  public static let subject = "bar path, hip hinge, spine, shoulders and feet"
  public static let source = "AI coach guide: evaluateDeadliftForm"

  private static let port = "the values are this port's"

  static let leavesFloor = Parameter(
    "leavesFloor", 115, in: 40...170, .degrees, "Hip angle above which the bar has left the floor.",
    source: "detectRepCompletion is left open by the AI coach guide; with the bar on the floor hips are bent far more")
  static let attempt = Parameter(
    "attempt", 130, in: 50...179, .degrees, "Hip angle above which a lift counts and is graded.",
    source: "left open by the AI coach guide; low enough for a lift without lockout")
  static let returnsFloor = Parameter(
    "returnsFloor", 108, in: 30...165, .degrees, "Hip angle below which the bar is back on the floor.",
    source: "left open by the AI coach guide")

  public static let cycleParameters = [leavesFloor, attempt, returnsFloor, CycleParameters.shortest]

  public static let measures = [
    FormMeasure(
      "barDrift", .barDrift, of: .barPath, good: 0.3, worst: 0.8, in: 0...3, .ratio,
      "greatest distance of the wrists from mid-foot along the floor, in trunk lengths",
      source: "the farther the bar, the longer its lever on hips and back; \(port)"),
    FormMeasure(
      "tipping", .hipsFirst, of: .hipHinge, good: 3, worst: 20, in: 0...90, .degrees,
      "how much the trunk tips forward from the most bent knees until the knees are half extended",
      source: "hips that rise with the shoulders keep the trunk's lean, however low the lifter sits; \(port)"),
    FormMeasure(
      "lockout", .noLockout, of: .hipHinge, good: 168, worst: 145, in: 90...180, .degrees,
      "greatest angle that hips and knees both reach at the top",
      source: "IPF Technical Rules: knees locked and standing erect at the completion; \(port)"),
    FormMeasure(
      "backAngle", .roundedBack, of: .spine, good: 150, worst: 120, in: 60...180, .degrees,
      "mean angle ear, shoulder, hip",
      source: "Cholewicki, McGill and Norman, Med Sci Sports Exerc 23(10), 1991, for the spine's loads; \(port)"),
    FormMeasure(
      "shoulderOffset", .shouldersOffBar, of: .shoulders, good: 0.25, worst: 0.7, in: 0...3, .ratio,
      "distance of the wrists from under the shoulders where the hips are lowest, in trunk lengths",
      source: "arms that hang carry the bar under the shoulders; \(port)"),
    FormMeasure(
      "stance", .feetWide, of: .feet, good: 1.1, worst: 2, in: 0...4, .ratio,
      "mean distance of the ankles in shoulder widths, from the front",
      source: "Escamilla et al., Med Sci Sports Exerc 32(7), 2000: 32 ± 8 cm conventional, 70 ± 11 sumo; \(port)"),
  ]

  public static let instantFaults = [FormFault.barDrift, .roundedBack, .feetWide]

  private static let equal = "the AI coach guide gives no weights for the deadlift: equal ones"

  public static let weights: [(part: FormPart, weight: Parameter)] =
    [FormPart.barPath, .hipHinge, .spine, .shoulders, .feet].map { ($0, $0.weight(0.2, source: equal)) }
}
