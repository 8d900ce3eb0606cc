import PoseModel

/// How much of what an exercise needs one frame shows.
///
/// The AI coach guide's `validatePoseQuality` with its rules as they stand. They have two holes: completeness divides
/// *all* joints found by those required, so it can exceed 1 and a head can stand in for a knee, and a frame that passes
/// is said to miss nothing. `Rule.required` mends both.
public struct PoseQualityAssessment: Hashable, Sendable {
  public enum Rule: Hashable, Sendable {
    /// All joints found, whether required or not, divided by those required: the guide's.
    case anyJoint
    /// The required joints found, divided by those required.
    case required
  }

  /// The joints that the exercise needs.
  public let required: JointSet
  /// Of the guide's 14 joints, those above the minimum confidence.
  public let detected: JointSet
  public let rule: Rule
  let minimumCompleteness: Double
  /// How still the joints were held by the estimator, 0...1. The guide always says 1; see `JitterWindow`.
  public var stability: Double

  /// - Parameters:
  ///   - minimumConfidence: a joint is detected above it. The guide's is 0.5.
  ///   - minimumCompleteness: a pose is acceptable from it on. The guide's is 0.8.
  public init(
    _ poses: borrowing PoseColumns, frame: Int, required: JointSet, rule: Rule = .anyJoint,
    minimumConfidence: Float = 0.5, minimumCompleteness: Double = 0.8, stability: Double = 1
  ) {
    var detected: JointSet = []
    for index in RequiredJoints.guide.indices {
      let joint = RequiredJoints.guide[index]
      guard poses[joint, .confidence, frame] > minimumConfidence else { continue }
      if poses[joint, .x, frame].isFinite && poses[joint, .y, frame].isFinite { detected.formUnion(JointSet(joint)) }
    }
    self.required = required
    self.detected = detected
    self.rule = rule
    self.minimumCompleteness = minimumCompleteness
    self.stability = stability
  }

  /// At least 0, and at most 1 where only required joints count; 1 where none is required.
  public var completeness: Double {
    guard !required.isEmpty else { return 1 }
    let counted = rule == .required ? detected.intersection(required) : detected
    return Double(counted.count) / Double(required.count)
  }

  public var isAcceptable: Bool { completeness >= minimumCompleteness }

  /// 1 or 0, as the guide has it.
  public var overallQuality: Double { isAcceptable ? 1 : 0 }

  /// The guide reports the completeness once more under this name.
  public var confidence: Double { completeness }

  /// Required joints that were not found; by the guide's rule none where the pose is acceptable.
  public var missing: JointSet {
    rule == .anyJoint && isAcceptable ? [] : required.subtracting(detected)
  }
}
