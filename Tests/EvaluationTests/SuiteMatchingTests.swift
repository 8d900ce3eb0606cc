import Coaching
import Files
import Foundation
import PoseModel
import Scoring
import Testing

@testable import Evaluation

/// How a suite says when reps match and who its people are.
@Suite struct SuiteMatchingTests {
  private func suite(
    matching: String, detector: String = "squat-states", metric: String = "count.mae", more: String = ""
  ) throws -> Suite {
    let text = """
      suite: squat
      version: 1
      datasets:
      - { name: squats, content: "sha256:\(String(repeating: "0", count: 64))" }
      \(more)
      exercises: [squat]
      detectors:
      - name: \(detector)
      matching: \(matching)
      camera: { fps: 30, estimator_ms: 30 }
      metrics:
      - { detector: \(detector), metric: \(metric) }
      stop_at: 0.2
      """
    return try Suite(yaml: InputFile(name: "squat.yaml", bytes: Data(text.utf8)), registry: .builtIn)
  }

  @Test func repsMatchByInstantOrOverlap() throws {
    #expect(
      try suite(matching: "{ instant: turn, tolerance_s: 0.25 }").matching
        == RepMatching(instant: .turn, tolerance: Microseconds(250_000)))
    #expect(try suite(matching: "{ overlap: 0.5 }").matching == RepMatching(overlap: 0.5))
    #expect(try suite(matching: "{ turn: inside }").matching == .turnInside)
  }

  @Test(arguments: [
    ("{ overlap: 0.5, tolerance_s: 0.5 }", "either overlap, or instant and tolerance_s"),
    ("{ overlap: 0 }", "a share above 0, up to 1"), ("{ overlap: 50 }", "a share above 0, up to 1"),
    ("{ instant: end }", "tolerance_s"), ("{ turn: outside }", "expected inside, alone"),
    ("{ turn: inside, overlap: 0.5 }", "expected inside, alone"), ("{ overlaps: 0.5 }", "did you mean overlap?"),
  ])
  func exactlyOneOfThem(matching: String, words: String) throws {
    let error = try #require(throws: DataError.self) { try suite(matching: matching) }
    #expect("\(error)".contains(words), "\(error)")
  }

  /// A stroke's ground truth is its contact.
  @Test func strokesDoNotMatchByOverlap() throws {
    let error = try #require(throws: DataError.self) {
      try suite(matching: "{ overlap: 0.5 }", detector: "swing-peaks", metric: "cues.per-minute")
    }
    #expect("\(error)".contains("swing-peaks finds strokes, whose ground truth is an instant"), "\(error)")
  }

  @Test func resultsHoldTheRule() throws {
    for rule in [.turnInside, RepMatching(overlap: 0.5), RepMatching(instant: .turn, tolerance: Microseconds(250_000))]
    {
      let json = try JSONEncoder().encode(RunResults.Matching(rule))
      #expect(try JSONDecoder().decode(RunResults.Matching.self, from: json).rule == rule)
    }
    // As baselines have it that were accepted before reps could match by overlap.
    let old = Data(#"{"instant": "end", "toleranceSeconds": 0.5}"#.utf8)
    #expect(
      try JSONDecoder().decode(RunResults.Matching.self, from: old)
        == RunResults.Matching(RepMatching(instant: .end, tolerance: Microseconds(500_000))))
    #expect(RunResults.Matching(RepMatching(overlap: 0.5)).words == "overlap of at least 0.5")
  }

  @Test func clipsOfOtherExercisesMayBeNegative() throws {
    let matching = "{ turn: inside }"
    #expect(try suite(matching: matching).negatives == .none)
    let others = try suite(matching: matching, more: "negatives: others")
    #expect(others.isNegative("lunge") && !others.isNegative("squat") && others.takes("squat"))
    let some = try suite(matching: matching, more: "negatives: [walking]")
    #expect(some.isNegative("walking") && !some.isNegative("lunge") && !some.takes("lunge"))
    for wrong in ["negatives: all", "negatives: [squat]"] {
      #expect(throws: DataError.self) { try suite(matching: matching, more: wrong) }
    }
  }

  @Test func peopleAreSharedOrSeparate() throws {
    let matching = "{ overlap: 0.5 }"
    #expect(try suite(matching: matching).people == nil)
    #expect(try suite(matching: matching, more: "people: shared").people == .shared)
    #expect(try suite(matching: matching, more: "people: separate").people == .separate)
    #expect(throws: DataError.self) { try suite(matching: matching, more: "people: both") }
  }
}
