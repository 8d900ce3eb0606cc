import Checks
import Datasets
import Foundation
import PoseModel
import Testing

/// Arms that bend from straight to 90° in the picture, in frames a thirtieth of a second apart.
@Suite struct GuessedDepthTests {
  /// - Parameters:
  ///   - error: What the wrists' depth is wrong by in every other frame, in metres.
  ///   - offset: How far the wrists seem to be in front of the elbows throughout, in metres.
  private func findings(error: Float, offset: Float = 0, hasDepth: Bool = true) throws -> [Finding] {
    let joints: [Joint] = [.leftShoulder, .leftElbow, .leftWrist, .rightShoulder, .rightElbow, .rightWrist]
    var values: [Float] = []
    let frames = 120
    for frame in 0..<frames {
      let bend = Float(frame % 60 < 30 ? frame % 30 : 29 - frame % 30) / 29
      let turn = bend * .pi / 2
      let wrist = SIMD3<Float>(0.25 * sin(turn), 1.1 - 0.25 * cos(turn), 0)
      let places = [SIMD3<Float>(0, 1.4, 0), SIMD3(0, 1.1, 0), wrist]
      for joint in Joint.allCases {
        guard let place = joints.firstIndex(of: joint) else {
          values += [.nan, .nan, .nan, .nan]
          continue
        }
        let wrong = place % 3 == 2 ? offset + (frame % 2 == 0 ? error : 0) : 0
        values += [places[place % 3].x, places[place % 3].y, hasDepth ? places[place % 3].z + wrong : .nan, 1]
      }
    }
    let keypoints = Keypoints(
      times: [Microseconds](frames: frames, rate: 30), keypointCount: Joint.count, channels: [.x, .y, .z, .confidence],
      frames: values, places: Array(0..<frames))
    let manifest = Manifest(
      name: "arms", version: "1", licence: "CC0-1.0", source: "the test", origin: .synthetic, caveat: nil,
      skeleton: "common", coordinates: CoordinateSystem(unit: .pixel(height: 2), yAxis: .up),
      channels: [.x, .y, .z, .confidence])
    let info = Clip.Info(name: "a", subject: "anna", exercise: "curl", view: "", fps: 30, split: "")
    var clips = [Clip(info: info, keypoints: keypoints, labels: GroundTruth())].makeIterator()
    return try DatasetChecks.findings(manifest) { clips.next() }.filter { $0.check == "guessed-depth" }
  }

  @Test func measuredDepthIsSilent() throws {
    #expect(try findings(error: 0) == [])
    #expect(try findings(error: 0, hasDepth: false) == [])
  }

  @Test func depthThatTremblesIsGuessed() throws {
    let found = try findings(error: 0.05)
    #expect(found.map(\.severity) == [.note])
    #expect(found.first?.found == "limbs change their lengths in space from frame to frame in 1 of 1 clips")
  }

  /// Wrists that seem 0.25 m in front make a straight arm 135°, and leave a bent one at 90°: half of the range.
  @Test func depthThatHidesTheMovementIsWorseThanNone() throws {
    let found = try findings(error: 0.05, offset: 0.25)
    #expect(found.map(\.severity) == [.warning])
    #expect(found.first?.found.hasSuffix("depth is worse than none") == true)
  }
}
