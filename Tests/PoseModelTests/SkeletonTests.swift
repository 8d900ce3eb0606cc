import PoseModel
import Testing

@Suite struct SkeletonTests {
  /// The positions that the COCO and MediaPipe pages give.
  @Test func keypointsStandWhereTheirPagesSay() {
    #expect(Skeleton.coco17.keypoints.count == 17)
    #expect(Skeleton.coco17[.leftKnee] == .keypoint(13))
    #expect(Skeleton.coco17[.rightAnkle] == .keypoint(16))
    #expect(Skeleton.blazePose33.keypoints.count == 33)
    #expect(Skeleton.blazePose33[.leftShoulder] == .keypoint(11))
    #expect(Skeleton.blazePose33[.rightKnee] == .keypoint(26))
    #expect(Skeleton.blazePose33[.leftHeel] == .keypoint(29))
    #expect(Skeleton.blazePose33[.rightToe] == .keypoint(32))
    #expect(Skeleton.openPose18.keypoints.count == 18)
    #expect(Skeleton.openPose18[.neck] == .keypoint(1))
    #expect(Skeleton.openPose18[.leftKnee] == .keypoint(12))
    #expect(Skeleton.openPose18[.leftEar] == .keypoint(17))
    #expect(Skeleton.motionCapture[.leftHip] == .keypoint(7))
    #expect(Skeleton.motionCapture[.neck] == .midpoint(1, 2))
  }

  @Test func neckAndRootAreMidpoints() {
    #expect(Skeleton.coco17[.neck] == .midpoint(5, 6))
    #expect(Skeleton.coco17[.root] == .midpoint(11, 12))
    #expect(Skeleton.coco17[.leftToe] == nil)
  }

  @Test func everyJointHasItsNameBack() {
    for joint in Joint.allCases { #expect(Joint(name: joint.name) == joint) }
    #expect(Joint.leftKnee.name == "left_knee")
    for joint in Joint.allCases {
      // As the case is called, with an underscore for each hump.
      let words = String(describing: joint).reduce(into: "") { $0 += $1.isUppercase ? "_" + $1.lowercased() : "\($1)" }
      #expect(joint.name == words && Joint(name: words) == joint)
    }
    #expect(Joint(name: "tail") == nil)
  }

  @Test func everySkeletonIsFoundByName() {
    for skeleton in Skeleton.all { #expect(Skeleton.named(skeleton.name)?.keypoints == skeleton.keypoints) }
    #expect(Skeleton.named("plug-in-gait")?.name == "motion-capture")
    #expect(Skeleton.named("plug") == nil)
    #expect(Skeleton.named("coco-19") == nil)
  }
}
