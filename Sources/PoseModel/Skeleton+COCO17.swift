extension Skeleton {
  /// The 17 keypoints of COCO, as MoveNet, AlphaPose, YOLO-pose and others write them.
  ///
  /// Source: Lin et al., Microsoft COCO: Common Objects in Context, 2014, and the keypoint list of the COCO 2017 person
  /// annotations; the connections are those of TensorFlow's MoveNet tutorial.
  public static let coco17 = Skeleton(
    name: "coco-17",
    keypoints: [
      "nose", "left_eye", "right_eye", "left_ear", "right_ear", "left_shoulder", "right_shoulder", "left_elbow",
      "right_elbow", "left_wrist", "right_wrist", "left_hip", "right_hip", "left_knee", "right_knee", "left_ankle",
      "right_ankle",
    ],
    connections: [
      (0, 1), (0, 2), (1, 3), (2, 4), (0, 5), (0, 6), (5, 7), (7, 9), (6, 8), (8, 10), (5, 6), (5, 11), (6, 12),
      (11, 12), (11, 13), (13, 15), (12, 14), (14, 16),
    ])
}
