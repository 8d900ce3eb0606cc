import Datasets
import Files
import Foundation
import PoseModel
import Scoring
import Testing

@testable import Evaluation

/// A suite's own words for what datasets label.
@Suite struct SuiteLabelsTests {
  func suite(_ labels: String) throws -> Suite {
    let text = """
      suite: tennis
      version: 1
      datasets:
      - { name: rallies, content: "sha256:\(String(repeating: "0", count: 64))" }
      exercises: [tennis]
      \(labels)
      detectors:
      - name: swing-peaks
      matching: { instant: turn, tolerance_s: 0.25 }
      camera: { fps: 30, estimator_ms: 30 }
      metrics:
      - { detector: swing-peaks, metric: strokes.f1 }
      stop_at: 0.2
      """
    return try Suite(yaml: InputFile(name: "tennis.yaml", bytes: Data(text.utf8)), registry: .builtIn)
  }

  @Test func labelsAreRenamedInEventsAndIntervals() throws {
    let suite = try suite("labels: { foreslice: forehand, backslice: backhand }")
    let names = ["forehand", "foreslice", "backslice", "serve"]
    let truth = GroundTruth(
      events: names.map { LabelledInstant(time: .zero, label: $0) },
      intervals: names.map { Segment(start: .zero, end: Microseconds(1), label: $0) })
    let renamed = truth.renamed(suite.labels)
    #expect(renamed.events.map(\.label) == ["forehand", "forehand", "backhand", "serve"])
    #expect(renamed.intervals.map(\.label) == ["forehand", "forehand", "backhand", "serve"])
  }

  @Test func withoutWordsOfItsOwnNothingIsRenamed() throws {
    let truth = GroundTruth(events: [LabelledInstant(time: .zero, label: "foreslice")])
    #expect(truth.renamed(try suite("").labels) == truth)
  }

  @Test func labelsAreAMapping() {
    #expect(throws: DataError.self) { try suite("labels: [foreslice, forehand]") }
  }
}
