extension Skeleton {
  /// The 25 keypoints of OpenPose's BODY_25 model, under the common joints' names where they are common joints.
  ///
  /// A keypoint that was not found is written as x = y = confidence = 0: an importer has to make it NaN.
  ///
  /// Source: Cao et al., OpenPose: Realtime Multi-Person 2D Pose Estimation using Part Affinity Fields, 2019, and
  /// `POSE_BODY_25_BODY_PARTS` and its part pairs in OpenPose's `poseParameters.cpp`.
  public static let body25 = Skeleton(
    name: "body-25",
    keypoints: [
      "nose", "neck", "right_shoulder", "right_elbow", "right_wrist", "left_shoulder", "left_elbow", "left_wrist",
      "root", "right_hip", "right_knee", "right_ankle", "left_hip", "left_knee", "left_ankle", "right_eye", "left_eye",
      "right_ear", "left_ear", "left_toe", "left_small_toe", "left_heel", "right_toe", "right_small_toe", "right_heel",
    ],
    connections: [
      (1, 8), (1, 2), (1, 5), (2, 3), (3, 4), (5, 6), (6, 7), (8, 9), (9, 10), (10, 11), (8, 12), (12, 13), (13, 14),
      (1, 0), (0, 15), (15, 17), (0, 16), (16, 18), (14, 19), (19, 20), (14, 21), (11, 22), (22, 23), (11, 24),
    ])
}
