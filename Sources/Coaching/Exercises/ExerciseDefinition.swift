import PoseModel

/// An exercise as data: what to measure, how reps or holds are told, and what can be wrong with them.
///
/// Made from a file by a reader, or in code. Every number in it is a `Parameter`, so that it can be set and swept like
/// any other detector's. `definition` makes the detector.
public struct ExerciseDefinition: Hashable, Sendable {
  /// How an exercise is told from everything else.
  public enum Rule: Hashable, Sendable {
    case reps(RepRule)
    case hold(HoldRule)
  }

  /// `push-up`, as datasets call it. Letters, digits and hyphens.
  public var name: String
  /// One sentence.
  public var summary: String
  /// The literature that it comes from.
  public var source: String
  /// The joints without which it says nothing. Of a joint with sides, one side is enough.
  public var joints: [Joint]
  public var signals: [ExerciseSignal]
  public var rule: Rule
  /// In the order of the file: of two that are as severe, the earlier one is spoken.
  public var faults: [ExerciseFault]
  /// What is said of a rep without faults; `nil` for nothing.
  public var praise: String?
  public var sight: SightParameters
  /// The shortest time between two cues.
  public var speechCooldown: Parameter

  public init(
    name: String, summary: String, source: String, joints: [Joint], signals: [ExerciseSignal], rule: Rule,
    faults: [ExerciseFault], praise: String?, sight: SightParameters, speechCooldown: Parameter
  ) {
    self.name = name
    self.summary = summary
    self.source = source
    self.joints = joints
    self.signals = signals
    self.rule = rule
    self.faults = faults
    self.praise = praise
    self.sight = sight
    self.speechCooldown = speechCooldown
  }

  /// Every number of the exercise.
  public var parameters: [Parameter] {
    let own =
      switch rule {
      case .reps(let rule): rule.parameters
      case .hold(let rule): rule.parameters
      }
    return own + faults.flatMap(\.parameters) + (faults.isEmpty ? [] : [speechCooldown]) + sight.all
  }
}
