import PoseModel
import Testing

/// The door from an estimator's keypoints to common joints.
@Suite struct PoseSequenceTests {
  /// Every keypoint of COCO-17 at the same place but those named.
  private func keypoints(
    _ frames: [[Joint: (x: Float, y: Float, c: Float)]], elsewhere: (x: Float, y: Float, c: Float) = (0, 0, 1)
  ) -> Keypoints {
    var values: [Float] = []
    for frame in frames {
      for name in Skeleton.coco17.keypoints {
        let point = Joint(name: name).flatMap { frame[$0] } ?? elsewhere
        values += [point.x, point.y, point.c]
      }
    }
    return Keypoints(
      times: frames.indices.map { Microseconds(Int64($0) * 100_000) }, keypointCount: 17,
      channels: [.x, .y, .confidence], frames: values)
  }

  private func pose(
    _ keypoints: Keypoints, _ unit: CoordinateSystem.Unit, _ axis: CoordinateSystem.YAxis = .down
  ) -> PoseSequence {
    PoseSequence(keypoints, skeleton: .coco17, coordinates: CoordinateSystem(unit: unit, yAxis: axis))
  }

  @Test func fractionsOfAnImageBecomeImageHeights() {
    let poses = pose(keypoints([[.leftKnee: (0.5, 0.75, 0.9)]]), .image(aspect: 16.0 / 9))
    #expect(poses[.leftKnee, .x, 0] == 0.5 * Float(16.0 / 9))
    #expect(poses[.leftKnee, .y, 0] == 0.75)
    #expect(poses[.leftKnee, .confidence, 0] == 0.9)
    #expect(poses[.leftKnee, .z, 0].isNaN)
  }

  @Test func pixelsBecomeImageHeights() {
    let poses = pose(keypoints([[.nose: (320, 180, 1)]]), .pixel(height: 720))
    #expect(abs(poses[.nose, .x, 0] - 320.0 / 720) < 1e-6)
    #expect(abs(poses[.nose, .y, 0] - 0.25) < 1e-6)
  }

  @Test func yUpIsTurnedOver() {
    let poses = pose(keypoints([[.nose: (0.2, 0.9, 1), .leftAnkle: (0.2, 0.1, 1)]]), .image(aspect: 1), .up)
    #expect(poses[.nose, .y, 0] < poses[.leftAnkle, .y, 0])
    #expect(poses[.nose, .y, 0] == -0.9)
  }

  @Test func neckIsTheMiddleOfTheShouldersWithTheLowerConfidence() {
    let poses = pose(
      keypoints([[.leftShoulder: (0.2, 0.4, 0.9), .rightShoulder: (0.6, 0.2, 0.5)]]), .image(aspect: 1))
    #expect(abs(poses[.neck, .x, 0] - 0.4) < 1e-6)
    #expect(abs(poses[.neck, .y, 0] - 0.3) < 1e-6)
    #expect(poses[.neck, .confidence, 0] == 0.5)
  }

  @Test func aMissingJointIsMissingInEveryChannel() {
    let poses = pose(keypoints([[.leftHip: (.nan, 0.5, 0.8)]]), .image(aspect: 1))
    #expect(poses[.leftHip, .x, 0].isNaN)
    #expect(poses[.leftHip, .y, 0].isNaN)
    #expect(poses[.leftHip, .confidence, 0] == 0)
    // COCO has no toes.
    #expect(poses[.leftToe, .x, 0].isNaN)
    #expect(poses[.leftToe, .confidence, 0] == 0)
  }

  /// From the side, one shoulder and one hip are enough.
  @Test func aMiddleIsAtTheOneOfItsPairThatIsSeen() {
    let nan = Float.nan
    let poses = pose(
      keypoints([
        [
          .leftShoulder: (0.2, 0.4, 0.9), .rightShoulder: (nan, nan, 0), .leftHip: (nan, nan, 0),
          .rightHip: (nan, nan, 0),
        ]
      ]), .image(aspect: 1))
    #expect(poses[.neck, .x, 0] == 0.2 && poses[.neck, .y, 0] == 0.4 && poses[.neck, .confidence, 0] == 0.9)
    #expect(poses[.root, .x, 0].isNaN && poses[.root, .confidence, 0] == 0)
  }

