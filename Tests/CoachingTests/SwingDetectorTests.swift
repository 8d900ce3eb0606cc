import Coaching
import Foundation
import PoseModel
import Testing

/// What holds for both swing detectors on strokes whose contact and name are known.
@Suite struct SwingDetectorTests {
  static let all: [any Detector.Type] = [SwingStates.self, SwingPeaks.self]

  static func strokes(_ events: [Event]) -> [Stroke] {
    events.compactMap { if case .stroke(let stroke) = $0.kind { stroke } else { nil } }
  }

  static let everyFrame: [String: Double] = ["maximumRate": 0]

  @Test(arguments: all.indices, [0.0, 15])
  func everyStrokeIsFoundWhereItWas(_ index: Int, maximumRate: Double) throws {
    let contacts = [2.0, 4.5, 7, 9.5]
    let played: [TennisStroke] = [.forehand, .twoHandedBackhand, .serve, .forehand]
    let frames = TennisStroke.frames(Array(zip(played, contacts)), until: 12)
    let found = Self.strokes(try DetectorTests.live(Self.all[index], frames, ["maximumRate": maximumRate]))
    #expect(found.map(\.label) == ["forehand", "backhand", "serve", "forehand"])
    for (stroke, contact) in zip(found, contacts) {
      // The speed is greatest at contact; a frame at 15 fps is 67 ms.
      #expect(abs(stroke.contact.seconds - contact) <= 0.07, "\(stroke.contact.seconds) for \(contact)")
      #expect(stroke.start < stroke.contact && stroke.contact < stroke.end)
    }
    #expect(found.allSatisfy { $0.naming != nil })
    #expect(found.first?.naming == .rule("the right wrist comes from its own side"))
    let serve = found.first { $0.label == "serve" }
    #expect(serve?.naming == .rule("a wrist is above the head before the peak or at it (serveClearance)"))
  }

  /// From behind and from the front, of right- and left-handers whose hand is given: one and the same stroke.
  @Test(arguments: all.indices, [0.0, 180])
  func aStrokeHasItsNameFromBothSidesAndWithBothHands(_ index: Int, turn: Double) throws {
    for (stroke, name) in [
      (TennisStroke.forehand, "forehand"), (.oneHandedBackhand, "backhand"), (.twoHandedBackhand, "backhand"),
      (.serve, "serve"),
    ] {
      for (played, hand) in [(stroke, 1.0), (stroke.leftHanded, -1)] {
        let frames = TennisStroke.frames([(played.seen(from: turn), 2)], until: 4)
        let found = Self.strokes(try DetectorTests.live(Self.all[index], frames, ["handedness": hand]))
        #expect(found.map(\.label) == [name], "\(name), hand \(hand), seen from \(turn)")
        #expect(found.first?.analysis?.hand == (hand > 0 ? .right : .left))
      }
    }
  }

  /// Both hands go from the left to the right: a right-hander's backhand would be a left-hander's forehand.
  @Test(arguments: [(1.0, "backhand"), (-1, "forehand")])
  func theGivenHandIsBelieved(_ hand: Double, _ name: String) throws {
    let frames = TennisStroke.frames([(.twoHandedBackhand, 2)], until: 4)
    let events = try DetectorTests.live(SwingPeaks.self, frames, ["handedness": hand])
    #expect(Self.strokes(events).map(\.label) == [name])
  }

  @Test(arguments: all.indices)
  func theHandIsFoundOut(_ index: Int) throws {
    for (isLeft, name) in [(false, Hand.right), (true, .left)] {
      func hand(_ stroke: TennisStroke) -> TennisStroke { isLeft ? stroke.leftHanded : stroke }
      let played = [
        hand(.forehand), hand(.twoHandedBackhand), hand(.forehand), hand(.forehand), hand(.oneHandedBackhand),
      ]
      let frames = TennisStroke.frames(
        played.enumerated().map { ($1, 2 + 2.5 * Double($0)) }, until: 2.5 * Double(played.count + 1))
      let found = Self.strokes(try DetectorTests.live(Self.all[index], frames))
      #expect(found.map(\.label) == ["forehand", "backhand", "forehand", "forehand", "backhand"], "\(name)")
      #expect(found.last?.analysis?.hand == name)
    }
  }

  /// From the side the player's left and right are behind one another.
  @Test func fromTheSideAGroundstrokeHasNoName() throws {
    var stroke = TennisStroke.forehand
    stroke.turn = 89
    let frames = (0..<120).map { index -> PoseFrame in
      var figure = stroke.figure(at: Double(index) / 30 - 2)
      figure.turn = 89
      return figure.frame(at: Double(index) / 30)
    }
    let found = Self.strokes(try DetectorTests.live(SwingPeaks.self, frames))
    #expect(found.count == 1)
    #expect(found.first?.label == nil)
    #expect(found.first?.analysis?.swingType == nil)
  }

