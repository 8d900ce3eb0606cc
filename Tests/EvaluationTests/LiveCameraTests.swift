import Evaluation
import Pipeline
import PoseModel
import Testing

@Suite struct LiveCameraTests {
  func frames(_ count: Int, at rate: Double) -> [Microseconds] {
    (0..<count).map { Microseconds(frame: $0, rate: rate) }
  }

  @Test func aFastEstimatorSeesEveryFrame() {
    let camera = LiveCamera(fps: 30, estimator: Microseconds(30_000))
    #expect(camera.framesSeen(frames(300, at: 30)) == Array(0..<300))
  }

  /// Frames come every 33.3 ms and each takes 50: every second one finds the estimator busy.
  @Test func framesThatComeMeanwhileAreDropped() {
    let camera = LiveCamera(fps: 30, estimator: Microseconds(50_000))
    #expect(camera.framesSeen(frames(9, at: 30)) == [0, 2, 4, 6, 8])
  }

  @Test func aSlowCameraTakesOnlyItsOwnFrames() {
    let camera = LiveCamera(fps: 30, estimator: .zero)
    #expect(camera.framesSeen(frames(8, at: 60)) == [0, 2, 4, 6])
    // 15 of 24 frames a second: a tick every 66.7 ms takes the next frame of those at 0, 41.7, 83.3, 125, …
    #expect(LiveCamera(fps: 15, estimator: .zero).framesSeen(frames(6, at: 24)) == [0, 2, 4, 5])
  }

  @Test func aRecordingThatStartsLaterIsSeenFromItsStart() {
    let camera = LiveCamera(fps: 10, estimator: .zero)
    let times = [5_000_000, 5_050_000, 5_100_000, 5_150_000].map { Microseconds(Int64($0)) }
    #expect(camera.framesSeen(times) == [0, 2])
  }

  /// 10,000 years, in which a camera ticks 10¹³ times.
  @Test func aGapOfAnyLengthIsPassedAtOnce() {
    let camera = LiveCamera(fps: 30, estimator: .zero)
    let late = Microseconds(315_576_000_000_000_000)
    #expect(camera.framesSeen([.zero, late, late + Microseconds(10_000), late + Microseconds(40_000)]) == [0, 1, 3])
  }

  @Test func nothingIsSeenOfNothing() {
    #expect(LiveCamera(fps: 30, estimator: .zero).framesSeen([]).isEmpty)
  }
}
