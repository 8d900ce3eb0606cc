import Charts
import PoseModel
import Scoring
import Statistics
import Testing

/// A timeline shows the strokes that were labelled and found.
@Suite struct TimelineStrokesTests {
  private func time(_ seconds: Double) throws -> Microseconds { try #require(Microseconds(seconds: seconds)) }

  /// One stroke is found 0.2 s late, one is missed, and one is made up.
  @Test func strokesArePairedByTheirContacts() throws {
    let labels = GroundTruth(
      events: [
        LabelledInstant(time: try time(2), label: "forehand"), LabelledInstant(time: try time(6), label: "serve"),
      ],
      intervals: [
        Segment(start: try time(0), end: try time(8), label: "rally"),
        Segment(start: try time(1), end: try time(3), label: "forehand"),
      ])
    let strokes = try [(1.5, 2.2, 2.5), (8, 8.5, 9)].map { start, contact, end in
      Prediction.Stroke(
        segment: Segment(start: try time(start), end: try time(end), label: start < 2 ? "backhand" : "unknown"),
        contact: try time(contact), reported: try time(end))
    }
    let clip = LabelledPrediction(
      name: "rally", subject: "anna", groundTruth: labels, prediction: Prediction(strokes: strokes))
    func matches(within tolerance: Double) throws -> StrokeMetrics.Matches {
      StrokeMetrics(tolerance: try time(tolerance), labels: ["forehand", "backhand", "serve"]).matches(clip)
    }
    var chart = ClipTimeline(
      clip: "rally", source: "test", duration: 10, signals: [], trueReps: [], predictedReps: [], comparesReps: false)
    chart.showStrokes(try matches(within: 0.25), in: labels.intervals)
    #expect(chart.subtitle == "rally · test · 1 clip of 10.0 s · 2 true strokes, 1 missed · 2 predicted, 1 invented")
    #expect(
      chart.table.text.dropFirst() == [
        // The shortest interval around the contact; the serve lies in the rally alone.
        ["true stroke", "1", "1.00", "3.00", "2.00", "forehand, found"],
        ["true stroke", "2", "0.00", "8.00", "6.00", "serve, missed"],
        ["predicted stroke", "1", "1.50", "2.50", "2.20", "backhand, matched"],
        ["predicted stroke", "2", "8.00", "9.00", "8.50", "unknown, invented"],
      ])
    chart.showStrokes(try matches(within: 0.1), in: labels.intervals)
    #expect(chart.subtitle.hasSuffix("2 true strokes, 2 missed · 2 predicted, 2 invented"))
  }
}
