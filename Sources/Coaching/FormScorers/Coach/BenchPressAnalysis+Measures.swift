extension BenchPressAnalysis {
  public static let exercise = CoachedExercise.benchPress
  public static let subject = "bar path, depth, lockout, evenness and elbows"
  public static let source = "AI coach guide: Phase 1, bench; the analysis is this port's"

  private static let port = "the values are this port's"
  private static let green =
    "Green and Comfort, The Affect of Grip Width on Bench Press Performance, Strength Cond J 29(5), 2007"

  static let thresholds = CycleParameters(
    leaves: Parameter(
      "leavesTop", 138, in: 60...175, .degrees, "Elbow angle below which the bar is on its way down.",
      source: "detectRepCompletion is left open by the AI coach guide"),
    attempt: Parameter(
      "attempt", 118, in: 30...170, .degrees, "Elbow angle below which a press is graded.",
      source: "left open by the AI coach guide"),
    returns: Parameter(
      "returnsTop", 142, in: 70...180, .degrees, "Elbow angle above which the press is over.",
      source: "left open by the AI coach guide; low enough for a press without lockout"),
    settling: Parameter(
      "settling", 0.3, in: 0...2, .seconds, "How long the lockout is waited for.",
      source: "left open by the AI coach guide"))

  public static let cycleParameters = thresholds.all

  public static let measures = [
    FormMeasure(
      "barTravel", .barDrift, of: .barPath, good: 0.45, worst: 1, in: 0...3, .ratio,
      "range of the wrists beside the shoulders along the floor, in trunk lengths",
      source: "McLaughlin's studies of 1984: off the chest experts press towards the head; \(port)"),
    FormMeasure(
      "elbowDepth", .shallow, of: .depth, good: 95, worst: 125, in: 20...180, .degrees, "least elbow angle",
      source: "IPF Technical Rules, 2023: elbows level with the shoulders or lower, so about 90; \(port)"),
    FormMeasure(
      "handDepth", .shallow, of: .depth, good: 0.5, worst: 0.8, in: -1...1, .ratio,
      "least height of the wrists over the shoulders, in arm lengths",
      source:
        "level upper arms (IPF, 2023) leave a forearm's share of 0.44 (Drillis and Contini 1966); \(port)"),
    FormMeasure(
      "lockout", .noLockout, of: .lockout, good: 163, worst: 140, in: 90...180, .degrees,
      "greatest elbow angle at the top",
      source: "IPF Technical Rules: arms straight, elbows locked; \(port)"),
    FormMeasure(
      "unevenness", .uneven, of: .evenness, good: 12, worst: 40, in: 0...120, .degrees,
      "mean difference of the elbows' angles",
      source: "IPF Technical Newsletter 3/2009: a slightly uneven press passes; \(port)"),
    FormMeasure(
      "flare", .elbowFlare, of: .elbows, good: 70, worst: 95, in: 0...180, .degrees,
      "mean angle of the upper arms with the trunk, below the attempt's angle",
      source: "\(green): risk with shoulders close to 90 degrees of abduction; \(port)"),
  ]

  public static let instantFaults = [FormFault.uneven, .elbowFlare]

  private static let equal = "the AI coach guide gives no weights for the bench press: equal ones"

  public static let weights: [(part: FormPart, weight: Parameter)] =
    [FormPart.barPath, .depth, .lockout, .evenness, .elbows].map { ($0, $0.weight(0.2, source: equal)) }
}
