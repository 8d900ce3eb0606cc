import Coaching
import PoseModel
import Testing

/// A wrist that goes at a known speed, as the swing detectors see it.
@Suite struct SwingTraceTests {
  /// The right wrist goes 1.5 body heights a second to the right for a second; the left one hangs.
  private static func poses(lost: Range<Int> = 0..<0) -> PoseSequence {
    let frames = (0..<30).map { index in
      var frame = TennisFigure(right: (-0.6 + 1.5 * Double(index) / 30, -0.1)).frame(at: Double(index) / 30)
      if lost.contains(index) { frame.set(.rightWrist, x: .nan, y: .nan) }
      return frame
    }
    let values = frames.flatMap { frame in
      Joint.allCases.flatMap { joint in Channel.allCases.map { frame[joint, $0] } }
    }
    return PoseSequence(
      Keypoints(times: frames.map(\.time), keypointCount: Joint.count, channels: Channel.allCases, frames: values),
      skeleton: .common, coordinates: CoordinateSystem(unit: .image(aspect: 1), yAxis: .down))
  }

  private func trace(_ hand: Hand?, on poses: PoseSequence = Self.poses()) throws -> SwingTrace {
    try SwingTrace(ParameterValues(SwingPeaks.parameters), hand: hand, on: poses)
  }

  @Test func theSpeedIsThatOfTheWrist() throws {
    let right = try trace(.right)
    #expect(right.times.count == right.speeds.count && right.times.count > 10)
    #expect(zip(right.times, right.times.dropFirst()).allSatisfy { $0 < $1 })
    // Away from the ends, where the wrist stands in no frame.
    let middle = right.speeds.dropFirst(5).dropLast(5)
    #expect(middle.allSatisfy { abs($0 - 1.5) < 0.02 }, "\(right.speeds)")
    #expect(try trace(.left).speeds.allSatisfy { $0.isNaN || abs($0) < 0.01 })
    // Of nobody's hand it is the faster one.
    #expect(try trace(nil).speeds.dropFirst(5).dropLast(5).allSatisfy { abs($0 - 1.5) < 0.02 })
  }

  @Test func aWristThatIsNotSeenHasNoSpeed() throws {
    #expect(try trace(.right, on: Self.poses(lost: 10..<25)).speeds.contains(where: \.isNaN))
    #expect(try trace(.right, on: Self.poses(lost: 0..<30)).speeds.allSatisfy(\.isNaN))
  }

  @Test func itNeedsTheParametersThatSwingDetectorsShare() throws {
    #expect(SwingTrace.canTrace(SwingPeaks.parameters))
    #expect(!SwingTrace.canTrace(SquatStates.parameters))
    let settings = try trace(.right)
    #expect(settings.boundarySpeed < settings.peakSpeed)
  }
}
