import PoseModel
import Scoring
import Testing

struct FaultMetricsTests {
  private let metrics = FaultMetrics(
    matching: RepMatching(instant: .start, tolerance: .milliseconds(200)), faults: ["shallow", "lean"])
  private let reps = [Rep(0, 1000), Rep(2000, 3000), Rep(4000, 5000), Rep(6000, 7000)]

  private func word(
    _ rep: Int?, _ name: String = "shallow", _ present: Bool = true, rater: String = "A"
  ) -> GroundTruth.Fault {
    GroundTruth.Fault(rep: rep, rater: rater, name: name, present: present)
  }

  private func judged(_ rep: Rep, _ faults: Set<String> = ["shallow"]) -> Prediction.JudgedRep {
    Prediction.JudgedRep(rep: rep, faults: faults)
  }

  /// Reps 0 and 1 have the fault and 2 and 3 do not; 0 and 2 are reported with it.
  @Test func rightWrongAndMissed() throws {
    let truth = GroundTruth(
      reps: reps, faults: [word(0), word(1), word(2, "shallow", false), word(3, "shallow", false)])
    let prediction = Prediction(judged: [
      judged(reps[0]), judged(reps[1], []), judged(reps[2]), judged(reps[3], ["lean"]),
    ])
    let values = FamilyValues(metrics, [LabelledPrediction(truth, prediction)])
    #expect(try values["faults.shallow.precision"] == 1 / 2.0)
    #expect(try values["faults.shallow.recall"] == 1 / 2.0)
    #expect(try values["faults.shallow.f1"] == 2 / 4.0)
    // Nobody judged whether a rep leans, so neither does a report of it count.
    #expect(try values["faults.lean.precision"] == nil)
    #expect(try values["faults.lean.recall"] == nil)
    #expect(try values["faults.lean.f1"] == nil)
  }

  @Test func eachFaultIsCountedByItself() throws {
    let truth = GroundTruth(reps: reps, faults: [word(0), word(0, "lean"), word(1, "lean"), word(2, "lean")])
    let values = FamilyValues(
      metrics, [LabelledPrediction(truth, Prediction(judged: [judged(reps[0], ["shallow", "lean"])]))])
    #expect(try values["faults.shallow.recall"] == 1)
    #expect(try values["faults.lean.recall"] == 1 / 3.0)
    #expect(try values["faults.lean.precision"] == 1)
    #expect(try values["faults.lean.f1"] == 2 / 4.0)
  }

  /// Two of three are a majority; one of two is not.
  @Test func majorityOfTheRatersDecides() throws {
    let two = GroundTruth(
      reps: [reps[0]], faults: [word(0), word(0, rater: "B"), word(0, "shallow", false, rater: "C")])
    let tie = GroundTruth(reps: [reps[0]], faults: [word(0), word(0, "shallow", false, rater: "B")])
    let prediction = Prediction(judged: [judged(reps[0])])
    #expect(try FamilyValues(metrics, [LabelledPrediction(two, prediction)])["faults.shallow.precision"] == 1)
    #expect(try FamilyValues(metrics, [LabelledPrediction(tie, prediction)])["faults.shallow.precision"] == 0)
  }

  @Test func repThatTheSystemDidNotJudgeCountsAsReportedWithoutFaults() throws {
    let truth = GroundTruth(reps: reps, faults: [word(0), word(1), word(2, "shallow", false)])
    let values = FamilyValues(metrics, [LabelledPrediction(truth, Prediction(judged: [judged(reps[0])]))])
    #expect(try values["faults.shallow.precision"] == 1)
    #expect(try values["faults.shallow.recall"] == 1 / 2.0)
  }

  /// 300 ms from every true rep, with a tolerance of 200.
  @Test func faultInARepThatIsNoneIsAFalseAlarm() throws {
    let truth = GroundTruth(reps: reps, faults: [word(0)])
    let values = FamilyValues(
      metrics, [LabelledPrediction(truth, Prediction(judged: [judged(reps[0]), judged(Rep(2300, 3300))]))])
    #expect(try values["faults.shallow.precision"] == 1 / 2.0)
    #expect(try values["faults.shallow.recall"] == 1)
  }

  @Test func repWithoutAWordOnTheFaultDoesNotCount() throws {
    let truth = GroundTruth(reps: reps, faults: [word(0)])
    let values = FamilyValues(
      metrics, [LabelledPrediction(truth, Prediction(judged: [judged(reps[0]), judged(reps[1])]))])
    #expect(try values["faults.shallow.precision"] == 1)
  }

  /// A word on the whole clip is compared with whether any rep, a true one or not, is reported with the fault.
  @Test(
    arguments: [
      (true, true, 1, 1), (true, false, nil, 0), (false, true, 0, nil), (false, false, nil, nil),
    ] as [(Bool, Bool, Double?, Double?)])
  func wordOnTheClip(present: Bool, reported: Bool, precision: Double?, recall: Double?) throws {
    let truth = GroundTruth(reps: reps, faults: [word(nil, "shallow", present)])
    let prediction = Prediction(judged: [judged(reps[0], []), judged(Rep(9000, 9900), reported ? ["shallow"] : [])])
    let values = FamilyValues(metrics, [LabelledPrediction(truth, prediction)])
    #expect(try values["faults.shallow.precision"] == precision)
    #expect(try values["faults.shallow.recall"] == recall)
  }

  @Test func reportsInAClipThatNobodyLabelledDoNotCount() throws {
    let values = FamilyValues(
      metrics, [LabelledPrediction(GroundTruth(reps: reps), Prediction(judged: [judged(reps[0])]))])
    #expect(try values["faults.shallow.precision"] == nil)
    #expect(try values["faults.shallow.f1"] == nil)
  }
}

extension FaultMetrics: CheckedFamily {
  static func isUndefined(_ metric: String, in cases: UndefinedCases) -> Bool? {
    guard let fault = RandomClips.faults.first(where: { metric.hasPrefix("faults.\($0).") }) else { return nil }
    return switch metric {
    case "faults.\(fault).precision": !cases.isReported(fault)
    case "faults.\(fault).recall": !cases.isThere(fault)
    case "faults.\(fault).f1": !cases.isThere(fault) && !cases.isReported(fault)
    default: nil
    }
  }
}
