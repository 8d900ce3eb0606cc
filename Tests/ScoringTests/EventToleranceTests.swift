import PoseModel
import Scoring
import Testing

struct EventToleranceTests {
  /// Uneven frames, in milliseconds.
  private let frames: [Microseconds] = [0, 40, 60, 200].map { .milliseconds($0) }

  private func instant(_ milliseconds: Int) -> EventInstant? {
    EventInstant(time: .milliseconds(milliseconds), frames: frames)
  }

  @Test(arguments: [(-5, 0), (0, 0), (20, 0), (21, 1), (50, 1), (51, 2), (130, 2), (131, 3), (900, 3)])
  func nearestFrameIsTaken(time: Int, frame: Int) {
    #expect(instant(time)?.frame == frame)
    #expect(instant(time)?.time == .milliseconds(time))
  }

  @Test func noFramesHaveNoNearest() {
    #expect(EventInstant(time: .zero, frames: []) == nil)
  }

  /// 60 and 200 ms are neighbouring frames, and 140 ms apart.
  @Test func framesAndTimeAreNotTheSame() throws {
    let truth = [try #require(instant(60))]
    let predicted = [try #require(instant(200))]
    #expect(EventTolerance.frames(1).pairs(truth: truth, predicted: predicted).count == 1)
    #expect(EventTolerance.frames(0).pairs(truth: truth, predicted: predicted).isEmpty)
    #expect(EventTolerance.time(.milliseconds(140)).pairs(truth: truth, predicted: predicted).count == 1)
    #expect(EventTolerance.time(.milliseconds(139)).pairs(truth: truth, predicted: predicted).isEmpty)
  }

  /// Nearest first would pair 2 with 3 and leave two alone.
  @Test func asManyPairsAsPossible() {
    func at(_ frames: [Int]) -> [EventInstant] { frames.map { EventInstant(time: .zero, frame: $0) } }
    let pairs = EventTolerance.frames(2).pairs(truth: at([2, 5]), predicted: at([3, 0]))
    #expect(pairs.map(\.truth) == [0, 1])
    #expect(pairs.map(\.predicted) == [1, 0])
  }
}
