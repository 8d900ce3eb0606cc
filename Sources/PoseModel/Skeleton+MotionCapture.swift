extension Skeleton {
  /// The joint centres that motion capture leads to, with heels and toes as their markers or bones' ends.
  ///
  /// `head` is the middle of the markers or the bone of the head and no joint that others have. The toe is the marker on
  /// the second metatarsal head or the like, some centimetres behind the tip of the big toe that other skeletons mean.
  public static let motionCapture = Skeleton(
    name: "motion-capture",
    keypoints: [
      "head", "left_shoulder", "right_shoulder", "left_elbow", "right_elbow", "left_wrist", "right_wrist", "left_hip",
      "right_hip", "left_knee", "right_knee", "left_ankle", "right_ankle", "left_heel", "right_heel", "left_toe",
      "right_toe",
    ],
    connections: [
      (1, 2), (1, 3), (3, 5), (2, 4), (4, 6), (1, 7), (2, 8), (7, 8), (7, 9), (9, 11), (8, 10), (10, 12), (11, 13),
      (11, 15), (13, 15), (12, 14), (12, 16), (14, 16),
    ])
}
