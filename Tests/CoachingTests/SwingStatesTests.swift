import Coaching
import Foundation
import PoseModel
import Testing

/// The state machine's own ways: its states, its time-outs, and what the document's code does instead.
@Suite struct SwingStatesTests {
  func phases(_ events: [Event]) -> [(seconds: Double, phase: String)] {
    events.compactMap { if case .phase(let phase) = $0.kind { ($0.time.seconds, phase) } else { nil } }
  }

  /// The right wrist goes to and fro: `speed` body heights a second at every moment.
  func unresting(_ seconds: Double, speed: Double) -> [PoseFrame] {
    let period = 1.0
    return (0..<Int(seconds * 30)).map { index in
      let time = Double(index) / 30
      let share = (time / period).truncatingRemainder(dividingBy: 1)
      let way = speed * period * (share < 0.5 ? share : 1 - share)
      return TennisFigure(right: (0.3 - way, -0.2), turn: 40 * sin(7 * time)).frame(at: time)
    }
  }

  @Test func aStrokeGoesThroughItsStates() throws {
    let events = try DetectorTests.live(SwingStates.self, TennisStroke.frames([(.forehand, 2)], until: 4))
    #expect(phases(events).map(\.phase) == ["possible swing", "in swing", "idle"])
  }

  /// Faster than a swing's boundary but without a peak: 1.5 s after its start the possible swing is none, and the next
  /// one begins at once.
  @Test func aPossibleSwingTimesOut() throws {
    let events = try DetectorTests.live(
      SwingStates.self, unresting(8, speed: 1), SwingDetectorTests.everyFrame)
    #expect(SwingDetectorTests.strokes(events).isEmpty)
    let found = phases(events)
    #expect(found.count >= 6)
    #expect(found.enumerated().allSatisfy { $1.phase == ($0 % 2 == 0 ? "possible swing" : "idle") })
    for (start, end) in zip(found, found.dropFirst()) where end.phase == "idle" {
      #expect(end.seconds - start.seconds > 1.5 && end.seconds - start.seconds < 1.6)
    }
  }

  /// The document's own arithmetic: positions are `frameBuffer.count - 1`, and a full buffer's count stays at 90.
  @Test func theDocumentsTimeoutNeverComesOnceItsBufferIsFull() {
    func framesUntilTimeout(startingAfter frames: Int) -> Int? {
      var buffer = RingBuffer(capacity: 90, filler: 0)
      for frame in 0..<frames { buffer.append(frame) }
      let startIndex = buffer.count - 1
      for frame in 1...10_000 {
        buffer.append(frame)
        if buffer.count - startIndex > 45 { return frame }
      }
      return nil
    }
    #expect(framesUntilTimeout(startingAfter: 1) == 45)
    // The time-out of a swing that starts within the last 45 frames of the first three seconds never comes either.
    #expect(framesUntilTimeout(startingAfter: 45) == 45)
    #expect(framesUntilTimeout(startingAfter: 46) == nil)
    #expect(framesUntilTimeout(startingAfter: 1_000) == nil)
  }

  /// In a swing the document knows no time-out: a player who never rests has one swing, and it never ends.
  @Test func aSwingThatNeverRestsEndsOnlyWhenCorrected() throws {
    let frames = unresting(10, speed: 2)
    let asWritten = try DetectorTests.live(SwingStates.self, frames, SwingDetectorTests.everyFrame)
    #expect(SwingDetectorTests.strokes(asWritten).isEmpty)
    #expect(phases(asWritten).map(\.phase) == ["possible swing", "in swing"])
    let corrected = try #require(SwingStates.presets.first { $0.name == "corrected" })
    let strokes = SwingDetectorTests.strokes(
      try DetectorTests.live(SwingStates.self, frames, corrected.values))
    #expect(strokes.count >= 5)
    #expect(strokes.allSatisfy { $0.end - $0.start <= Microseconds(1_600_000) })
  }

  /// A swing whose start has left the buffer of 90 frames is what is left of it.
  @Test func aLongSwingKeepsItsEnd() throws {
    var frames = unresting(5, speed: 2)
    for index in 0..<60 { frames.append(TennisFigure().frame(at: 5 + Double(index) / 30)) }
    let strokes = SwingDetectorTests.strokes(
      try DetectorTests.live(SwingStates.self, frames, SwingDetectorTests.everyFrame))
    #expect(strokes.count <= 1)
    for stroke in strokes { #expect(stroke.end - stroke.start <= Microseconds(3_000_000)) }
  }

  /// Shoulders that stay as they are have not begun to turn.
  @Test func aSwingNeedsTheShoulders() throws {
    let frames = (0..<120).map { index -> PoseFrame in
      var figure = TennisStroke.forehand.figure(at: Double(index) / 30 - 2)
      figure.turn = 0
      return figure.frame(at: Double(index) / 30)
    }
    #expect(SwingDetectorTests.strokes(try DetectorTests.live(SwingStates.self, frames)).isEmpty)
    #expect(
      SwingDetectorTests.strokes(try DetectorTests.live(SwingStates.self, frames, ["rotation": 0])).count == 1)
  }
}
