extension Skeleton {
  /// The 19 joints of Apple Vision's 2D body pose, under the raw values of their names.
  ///
  /// Vision hands them out by name, without an order: the order is this file's. Its points are 0...1 of the image with
  /// y up. `head_joint` is the nose, a `forearm` the elbow, a `hand` the wrist, an `upLeg` the hip, a `leg` the knee and
  /// a `foot` the ankle, since a name of the rig stands for the bone that begins there.
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
