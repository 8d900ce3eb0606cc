import PoseModel

/// A pair of joints that a person can be asked to bring into the picture.
public enum BodyRegion: String, CaseIterable, Hashable, Sendable {
  case shoulders, elbows, wrists, hips, knees, ankles

  public var joints: [Joint] {
    switch self {
    case .shoulders: [.leftShoulder, .rightShoulder]
    case .elbows: [.leftElbow, .rightElbow]
    case .wrists: [.leftWrist, .rightWrist]
    case .hips: [.leftHip, .rightHip]
    case .knees: [.leftKnee, .rightKnee]
    case .ankles: [.leftAnkle, .rightAnkle]
    }
  }

  /// What to say when it is out of sight.
  var cue: String {
    switch self {
    case .shoulders: "I can't see your shoulders. Bring your upper body into the picture."
    case .elbows: "I can't see your elbows. Move away from whatever hides them."
    case .wrists: "I can't see your hands. Leave some room above and beside you."
    case .hips: "I can't see your hips. Step back until I see all of you."
    case .knees: "I can't see your knees. Tilt the camera down or step back."
    case .ankles: "I can't see your feet. Step back or lower the camera."
    }
  }
}
