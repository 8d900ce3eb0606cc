extension Skeleton {
  /// The 26 body keypoints of Halpe Full-Body, as AlphaPose and MMPose's RTMPose write them: COCO's 17, the top of the
  /// head, neck and hip, and the feet.
  ///
  /// Source: Halpe Full-Body, "Keypoints format", github.com/Fang-Haoshu/Halpe-FullBody; the connections are those that
  /// AlphaPose draws (`alphapose/utils/vis.py`).
  public static let halpe26 = Skeleton(
    name: "halpe-26",
    keypoints: coco17.keypoints + [
      "head", "neck", "root", "left_toe", "right_toe", "left_small_toe", "right_small_toe", "left_heel", "right_heel",
    ],
    connections: [
      (0, 1), (0, 2), (1, 3), (2, 4), (5, 18), (6, 18), (5, 7), (7, 9), (6, 8), (8, 10), (17, 18), (18, 19), (19, 11),
      (19, 12), (11, 13), (12, 14), (13, 15), (14, 16), (20, 24), (21, 25), (23, 25), (22, 24), (15, 24), (16, 25),
    ])
}
