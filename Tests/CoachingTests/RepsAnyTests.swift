import Coaching
import Foundation
import PoseModel
import Testing

@Suite struct RepsAnyTests {
  /// A person of whom a number goes from 0 to 1 and back, and how that looks.
  private struct Motion {
    /// Where the movement is at each frame, 0...1; NaN where nobody is seen.
    var path: [Double] = []
    static let fps = 30.0

    /// Reps of the same length, the way there and back a cosine's.
    func reps(_ count: Int, of seconds: Double, depth: Double = 1) -> Motion {
      let frames = Int(seconds * Self.fps)
      let one = (0..<frames).map { depth * 0.5 * (1 - cos(2 * .pi * Double($0) / Double(frames))) }
      return Motion(path: path + (0..<count).flatMap { _ in one })
    }

    func rest(_ seconds: Double) -> Motion {
      Motion(path: path + [Double](repeating: 0, count: Int(seconds * Self.fps)))
    }

    func unseen(_ seconds: Double) -> Motion {
      Motion(path: path + [Double](repeating: .nan, count: Int(seconds * Self.fps)))
    }
  }

  private func events(
    _ motion: Motion, replacing: [String: Double] = [:], _ pose: (Double, Double) -> PoseFrame = Self.squat
  ) throws -> [Event] {
    var counter = LiveDetector(try RepsAny(replacing: replacing))
    return motion.path.enumerated().flatMap { index, place in
      let seconds = Double(index) / Motion.fps
      return counter.update(
        place.isNaN ? PoseFrame(time: Microseconds(frame: index, rate: Motion.fps)) : pose(place, seconds))
    }
  }

  private func reps(
    _ motion: Motion, replacing: [String: Double] = [:], _ pose: (Double, Double) -> PoseFrame = Self.squat
  ) throws -> [Rep] {
    try events(motion, replacing: replacing, pose).compactMap { if case .rep(let rep) = $0.kind { rep } else { nil } }
  }

  /// Standing at 0, thighs about level at 1.
  private static func squat(_ place: Double, _ seconds: Double) -> PoseFrame {
    StickFigure(knee: 175 - 90 * place, lean: 40 * place, travel: 0.08 * place).frame(at: seconds)
  }

  /// Hanging arms at 0, bent ones at 1.
  private static func curl(_ place: Double, _ seconds: Double) -> PoseFrame {
    var frame = StickFigure(knee: 175).frame(at: seconds)
    frame.bendArms(to: 175 - 120 * place)
    return frame
  }

  /// One straight arm is raised overhead, the other one hangs.
  private static func raise(_ place: Double, _ seconds: Double, isLeft: Bool) -> PoseFrame {
    var frame = StickFigure(knee: 175).frame(at: seconds)
    for side in Side.allCases {
      let angle = (side == .left) == isLeft ? place * .pi : 0
      let (x, y) = (frame[side.shoulder, .x], frame[side.shoulder, .y])
      let arm: [(Joint, Double)] =
        side == .left ? [(.leftElbow, 0.16), (.leftWrist, 0.29)] : [(.rightElbow, 0.16), (.rightWrist, 0.29)]
      for (joint, length) in arm {
        frame.set(joint, x: x + Float(length * sin(angle)), y: y + Float(length * cos(angle)))
      }
    }
    return frame
  }

  /// After 2 s of rest squat n of 2 s goes from 2n to 2n + 2 s and turns in its middle.
  @Test func countsEverySquatOnce() throws {
    let found = try reps(Motion().rest(2).reps(10, of: 2).rest(1))
    #expect(found.count == 10)
    for (index, rep) in found.enumerated() {
      let turn = try #require(rep.turn).seconds
      // Samples are 0.067 s apart and a trailing mean of three.
      #expect(abs(turn - Double(2 * index + 3)) < 0.25, "\(index): \(turn)")
      #expect(rep.start.seconds < turn && turn < rep.end.seconds && rep.end.seconds <= Double(2 * index + 4) + 0.1)
    }
  }

  @Test func countsAnotherExerciseWithoutBeingTold() throws {
    #expect(try reps(Motion().rest(2).reps(8, of: 1.5).rest(1), Self.curl).count == 8)
  }

  /// The first reps come late, all at once; later ones once half of the way back is done.
  @Test func reportsTheFirstRepsLateAndTheOthersAtOnce() throws {
    let found = try events(Motion().rest(2).reps(10, of: 2).rest(1))
    let late = found.filter { ($0.reported - $0.time).seconds > 0.5 }
    #expect(!late.isEmpty && late.count < 6)
    #expect(found.last.map { ($0.reported - $0.time).seconds < 0.1 } ?? false)
  }

  @Test func aMovementThatIsSeenOnceIsNoRep() throws {
    #expect(try reps(Motion().rest(5).reps(1, of: 2).rest(8)).isEmpty)
  }

