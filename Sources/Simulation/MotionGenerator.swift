import Datasets
import PoseModel
import Statistics

/// Makes a dataset of people who exercise: motion, cameras, a pose estimator's errors and raters, all from one seed.
///
/// A clip depends only on the seed, its exercise, its scenario, its subject's number and its own number, so that asking for
/// more exercises, scenarios, subjects or clips leaves the others as they are.
public struct MotionGenerator: Sendable {
  public var name: String
  public var exercises: [any Exercise]
  /// What each exercise is acted out as, each in clips of its own; where there is none, sets with habits of each subject.
  public var scenarios: [Scenario]
  public var seed: UInt64
  public var subjects: Int
  public var clipsPerSubject: Int
  public var precision: Precision

  /// What a change of the generator that changes its datasets counts up, so that no store takes what it made before for
  /// what it makes now.
  public static let version = 4

  /// The clip without a single rep: the second of the second subject, counted from 0.
  public static let clipWithoutReps = ClipNumber(subject: 1, clip: 1)

  /// - Precondition: there is an exercise, each is a `ScenarioExercise` where there are scenarios, and `subjects` and
  ///   `clipsPerSubject` are not negative.
  public init(
    name: String, exercises: [any Exercise], scenarios: [Scenario] = [], seed: UInt64, subjects: Int,
    clipsPerSubject: Int, precision: Precision = .decimal
  ) {
    precondition(subjects >= 0 && clipsPerSubject >= 0 && !exercises.isEmpty)
    precondition(scenarios.isEmpty || exercises.allSatisfy { $0 is any ScenarioExercise })
    self.name = name
    self.exercises = exercises
    self.scenarios = scenarios
    self.seed = seed
    self.subjects = subjects
    self.clipsPerSubject = clipsPerSubject
    self.precision = precision
  }

  public func generate() -> Dataset {
    Dataset(manifest: manifest, clips: (0..<clipCount).map { scene($0).clip() })
  }

  public var clipCount: Int { exercises.count * variants * subjects * clipsPerSubject }

  /// How many clips of each number a subject has of an exercise.
  private var variants: Int { max(scenarios.count, 1) }

  /// The scene at a position below `clipCount`: by exercise, then by scenario, then by subject.
  public func scene(_ position: Int) -> ClipScene {
    let perVariant = subjects * clipsPerSubject
    return scene(
      exercise: position / perVariant / variants, scenario: position / perVariant % variants,
      subject: position % perVariant / clipsPerSubject, clip: position % clipsPerSubject)
  }

  /// One clip's true motion, camera and all that its recording and labels are made from.
  ///
  /// - Parameter scenario: its position among `scenarios`, if there are any.
  public func scene(exercise: Int = 0, scenario: Int = 0, subject: Int, clip: Int) -> ClipScene {
    let chosen = exercises[exercise]
    let scenario = scenarios.isEmpty ? nil : scenarios[scenario]
    return ClipScene(
      chosen, as: scenario, seed: seed, subject: subject, clip: clip, aspect: aspect, precision: precision,
      labels: (exercises.count > 1 ? [chosen.name] : []) + (scenario.map { [$0.name] } ?? []))
  }

  /// Width divided by height of every image: a telephone held upright or, where somebody lies, on its side.
  public var aspect: Double { exercises.contains { $0.framing.isWide } ? 16.0 / 9 : 9.0 / 16 }

  public var manifest: Manifest {
    Manifest(
      name: name, version: "\(Self.version)", licence: "CC0-1.0",
      source: (["bench dataset generate: seed \(seed)", "\(subjects) subjects", "\(clipsPerSubject) clips each"]
        + scenarios.map(\.description)).joined(separator: ", "),
      origin: .synthetic,
      caveat: """
        The motion is generated, the pose estimator's errors are simulated and the raters are scripted programs. Results \
        on this dataset show that the programs work together; they are no evidence about people.
        """,
      skeleton: Skeleton.coco17.name, coordinates: CoordinateSystem(unit: .image(aspect: aspect), yAxis: .down),
      channels: [.x, .y, .confidence],
      criteria: [Manifest.Criterion(name: ClipScene.criterion, minimum: 0, maximum: 100)])
  }
}

/// What a clip shows for sure, where it is made to show one thing: the demonstrations of a live trainer.
public enum Scenario: Hashable, Sendable, CustomStringConvertible {
  /// One set without a fault, a half rep or haste.
  case perfectForm
  /// One set in which every rep has the same fault, as bad as this: within `severities`.
  ///
  /// The fault is the one of this name, or where there is no name each of the exercise's usual ones in turn.
  case needsCorrection(of: String? = nil, severity: Double)
  /// Walking up, two sets with a pause between them and a fault here and there, walking off.
  case fullWorkflow

  /// The scenario that a fault and its severity are of.
  public static let correcting = needsCorrection(severity: usualSeverity).name

  /// In the order in which a demonstration shows them.
  public static let names = [perfectForm, needsCorrection(severity: usualSeverity), fullWorkflow].map(\.name)

  /// How bad a fault is that needs correction, unless something else is asked for: what all raters see.
  public static let usualSeverity = 0.8

  /// How bad it may be asked to be: from what a rater may just see to the worst.
  public static let severities = 0.2...1.0

  /// - Parameters:
  ///   - fault: of `needsCorrection`, one of `ScenarioExercise.faultNames`.
  ///   - severity: of that fault.
  /// - Returns: `nil` for a name that is none of `names`.
  public init?(_ name: String, of fault: String? = nil, severity: Double = usualSeverity) {
    switch name {
    case "perfect-form": self = .perfectForm
    case "needs-correction": self = .needsCorrection(of: fault, severity: severity)
    case "full-workflow": self = .fullWorkflow
    default: return nil
    }
  }

  /// As in recipes and in the names of clips.
  public var name: String {
    switch self {
    case .perfectForm: "perfect-form"
    case .needsCorrection: "needs-correction"
    case .fullWorkflow: "full-workflow"
    }
  }

  /// The name and, where there is one, the severity.
  public var description: String {
    guard case .needsCorrection(let fault, let severity) = self else { return name }
    return "\(name)\(fault.map { " of \($0)" } ?? "") at severity \(severity)"
  }

  /// The sets of a scenario: how bad the fault is in each rep of each, 0 where the rep is good.
  func sets(using generator: inout SeededGenerator) -> [[Double]] {
    switch self {
    case .perfectForm: return [Array(repeating: 0, count: generator.integer(5...8))]
    case .needsCorrection(_, let severity): return [Array(repeating: severity, count: generator.integer(5...8))]
    case .fullWorkflow:
      var sets = (0..<2).map { _ in
        (0..<generator.integer(4...6)).map { _ in generator.chance(0.3) ? generator.uniform(0.4, 0.9) : 0 }
      }
      // A clip without any fault would show less than the whole, and the last rep is the likeliest to have one.
      sets[1][sets[1].count - 1] = generator.uniform(0.6, 0.9)
      return sets
    }
  }

  /// The fault of a clip's scenario: the one that it asks for or, if it asks for none that is known, each usual one in turn,
  /// by subject and clip.
  func fault<Fault>(
    of usual: [Fault], onRequest others: [Fault] = [], in clip: ClipNumber, called name: (Fault) -> String
  ) -> Fault {
    if case .needsCorrection(let wanted?, _) = self, let fault = (usual + others).first(where: { name($0) == wanted }) {
      return fault
    }
    return usual[(clip.subject + clip.clip) % usual.count]
  }
}
