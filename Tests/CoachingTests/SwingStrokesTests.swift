import Coaching
import PoseModel
import Testing

/// The detector with its trained network, on strokes whose contact and name are known.
///
/// A figure of eight points that moves as sines do is no tennis player, and the network is not sure of its strokes: here
/// a probability of 0.1 is enough. Generated players are in `SwingClaimTests`.
@Suite struct SwingStrokesTests {
  /// Contacts of the rally: forehand, two-handed backhand and forehand.
  private static let contacts = [3.0, 5.5, 8]

  /// A rally from behind, with elbows halfway between shoulder and wrist, which `TennisFigure` does not draw.
  static func rally(until end: Double = 10, fps: Double = 30, changed: (inout PoseFrame) -> Void = { _ in })
    -> [PoseFrame]
  {
    var played: [TennisStroke] = [.forehand, .twoHandedBackhand, .forehand]
    for index in played.indices { played[index].duration = 0.3 }
    return TennisStroke.frames(Array(zip(played, contacts)), until: end, fps: fps).map { frame in
      var frame = frame
      for (shoulder, elbow, wrist) in [
        (Joint.leftShoulder, Joint.leftElbow, Joint.leftWrist), (.rightShoulder, .rightElbow, .rightWrist),
      ] {
        frame.set(
          elbow, x: (frame[shoulder, .x] + frame[wrist, .x]) / 2, y: (frame[shoulder, .y] + frame[wrist, .y]) / 2)
      }
      changed(&frame)
      return frame
    }
  }

  private static func events(_ frames: [PoseFrame], _ values: [String: Double] = [:]) throws -> [Event] {
    try DetectorTests.live(SwingStrokes.self, frames, ["probability": 0.1].merging(values) { $1 })
  }

  private static func strokes(_ frames: [PoseFrame], _ values: [String: Double] = [:]) throws -> [Stroke] {
    // The scores of names differ in the last digits.
    SwingDetectorTests.strokes(try events(frames, values)).map { stroke in
      var stroke = stroke
      stroke.naming = nil
      return stroke
    }
  }

  private static func mirror(_ frame: inout PoseFrame, sides: Bool) {
    let old = frame
    for joint in Joint.allCases {
      guard old[joint, .x].isFinite else { continue }
      let name = joint.name
      let other =
        name.hasPrefix("left_")
        ? name.replacing("left_", with: "right_") : name.replacing("right_", with: "left_")
      guard let target = sides ? Joint(name: other) : joint else { continue }
      frame.set(target, x: 1 - old[joint, .x], y: old[joint, .y], confidence: old[joint, .confidence])
    }
  }

  /// A report is 6 ticks of the network, 1 of smoothing and at least 1 of decline later than the contact, at most the 6 of
  /// `lookAhead`: 8/30 to 13/30 s.
  @Test func everyStrokeIsFoundNamedAndReportedSoon() throws {
    let events = try Self.events(Self.rally())
    let found = SwingDetectorTests.strokes(events)
    #expect(found.map(\.label) == ["forehand", "backhand", "forehand"])
    for (stroke, contact) in zip(found, Self.contacts) {
      #expect(abs(stroke.contact.seconds - contact) <= 0.2, "\(stroke.contact.seconds) for \(contact)")
    }
    for stroke in found {
      guard case .shares(let shares)? = stroke.naming else {
        Issue.record("no shares")
        continue
      }
      #expect(shares.count == 3 && abs(shares.values.reduce(0, +) - 1) < 1e-5, "\(shares)")
      #expect(shares.max { $0.value < $1.value }?.key == stroke.label, "\(shares)")
    }
    for event in events {
      let delay = (event.reported - event.time).seconds
      #expect(8.0 / 30 - 0.001 < delay && delay < 13.0 / 30 + 0.001)
    }
  }

