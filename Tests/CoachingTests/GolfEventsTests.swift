import Coaching
import Foundation
import PoseModel
import Testing

@Suite struct GolfEventsTests {
  /// A golfer seen face-on, 30 frames a second, whose straight arms turn about the shoulders.
  struct Swing {
    /// Seconds of standing still, backswing, downswing, follow-through and standing at its end.
    var still = 1.0
    var back = 0.9
    var down = 0.3
    var through = 0.4
    var hold = 1.5
    /// Degrees from hanging, at the top and at the end.
    var reach = 150.0
    var mirrored = false
    var noise = 0.0
    /// Image heights between each wrist and the middle of both.
    var grip = 0.01
    /// Image widths that the body moves to the side, evenly.
    var walk = 0.0
    var rate = 30.0

    var top: Double { still + back }
    var impact: Double { top + down }
    var length: Double { impact + through + hold }

    /// As a camera of more frames a second shows it when played slowly.
    func slowed(_ factor: Double) -> Swing {
      var swing = self
      for path in [\Swing.still, \.back, \.down, \.through, \.hold] { swing[keyPath: path] *= factor }
      return swing
    }

    /// Half a cosine up, a parabola down to the impact, a quarter of a sine to the end.
    private func turn(_ time: Double) -> Double {
      if time < still { return 0 }
      if time < top { return reach * (1 - cos(.pi * (time - still) / back)) / 2 }
      if time < impact { return reach * (1 - pow((time - top) / down, 2)) }
      return -reach * sin(.pi / 2 * min((time - impact) / through, 1))
    }

    func frames() -> [PoseFrame] {
      (0..<Int(length * rate)).map { index in
        let angle = turn(Double(index) / rate) * .pi / 180
        var frame = PoseFrame(time: Microseconds(frame: index, rate: rate))
        func set(_ joint: Joint, _ other: Joint, _ x: Double, _ y: Double, apart: Double) {
          let wobble = noise * sin(Double(index) * 2.4)
          let x = x + walk * Double(index) / (length * rate)
          for (joint, shift) in [(joint, apart), (other, -apart)] {
            let across = x + shift + wobble
            frame.set(
              mirrored ? (joint == .nose ? .nose : Self.twin(joint)) : joint,
              x: Float(mirrored ? 1 - across : across), y: Float(y + wobble))
          }
        }
        let (shoulder, arm) = (0.35, 0.3)
        set(.leftShoulder, .rightShoulder, 0.5, shoulder, apart: 0.08)
        set(.leftHip, .rightHip, 0.5, 0.6, apart: 0.05)
        set(.leftKnee, .rightKnee, 0.5, 0.78, apart: 0.06)
        set(.leftElbow, .rightElbow, 0.5 - arm / 2 * sin(angle), shoulder + arm / 2 * cos(angle), apart: 0.03)
        set(.leftWrist, .rightWrist, 0.5 - arm * sin(angle), shoulder + arm * cos(angle), apart: grip)
        set(.nose, .nose, 0.5, 0.25, apart: 0)
        return frame
      }
    }

    private static func twin(_ joint: Joint) -> Joint {
      let pairs: [(Joint, Joint)] = [
        (.leftShoulder, .rightShoulder), (.leftHip, .rightHip), (.leftKnee, .rightKnee), (.leftElbow, .rightElbow),
        (.leftWrist, .rightWrist),
      ]
      for (left, right) in pairs {
        if joint == left { return right }
        if joint == right { return left }
      }
      return joint
    }
  }

  private static let names = [
    "address", "toe_up", "mid_backswing", "top", "mid_downswing", "impact", "mid_follow_through", "finish",
  ]

  private func events(_ frames: [PoseFrame], replacing: [String: Double] = [:]) throws -> [Event] {
    var detector = LiveDetector(try GolfEvents(replacing: replacing))
    return frames.flatMap { detector.update($0) }
  }

  /// Seconds, by name.
  private func times(_ events: [Event]) -> [String: Double] {
    Dictionary(
      events.compactMap { event in
        guard case .stroke(let stroke) = event.kind, let label = stroke.label else { return nil }
        return (label, stroke.contact.seconds)
      }, uniquingKeysWith: { first, _ in first })
  }