  /// Of a single bow, what lies above its mean does not come again.
  @Test func howClearlyTheBestMovementRepeatsIsKnownUntilOneIsChosen() throws {
    func levels(_ motion: Motion) throws -> [CountedLevels] {
      var counter = LiveDetector(try RepsAny(replacing: [:]))
      return motion.path.enumerated().map { index, place in
        _ = counter.update(Self.squat(place, Double(index) / Motion.fps))
        return counter.base.countedLevels
      }
    }
    let once = try levels(Motion().rest(5).reps(1, of: 4).rest(8))
    #expect(once.contains { $0.clarity < 0.5 })
    let often = try levels(Motion().rest(2).reps(10, of: 2).rest(1))
    #expect(often.contains { $0.turn.isFinite })
    #expect(often.allSatisfy { !$0.turn.isFinite || !$0.clarity.isFinite })
  }

  /// Nothing follows the second rep.
  @Test(arguments: [1.5, 2, 3, 4]) func twoRepsCount(_ seconds: Double) throws {
    #expect(try reps(Motion().rest(1).reps(2, of: seconds)).count == 2)
    #expect(try reps(Motion().rest(1).reps(1, of: seconds).rest(0.5).reps(1, of: seconds).rest(0.2)).count == 2)
  }

  /// Samples are trailing means: at the end of the recording the arms are on their way back in them.
  @Test func aRepCountsThatTheRecordingEndsWith() throws {
    let motion = Motion().rest(1).reps(2, of: 1.5)
    #expect(try reps(motion, Self.curl).count == 2)
    #expect(try reps(motion, replacing: ["returnShare": 0.9], Self.curl).count == 1)
  }

  /// The way of a third of a squat is less than half of the usual one: it is no turn, and were it one it would not count.
  @Test func anAbortedRepDoesNotCount() throws {
    let motion = Motion().rest(2).reps(6, of: 2).reps(1, of: 2, depth: 0.33).reps(3, of: 2).rest(1)
    #expect(try reps(motion).count == 9)
    #expect(try reps(motion, replacing: ["turnShare": 0.2]).count == 9)
    #expect(try reps(motion, replacing: ["turnShare": 0.2, "smallestShare": 0.1]).count == 10)
  }

  /// One arm, then the other: ten reps in five cycles.
  @Test func aRepToEachSideIsTwo() throws {
    let motion = Motion().rest(2).reps(10, of: 2).rest(2)
    let alternating = { (place: Double, seconds: Double) -> PoseFrame in
      Self.raise(place, seconds, isLeft: Int((seconds - 2) / 2).isMultiple(of: 2))
    }
    #expect(try reps(motion, alternating).count == 10)
    #expect(try reps(motion, replacing: ["mirrorLikeness": 1], alternating).count < 8)
  }

  /// Six raises of one arm, then six of the other: by the time the second movement is chosen some of its reps are over, and
  /// only a recount finds them.
  @Test func repsAreFoundAfterTheMovementChanged() throws {
    let first = Motion().rest(2).reps(6, of: 2)
    let found = try reps(first.reps(6, of: 2).rest(2)) { place, seconds in
      Self.raise(place, seconds, isLeft: seconds < 14)
    }
    #expect(found.count == 12)
  }

