extension PoseQuality {
  private static let guide = "AI coach guide: validatePoseQuality"
  private static let open = "left open by the AI coach guide"

  static let minimumConfidence = Parameter(
    "minimumConfidence", 0.5, in: 0...1, .ratio, "Joints at or below this confidence are not detected.",
    source: "\(guide), confidence > 0.5")
  static let minimumCompleteness = Parameter(
    "minimumCompleteness", 0.8, in: 0...2, .ratio, "From here on the pose is acceptable.",
    source: "\(guide), completenessScore >= 0.8")
  static let countsRequiredOnly = Parameter.toggle(
    "countsRequiredOnly", false, "Completeness counts the required joints only, not all that are found.",
    source: "off: \(guide) divides all joints found by those required")
  static let minimumStability = Parameter(
    "minimumStability", 0, in: 0...1, .ratio, "Below it the pose is not acceptable, however complete.",
    source: "0: \(guide) leaves stabilityScore at 1.0")
  static let worstNoise = Parameter(
    "worstNoise", 0.1, in: 0.001...1, .ratio, "Noise of the joints, in trunk lengths, at which stability is 0.",
    source: "\(open); a tenth of the trunk is where the percentage of detected joints (PDJ) begins to count")
  static let stabilityFrames = Parameter(
    "stabilityFrames", 15, in: 1...300, .frames, "How many frames stability is measured over.",
    source: "\(open); half a second at 30 frames a second")
  static let cueCooldown = Parameter(
    "cueCooldown", 4, in: 0...60, .seconds, "The shortest time between two cues.",
    source: "\(open); the squat form analyser's minimumSpeechInterval")

  /// Whether a region's joints are required.
  static func requires(_ region: BodyRegion) -> Parameter {
    let squat = RequiredJoints.regions(for: "squat") ?? []
    return .toggle(
      region.rawValue, squat.contains(region), "The \(region.rawValue) must be seen.",
      source: "\(guide), getRequiredJoints, left open: the joints of the squat's angles")
  }

  public static let parameters =
    [
      minimumConfidence, minimumCompleteness, countsRequiredOnly, minimumStability, worstNoise, stabilityFrames,
      cueCooldown,
    ]
    + BodyRegion.allCases.map { requires($0) }

  public static let presets =
    [
      Preset(
        "corrected",
        "Counts required joints only, so that a head can't stand in for a knee, and asks for a stable pose.",
        [countsRequiredOnly.name: 1, minimumStability.name: 0.5])
    ]
    + RequiredJoints.table.map { exercise, regions in
      Preset(
        exercise, "What \(exercise) needs to be seen.",
        Dictionary(uniqueKeysWithValues: BodyRegion.allCases.map { ($0.rawValue, regions.contains($0) ? 1 : 0) }))
    }
}
