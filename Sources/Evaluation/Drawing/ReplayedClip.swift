import Coaching
import Datasets
import PoseModel

/// One clip of a stored run played again to one of its detectors: with the run's parameters, perturbations and smoothing,
/// on the content that the run saw.
public struct ReplayedClip: Sendable {
  public let result: ClipResult
  public let labels: Labels
  public let manifest: Manifest
  public let setting: DetectorSetting
  /// As the detector saw them.
  public let poses: PoseSequence
  public let timeline: Timeline

  public var bones: [Bone] { Skeleton.named(manifest.skeleton)?.bones ?? [] }

  /// - Parameters:
  ///   - assignments: values in place of the run's.
  ///   - takesKept: whether what the store keeps of a folder that is gone will do.
  /// - Throws: `EvaluationError.missing` where the dataset has other content than the run saw, the clip or the detector
  ///   is gone, or the detector no longer takes the run's parameters; `EvaluationError.usage` for values that do not go
  ///   together.
  public init(
    _ clip: ClipResult, of results: RunResults, detector: String, replacing assignments: [Assignment] = [],
    in catalogue: DatasetCatalogue, takesKept: Bool = false, registry: DetectorRegistry
  ) throws {
    guard let card = results.detectors.first(where: { $0.name == detector }) else {
      let names = results.detectors.map(\.name)
      throw EvaluationError.missing(
        what: "detector \(detector)", expected: "one of the run's, \(names.joined(separator: ", "))",
        found: NearNames.question(detector, in: names))
    }
    let seen = results.datasets.first { $0.name == clip.dataset }?.content ?? ""
    let dataset =
      try takesKept
      ? catalogue.dataset(named: clip.dataset, keptAs: seen) : catalogue.dataset(named: clip.dataset)
    guard let content = dataset.content, content.description == seen else {
      throw EvaluationError.missing(
        what: "dataset \(clip.dataset)", expected: "the content that the run saw, \(seen), to replay \(clip.name)",
        found: dataset.content?.description ?? "an unfinished import")
    }
    guard let stored = try catalogue.store.clips(of: dataset).first(where: { $0.info.name == clip.name }) else {
      throw EvaluationError.missing(
        what: "clip \(clip.id)", expected: "a clip of the dataset", found: "none of that name")
    }
    let own = assignments.filter { $0.detector == detector }.map { ($0.parameter, $0.value) }
    do {
      setting = try DetectorSetting(
        try registry.detector(named: detector),
        replacing: card.parameters.merging(own) { _, last in last })
    } catch let error as ParameterError {
      guard own.isEmpty else { throw EvaluationError.usage("\(error)") }
      throw EvaluationError.missing(
        what: "detector \(detector)", expected: "one that takes the run's parameters", found: "\(error)")
    }
    let read = try catalogue.store.clip(stored, of: dataset)
    result = clip
    labels = read.labels
    manifest = dataset.manifest
    var poses = try read.poses(dataset.manifest)
    if let perturbation = results.perturbation, let skeleton = Skeleton.named(dataset.manifest.skeleton) {
      do {
        poses = try Perturbations(perturbation.text, seed: perturbation.seed).poses(
          poses, of: skeleton, clip: "\(clip.dataset)/\(clip.name)")
      } catch let error as PerturbationError {
        throw EvaluationError.missing(
          what: "perturbation of the run, \(perturbation.text)", expected: error.expected, found: error.found)
      }
    }
    if let text = results.smoothing { poses = poses.smoothed(by: try Smoothing(text)) }
    self.poses = poses
    timeline = Timeline(setting, on: poses)
  }
}
