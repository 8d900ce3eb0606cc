import PoseModel
import Scoring
import Testing

struct TrivialAnswerTests {
  private func clip(_ subject: String, _ truth: GroundTruth, frames: [Microseconds] = []) -> LabelledPrediction {
    LabelledPrediction(name: "clip", subject: subject, frames: frames, groundTruth: truth, prediction: Prediction())
  }

  /// a has 3 and 9 reps, b 4, c 5 and 6: the others of a have 4, 5, 6, of b 3, 5, 6, 9 (the lower of the middle two), of c
  /// 3, 4, 9.
  @Test func theMedianCountIsThatOfTheOthers() {
    let clips = [("a", 3), ("b", 4), ("a", 9), ("c", 5), ("c", 6)].map { clip($0, GroundTruth(repCount: $1)) }
    let counts = TrivialAnswer.medianCount.predictions(of: clips, labels: []).map(\.count)
    #expect(counts == [5, 5, 5, 4, 4])
  }

  /// Nobody but oneself: there is nothing to answer by.
  @Test func aSubjectAloneHasNoOthers() {
    let clips = [clip("a", GroundTruth(repCount: 3)), clip("a", GroundTruth(repCount: 4))]
    #expect(TrivialAnswer.medianCount.predictions(of: clips, labels: []).allSatisfy { $0.count == nil })
  }

  private func family() -> AnyFaultMetrics {
    AnyFaultMetrics(matching: RepMatching(instant: .end, tolerance: .milliseconds(100)), criterion: "form")
  }

  private func scores(_ answer: TrivialAnswer, _ clips: [LabelledPrediction]) -> FamilyValues {
    FamilyValues(
      family(),
      zip(clips, answer.predictions(of: clips, labels: [])).map { clip, prediction in
        LabelledPrediction(clip.groundTruth, prediction)
      })
  }

  /// Two reps, one of which leans, and a whole clip that is incorrect: two of three are faulty, so that who says so of all
  /// has F1 2 · 2 / (2 · 2 + 1); the same grade for all orders nothing.
  @Test func sayingThatEverythingIsFaulty() throws {
    let clips = [
      clip(
        "a",
        GroundTruth(
          reps: [Rep(0, 1000), Rep(1000, 2000)],
          grades: [.init(rep: 0, rater: "A", criterion: "form", value: 5)],
          faults: [
            .init(rep: 0, rater: "A", name: "lean", present: true),
            .init(rep: 1, rater: "A", name: "lean", present: false),
          ])),
      clip("b", GroundTruth(faults: [.init(rep: nil, rater: "A", name: "incorrect", present: true)])),
    ]
    #expect(isClose(try scores(.everyRepFaulty, clips)["faults.any.f1"], 4 / 5.0))
    #expect(isClose(try scores(.everyRepFaulty, clips)["faults.any.precision"], 2 / 3.0))
    #expect(isClose(try scores(.noRepFaulty, clips)["faults.any.f1"], 0))
    #expect(isClose(try scores(.sameGrade, clips)["grades.roc-auc"], 0.5))
  }

  /// b's others are graded 1 and, by two raters, (4 + 6) / 2: the lower is 1.
  @Test func theMedianGradeIsThatOfTheOthers() {
    func graded(_ subject: String, _ grades: [Double]) -> LabelledPrediction {
      clip(
        subject,
        GroundTruth(
          grades: grades.enumerated().map { .init(rep: nil, rater: "\($0)", criterion: "form", value: $1) }))
    }
    let clips = [graded("a", [1]), graded("a", [4, 6]), graded("b", [9])]
    let grades = TrivialAnswer.medianGrade.predictions(of: clips, labels: []).map { $0.judged.first?.grades["form"] }
    #expect(grades == [9, 9, 1])
  }

  /// Others' serves outnumber their smashes; a bounce is no stroke that could be named.
  @Test func theCommonestLabelIsThatOfTheOthers() {
    func strokes(_ subject: String, _ labels: [String]) -> LabelledPrediction {
      clip(
        subject,
        GroundTruth(events: labels.enumerated().map { LabelledInstant(time: .milliseconds(1000 * $0), label: $1) }))
    }
    let clips = [
      strokes("a", ["serve", "serve", "smash"]), strokes("b", ["smash", "bounce", "bounce", "bounce"]),
      strokes("c", []),
    ]
    let predictions = TrivialAnswer.commonestLabel.predictions(of: clips, labels: ["serve", "smash"])
    #expect(predictions[0].strokes.map(\.segment.label) == ["smash", "smash", "smash"])
    #expect(predictions[1].strokes.map(\.segment.label) == ["serve"])
    #expect(predictions[2].strokes.isEmpty)
  }

  /// The longest posture of the others, over the whole clip.
  @Test func theCommonestPostureIsTheLongest() {
    let frames = (0..<4).map { Microseconds.milliseconds(100 * $0) }
    func postures(_ subject: String, _ up: Int, _ down: Int) -> LabelledPrediction {
      clip(
        subject,
        GroundTruth(intervals: [
          Segment(start: .zero, end: .milliseconds(up), label: "up"),
          Segment(start: .milliseconds(up), end: .milliseconds(up + down), label: "down"),
        ]), frames: frames)
    }
    let clips = [postures("a", 300, 100), postures("b", 100, 300)]
    let predictions = TrivialAnswer.commonestLabel.predictions(of: clips, labels: ["up", "down"])
    #expect(predictions.map { $0.segments.map(\.label) } == [["down"], ["up"]])
    #expect(
      isClose(
        FamilyValues(
          SegmentMetrics(labels: ["up", "down"]),
          [
            LabelledPrediction(
              name: "", subject: "a", frames: frames, groundTruth: clips[0].groundTruth, prediction: predictions[0])
          ]
        ).accuracy, 0.25))
  }
}

extension FamilyValues {
  fileprivate var accuracy: Double? { try? self["classes.accuracy"] }
}
