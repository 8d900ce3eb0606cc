import Coaching
import Testing

@Suite struct FeedbackTests {
  static let faults: [(CoachedExercise, FormFault)] =
    SquatAnalysis.measures.map { (.squat, $0.fault) } + DeadliftAnalysis.measures.map { (.deadlift, $0.fault) }
    + BenchPressAnalysis.measures.map { (.benchPress, $0.fault) }

  /// The guide's example: a beginner whose back is straight and whose knees cave in.
  let example = FormEvaluation(
    exercise: .squat,
    parts: [
      .init(.kneeTracking, weight: 0.25, score: 20), .init(.back, weight: 0.3, score: 100),
      .init(.depth, weight: 0.2, score: 80), .init(.tempo, weight: 0.15, score: 80),
      .init(.balance, weight: 0.1, score: nil),
    ], issues: [.kneeValgus], strengths: [.back])

  @Test func theGuidesExampleComesOutWordForWord() {
    #expect(
      Feedback(example, for: .beginner).text
        == "Great job keeping your back straight! Try to push your knees out a bit more to avoid them caving in. "
        + "This will help protect your knees and improve your strength. Focus on driving your knees out as you stand up."
    )
  }

  /// (0.25 · 20 + 0.3 · 100 + 0.2 · 80 + 0.15 · 80) / 0.9 = 70.
  @Test func theFormAnalysisListsScoreIssuesAndStrengths() {
    #expect(abs((example.overallScore ?? 0) - 70) < 1e-9)
    #expect(
      example.summary == """
        Form Analysis for squat:
        - Overall Score: 70/100
        - Key Issues: dynamic knee valgus
        - Strengths: back alignment
        """)
    let nothing = FormEvaluation(exercise: .benchPress, parts: [], issues: [], strengths: [])
    #expect(
      nothing.summary == """
        Form Analysis for bench press:
        - Overall Score: n/a
        - Key Issues: none
        - Strengths: none
        """)
  }

  /// The guide hands `calculateFormScore` weighted scores: their sum is 100 for perfect parts, their average 20.
  @Test func weightedScoresAreSummed() throws {
    let weights = [0.25, 0.3, 0.2, 0.15, 0.1]
    let parts: [FormPart] = [.kneeTracking, .back, .depth, .tempo, .balance]
    let perfect = FormEvaluation(
      exercise: .squat, parts: zip(parts, weights).map { .init($0, weight: $1, score: 100) }, issues: [], strengths: [])
    #expect(try abs(#require(perfect.overallScore) - 100) < 1e-9)
    let weighted: [Double] = weights.map { $0 * 100 }
    let average = weighted.reduce(0, +) / 5
    #expect(abs(average - 20) < 1e-9)
  }

  @Test(arguments: faults.indices)
  func everyFaultIsWordedForBothLevels(_ index: Int) {
    let (exercise, fault) = Self.faults[index]
    let wordings = CoachingLevel.allCases.map { Feedback.wording(of: fault, in: exercise, for: $0) }
    #expect(wordings[0] != wordings[1])
    for wording in wordings {
      #expect(!wording.issue.isEmpty && !wording.issue.hasSuffix("."))
      for sentence in [wording.correction, wording.reason, wording.cue] {
        #expect(sentence.hasSuffix(".") && sentence.first?.isUppercase == true, "\(sentence)")
      }
      #expect(wording.cue.count <= 60, "\(wording.cue)")
      // The words for any fault of any lift are for faults that an exercise does not have.
      #expect(!wording.correction.hasPrefix("Use a lighter weight") && !wording.correction.hasPrefix("Reduce the load"))
    }
  }

  @Test func beginnersHearNoAnatomy() {
    let anatomy = ["valgus", "abduct", "lumbar", "eccentric", "scapul", "patell", "thorax", "anterior", "extension"]
    for (exercise, fault) in Self.faults {
      let wording = Feedback.wording(of: fault, in: exercise, for: .beginner)
      let text = [wording.issue, wording.correction, wording.reason, wording.cue].joined(separator: " ").lowercased()
      #expect(!anatomy.contains { text.contains($0) }, "\(text)")
    }
  }

  @Test func whatIsFlawlessIsOnlyPraised() {
    var flawless = example
    flawless.issues = []
    for level in CoachingLevel.allCases {
      let feedback = Feedback(flawless, for: level)
      #expect(feedback.wording == nil && feedback.text == feedback.praise && feedback.spoken == feedback.praise)
      flawless.strengths = []
      #expect(!Feedback(flawless, for: level).praise.isEmpty)
      flawless.strengths = [.back]
    }
  }
}
