import PoseModel
import Testing

@testable import Charts
@testable import Scoring

/// A chart of one stroke shows what is wrong in its clip.
@Suite struct SwingPictureTests {
  /// The contacts of strokes in seconds, with their names.
  private func told(
    _ truth: [(Double, String)], _ predicted: [(Double, String)], _ pairs: [(truth: Int, predicted: Int)]
  ) throws -> [String?] {
    func time(_ seconds: Double) throws -> Microseconds { try #require(Microseconds(seconds: seconds)) }
    let matches = StrokeMetrics.Matches(
      truth: try truth.map { LabelledInstant(time: try time($0.0), label: $0.1) },
      predicted: try predicted.map { contact, label in
        let moment = try time(contact)
        return Prediction.Stroke(
          segment: Segment(start: moment, end: moment, label: label), contact: moment, reported: moment)
      }, pairs: pairs)
    let stroke = try #require(SwingPicture.told(matches, in: []))
    return [stroke.truth?.label, stroke.prediction?.label]
  }

  @Test func theFirstWrongStrokeIsShown() throws {
    let truth = [(1.0, "serve"), (3, "forehand"), (5, "backhand")]
    // The second is named wrong.
    #expect(
      try told(truth, [(1, "serve"), (3, "serve"), (5, "backhand")], [(0, 0), (1, 1), (2, 2)]) == ["forehand", "serve"])
    // The third is missed, and one at 6 s invented.
    #expect(
      try told(truth, [(1, "serve"), (3, "forehand"), (6, "serve")], [(0, 0), (1, 1)]) == ["backhand", nil])
    #expect(try told([truth[0]], [(1, "serve"), (6, "smash")], [(0, 0)]) == [nil, "smash"])
    // All are right, or not named.
    #expect(try told([truth[0]], [(1, "serve")], [(0, 0)]) == ["serve", "serve"])
    #expect(try told([truth[0]], [(1, "")], [(0, 0)]) == ["serve", ""])
  }
}
