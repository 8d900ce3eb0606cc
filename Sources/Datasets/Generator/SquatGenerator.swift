import PoseModel

/// Makes a dataset of people who squat: motion, cameras, a pose estimator's errors and raters, all from one seed.
///
/// A clip depends only on the seed, its subject's number and its own number, so that asking for more subjects or clips
/// leaves the others as they are.
public struct SquatGenerator: Hashable, Sendable {
  public var name: String
  public var seed: UInt64
  public var subjects: Int
  public var clipsPerSubject: Int

  /// Width divided by height of every image: a telephone held upright.
  public static let aspect = 9.0 / 16

  /// The clip without a single rep: the second of the second subject, counted from 0.
  public static let clipWithoutReps = (subject: 1, clip: 1)

  /// - Precondition: `subjects` and `clipsPerSubject` are not negative.
  public init(name: String = "squat-sample", seed: UInt64, subjects: Int, clipsPerSubject: Int) {
    precondition(subjects >= 0 && clipsPerSubject >= 0)
    self.name = name
    self.seed = seed
    self.subjects = subjects
    self.clipsPerSubject = clipsPerSubject
  }

  public func generate() -> Dataset {
    Dataset(
      manifest: manifest,
      clips: (0..<subjects).flatMap { subject in
        (0..<clipsPerSubject).map { scene(subject: subject, clip: $0).clip() }
      })
  }

  /// One clip's true motion, camera and all that its recording and labels are made from.
  public func scene(subject: Int, clip: Int) -> SquatScene {
    SquatScene(seed: seed, subject: subject, clip: clip)
  }

  public var manifest: Manifest {
    Manifest(
      name: name, version: "1", licence: "CC0-1.0",
      source: "bench dataset generate: seed \(seed), \(subjects) subjects, \(clipsPerSubject) clips each",
      origin: .synthetic,
      caveat: """
        The motion is generated, the pose estimator's errors are simulated and the raters are scripted programs. Results \
        on this dataset show that the programs work together; they are no evidence about people.
        """,
      skeleton: Skeleton.coco17.name, coordinates: CoordinateSystem(unit: .image(aspect: Self.aspect), yAxis: .down),
      channels: [.x, .y, .confidence],
      criteria: [Manifest.Criterion(name: SquatScene.criterion, minimum: 0, maximum: 100)])
  }
}
