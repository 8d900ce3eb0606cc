extension SquatAnalysis {
  public static let exercise = CoachedExercise.squat
  public static let subject = "knee tracking, back, depth, tempo and balance"
  public static let source = "AI coach guide: evaluateSquatForm"

  private static let myer = "Myer et al., The Back Squat: A Proposed Assessment, Strength Cond J 36(6), 2014"
  private static let guide = "AI coach guide: evaluateSquatForm"

  static let thresholds = CycleParameters(
    leaves: Parameter(
      "leavesStanding", 0.8, in: 0.2...0.99, .ratio,
      "Hip height over the knee, of that of standing, below which a squat begins.",
      source: "detectRepCompletion is left open by the AI coach guide; a knee angle of about 125 degrees"),
    attempt: Parameter(
      "attempt", 0.7, in: 0.1...0.95, .ratio, "Share of the standing hip height below which a squat is graded.",
      source: "left open by the AI coach guide; cos(70 - 24), a knee at 110 degrees over a shank that leans by 24"),
    returns: Parameter(
      "returnsStanding", 0.87, in: 0.3...1, .ratio, "Share of the standing hip height above which a squat is over.",
      source: "left open by the AI coach guide"),
    settling: Parameter(
      "settling", 0, in: 0...2, .seconds, "How long a squat is held back after its end.",
      source: "0: nothing of a squat is judged after it"))

  public static let cycleParameters = thresholds.all

  public static let measures = [
    FormMeasure(
      "kneeSeparation", .kneeValgus, of: .kneeTracking, good: 0.9, worst: 0.5, in: 0...2, .ratio,
      "distance of the knees divided by that of the ankles at the turn, from the front",
      source: "Noyes et al., Am J Sports Med 33, 2005, at the lowest point; Willis et al., J Sport Rehabil 28, 2019, "
        + "for the ratio; 1 is upright shanks, the values are this port's"),
    FormMeasure(
      "kneeReach", .kneeForward, of: .kneeTracking, good: 0.62, worst: 0.77, in: 0...1, .ratio,
      "mean sine of the shank's lean, below the attempt's height, from the side",
      source: "\(myer): the knees do not pass the toes excessively; from the mean dorsiflexion of deep squats, 38.5 "
        + "degrees, to two standard deviations of 5.9 more (Hemmerich et al. 2006)"),
    FormMeasure(
      "lean", .forwardLean, of: .back, good: 45, worst: 75, in: 0...120, .degrees,
      "mean lean of the trunk from the vertical, below the attempt's height",
      source: "\(myer): trunk parallel to the shins, which lean 38.5 ± 5.9 (Hemmerich et al. 2006)"),
    FormMeasure(
      "leanRise", .forwardLean, of: .back, good: 12, worst: 40, in: 0...90, .degrees,
      "how much more the trunk leans on the way up than at the turn",
      source: "\(myer): shoulders and hips rise together; the values are this port's"),
    FormMeasure(
      "depth", .shallow, of: .depth, good: 0.1, worst: 0.6, in: -1...1, .ratio,
      "least hip height over the knee, of that of standing",
      source: "\(myer): thighs at least parallel to the ground, which is 0; hips are marked above the crease"),
    FormMeasure(
      "descent", .rushed, of: .tempo, good: 0.5, worst: 0.2, in: 0...10, .seconds,
      "time that the descent would take down to level thighs at its pace",
      source: "\(myer): a controlled, constant speed; a descent that takes a second in all, half of it to leave "
        + "standing, and one of 0.4 s"),
    FormMeasure(
      "paceChange", .rushed, of: .tempo, good: 0.25, worst: 1, in: 0...5, .ratio,
      "how far the duration is from the mean of those before, as a share of it",
      source: "AI coach guide names tempo; the values are this port's"),
    FormMeasure(
      "sway", .offBalance, of: .balance, good: 0.25, worst: 0.7, in: 0...3, .ratio,
      "range of the centre of mass beside the ankles, in trunk lengths",
      source: "Winter 2009, table 4.1, for the centre of mass; the values are this port's"),
  ]

  public static let instantFaults = [FormFault.kneeValgus, .kneeForward, .forwardLean]

  public static let weights: [(part: FormPart, weight: Parameter)] = [
    (.kneeTracking, FormPart.kneeTracking.weight(0.25, source: guide)),
    (.back, FormPart.back.weight(0.30, source: guide)),
    (.depth, FormPart.depth.weight(0.20, source: guide)),
    (.tempo, FormPart.tempo.weight(0.15, source: guide)),
    (.balance, FormPart.balance.weight(0.10, source: guide)),
  ]
}