  /// Wrists that swing by 0.2 body heights once a second go no faster than 0.63 body heights a second.
  @Test(arguments: all.indices)
  func walkingIsNoStroke(_ index: Int) throws {
    let frames = (0..<300).map { index -> PoseFrame in
      let swing = 0.1 * sin(2 * .pi * Double(index) / 30)
      return TennisFigure(left: (-0.12 + swing, -0.28), right: (0.12 - swing, -0.28)).frame(at: Double(index) / 30)
    }
    #expect(Self.strokes(try DetectorTests.live(Self.all[index], frames)).isEmpty)
  }

  /// The wrist is lost for three frames about contact, and once jumps across the picture.
  @Test(arguments: all.indices)
  func gapsAndJumpsDoNotMakeOrLoseAStroke(_ index: Int) throws {
    var frames = TennisStroke.frames([(.forehand, 2)], until: 6)
    for gap in 59...60 { frames[gap].set(.rightWrist, x: .nan, y: .nan, confidence: 0) }
    frames[130].set(.rightWrist, x: 0.99, y: 0.01, confidence: 0.9)
    let found = Self.strokes(try DetectorTests.live(Self.all[index], frames, Self.everyFrame))
    #expect(found.map(\.label) == ["forehand"])
    #expect(found.allSatisfy { abs($0.contact.seconds - 2) < 0.1 })
  }

  @Test(arguments: all.indices)
  func nobodyIsNoStroke(_ index: Int) throws {
    let frames = (0..<200).map { PoseFrame(time: Microseconds(frame: $0, rate: 30)) }
    #expect(try DetectorTests.live(Self.all[index], frames).isEmpty)
  }

  /// The document feeds a file's frames in chunks of 150: nothing depends on how they are cut.
  @Test(arguments: all.indices)
  func chunksChangeNothing(_ index: Int) throws {
    let frames = TennisStroke.frames(
      (0..<12).map { ([TennisStroke.forehand, .serve, .twoHandedBackhand][$0 % 3], 2 + 2.5 * Double($0)) }, until: 32)
    let expected = try DetectorTests.live(Self.all[index], frames)
    #expect(Self.strokes(expected).count == 12)
    for chunk in [1, 7, 150, 5_000] {
      #expect(
        try DetectorTests.replay(Self.all[index], PoseSequence(frames), block: chunk) == expected, "chunks of \(chunk)")
    }
    #expect(zip(expected, expected.dropFirst()).allSatisfy { $0.reported <= $1.reported })
    #expect(expected.allSatisfy { $0.time <= $0.reported })
  }

  /// A live camera: every third frame of 30 a second is ten a second; a stroke is still found to a tenth of a second.
  @Test(arguments: all.indices)
  func everyThirdFrameIsEnough(_ index: Int) throws {
    let values = try #require(Self.all[index].presets.first { $0.name == "live" }).values
    #expect(values["frameStride"] == 3)
    let frames = TennisStroke.frames([(.forehand, 61.0 / 30), (.serve, 152.0 / 30)], until: 8)
    let found = Self.strokes(try DetectorTests.live(Self.all[index], frames, values))
    #expect(found.map(\.label) == ["forehand", "serve"])
    #expect(zip(found, [61.0 / 30, 152.0 / 30]).allSatisfy { abs($0.contact.seconds - $1) <= 0.1 })
    // Neither contact is on a third frame; only third frames are seen.
    for stroke in found { #expect(Int((stroke.contact.seconds * 30).rounded()) % 3 == 0) }
  }

  @Test(arguments: [
    ("velocityWindow", 4.0), ("velocityWindow", 4.5), ("frameStride", 1.5), ("handedness", 0.5),
    ("capacity", 90.5), ("fewestPathPoints", 16), ("mostPathPoints", 12.5),
    ("boundarySpeed", 1.4), ("goodLean", 45), ("goodReach", 0.1),
  ])
  func valuesThatDoNotGoTogetherAreRefused(_ name: String, _ value: Double) {
    #expect(throws: ParameterError.self) { try SwingPeaks(replacing: [name: value]) }
    #expect(throws: ParameterError.self) { try SwingStates(replacing: [name: value]) }
  }
}

extension SwingStates: ExampleDetector {
  static var example: DetectorTests.Example { SwingDetectorTests.example }
}

extension SwingPeaks: ExampleDetector {
  static var example: DetectorTests.Example { SwingDetectorTests.example }
}

extension SwingDetectorTests {
  fileprivate static let example = DetectorTests.Example(
    poses: PoseSequence(TennisStroke.frames((0..<12).map { (.forehand, 2 + 2.5 * Double($0)) }, until: 32)))
}
