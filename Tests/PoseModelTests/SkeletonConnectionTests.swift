import PoseModel
import Testing

@Suite struct SkeletonConnectionTests {
  /// The positions that OpenPose's `poseParameters.cpp` gives.
  @Test func openPoseKeypointsStandWhereItsSourceSays() {
    let body25 = Skeleton.body25
    #expect(body25.keypoints.count == 25)
    #expect(body25[.neck] == .keypoint(1))
    #expect(body25[.rightWrist] == .keypoint(4))
    #expect(body25[.root] == .keypoint(8))
    #expect(body25[.leftAnkle] == .keypoint(14))
    #expect(body25[.leftToe] == .keypoint(19))
    #expect(body25[.rightHeel] == .keypoint(24))
    let openPose18 = Skeleton.openPose18
    #expect(openPose18.keypoints.count == 18)
    #expect(openPose18[.neck] == .keypoint(1))
    #expect(openPose18[.leftHip] == .keypoint(11))
    #expect(openPose18[.rightEye] == .keypoint(14))
    #expect(openPose18[.leftEar] == .keypoint(17))
    #expect(openPose18[.root] == .midpoint(11, 8))
  }

  @Test func everyJointThatAnEstimatorHasIsMapped() {
    let feet: [Joint] = [.leftHeel, .rightHeel, .leftToe, .rightToe]
    #expect(Joint.allCases.filter { Skeleton.body25[$0] == nil }.isEmpty)
    #expect(Joint.allCases.filter { Skeleton.openPose18[$0] == nil } == feet)
    #expect(Joint.allCases.filter { Skeleton.appleVision19[$0] == nil } == feet)
    for joint in Joint.allCases where !feet.contains(joint) {
      guard case .keypoint = Skeleton.appleVision19[joint] else {
        Issue.record("\(joint.name) is no keypoint of Apple Vision")
        continue
      }
    }
  }

  @Test func visionNamesStandForTheJointWhereTheirBoneBegins() {
    let vision = Skeleton.appleVision19
    let named: [Joint: String] = [
      .nose: "head_joint", .leftElbow: "left_forearm_joint", .rightWrist: "right_hand_joint",
      .leftHip: "left_upLeg_joint", .rightKnee: "right_leg_joint", .leftAnkle: "left_foot_joint", .root: "root",
    ]
    for (joint, name) in named {
      #expect(vision.keypoints.firstIndex(of: name).map { Skeleton.Origin.keypoint($0) } == vision[joint])
    }
  }

  /// A Vision frame has y up: the head, higher in the image, comes to lie above the feet with y down.
  @Test func visionFramesAreTurnedOver() {
    let vision = Skeleton.appleVision19
    let values = vision.keypoints.flatMap { name -> [Float] in [0.5, name == "head_joint" ? 0.9 : 0.1, 1] }
    let keypoints = Keypoints(
      times: [.zero], keypointCount: 19, channels: [.x, .y, .confidence], frames: values)
    let poses = PoseSequence(
      keypoints, skeleton: vision, coordinates: CoordinateSystem(unit: .image(aspect: 1), yAxis: .up))
    #expect(poses[.nose, .y, 0] < poses[.leftAnkle, .y, 0])
  }

  @Test(arguments: Skeleton.all.map(\.name))
  func figuresAreWhole(_ name: String) throws {
    let skeleton = try #require(Skeleton.named(name))
    #expect(!skeleton.connections.isEmpty)
    for connection in skeleton.connections {
      #expect(skeleton.keypoints.indices.contains(connection.start))
      #expect(skeleton.keypoints.indices.contains(connection.end))
      #expect(connection.start != connection.end)
    }
    let limbs = [
      Bone(.leftElbow, .leftWrist), Bone(.rightElbow, .rightWrist), Bone(.leftHip, .leftKnee),
      Bone(.rightKnee, .rightAnkle),
    ]
    for limb in limbs { #expect(skeleton.bones.contains(limb)) }
    // Left and right have the same bones.
    let mirrored = skeleton.bones.map { Set([Self.mirror($0.start), Self.mirror($0.end)]) }
    #expect(Set(mirrored) == Set(skeleton.bones.map { Set([$0.start, $0.end]) }))
  }

  private static func mirror(_ joint: Joint) -> Joint {
    let name = joint.name
    if name.hasPrefix("left_") { return Joint(name: "right_" + name.dropFirst(5)) ?? joint }
    if name.hasPrefix("right_") { return Joint(name: "left_" + name.dropFirst(6)) ?? joint }
    return joint
  }

  @Test func keypointsThatAreNoJointsPassALineOn() {
    let bones = Skeleton.blazePose33.bones
    #expect(bones.contains(Bone(.nose, .leftEye)))
    #expect(bones.contains(Bone(.leftEye, .leftEar)))
    // The corners of the mouth lead to no joint, nor do the fingers.
    #expect(!bones.contains { $0.start == .leftWrist || $0.end == .leftWrist && $0.start != .leftElbow })
    #expect(Skeleton.coco17.bones.count == 18)
  }
}
