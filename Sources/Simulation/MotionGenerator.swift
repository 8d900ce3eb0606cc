import Datasets
import PoseModel
import Statistics

/// Generates a dataset of people who exercise: motion, cameras, a pose estimator's errors and raters, all from one
/// seed.
///
/// A clip depends only on the seed, its exercise, its scenario, its subject's number and its own number: adding
/// exercises, scenarios, subjects or clips leaves the others unchanged.
public struct MotionGenerator: Sendable {
  public var name: String
  public var exercises: [any Exercise]
  /// The scenarios of each exercise, each in its own clips; if empty, sets with each subject's habits.
  public var scenarios: [Scenario]
  public var seed: UInt64
  public var subjects: Int
  public var clipsPerSubject: Int
  public var precision: Precision
  /// The position of the camera of all clips; `nil` for cameras that are drawn for each clip.
  public var stand: CameraStand?

  /// Incremented by every change of the generator that changes its datasets, to keep a store from reusing older ones.
  public static let version = 4

  /// The clip without a single rep: the second of the second subject, counted from 0.
  public static let clipWithoutReps = ClipNumber(subject: 1, clip: 1)

  /// - Precondition: There is an exercise, each is a `ScenarioExercise` if there are scenarios, and `subjects` and
  ///   `clipsPerSubject` are not negative.
  public init(
    name: String, exercises: [any Exercise], scenarios: [Scenario] = [], seed: UInt64, subjects: Int,
    clipsPerSubject: Int, precision: Precision = .decimal, stand: CameraStand? = nil
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
    self.stand = stand
  }

  public func generate() -> Dataset {
    Dataset(manifest: manifest, clips: (0..<clipCount).map { scene($0).clip() })
  }

  public var clipCount: Int { exercises.count * variants * subjects * clipsPerSubject }

  /// The number of clips with the same number that a subject has per exercise.
  private var variants: Int { max(scenarios.count, 1) }

  /// The scene at an index below `clipCount`: by exercise, then by scenario, then by subject.
  public func scene(_ position: Int) -> ClipScene {
    let perVariant = subjects * clipsPerSubject
    return scene(
      exercise: position / perVariant / variants, scenario: position / perVariant % variants,
      subject: position % perVariant / clipsPerSubject, clip: position % clipsPerSubject)
  }

  /// The true motion, camera, estimator and raters of one clip.
  ///
  /// - Parameter scenario: An index in `scenarios`, if there are any.
  public func scene(exercise: Int = 0, scenario: Int = 0, subject: Int, clip: Int) -> ClipScene {
    let chosen = exercises[exercise]
    let scenario = scenarios.isEmpty ? nil : scenarios[scenario]
    return ClipScene(
      chosen, as: scenario, seed: seed, subject: subject, clip: clip, aspect: aspect, precision: precision,
      from: stand, labels: (exercises.count > 1 ? [chosen.name] : []) + (scenario.map { [$0.name] } ?? []))
  }

  /// Width divided by height of every image: a phone held upright or, for exercises lying down, on its side.
  public var aspect: Double { exercises.contains { $0.framing.isWide } ? 16.0 / 9 : 9.0 / 16 }

  public var manifest: Manifest {
    Manifest(
      name: name, version: "\(Self.version)", licence: "CC0-1.0",
      source: (["bench dataset generate: seed \(seed)", "\(subjects) subjects", "\(clipsPerSubject) clips each"]
        + scenarios.map(\.description)
        + (stand.map { ["camera at \($0)"] } ?? [])).joined(separator: ", "),
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

/// The guaranteed content of a demonstration clip, as for a live trainer.
public enum Scenario: Hashable, Sendable, CustomStringConvertible {
  /// One set without a fault, half rep or haste.
  case perfectForm
  /// One set in which every rep has the same fault with this severity, within `severities`.
  ///
  /// The named fault or, without a name, each of the exercise's usual ones in turn.
  case needsCorrection(of: String? = nil, severity: Double)
  /// Walking up, two sets with a pause between them and occasional faults, walking away.
  case fullWorkflow

  /// The name of the scenario with a fault and its severity.
  public static let correcting = needsCorrection(severity: usualSeverity).name

  /// In the order of a demonstration.
  public static let names = [perfectForm, needsCorrection(severity: usualSeverity), fullWorkflow].map(\.name)

  /// The default severity of a fault in `needsCorrection`, which all raters see.
  public static let usualSeverity = 0.8

  /// The possible severities: from barely visible to the worst.
  public static let severities = 0.2...1.0

  /// - Parameters:
  ///   - fault: For `needsCorrection`, one of `ScenarioExercise.faultNames`.
  ///   - severity: The severity of that fault.
  /// - Returns: `nil` for a name that is not in `names`.
  public init?(_ name: String, of fault: String? = nil, severity: Double = usualSeverity) {
    switch name {
    case "perfect-form": self = .perfectForm
    case "needs-correction": self = .needsCorrection(of: fault, severity: severity)
    case "full-workflow": self = .fullWorkflow
    default: return nil
    }
  }

  /// The name in recipes and in the names of clips.
  public var name: String {
    switch self {
    case .perfectForm: "perfect-form"
    case .needsCorrection: "needs-correction"
    case .fullWorkflow: "full-workflow"
    }
  }

  /// The name and, if there is one, the severity.
  public var description: String {
    guard case .needsCorrection(let fault, let severity) = self else { return name }
    return "\(name)\(fault.map { " of \($0)" } ?? "") at severity \(severity)"
  }

  /// The sets of a scenario: the severity of the fault in each rep of each set, 0 for a good rep.
  func sets(using generator: inout SeededGenerator) -> [[Double]] {
    switch self {
    case .perfectForm: return [Array(repeating: 0, count: generator.integer(5...8))]
    case .needsCorrection(_, let severity): return [Array(repeating: severity, count: generator.integer(5...8))]
    case .fullWorkflow:
      var sets = (0..<2).map { _ in
        (0..<generator.integer(4...6)).map { _ in generator.chance(0.3) ? generator.uniform(0.4, 0.9) : 0 }
      }
      // A clip without any fault would be incomplete: the last rep, the most likely one to have a fault, always has
      // one.
      sets[1][sets[1].count - 1] = generator.uniform(0.6, 0.9)
      return sets
    }
  }

  /// The fault of a clip's scenario: the requested one or, without a known request, each usual one in turn, by subject
  /// and clip.
  func fault<Fault>(
    of usual: [Fault], onRequest others: [Fault] = [], in clip: ClipNumber, called name: (Fault) -> String
  ) -> Fault {
    if case .needsCorrection(let wanted?, _) = self, let fault = (usual + others).first(where: { name($0) == wanted }) {
      return fault
    }
    return usual[(clip.subject + clip.clip) % usual.count]
  }
}
