import Datasets
import Evaluation
import Foundation
import Simulation

/// A million frames of generated squats in a store, and a suite on them.
struct Recordings {
  static let name = "million-frames"

  let project: Project

  init(folder: String) { project = Project(root: folder) }

  /// Writes store and suite, unless they exist.
  func prepare() throws {
    let recipe = """
      exercise: squat
      seed: 1
      subjects: 100
      clips_per_subject: 21

      """
    for path in [project.datasetFolder(Self.name) + "/", project.suiteFile(Self.name), project.storePath] {
      try FileManager.default.createDirectory(
        at: URL(fileURLWithPath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
    }
    let folder = project.datasetFolder(Self.name)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(recipe.utf8).write(to: URL(fileURLWithPath: folder + "/" + DatasetRecipe.file))
    let content = try Store(at: project.storePath).importing(folder: folder, cacheOf: folder).content
    let suite = """
      suite: \(Self.name)
      version: 1
      datasets:
      - name: \(Self.name)
        content: \(content)
      exercises: [squat]
      detectors:
      - name: squat-states
      matching: { instant: end, tolerance_s: 0.5 }
      camera: { fps: 30, estimator_ms: 30 }
      metrics:
      - { detector: squat-states, metric: count.mae, margin: 0.2 }
      - { detector: squat-states, metric: reps.f1, margin: 0.03 }
      stop_at: 0.2

      """
    try Data(suite.utf8).write(to: URL(fileURLWithPath: project.suiteFile(Self.name)))
  }
}
