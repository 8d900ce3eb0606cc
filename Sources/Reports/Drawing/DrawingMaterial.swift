import Datasets
import Evaluation
import Foundation

/// What a chart can be made of: a stored run, others beside it, the store and the reports, and what of them is asked for.
public struct DrawingMaterial: Sendable {
  public var project: Project
  public var store: Store
  public var registry: DetectorRegistry
  public var suite: String
  /// A run's id, the part behind the suite, or `latest`.
  public var run: String
  /// The run, or `baseline`, that the run is held against.
  public var other: String
  public var detector: String?
  public var clip: String?
  public var metric: String?
  /// A file in place of the newest of its kind.
  public var file: String?
  /// Values for the second of two settings: `reps.squat-states.bottomAngle=100`.
  public var assignments: [String]
  /// Drawn by itself, without a run.
  public var dataset: String?
  let bench: String

  public init(
    project: Project, store: Store, registry: DetectorRegistry, suite: String, run: String = "latest",
    other: String = "baseline", detector: String? = nil, clip: String? = nil, metric: String? = nil,
    file: String? = nil, assignments: [String] = [], dataset: String? = nil, bench: String
  ) {
    (self.project, self.store, self.registry, self.suite, self.run) = (project, store, registry, suite, run)
    (self.other, self.detector, self.clip, self.metric) = (other, detector, clip, metric)
    (self.file, self.assignments, self.dataset, self.bench) = (file, assignments, dataset, bench)
  }

  /// The stored run that is asked for.
  struct Run {
    var id: String
    var report: RunReport
    var results: RunResults { report.results }
    /// `SYNTHETIC squat-sample · squat-states`
    func source(_ detector: String) -> String { "\(report.sources) · \(detector)" }
    /// As in the run's report, so that both draw the same file.
    var metadata: [(key: String, value: String)] {
      report.metadata(String(id.trimmingPrefix("\(report.results.suite)/")))
    }
  }

  func storedRun() throws -> Run {
    let (id, results) = try store.run(named: run, ofSuite: suite)
    return Run(
      id: id,
      report: try RunReport(
        results, run: RunReport.Run(name: id, created: "", origin: nil), baseline: nil,
        reasonWithoutBaseline: "drawn from the store"))
  }

  /// The run that is asked for; where the latest is, the latest that has what a chart needs.
  func storedRun(having what: (RunResults) -> Bool) throws -> Run {
    guard run == "latest" else { return try storedRun() }
    var material = self
    for id in try store.runIDs(ofSuite: suite) {
      material.run = id
      let run = try material.storedRun()
      if what(run.results) { return run }
    }
    return try storedRun()
  }

  /// The detector that is asked for, or the first that has what a chart needs.
  ///
  /// - Parameter what: what it must have, in words: `reps that people counted too`.
  func detector(
    in results: RunResults, having what: String, where has: (String) -> Bool
  ) throws -> String {
    let names = results.detectors.map(\.name)
    if let detector {
      guard names.contains(detector) else {
        throw EvaluationError.usage(
          "expected one of the run's detectors \(names.joined(separator: ", ")), found "
            + NearNames.question(detector, in: names))
      }
      guard has(detector) else {
        throw EvaluationError.missing(what: "detector \(detector)", expected: what, found: "none in this run")
      }
      return detector
    }
    guard let first = names.first(where: has) else {
      throw EvaluationError.missing(what: "run \(run) of suite \(suite)", expected: what, found: "none")
    }
    return first
  }

  /// The clip that is asked for; where none is, the one on which the detector does worst.
  func clip(in results: RunResults, detector: String) throws -> ClipResult {
    guard let clip else {
      guard let first = results.worstClips(detector).first ?? results.clips.first else {
        throw EvaluationError.missing(what: "run \(run) of suite \(suite)", expected: "a clip", found: "none")
      }
      return first
    }
    guard let found = results.clips.first(where: { [$0.id, $0.name].contains(clip) }) else {
      throw EvaluationError.missing(
        what: "clip \(clip)", expected: "a clip of the run",
        found: "none called " + NearNames.question(clip, in: results.clips.map(\.name)))
    }
    return found
  }

  /// Plays a clip again, and says so.
  func replay(
    _ clip: ClipResult, of results: RunResults, detector: String, replacing assignments: [Assignment] = []
  ) throws -> ReplayedClip {
    try ReplayedClip(
      clip, of: results, detector: detector, replacing: assignments,
      in: DatasetCatalogue(project: project, store: store), takesKept: true, registry: registry)
  }

  /// What is said of a clip that was played again.
  func replayNote(_ clip: ClipResult, _ results: RunResults) -> String {
    "replayed \(clip.id) with the run's parameters on the content that it saw"
      + (results.bench == bench ? "" : "; the run is of bench \(results.bench), this is \(bench)")
  }
}
