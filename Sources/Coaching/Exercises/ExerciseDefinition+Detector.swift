import PoseModel

extension ExerciseDefinition {
  /// The name of its detector: `exercise-push-up`.
  public var detectorName: String { "exercise-\(name)" }

  /// The detector that it defines.
  public var definition: DetectorDefinition {
    DetectorDefinition(profile: profile, parameters: parameters) { (values) throws(ParameterError) in
      switch rule {
      case .reps(let rule): try RepExerciseDetector(self, rule, values)
      case .hold(let rule): HoldExerciseDetector(self, rule, values)
      }
    }
  }

  private var profile: DetectorProfile {
    let names = faults.map(\.name)
    let kind: DetectorProfile.Kind
    let labels: [String]
    switch rule {
    case .reps: (kind, labels) = (.reps, [])
    case .hold(let rule): (kind, labels) = (.posture, [rule.label] + names)
    }
    return DetectorProfile(
      name: detectorName, kind: kind, exercise: name, summary: summary, source: source, joints: joints,
      speaks: !faults.isEmpty, cooldown: speechCooldown, faults: names, criterion: faults.isEmpty ? nil : "form",
      labels: labels)
  }
}
