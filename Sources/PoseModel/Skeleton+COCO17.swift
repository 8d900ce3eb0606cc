extension Skeleton {
  /// The 17 keypoints of COCO, as MoveNet, AlphaPose, YOLO-pose and others write them.
  ///
  /// Source: Lin et al., Microsoft COCO: Common Objects in Context, 2014, and the keypoint list of the COCO 2017 person
  /// annotations.
  public static let coco17 = Skeleton(
    name: "coco-17",
    keypoints: [
      "nose", "left_eye", "right_eye", "left_ear", "right_ear", "left_shoulder", "right_shoulder", "left_elbow",
      "right_elbow", "left_wrist", "right_wrist", "left_hip", "right_hip", "left_knee", "right_knee", "left_ankle",
      "right_ankle",
    ])
}
