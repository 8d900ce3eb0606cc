extension Skeleton {
  /// The 18 keypoints of OpenPose's COCO model: COCO's 17 and a neck, in OpenPose's order.
  ///
  /// A keypoint that was not found is written as x = y = confidence = 0: an importer has to make it NaN.
  ///
  /// Source: Cao et al., Realtime Multi-Person 2D Pose Estimation using Part Affinity Fields, 2017, and
  /// `POSE_COCO_BODY_PARTS` and its part pairs in OpenPose's `poseParameters.cpp`.
  public static let openPose18 = Skeleton(
    name: "openpose-18",
    keypoints: [
      "nose", "neck", "right_shoulder", "right_elbow", "right_wrist", "left_shoulder", "left_elbow", "left_wrist",
      "right_hip", "right_knee", "right_ankle", "left_hip", "left_knee", "left_ankle", "right_eye", "left_eye",
      "right_ear", "left_ear",
    ],
    connections: [
      (1, 2), (1, 5), (2, 3), (3, 4), (5, 6), (6, 7), (1, 8), (8, 9), (9, 10), (1, 11), (11, 12), (12, 13), (1, 0),
      (0, 14), (14, 16), (0, 15), (15, 17),
    ])
}
