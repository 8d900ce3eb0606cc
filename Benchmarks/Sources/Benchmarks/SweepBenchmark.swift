import Datasets
import Evaluation
import Pipeline
import Simulation

/// A sweep of 1,000 settings of the squat counter over a million frames on two threads.
struct SweepBenchmark {
  var folder: String
  var metric: String

  func measure() async throws -> Row {
    let project = Recordings(folder: folder).project
    let registry = DetectorRegistry.builtIn
    let suite = try project.suite(named: Recordings.name, registry: registry)
    let detectors = try suite.detectors.map { try registry.detector(named: $0.name) }
    let plan = try SweepPlan(
      ["bottomAngle=70...119:1", "standingAngle=141...160:1"].map {
        try SweepAxis("reps.squat-states.\($0)", of: detectors)
      })
    let store = try Store(at: project.storePath)
    let run = try SweepRun(plan, metric: metric, on: SuiteRun(suite, in: project, store: store, registry: registry))
    let generator = try DatasetRecipe(project.datasetFolder(Recordings.name)).generator
    let frames = (0..<generator.clipCount).reduce(0) { $0 + generator.scene($1).times.count }
    let effort = try await Effort { _ = try await run.results(version: "benchmark", threads: 2) }
    return Row(
      what: "sweep of \(run.settingCount) settings over \(frames) frames, \(metric)", claimed: "under 10 s, 500 MB",
      measured: "\(effort.wall.text(1)) s (CPU \(effort.cpu.text(1)) s), \(effort.peakMemory.text(0)) MB",
      holds: effort.wall < 10 && effort.peakMemory < 500 && run.settingCount >= 1_000 && frames >= 1_000_000)
  }
}
