import Coaching
import PoseModel
import Testing

@Suite struct SignalTests {
  static let visibility = Visibility(minimumConfidence: 0.3, usesDepth: false)

  func value(_ signal: some Signal, _ frame: PoseFrame) -> Float {
    var value = [Float.nan]
    frame.withPoses { poses in value.withUnsafeMutableBufferPointer { signal.measure(poses, into: $0) } }
    return value[0]
  }

  @Test(arguments: [180.0, 160, 120, 90, 60])
  func kneeAngleIsTheDrawnOne(_ degrees: Double) {
    #expect(
      abs(value(LimbAngle(.knee, Self.visibility), StickFigure(knee: degrees).frame(at: 0)) - Float(degrees)) < 0.01)
  }

  @Test(arguments: [0.0, 20, 45, 90])
  func trunkLeanIsTheDrawnOne(_ degrees: Double) {
    let frame = StickFigure(knee: 170, lean: degrees).frame(at: 0)
    #expect(abs(value(TrunkLean(Self.visibility), frame) - Float(degrees)) < 0.01)
  }

  @Test func kneeTravelIsTheDrawnOne() {
    #expect(abs(value(KneeTravel(Self.visibility), StickFigure(knee: 100, travel: 0.07).frame(at: 0)) - 0.07) < 1e-5)
  }

  /// A straight left leg and a right one bent to 90°: both in sight give 135, one out of sight leaves the other.
  @Test func meansOverTheSidesInSight() {
    var frame = StickFigure(knee: 180).frame(at: 0)
    let bent = StickFigure(knee: 90).frame(at: 0)
    for joint in [Joint.rightHip, .rightKnee, .rightAnkle] {
      frame.set(joint, x: bent[joint, .x], y: bent[joint, .y])
    }
    #expect(abs(value(LimbAngle(.knee, Self.visibility), frame) - 135) < 0.01)
    frame.set(.leftKnee, x: 0.1, y: 0.1, confidence: 0.3)
    #expect(abs(value(LimbAngle(.knee, Self.visibility), frame) - 90) < 0.01)
    frame.set(.rightHip, x: .nan, y: .nan, confidence: 1)
    #expect(value(LimbAngle(.knee, Self.visibility), frame).isNaN)
  }

  /// In the picture the leg is straight; in space the knee is bent to a right angle.
  @Test func depthCountsWhereItIsAskedForAndThere() {
    var frame = PoseFrame()
    for side in Side.allCases {
      frame.set(side.hip, x: 0.5, y: 0.5, z: 0.2)
      frame.set(side.knee, x: 0.5, y: 0.5001, z: 0)
      frame.set(side.ankle, x: 0.5, y: 0.7, z: 0)
    }
    let inSpace = Visibility(minimumConfidence: 0.3, usesDepth: true)
    #expect(value(LimbAngle(.knee, Self.visibility), frame) > 179)
    #expect(abs(value(LimbAngle(.knee, inSpace), frame) - 90) < 0.1)
    for side in Side.allCases { frame.set(side.hip, x: 0.5, y: 0.5, z: .nan) }
    #expect(value(LimbAngle(.knee, inSpace), frame) > 179)
  }

  @Test func equalSignalsAreMeasuredOnce() {
    let poses = PoseSequence(
      Keypoints(
        times: [.zero, Microseconds(1)], keypointCount: 23, channels: [.x, .y],
        values: [Float](repeating: 0.5, count: 23 * 2 * 2)),
      skeleton: .common, coordinates: CoordinateSystem(unit: .image(aspect: 1), yAxis: .down))
    let other = Visibility(minimumConfidence: 0.5, usesDepth: false)
    let table = SignalTable(
      [
        LimbAngle(.knee, Self.visibility), TrunkLean(Self.visibility), LimbAngle(.knee, Self.visibility),
        LimbAngle(.knee, other),
      ], on: poses)
    #expect(
      table.columns(of: [LimbAngle(.knee, Self.visibility), LimbAngle(.knee, other), TrunkLean(Self.visibility)]) == [
        0, 2, 1,
      ])
  }
}