  @Test func withoutDeclineALookAheadIsTheDelay() throws {
    let events = try Self.events(Self.rally(), ["lookAhead": 0.3, "decline": 0])
    #expect(SwingDetectorTests.strokes(events).map(\.label) == ["forehand", "backhand", "forehand"])
    // 6, 1 and 9 ticks.
    for event in events { #expect(abs((event.reported - event.time).seconds - 16.0 / 30) < 0.001) }
  }

  /// The probability is below half of its peak long before a second has passed.
  @Test func aDeclineEndsTheWait() throws {
    let events = try Self.events(Self.rally(), ["lookAhead": 1])
    #expect(events.count == 3)
    for event in events { #expect((event.reported - event.time).seconds < 0.5) }
  }

  /// A left-hander is the mirror image of a right-hander, for whom the same weights are used.
  @Test func aMirroredPlayerPlaysTheSameStrokes() throws {
    let right = try Self.strokes(Self.rally())
    let left = try Self.strokes(Self.rally { Self.mirror(&$0, sides: true) })
    #expect(left == right)
  }

  /// Seen from the front left and right change sides in the picture; the ready posture of the first seconds shows it.
  @Test func aCameraInFrontSeesTheSameStrokes() throws {
    let behind = try Self.strokes(Self.rally())
    let front = try Self.strokes(Self.rally { Self.mirror(&$0, sides: false) })
    #expect(front == behind)
  }

  /// A player five times as far away, elsewhere in the picture, plays the same strokes.
  @Test func sizeAndPlaceDoNotMatter() throws {
    let near = try Self.strokes(Self.rally())
    let far = try Self.strokes(
      Self.rally { frame in
        let old = frame
        for joint in Joint.allCases where old[joint, .x].isFinite {
          frame.set(joint, x: 0.3 + 0.2 * old[joint, .x], y: 0.25 + 0.2 * old[joint, .y])
        }
      })
    #expect(far.map(\.label) == near.map(\.label))
    #expect(zip(far, near).allSatisfy { ($0.contact - $1.contact).magnitude <= Microseconds(34_000) })
  }

  @Test(arguments: [15.0, 24, 50, 60])
  func otherFrameRatesAreInterpolated(_ fps: Double) throws {
    let found = try Self.strokes(Self.rally(fps: fps))
    #expect(found.map(\.label) == ["forehand", "backhand", "forehand"])
    for (stroke, contact) in zip(found, Self.contacts) { #expect(abs(stroke.contact.seconds - contact) <= 0.2) }
  }

  /// Half of the frames say as much as all, if every other one is the mean of its neighbours.
  @Test func positionsBetweenFramesAreInterpolated() throws {
    let half = Self.rally(fps: 15)
    var all: [PoseFrame] = []
    for (a, b) in zip(half, half.dropFirst()) {
      all.append(a)
      var middle = PoseFrame(time: Microseconds((a.time.count + b.time.count) / 2))
      for joint in Joint.allCases where a[joint, .x].isFinite {
        middle.set(joint, x: (a[joint, .x] + b[joint, .x]) / 2, y: (a[joint, .y] + b[joint, .y]) / 2)
      }
      all.append(middle)
    }
    let expected = try Self.strokes(all)
    let found = try Self.strokes(half)
    #expect(expected.count == 3)
    #expect(found.map(\.contact) == expected.map(\.contact))
    #expect(found.map(\.label) == expected.map(\.label))
  }

  /// However low the threshold, contacts are `spacing` apart.
  @Test(arguments: [0.5, 1, 2])
  func noStrokeIsReportedTwice(_ spacing: Double) throws {
    let found = try Self.strokes(Self.rally(), ["probability": 0.01, "spacing": spacing])
    #expect(found.count >= 3)
    #expect(zip(found, found.dropFirst()).allSatisfy { ($1.contact - $0.contact).seconds >= spacing - 1e-6 })
  }

  @Test func standingWalkingAndNobodyAreNoStrokes() throws {
    #expect(try Self.strokes(Array(Self.rally().prefix(45))).isEmpty)
    let nobody = (0..<200).map { PoseFrame(time: Microseconds(frame: $0, rate: 30)) }
    #expect(try Self.events(nobody).isEmpty)
  }

  /// A person who is not seen around a contact has not been seen to hit the ball.
  @Test func whatIsNotSeenIsNoStroke() throws {
    // All of the second stroke, whose contact is frame 165.
    let hidden = Self.rally().enumerated().map { index, frame in
      (125...205).contains(index) ? PoseFrame(time: frame.time) : frame
    }
    #expect(try Self.strokes(hidden).map(\.label) == ["forehand", "forehand"])
  }

  /// After more than half a second without frames nothing is remembered: the strokes of the second rally are those of
  /// one that begins there.
  @Test func aGapBeginsAnew() throws {
    let first = Self.rally(until: 9)
    let second = Self.rally().map { frame in
      var frame = frame
      frame.time = frame.time + Microseconds(20_000_000)
      return frame
    }
    let alone = try Self.strokes(second)
    let both = try Self.strokes(first + second)
    #expect(both.dropFirst(3).map(\.label) == alone.map(\.label))
    #expect(zip(both.dropFirst(3), alone).allSatisfy { ($0.contact - $1.contact).magnitude <= Microseconds(34_000) })
  }

  @Test(arguments: [1, 7, 150, 5_000]) func chunksChangeNothing(_ chunk: Int) throws {
    let frames = Self.rally()
    let expected = try Self.events(frames)
    #expect(expected.count == 3)
    let replayed = try DetectorTests.replay(
      SwingStrokes.self, PoseSequence(frames), ["probability": 0.1], block: chunk)
    #expect(replayed == expected)
  }
}

extension SwingStrokes: ExampleDetector {
  static var example: DetectorTests.Example {
    DetectorTests.Example(poses: PoseSequence(SwingStrokesTests.rally(until: 20)), values: ["probability": 0.1])
  }
}
