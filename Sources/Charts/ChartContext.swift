import Datasets
import Evaluation
import Files
import Foundation
import Pipeline
import Scoring
import Statistics

/// The input of a chart: a stored run, runs to compare it with, the store, the reports and the user's options.
public struct ChartContext: Sendable {
  public var project: Project
  public var store: Store
  public var registry: DetectorRegistry
  public var suite: String
  /// A run's id, the part after the suite, or `latest`.
  public var run: String
  /// The run, or `baseline`, to compare with.
  public var other: String
  public var detector: String?
  public var clip: String?
  public var metric: String?
  /// A file instead of the newest of its kind.
  public var file: String?
  /// Values for the second of two settings: `reps.squat-states.bottomAngle=100`.
  public var assignments: [String]
  /// The dataset to draw without a run.
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

  /// The selected stored run.
  struct Run {
    var id: String
    var results: RunResults
    /// The metadata of the run's pictures, the same as in its report.
    var metadata: [(key: String, value: String)] {
      results.metadata(run: RunID(id)?.name ?? id)
    }
  }

  func storedRun() throws -> Run {
    let (id, results) = try store.run(named: run, ofSuite: suite)
    return Run(id: id, results: results)
  }

  /// The selected run; for `latest`, the latest one with what the chart needs.
  func storedRun(having what: (RunResults) -> Bool) throws -> Run {
    guard run == "latest" else { return try storedRun() }
    var context = self
    for id in try store.runIDs(ofSuite: suite) {
      context.run = id
      let run = try context.storedRun()
      if what(run.results) { return run }
    }
    return try storedRun()
  }

  /// The selected detector, or the first that has the data for a chart.
  ///
  /// - Parameter what: The required data, for the error message: `clips with labelled counts`.
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

  /// The selected clip, otherwise the detector's worst clip.
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

  /// Replays a clip, and adds a note.
  func replay(
    _ clip: ClipResult, of results: RunResults, detector: String, replacing assignments: [Assignment] = []
  ) throws -> ReplayedClip {
    var clips = RunClips(
      results, in: DatasetCatalogue(project: project, store: store), takesKept: true, registry: registry)
    return try clips.replay(clip, detector: detector, replacing: assignments)
  }

  /// The note on a replayed clip.
  func replayNote(_ clip: ClipResult, _ results: RunResults) -> String {
    "replayed \(clip.id) with the run's parameters and data"
      + (results.bench == bench ? "" : "; the run was made by bench \(results.bench), this is bench \(bench)")
  }
}

extension ChartContext {
  /// The selected results file, or that of the suite's newest study of this kind.
  ///
  /// - Parameters:
  ///   - kind: `sweep`
  ///   - remedy: Arguments of the command that makes such a study.
  /// - Throws: `EvaluationError.missing` if there is none.
  func studyFile(_ kind: String, remedy: String) throws -> String {
    if let file { return file }
    let folder = try project.within(project.reportFolder(suite))
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    guard let newest = names.filter({ $0.hasPrefix("\(kind)-") }).max() else {
      let command = kind == "selftest" ? "selftest gate" : kind
      throw EvaluationError.missing(
        what: "suite \(suite)", expected: "a folder \(kind)-<time> in \(folder)",
        found: "none; make one with: bench \(command) --suite \(suite)\(remedy.isEmpty ? "" : " \(remedy)")")
    }
    return try project.within("\(folder)/\(newest)/\(kind).json")
  }

  /// The charts of a study.
  ///
  /// - Parameters:
  ///   - content: The datasets by content hash: `squat-sample sha256:…`.
  ///   - file: The file with its numbers, in the folder of its report.
  func pictures(
    _ pictures: [ReportPicture], bench: String, suite: String, content: String, file: String
  ) -> [ChartRecipe.Picture] {
    let folder = URL(fileURLWithPath: file).deletingLastPathComponent().lastPathComponent
    let metadata =
      [(key: "Software", value: "bench \(bench)"), (key: "Suite", value: suite), (key: "Run", value: folder)]
      + (content.isEmpty ? [] : [(key: "Content", value: content)])
    return pictures.map {
      ChartRecipe.Picture($0, of: pictures.count, notes: ["from \(file)"], metadata: metadata)
    }
  }
}

extension RunResults {
  /// The metadata of every picture.
  package func metadata(run: String) -> [(key: String, value: String)] {
    [("Software", "bench \(bench)"), ("Suite", suite), ("Run", run), ("Content", datasets.contents)]
  }

  /// The results with only the clips that a chart shows, and their datasets.
  func showing(_ isShown: (ClipResult) -> Bool) -> RunResults {
    var shown = self
    shown.clips = clips.filter(isShown)
    let names = Set(shown.clips.map(\.dataset))
    shown.datasets = datasets.filter { names.contains($0.name) }
    return shown
  }

  /// `SYNTHETIC squat-sample · squat-states`
  func source(_ detector: String) -> String { "\(datasets.sources) · \(detector)" }

  /// The source of a chart of one clip.
  func source(_ detector: String, on clip: ClipResult) -> String {
    "\(datasets.filter { $0.name == clip.dataset }.sources) · \(detector)"
  }

  /// The number of people in all clips.
  var subjectCount: Int { Set(clips.map(\.person)).count }

  /// The subject, without the dataset name if there is only one dataset.
  func subjectName(_ clip: ClipResult) -> String {
    datasets.count > 1 ? clip.person : clip.subject
  }

  /// `count error 0.417 reps (95 % 0.1 to 0.7)`
  func remark(_ detector: String, _ name: String) -> String? {
    metric(detector, name).map { metric in
      "\(Metric.plainName(of: name)) " + NumberText.quantity(metric.value, unit: metric.unit)
        + " (95 % \(NumberText.interval(metric)))" + (metric.unanswered.map { ", \($0) without a prediction" } ?? "")
    }
  }

  /// `nil` if undefined.
  func estimate(_ detector: String, _ name: String) -> Estimate? {
    guard let metric = metric(detector, name), let value = metric.value else { return nil }
    return Estimate(value, lower: metric.interval?.low, upper: metric.interval?.high)
  }
}

extension [RunResults.DatasetCard] {
  /// `SYNTHETIC squat-sample`, or `SYNTHETIC: lunge-sample, squat-sample` if all are.
  package var sources: String {
    if count > 1, allSatisfy({ $0.origin == .synthetic }) { return "SYNTHETIC: \(map(\.name).joined(separator: ", "))" }
    return map { "\($0.origin == .synthetic ? "SYNTHETIC " : "")\($0.name)" }.joined(separator: ", ")
  }

  /// `squat-sample sha256:…`
  package var contents: String { map { "\($0.name) \($0.content)" }.joined(separator: ", ") }
}

/// A metric as an axis title: `count error (reps, lower is better)`; without a direction if unknown.
package func metricTitle(_ name: String, unit: String, _ direction: Metric.Direction?) -> String {
  let better =
    switch direction {
    case .higherIsBetter: "higher is better"
    case .lowerIsBetter: "lower is better"
    case .zeroIsBest: "closer to 0 is better"
    case nil: ""
    }
  let words = [unit, better].filter { !$0.isEmpty }
  let title = Metric.plainName(of: name)
  return words.isEmpty ? title : "\(title) (\(words.joined(separator: ", ")))"
}

extension SweepResults.MetricCard {
  /// `count error (reps, lower is better)`
  package var title: String { metricTitle(name, unit: unit, direction) }
}
