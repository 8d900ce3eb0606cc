import Coaching
import PoseModel
import Testing

/// What speaks against a count, of a hand that is raised for 1.2 s at a time: in the exercise's own counter it turns after
/// 0.5 s.
@Suite struct CountDoubtsTests {
  private static let half = [-1, -0.3, 0, 0.3, 0, -0.3, -0.6, -1]
  private static let rest = [Double](repeating: -1, count: 24)
  private static let unseen = [Double](repeating: .nan, count: 12)

  private func raises(_ count: Int) -> [Double] { (0..<count).flatMap { _ in RepExerciseTests.raise } }

  private func doubts(_ hands: [Double]) throws -> CountDoubts {
    let definition = try ExerciseFixture.raise().definition
    func run(_ base: some PoseObserver) -> CountDoubts? {
      var detector = LiveDetector(base)
      for (index, hand) in hands.enumerated() {
        _ = detector.update(ExerciseFixture.frame(hand: hand, at: Double(index) / 10))
      }
      return detector.base.countDoubts
    }
    return try #require(run(try definition.detector(ParameterValues(definition.parameters, replacing: [:]))))
  }

  @Test func regularRepsAreNotDoubted() throws {
    #expect(try doubts(raises(6)) == CountDoubts(unclear: 0, longGaps: 0, idle: 0, unseen: 0))
  }

  /// Half a raise goes 0.8 of the usual 1.5 from the start.
  @Test func aMovementOfHalfTheSizeIsUnclear() throws {
    #expect(try doubts(raises(3) + Self.half + raises(3)).unclear == 1)
    #expect(try doubts(raises(3) + [-1, -0.3, -0.2, -0.6] + raises(3)).unclear == 0)
  }

  /// Two intervals of 1.2 s, one of 3.6 s, two of 1.2 s.
  @Test func aLongIntervalIsAGap() throws {
    #expect(try doubts(raises(3) + Self.rest + raises(3)).longGaps == 1)
    #expect(try doubts(raises(3) + Self.rest.prefix(4) + raises(3)).longGaps == 0)
  }

  /// 2.4 s before the first raise are 2.9 s before its turn, and the last frame is 3 s after the last turn: 5.9 intervals
  /// of 1.2 s, less one each. Intervals are known to a tenth.
  @Test func timeWithoutRepsAroundTheSetIsIdle() throws {
    let idle = try doubts(Self.rest + raises(4) + Self.rest).idle
    #expect(abs(idle - (5.9 / 1.2 - 2)) < 0.3, "\(idle)")
    // Nothing was counted in 2.3 s, three quarters of an assumed rep.
    #expect(abs(try doubts(Self.rest).idle - 2.3 / 3) < 1e-9)
  }

  @Test func framesWithoutTheHandAreUnseen() throws {
    #expect(try doubts(raises(4) + Self.unseen).unseen == 12 / 60.0)
    #expect(try doubts(Self.unseen).unseen == 1)
  }

  /// A replay skips quiet frames in blocks; an app sees each one.
  @Test func blocksAndFramesAgree() throws {
    let hands = Self.rest + raises(3) + Self.unseen + Self.half + raises(2) + Self.rest
    let definition = try ExerciseFixture.raise().definition
    let frames = hands.enumerated().map { ExerciseFixture.frame(hand: $1, at: Double($0) / 10) }
    let values = frames.flatMap { frame in
      Joint.allCases.flatMap { joint in Channel.allCases.map { frame[joint, $0] } }
    }
    let poses = PoseSequence(
      Keypoints(times: frames.map(\.time), keypointCount: Joint.count, channels: Channel.allCases, frames: values),
      skeleton: .common, coordinates: CoordinateSystem(unit: .image(aspect: 1), yAxis: .down))
    func run(_ base: some PoseObserver) -> CountDoubts? {
      var (detector, events) = (base, [Event]())
      let table = SignalTable(base.signals, on: poses)
      poses.withPoses(0..<poses.frameCount) { poses in
        table.withSignals(table.columns(of: base.signals), 0..<frames.count) {
          detector.update(poses, $0, events: &events)
        }
      }
      return detector.countDoubts
    }
    let block = run(try definition.detector(ParameterValues(definition.parameters, replacing: [:])))
    #expect(block == (try doubts(hands)))
  }

  /// Each doubt alone makes a count less certain, and of somebody who is never seen nothing is known.
  @Test func everyDoubtCosts() {
    let none = CountDoubts(unclear: 0, longGaps: 0, idle: 0, unseen: 0)
    let some = [
      CountDoubts(unclear: 3, longGaps: 0, idle: 0, unseen: 0),
      CountDoubts(unclear: 0, longGaps: 3, idle: 0, unseen: 0),
      CountDoubts(unclear: 0, longGaps: 0, idle: 9, unseen: 0),
      CountDoubts(unclear: 0, longGaps: 0, idle: 0, unseen: 0.5),
    ]
    for doubts in some { #expect(doubts.confidence < none.confidence, "\(doubts)") }
    #expect(none.confidence > 0.8 && none.confidence < 1)
    let all = CountDoubts(unclear: 500, longGaps: 500, idle: 1_000, unseen: 0.9).confidence
    #expect(all > 0 && all < 0.1)
    #expect(CountDoubts(unclear: 0, longGaps: 0, idle: 0, unseen: 1).confidence == 0)
  }
}