  /// Apple Vision has a neck and a root of its own: a file without them has those of the shoulders and hips.
  @Test func aMiddleThatTheEstimatorLeavesOutIsThatOfItsPair() {
    let vision = Skeleton.appleVision19
    let values = vision.keypoints.indices.flatMap { index -> [Float] in
      let joint = Joint.allCases.first { vision[$0] == .keypoint(index) }
      switch joint {
      case .neck, .root: return [.nan, .nan, 0]
      case .leftShoulder: return [0.2, 0.4, 0.9]
      case .rightShoulder: return [0.6, 0.2, 0.5]
      default: return [0.5, 0.5, 1]
      }
    }
    let poses = PoseSequence(
      Keypoints(
        times: [.zero], keypointCount: vision.keypoints.count, channels: [.x, .y, .confidence], frames: values),
      skeleton: vision, coordinates: CoordinateSystem(unit: .image(aspect: 1), yAxis: .down))
    #expect(abs(poses[.neck, .x, 0] - 0.4) < 1e-6 && abs(poses[.neck, .y, 0] - 0.3) < 1e-6)
    #expect(poses[.neck, .confidence, 0] == 0.5 && poses[.root, .x, 0] == 0.5)
  }

  @Test(arguments: [(Float(1.7), Float(1)), (-0.2, 0), (.nan, 0)])
  func confidenceIsBrought(_ given: Float, _ expected: Float) {
    let poses = pose(keypoints([[.nose: (0.5, 0.5, given)]]), .image(aspect: 1))
    #expect(poses[.nose, .confidence, 0] == expected)
  }

  /// Shoulders at height 0 and hips at 2, then 4: trunks of 2 and 4, whose median counts for metres and each of which
  /// counts where a frame has no scale.
  @Test func withoutImageHeightsTheTrunkGivesTheScale() {
    func frame(_ trunk: Float) -> [Joint: (x: Float, y: Float, c: Float)] {
      [.leftHip: (0, trunk, 1), .rightHip: (0, trunk, 1), .leftAnkle: (0, 2 * trunk, 1)]
    }
    let clip = keypoints([frame(2), frame(4), frame(4)])
    let metres = pose(clip, .metre)
    #expect(abs(metres[.root, .y, 0] - 0.5 * CoordinateSystem.trunkLength) < 1e-6)
    #expect(abs(metres[.root, .y, 1] - CoordinateSystem.trunkLength) < 1e-6)
    let relative = pose(clip, .relative)
    #expect(abs(relative[.root, .y, 0] - CoordinateSystem.trunkLength) < 1e-6)
    #expect(abs(relative[.leftAnkle, .y, 0] - 2 * CoordinateSystem.trunkLength) < 1e-6)
  }

  @Test func aFrameWithoutATrunkKeepsTheLastScale() {
    let whole: [Joint: (x: Float, y: Float, c: Float)] = [.leftHip: (0, 2, 1), .rightHip: (0, 2, 1)]
    let clip = keypoints([whole, [.leftHip: (.nan, .nan, 0), .rightHip: (0, 2, 1), .leftAnkle: (0, 4, 1)]])
    let poses = pose(clip, .relative)
    #expect(abs(poses[.leftAnkle, .y, 1] - 2 * CoordinateSystem.trunkLength) < 1e-6)
  }

  @Test func columnsFramesAndSelectionsAgree() {
    let frames = (0..<5).map { index -> [Joint: (x: Float, y: Float, c: Float)] in
      [.leftKnee: (Float(index), Float(10 + index), 1)]
    }
    let clip = keypoints(frames)
    let poses = pose(clip, .image(aspect: 1))
    #expect(Array(poses.column(.leftKnee, .x)) == [0, 1, 2, 3, 4])
    #expect(poses.frame(3)[.leftKnee, .y] == 13)
    let selected = poses.selecting([4, 1])
    #expect(Array(selected.column(.leftKnee, .y)) == [14, 11])
    #expect(selected.times == [Microseconds(400_000), Microseconds(100_000)])
    let seen = poses.withPoses(1..<3) { poses in
      (poses.count, poses[.leftKnee, .x, 0], poses[.leftKnee, .x, 1], poses.time(1))
    }
    #expect(seen == (2, 1, 2, Microseconds(200_000)))
  }
}
