import Coaching
import Foundation
import PoseModel
import Testing

@Suite struct SwingSignalTests {
  static let inThePicture = Visibility(minimumConfidence: 0.3, usesDepth: false)
  static let inSpace = Visibility(minimumConfidence: 0.3, usesDepth: true)

  func value(_ signal: some Signal, _ frame: PoseFrame) -> Float {
    var value = [Float.nan]
    frame.withPoses { poses in value.withUnsafeMutableBufferPointer { signal.measure(poses, into: $0) } }
    return value[0]
  }

  /// From behind (0), half turned, from the side, from the front (180), in the picture and in space.
  @Test(arguments: [0.0, 30, 60, 90, 120, 180])
  func turnsAreThoseOfTheFigure(_ degrees: Double) {
    let frame = TennisFigure(turn: degrees, hipTurn: degrees / 2).frame(at: 0)
    for visibility in [Self.inThePicture, Self.inSpace] {
      let shoulders = value(TorsoYaw(.shoulders, visibility), frame)
      let hips = value(TorsoYaw(.hips, visibility), frame)
      #expect(abs(shoulders - Float(cos(degrees * .pi / 180))) < 1e-3)
      #expect(abs(hips - Float(cos(degrees / 2 * .pi / 180))) < 1e-3)
    }
  }

  /// Shoulders wider than the trunk allows are square, not an impossible cosine.
  @Test func aTurnIsACosine() {
    var frame = TennisFigure().frame(at: 0)
    frame.set(.leftShoulder, x: 0, y: frame[.neck, .y])
    frame.set(.rightShoulder, x: 1, y: frame[.neck, .y])
    #expect(value(TorsoYaw(.shoulders, Self.inThePicture), frame) == 1)
  }

  @Test func offsetsAndDistancesAreThoseOfTheFigure() {
    let frame = TennisFigure(right: (0.3, -0.2)).frame(at: 0)
    let height = Float(TennisFigure.bodyHeight)
    #expect(abs(value(JointOffset(.rightWrist, from: .neck, .x, Self.inThePicture), frame) - 0.3 * height) < 1e-5)
    #expect(abs(value(JointOffset(.rightWrist, from: .neck, .y, Self.inThePicture), frame) - 0.2 * height) < 1e-5)
    #expect(abs(value(JointDistance(.neck, .root, Self.inThePicture), frame) - 0.288 * height) < 1e-5)
  }

  @Test func whatIsNotSeenIsNotMeasured() {
    var frame = TennisFigure().frame(at: 0)
    frame.set(.rightWrist, x: 0.5, y: 0.5, confidence: 0.3)
    frame.set(.rightShoulder, x: .nan, y: .nan)
    frame.set(.root, x: .nan, y: 0.5)
    #expect(value(JointOffset(.rightWrist, from: .neck, .x, Self.inThePicture), frame).isNaN)
    #expect(value(TorsoYaw(.shoulders, Self.inThePicture), frame).isNaN)
    #expect(value(TorsoYaw(.hips, Self.inThePicture), frame).isNaN)
    #expect(value(JointDistance(.neck, .root, Self.inThePicture), frame).isNaN)
  }
}
