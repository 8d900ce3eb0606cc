import Coaching
import Files
import Foundation
import Testing

@testable import Evaluation

/// How likely a loss beyond a margin may be before a suite stops a release.
@Suite struct SuiteStopTests {
  private func suite(_ line: String) throws -> Suite {
    let text = """
      suite: squat
      version: 1
      datasets:
      - { name: squats, content: "sha256:\(String(repeating: "0", count: 64))" }
      exercises: [squat]
      detectors:
      - name: squat-states
      matching: { instant: end, tolerance_s: 0.5 }
      camera: { fps: 30, estimator_ms: 30 }
      metrics:
      - { detector: squat-states, metric: count.exact, margin: 0.05 }
      \(line)
      """
    return try Suite(yaml: InputFile(name: "squat.yaml", bytes: Data(text.utf8)), registry: .builtIn)
  }

  @Test(arguments: [("", 0.2), ("stop_at: 0.05", 0.05), ("stop_at: 0", 0), ("stop_at: 1", 1)])
  func isAProbability(line: String, limit: Double) throws {
    #expect(try suite(line).stopAt == limit)
  }

  /// A base commit may have a suite from before.
  @Test(arguments: [
    ("inconclusive: fail", 0), ("inconclusive: pass", 1), ("inconclusive: { worse: fail, better: pass }", 0.2),
    ("inconclusive: { worse: fail, better: fail }", 0), ("inconclusive: { worse: pass, better: fail }", 1),
  ])
  func earlierSuitesAreRead(line: String, limit: Double) throws {
    #expect(try suite(line).stopAt == limit)
  }

  @Test(arguments: [
    ("stop_at: 20", "a probability from 0 to 1"), ("stop_at: -0.1", "a probability from 0 to 1"),
    ("stop_at: often", "stop_at"), ("inconclusive: maybe", "stop_at: 0.2 in its place"),
    ("inconclusive: fail\nstop_at: 0.2", "stop_at: 0.2 in its place"),
  ])
  func anythingElseIsRefused(line: String, words: String) throws {
    let error = try #require(throws: DataError.self) { try suite(line) }
    #expect("\(error)".contains(words), "\(error)")
  }

  @Test func earlierOutcomesAreRead() throws {
    let names = Data("[\"inconclusive\", \"worse-not-proven\", \"better-not-proven\", \"maybe-worse\"]".utf8)
    let outcomes = try JSONDecoder().decode([Verdict.Outcome].self, from: names)
    #expect(outcomes == [.maybeWorse, .maybeWorse, .maybeWorse, .maybeWorse])
  }
}
