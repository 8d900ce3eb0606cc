import Coaching
import Foundation
import PoseModel
import Testing

/// The signals that exercises are made of, on points whose angles and lengths are drawn.
@Suite struct BodySignalTests {
  static let visibility = Visibility(minimumConfidence: 0.3, usesDepth: false)

  func part(_ name: String) throws -> BodyPart { try #require(BodyPart(name)) }

  func value(_ signal: some Signal, _ frame: PoseFrame) -> Float {
    var value = [Float.nan]
    frame.withPoses { poses in value.withUnsafeMutableBufferPointer { signal.measure(poses, into: $0) } }
    return value[0]
  }

  /// A trunk of 0.2 upright; the left elbow bent to 90°, the right to 180°.
  var frame: PoseFrame {
    var frame = PoseFrame()
    for (side, x) in [(Side.left, Float(0.6)), (.right, 0.4)] {
      frame.set(side.shoulder, x: x, y: 0.4)
      frame.set(side.hip, x: x, y: 0.6)
    }
    frame.set(.leftElbow, x: 0.6, y: 0.5)
    frame.set(.leftWrist, x: 0.7, y: 0.5)
    frame.set(.rightElbow, x: 0.4, y: 0.5)
    frame.set(.rightWrist, x: 0.4, y: 0.6, confidence: 0.6)
    frame.set(.leftAnkle, x: 0.55, y: 0.9)
    frame.set(.rightAnkle, x: 0.45, y: 0.9)
    frame.setMidpoints()
    return frame
  }

  @Test(arguments: [
    (SideRule.left, Float(90)), (.right, 180), (.mean, 135), (.minimum, 90), (.maximum, 180), (.mostVisible, 90),
  ])
  func anAngleByItsSide(_ side: SideRule, _ expected: Float) throws {
    let signal = JointAngle(
      from: try part("shoulder"), vertex: try part("elbow"), to: try part("wrist"), side: side, Self.visibility)
    #expect(abs(value(signal, frame) - expected) < 0.01)
  }

  @Test(arguments: SideRule.allCases)
  func aSideOutOfSight(_ side: SideRule) throws {
    let signal = JointAngle(
      from: try part("shoulder"), vertex: try part("elbow"), to: try part("wrist"), side: side, Self.visibility)
    var frame = frame
    frame.set(.leftElbow, x: 0.6, y: 0.5, confidence: 0.1)
    #expect(side == .left ? value(signal, frame).isNaN : abs(value(signal, frame) - 180) < 0.01)
    frame.set(.rightElbow, x: .nan, y: .nan, confidence: 1)
    #expect(value(signal, frame).isNaN)
  }

  @Test func leansFromTheVertical() throws {
    #expect(
      value(SegmentLean(lower: try part("hip"), upper: try part("shoulder"), side: .mean, Self.visibility), frame)
        < 0.01)
    let forearm = SegmentLean(lower: try part("elbow"), upper: try part("wrist"), side: .left, Self.visibility)
    #expect(abs(value(forearm, frame) - 90) < 0.01)
    let hanging = SegmentLean(lower: try part("elbow"), upper: try part("wrist"), side: .right, Self.visibility)
    #expect(abs(value(hanging, frame) - 180) < 0.01)
  }

  /// Wrists 0.1 and 0.2 below the shoulders, with a trunk of 0.2.
  @Test func heightsInTrunkLengths() throws {
    func height(_ side: SideRule) throws -> Float {
      value(
        JointHeight(try part("wrist"), above: try part("shoulder"), per: .trunk, side: side, Self.visibility), frame)
    }
    #expect(abs(try height(.left) + 0.5) < 1e-5)
    #expect(abs(try height(.right) + 1) < 1e-5)
    var larger = PoseFrame()
    for joint in Joint.allCases {
      larger.set(joint, x: frame[joint, .x] * 3, y: frame[joint, .y] * 3, confidence: frame[joint, .confidence])
    }
    let signal = JointHeight(try part("wrist"), above: try part("shoulder"), per: .trunk, side: .left, Self.visibility)
    #expect(abs(value(signal, larger) + 0.5) < 1e-5)
  }

  /// A level line of 0.6 from shoulder to ankle with the hip 0.1 over or under it; both ways round, and tilted.
  @Test(arguments: [false, true], [Float(0), 30, -30])
  func heightsOverALine(_ isMirrored: Bool, _ tilt: Float) throws {
    for offset in [Float(0.1), -0.1] {
      var frame = PoseFrame()
      let (c, s) = (cos(tilt * .pi / 180), sin(tilt * .pi / 180))
      for (joint, x, y) in [(Joint.leftShoulder, Float(0), Float(0)), (.leftHip, 0.2, -offset), (.leftAnkle, 0.6, 0)] {
        let turned = (x: x * c - y * s, y: x * s + y * c)
        frame.set(joint, x: isMirrored ? 1 - turned.x : turned.x, y: 0.5 + turned.y)
      }
      frame.set(.neck, x: 0, y: 0)
      frame.set(.root, x: 0.2, y: 0)
      let signal = HeightOverLine(
        try part("hip"), from: try part("shoulder"), to: try part("ankle"), per: .trunk, side: .left, Self.visibility)
      #expect(abs(value(signal, frame) - offset / 0.2) < 1e-4)
    }
  }

  /// Ankles 0.1 and shoulders 0.2 apart.
  @Test func distancesInOtherLengths() throws {
    let shoulders = ReferenceLength(from: try part("left_shoulder"), to: try part("right_shoulder"), unit: "shoulders")
    func ankles(_ axis: BodyDistance.Axis, _ reference: ReferenceLength) throws -> Float {
      value(
        BodyDistance(
          from: try part("left_ankle"), to: try part("right_ankle"), along: axis, per: reference, side: .left,
          Self.visibility), frame)
    }
    #expect(abs(try ankles(.both, .trunk) - 0.5) < 1e-5)
    #expect(abs(try ankles(.horizontal, shoulders) - 0.5) < 1e-5)
    #expect(try ankles(.vertical, shoulders) < 1e-5)
    // Seen from the side the shoulders are hardly apart, which is no length to divide by.
    var side = frame
    side.set(.leftShoulder, x: 0.42, y: 0.4)
    side.setMidpoints()
    #expect(
      value(
        BodyDistance(
          from: try part("left_ankle"), to: try part("right_ankle"), along: .both, per: shoulders, side: .left,
          Self.visibility), side
      ).isNaN)
  }

  @Test func partsByName() throws {
    #expect(try part("left_knee").left == .leftKnee && part("left_knee").right == .leftKnee)
    #expect(try part("knee").right == .rightKnee && part("nose").hasSides == false)
    #expect(BodyPart("kneecap") == nil)
  }
}