  @Test func findsTheEightEventsInOrder() throws {
    let swing = Swing()
    let found = try events(swing.frames())
    #expect(found.count == 8)
    let times = times(found)
    let inOrder = Self.names.compactMap { times[$0] }
    #expect(inOrder.count == 8 && zip(inOrder, inOrder.dropFirst()).allSatisfy { $0 < $1 })
    #expect(found.allSatisfy { $0.time <= $0.reported })
    // The arms are level, and lowest, at times that follow from the motion.
    #expect(abs((times["top"] ?? 0) - swing.top) < 0.1)
    #expect(abs((times["impact"] ?? 0) - swing.impact) < 0.1)
  }

  /// A slow-motion recording is another unit of time, no other swing.
  @Test func scalesWithSlowMotion() throws {
    let swing = Swing()
    let (plain, slow) = (times(try events(swing.frames())), times(try events(swing.slowed(4).frames())))
    for name in Self.names.dropFirst().dropLast() {
      #expect(abs((slow[name] ?? 0) / 4 - (plain[name] ?? 9)) < 1.5 / 30, "\(name)")
    }
  }

  @Test func mirrorsALeftHander() throws {
    var swing = Swing()
    let right = times(try events(swing.frames()))
    swing.mirrored = true
    let left = times(try events(swing.frames()))
    for name in Self.names { #expect(abs((left[name] ?? 9) - (right[name] ?? 0)) < 0.001, "\(name)") }
  }

  @Test func leavesAWaggleAndAStillGolferAlone() throws {
    // At 60° the wrists are 0.35 + 0.3 cos 60° = 0.5 image heights down, 0.4 trunk lengths of 0.25 above the hips.
    #expect(try events(Swing(reach: 0).frames()).isEmpty)
    #expect(try events(Swing(reach: 60).frames()).isEmpty)
  }

  /// Of a trunk of 0.25: wrists 0.84 and 0.88 trunk lengths apart, and a body that moves from rise to second rise.
  @Test func leavesOneHandedSwingsAndWalkersAlone() throws {
    #expect(try events(Swing(grip: 0.105).frames()).count == 8)
    #expect(try events(Swing(grip: 0.11).frames()).isEmpty)
    #expect(try events(Swing(walk: 0.3).frames()).count == 8)
    #expect(try events(Swing(walk: 2).frames()).isEmpty)
  }

  @Test func reportsASwingOnceAndTheNextAgain() throws {
    let one = Swing(hold: 3).frames()
    let length = one.count
    let both =
      one
      + one.enumerated().map { index, frame in
        var later = frame
        later.time = Microseconds(frame: length + index, rate: 30)
        return later
      }
    let found = try events(both)
    #expect(found.count == 16)
    for name in Self.names {
      let times: [Double] = found.compactMap { event in
        guard case .stroke(let stroke) = event.kind, stroke.label == name else { return nil }
        return stroke.contact.seconds
      }
      try #require(times.count == 2)
      let apart = times[1] - times[0]
      #expect(abs(apart - Double(length) / 30) < 0.2, "\(name): \(apart)")
    }
  }

  @Test func bridgesMissingFramesAndForgetsAfterAGap() throws {
    let swing = Swing()
    let whole = times(try events(swing.frames()))
    let holed = swing.frames().enumerated().map { index, frame in
      index % 7 == 3 ? PoseFrame(time: frame.time) : frame
    }
    let bridged = times(try events(holed))
    #expect(abs((bridged["impact"] ?? 0) - (whole["impact"] ?? 9)) < 0.05)
    // Two seconds are cut out at the impact: no swing remains.
    let cut = swing.frames().enumerated().map { index, frame in
      var later = frame
      if Double(index) / 30 >= swing.impact { later.time = frame.time + Microseconds(2_000_000) }
      return later
    }
    #expect(try events(cut).isEmpty)
  }

  @Test func aDeeperMinimumFindsNothing() throws {
    // The wrists come down from 1.3 trunk lengths, above which heights count alike, to -0.2.
    #expect(try events(Swing().frames(), replacing: ["minimumDepth": 1.6]).isEmpty)
    #expect(try !events(Swing().frames(), replacing: ["minimumDepth": 1.2]).isEmpty)
  }

  @Test func blocksOfFramesMakeNoDifference() throws {
    let frames = Swing(noise: 0.004).frames()
    let expected = try events(frames)
    #expect(!expected.isEmpty)
    for block in [1, 13, 500] {
      #expect(try DetectorTests.replay(GolfEvents.self, PoseSequence(frames), block: block) == expected)
    }
  }
}

extension GolfEvents: ExampleDetector {
  static var example: DetectorTests.Example {
    DetectorTests.Example(poses: PoseSequence(GolfEventsTests.Swing(hold: 10).frames()))
  }
}