  /// Ten squats; in the second set a pause, and somebody who is out of the picture for a while, in the third a squat of 70 %.
  @Test func aCountIsDoubtedWhereRepsMayBeMissing() throws {
    func doubts(_ motion: Motion) throws -> CountDoubts {
      var counter = LiveDetector(try RepsAny(replacing: [:]))
      for (index, place) in motion.path.enumerated() {
        let time = Double(index) / Motion.fps
        _ = counter.update(
          place.isNaN ? PoseFrame(time: Microseconds(frame: index, rate: 30)) : Self.squat(place, time))
      }
      let confidence = counter.base.countConfidence
      #expect(confidence != nil && confidence == counter.base.countDoubts?.confidence)
      return try #require(counter.base.countDoubts)
    }
    let clear = try doubts(Motion().rest(1).reps(10, of: 2).rest(1))
    #expect(clear.unclear == 0 && clear.longGaps == 0 && clear.unseen == 0 && clear.idle < 0.5)
    let interrupted = try doubts(Motion().rest(1).reps(5, of: 2).unseen(6).reps(5, of: 2).rest(1))
    #expect(interrupted.longGaps == 1 && abs(interrupted.unseen - 6 / 28.0) < 0.03)
    let half = try doubts(Motion().rest(1).reps(5, of: 2).reps(1, of: 2, depth: 0.7).reps(5, of: 2).rest(1))
    #expect(half.unclear == 1)
    for doubts in [interrupted, half] { #expect(doubts.confidence < clear.confidence) }
  }

  /// The same arm each time: a rep a cycle.
  @Test(arguments: [true, false]) func repsOfOneSideAreNotMirrored(_ isLeft: Bool) throws {
    let motion = Motion().rest(2).reps(5, of: 2).rest(2)
    #expect(try reps(motion) { Self.raise($0, $1, isLeft: isLeft) }.count == 5)
  }

  /// Three seconds of stillness, then five quick reps within 3.5 s.
  @Test func aShortSetAfterStillnessCounts() throws {
    #expect(try reps(Motion().rest(3).reps(5, of: 0.7).rest(2)).count == 5)
  }

  /// A fifth of a squat: 18° at the knee is 0.2 right angles.
  @Test func aSmallMovementCountsIfItIsClear() throws {
    let motion = Motion().rest(2).reps(6, of: 2, depth: 0.2).rest(1)
    #expect(try reps(motion).count == 6)
    #expect(try reps(motion, replacing: ["smallRange": 0.6]).isEmpty)
  }

  /// Somebody who has done six quarter squats bends down for the towel.
  @Test func aMovementOfAnotherSizeDoesNotCount() throws {
    let motion = Motion().rest(2).reps(6, of: 2, depth: 0.3).rest(1).reps(1, of: 3).rest(2)
    #expect(try reps(motion).count == 6)
  }

  @Test func swayingIsNoMovement() throws {
    #expect(try reps(Motion().rest(1).reps(20, of: 2, depth: 0.05)).isEmpty)
  }

  @Test func goesOnAfterARest() throws {
    #expect(try reps(Motion().rest(2).reps(6, of: 2).rest(10).reps(5, of: 2).rest(1)).count == 11)
  }

  /// A tenth of a second in each squat, and half a minute between two sets.
  @Test func framesWithoutAPersonEndNothing() throws {
    var motion = Motion().rest(2).reps(8, of: 2).rest(1)
    for index in motion.path.indices where index % 60 < 3 { motion.path[index] = .nan }
    #expect(try reps(motion).count == 8)
    #expect(try reps(Motion().rest(2).reps(6, of: 2).unseen(30).rest(1).reps(6, of: 2).rest(1)).count == 12)
    #expect(try reps(Motion().unseen(20)).isEmpty)
  }

  /// The left arm curls, the right one hangs; left and right change places on every seventh frame.
  @Test func swappedSidesCountNothing() throws {
    let arms = [(Joint.leftShoulder, Joint.rightShoulder), (.leftElbow, .rightElbow), (.leftWrist, .rightWrist)]
    let found = try reps(Motion().rest(2).reps(8, of: 2).rest(1)) { place, seconds in
      var frame = Self.curl(place, seconds)
      let hanging = Self.curl(0, seconds)
      for (_, right) in arms { frame.set(right, x: hanging[right, .x] + 0.1, y: hanging[right, .y]) }
      guard Int((seconds * Motion.fps).rounded()).isMultiple(of: 7) else { return frame }
      var swapped = frame
      for (left, right) in arms {
        swapped.set(left, x: frame[right, .x], y: frame[right, .y])
        swapped.set(right, x: frame[left, .x], y: frame[left, .y])
      }
      return swapped
    }
    #expect(found.count == 8)
  }

  /// Two turns half a second apart are one of a rep of 2.5 s: that is less than 0.3 of its 2 s.
  @Test func aBounceAtTheTurnIsOneRep() throws {
    let parts = Motion().reps(1, of: 2).path
    let bounce = Motion().reps(1, of: 0.5).path.map { 1 - $0 }
    let rep = parts[..<30] + bounce + parts[30...]
    let motion = Motion(path: Motion().rest(2).path + (0..<8).flatMap { _ in rep } + Motion().rest(1).path)
    #expect(try reps(motion).count == 8)
    #expect(try reps(motion, replacing: ["spacing": 0]).count > 12)
  }

  /// A camera that is switched on again after ten years.
  @Test func aLongPauseIsPassedOver() throws {
    var counter = LiveDetector(try RepsAny(replacing: [:]))
    for years in [0.0, 10] {
      for (index, place) in Motion().rest(2).reps(6, of: 2).rest(1).path.enumerated() {
        _ = counter.update(Self.squat(place, years * 31_557_600 + Double(index) / Motion.fps))
      }
    }
    #expect(counter.base.repCount == 12)
  }

  /// A recording may begin at any time, and before its zero.
  @Test(arguments: [-7_000_000, 1_000_000_000_000_000_000])
  func theRecordingsZeroChangesNothing(_ zero: Int64) throws {
    var counter = LiveDetector(try RepsAny(replacing: [:]))
    for (index, place) in Motion().rest(2).reps(6, of: 2).rest(1).path.enumerated() {
      let seconds = Double(index) / Motion.fps
      var frame = Self.squat(place, seconds)
      frame.time = Microseconds(zero) + frame.time
      _ = counter.update(frame)
    }
    #expect(counter.base.repCount == 6)
  }

  @Test func theShortWindowIsTheShorterOne() {
    #expect(throws: ParameterError.self) { try RepsAny(replacing: ["window": 6, "shortWindow": 8]) }
  }
}
