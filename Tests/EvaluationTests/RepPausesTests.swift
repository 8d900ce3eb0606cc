import Pipeline
import PoseModel
import Testing

/// The pauses around the ends of labelled reps.
@Suite struct RepPausesTests {
  /// A hip that goes from 0 down to 1 and back within each second of `moves`, at 100 frames a second, and stands between.
  private func poses(moving moves: [ClosedRange<Double>], until end: Double) -> PoseSequence {
    let times = (0...Int(end * 100)).map { Microseconds(Int64($0) * 10_000) }
    let skeleton = Skeleton.common
    let values = skeleton.keypoints.flatMap { name in
      [Float(0), 1].flatMap { channel in
        times.map { time -> Float in
          guard name == "left_hip" || name == "right_hip" else { return .nan }
          guard channel == 1 else { return 0.5 }
          let move = moves.first { $0.contains(time.seconds) }
          return move.map { Float(1 - abs(2 * (time.seconds - $0.lowerBound) - 1)) } ?? 0
        }
      }
    }
    return PoseSequence(
      Keypoints(times: times, keypointCount: skeleton.keypoints.count, channels: [.x, .y], values: values),
      skeleton: skeleton, coordinates: CoordinateSystem(unit: .imageHeight, yAxis: .down))
  }

  private func rep(_ start: Double, _ end: Double) -> Rep {
    Rep(start: Microseconds(Int64(start * 1e6)), end: Microseconds(Int64(end * 1e6)))
  }

  /// People stand for one second between movements of one second, and labels follow each other at once in the middle of
  /// the pauses. Within 15 % of the range are 0.07 s before the pause and 0.07 s after it. The last rep ends 0.5 s before
  /// the clip does, and its pause is not known.
  @Test func aLabelThatIncludesThePauseIsMeasuredByThePose() throws {
    let clip = poses(moving: [1...2, 3...4, 5...6], until: 7)
    let pauses = RepPauses(of: [rep(0.5, 2.5), rep(2.5, 4.5), rep(4.5, 6.5)], in: clip)
    #expect(pauses.seconds.count == 2)
    for seconds in pauses.seconds { #expect(abs(seconds - 1.14) < 0.011, "\(seconds)") }
    #expect(pauses.exceed(Microseconds(500_000)))
  }

  /// A clip cut out of a set: half a second of standing at its start and 0.6 s at its end, and 0.07 s of movement at each
  /// side that is within 15 % of the range.
  @Test func aSingleRepHasHalfAPauseAtEachEnd() throws {
    let pauses = RepPauses(of: [rep(0, 2.1)], in: poses(moving: [0.5...1.5], until: 2.1))
    #expect(pauses.seconds.count == 1)
    #expect(abs(pauses.seconds[0] - (0.57 + 0.67)) < 0.021, "\(pauses.seconds)")
  }

  @Test func aGapBetweenLabelsIsThePause() throws {
    let clip = poses(moving: [1...2, 2.4...3.4, 6.4...7.4], until: 9)
    let pauses = RepPauses(of: [rep(1, 2), rep(2.4, 3.4), rep(6.4, 7.4)], in: clip)
    #expect(pauses.seconds.count == 2)
    #expect(abs(pauses.seconds[0] - 0.4) < 1e-9 && abs(pauses.seconds[1] - 3) < 1e-9)
  }

  /// Movements without a pause: 0.14 s around each end are within 15 % of the range.
  @Test func withoutPausesTheEndsAreSharp() throws {
    let clip = poses(moving: [0...1, 1.0001...2, 2.0001...3], until: 3)
    let pauses = RepPauses(of: [rep(0, 1), rep(1, 2), rep(2, 3)], in: clip)
    #expect(!pauses.exceed(Microseconds(500_000)), "\(pauses.seconds)")
  }

  @Test func labelsOutsideTheRecordingHaveNoPause() throws {
    let clip = poses(moving: [1...2], until: 3)
    #expect(RepPauses(of: [rep(5, 6), rep(6, 7), rep(-2, -1)], in: clip).seconds.count <= 2)
    #expect(RepPauses(of: [rep(1, 2)], in: poses(moving: [], until: 0)).seconds.count <= 1)
  }
}
