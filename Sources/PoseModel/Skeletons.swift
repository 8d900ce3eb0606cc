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

extension Skeleton {
  /// The 33 landmarks of BlazePose (MediaPipe Pose).
  ///
  /// Source: Bazarevsky et al., BlazePose: On-device Real-time Body Pose tracking, 2020, and the landmark list of the
  /// MediaPipe Pose Landmarker guide.
  public static let blazePose33 = Skeleton(
    name: "blazepose-33",
    keypoints: [
      "nose", "left_eye_inner", "left_eye", "left_eye_outer", "right_eye_inner", "right_eye", "right_eye_outer",
      "left_ear", "right_ear", "mouth_left", "mouth_right", "left_shoulder", "right_shoulder", "left_elbow",
      "right_elbow", "left_wrist", "right_wrist", "left_pinky", "right_pinky", "left_index", "right_index",
      "left_thumb", "right_thumb", "left_hip", "right_hip", "left_knee", "right_knee", "left_ankle", "right_ankle",
      "left_heel", "right_heel", "left_foot_index", "right_foot_index",
    ],
    renamed: [.leftToe: "left_foot_index", .rightToe: "right_foot_index"],
    connections: [
      (0, 1), (1, 2), (2, 3), (3, 7), (0, 4), (4, 5), (5, 6), (6, 8), (9, 10), (11, 12), (11, 13), (13, 15), (15, 17),
      (15, 19), (15, 21), (17, 19), (12, 14), (14, 16), (16, 18), (16, 20), (16, 22), (18, 20), (11, 23), (12, 24),
      (23, 24), (23, 25), (24, 26), (25, 27), (26, 28), (27, 29), (28, 30), (29, 31), (30, 32), (27, 31), (28, 32),
    ])
}

extension Skeleton {
  /// The 25 keypoints of OpenPose's BODY_25 model, under the common joints' names where they are common joints.
  ///
  /// A keypoint that was not found is written as x = y = confidence = 0: an importer must convert it to NaN.
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

extension Skeleton {
  /// The 18 keypoints of OpenPose's COCO model: COCO's 17 and a neck, in OpenPose's order.
  ///
  /// A keypoint that was not found is written as x = y = confidence = 0: an importer must convert it to NaN.
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

extension Skeleton {
  /// The 19 joints of Apple Vision's 2D body pose, under the raw values of their names.
  ///
  /// Vision returns them by name, without an order: the order is this file's. Its points are 0...1 of the image with y
  /// up. `head_joint` is the nose, a `forearm` the elbow, a `hand` the wrist, an `upLeg` the hip, a `leg` the knee and
  /// a `foot` the ankle, because the rig names each bone by where it begins.
  ///
  /// Source: Apple, VNHumanBodyPoseObservation.JointName, and the raw values in logs of its observations.
  public static let appleVision19 = Skeleton(
    name: "apple-vision-19",
    keypoints: [
      "head_joint", "left_eye_joint", "right_eye_joint", "left_ear_joint", "right_ear_joint", "neck_1_joint",
      "left_shoulder_1_joint", "right_shoulder_1_joint", "left_forearm_joint", "right_forearm_joint",
      "left_hand_joint", "right_hand_joint", "root", "left_upLeg_joint", "right_upLeg_joint", "left_leg_joint",
      "right_leg_joint", "left_foot_joint", "right_foot_joint",
    ],
    renamed: [
      .nose: "head_joint", .leftEye: "left_eye_joint", .rightEye: "right_eye_joint", .leftEar: "left_ear_joint",
      .rightEar: "right_ear_joint", .neck: "neck_1_joint", .leftShoulder: "left_shoulder_1_joint",
      .rightShoulder: "right_shoulder_1_joint", .leftElbow: "left_forearm_joint", .rightElbow: "right_forearm_joint",
      .leftWrist: "left_hand_joint", .rightWrist: "right_hand_joint", .leftHip: "left_upLeg_joint",
      .rightHip: "right_upLeg_joint", .leftKnee: "left_leg_joint", .rightKnee: "right_leg_joint",
      .leftAnkle: "left_foot_joint", .rightAnkle: "right_foot_joint",
    ],
    connections: [
      (0, 1), (0, 2), (1, 3), (2, 4), (0, 5), (5, 6), (5, 7), (6, 8), (7, 9), (8, 10), (9, 11), (5, 12), (12, 13),
      (12, 14), (13, 15), (14, 16), (15, 17), (16, 18),
    ])
}

extension Skeleton {
  /// The joint centres from motion capture, with heels and toes as their markers or bones' ends.
  ///
  /// `head` is the middle of the markers or the bone of the head, a joint that other skeletons lack. The toe is the
  /// marker on the second metatarsal head or similar, some centimetres behind the tip of the big toe in other
  /// skeletons.
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
