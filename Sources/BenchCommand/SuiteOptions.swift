import ArgumentParser
import Coaching
import Datasets
import Evaluation
import Files
import Foundation
import Pipeline
import PoseModel
import Reports

/// The options for the locations of datasets, suites and the store.
struct StoreOptions: ParsableArguments {
  @Option(help: "The store's file. (default: .formbench/store.sqlite beside datasets/)")
  var store: String?

  func validate() throws {
    if let store, !Store.isFile(store) {
      throw ValidationError("--store takes the path of a file, found \"\(store)\", where nothing would be stored")
    }
  }

  var project: Project { .around(FileManager.default.currentDirectoryPath, store: store) }

  func open() throws -> Store {
    let store = try Store(at: store ?? project.within(project.storePath))
    if let upgrade = store.upgrade {
      Terminal.error(
        "note: \(store.path) was upgraded from version \(upgrade.from) to \(upgrade.to); "
          + "older versions of bench can't open it any more")
    }
    return store
  }
}

/// The option for the folder of the clips' videos.
struct VideoOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Play the clips' videos from this folder. (default: those in the dataset's folder, its poses and its videos)",
      valueName: "folder"))
  var videos: String?
}

/// The option for parallel work.
struct JobOptions: ParsableArguments {
  @Option(help: "Clips or simulations to run at the same time. (default: the number of cores)")
  var jobs: Int?

  func validate() throws {
    if let jobs, !(1...Self.most).contains(jobs) {
      throw ValidationError("--jobs takes a whole number from 1 to \(Self.most), found \(jobs)")
    }
  }

  var threads: Int { jobs ?? availableCores }

  /// More cores than any machine has; each job keeps a clip in memory.
  private static let most = 1024
}

/// A suite and changes to it.
struct SuiteOptions: ParsableArguments {
  @Option(help: "The suite: datasets/suites/<suite>.yaml.")
  var suite: String

  @Option(
    name: .customLong("set"), parsing: .singleValue,
    help: ArgumentHelp(
      "Set a detector's parameter; may be repeated.", valueName: "kind.detector.parameter=value"))
  var assignments: [String] = []

  @Option(
    name: .customLong("dataset"), parsing: .singleValue,
    help: ArgumentHelp("Use this dataset instead of the suite's; may be repeated.", valueName: "name"))
  var datasets: [String] = []

  @OptionGroup var work: JobOptions
  @OptionGroup var parameterFiles: ParameterFileOptions
  @OptionGroup var consent: ConsentOptions
  @OptionGroup var storage: StoreOptions

  var threads: Int { work.threads }

  /// The suite's baseline. A missing baseline is reported before minutes of replay, a misspelt suite before that.
  func baseline() throws -> Baseline {
    let suite = try storage.project.suite(named: suite, registry: Bench.registry)
    return try storage.project.baseline(ofSuite: suite.name)
  }

  /// The suite and its baseline at a commit.
  func base(at commit: GitCommit) throws -> BaseSuite {
    try BaseSuite(suite, of: storage.project, at: commit, registry: Bench.registry)
  }

  /// A run of the suite with the options' changes.
  ///
  /// - Parameter smoothing: Overrides the suite's and the parameter files'.
  func suiteRun(
    _ suite: Suite, smoothing: SmoothingChoice? = nil, perturbations: Perturbations? = nil,
    from source: ClipSource = .replay, store: Store
  ) throws -> SuiteRun {
    let detectors = try suite.detectors.map { try Bench.registry.detector(named: $0.name) }
    let assignments = try assignments.flatMap { try Assignment.all($0, of: detectors) }
    let files = try parameterFiles.read(of: detectors)
    if smoothing == nil { try parameterFiles.requireOneSmoothing(files) }
    return try SuiteRun(
      suite, assignments: assignments, parameterFiles: files, smoothing: smoothing, datasetNames: datasets,
      perturbations: perturbations, from: source, in: storage.project, store: store, registry: Bench.registry)
  }

  /// Replays and scores a run with a progress bar, without timing updates.
  func replay(_ run: SuiteRun, titled title: String) async throws -> ReplayedSuite {
    let bar = ProgressBar(title, total: run.clipCount)
    defer { bar.finish() }
    return try await run.replay(version: Bench.version, threads: threads) { try bar.update($0) }
  }

  /// Runs the suite with a progress bar.
  ///
  /// - Parameters:
  ///   - smoothing: Overrides the suite's and the parameter files'.
  ///   - perturbations: The perturbations of the poses.
  ///   - source: The origin of the predictions.
  ///   - baseline: The baseline for costs; by default the suite's own.
  ///   - isFit: Throws if it need not be replayed.
  func execute(
    smoothing: SmoothingChoice? = nil, perturbations: Perturbations? = nil, from source: ClipSource = .replay,
    beside baseline: Baseline? = nil, requiring isFit: (SuiteRun) throws -> Void = { _ in }
  ) async throws -> ExecutedRun {
    let project = storage.project
    let chosen = try project.suite(named: suite, registry: Bench.registry)
    let store = try storage.open()
    if let tallies = source.tallies { try requireOptions(of: tallies, smoothing) }
    let run = try suiteRun(
      chosen, smoothing: smoothing, perturbations: perturbations, from: source, store: store)
    try isFit(run)
    let (title, total) = source.tallies.map { ("merging", $0.clipCount) } ?? ("replaying", run.clipCount)
    let bar = ProgressBar(title, total: total)
    defer { bar.finish() }
    // The gate reports a missing or unreadable baseline; without it the fixed loop remains.
    let isNeeded = baseline == nil && !run.suite.costs.isEmpty
    let own = isNeeded ? try? project.baseline(ofSuite: chosen.name) : nil
    let results = try await run.results(
      version: Bench.version, threads: threads, beside: (baseline ?? own)?.parameters ?? [:]
    ) { try bar.update($0) }
    return ExecutedRun(project: project, store: store, suite: run.suite, run: run, results: results, baseline: own)
  }
}

extension SuiteOptions {
  /// - Throws: `EvaluationError.usage` for tallies that were made with other options.
  private func requireOptions(of tallies: TallyFiles, _ smoothing: SmoothingChoice?) throws {
    let own = TallyOptions.arguments(self, smoothing?.description)
    let made = try TallyOptions.parse(tallies.plan.options)
    guard try own == TallyOptions.arguments(made.suite, made.smoothing.smoothing?.description),
      own.count == made.arguments.count
    else {
      throw EvaluationError.usage(
        "--tallies needs the options of bench tally: expected \(tallies.plan.options.joined(separator: " ")), found "
          + own.joined(separator: " "))
    }
  }
}

/// A command on a suite, whose detectors it replays.
protocol SuiteCommand: ReplayingCommand {
  var suite: SuiteOptions { get }
}

extension SuiteCommand {
  var consent: ConsentOptions { suite.consent }
}

/// A finished run.
struct ExecutedRun {
  var project: Project
  var store: Store
  var suite: Suite
  var run: SuiteRun
  var results: RunResults
  /// The suite's own, if it was read for the costs.
  var baseline: Baseline?
}

extension ExecutedRun {
  /// The report of this run, compared with the baseline if it fits.
  ///
  /// - Parameter now: ISO 8601, UTC.
  func report(at now: String) throws -> RunReport {
    var (baseline, reason): (Baseline?, String?)
    do {
      baseline = try self.baseline ?? project.baseline(ofSuite: suite.name)
    } catch let error as EvaluationError {
      // The error ends with the command that makes a baseline.
      reason = "\(error)" + ("\(error)".hasSuffix("--suite \(suite.name)") ? results.predictionOptions : "")
    }
    var clips = try clips()
    return try RunReport(
      results, run: RunReport.Run(name: now.replacing(":", with: "-"), created: now, origin: origin()),
      baseline: baseline, reasonWithoutBaseline: reason, trail: MetricTrail(of: results, keptAs: nil, in: store)
    ) { clip, detector, changed in
      try clips.replay(clip, detector: detector, replacing: changed)
    }
  }

  /// Why the clip to look at is wrong; `nil` if the gate passes, or the reason is unknown.
  func why(_ verdict: Verdict, _ comparison: Comparison) -> String? {
    // A clip that cannot be replayed here, such as one that another machine tallied, does not stop the verdict.
    guard var clips = try? clips() else { return nil }
    return try? comparison.why(verdict) { clip, detector in try clips.replay(clip, detector: detector) }
  }

  /// Its clips, to be replayed.
  private func clips() throws -> RunClips {
    try RunClips(results, of: run, in: DatasetCatalogue(project: project, store: store), registry: Bench.registry)
  }

  /// The origin of the run.
  ///
  /// - Parameter commit: What it was compared with.
  func origin(against commit: GitCommit? = nil) throws -> RunOrigin {
    var origin = try RunOrigin(arguments: Bench.arguments, bench: Bench.version, root: project.root, store: store)
    // A CI service names the commit by a variable, which another machine lacks.
    if let commit, origin.against == nil { origin.arguments += ["--against", commit.ref] }
    return origin
  }

  /// Keeps the run in the store.
  ///
  /// - Parameters:
  ///   - results: Its results as JSON.
  ///   - name: Its name within its suite.
  ///   - now: ISO 8601, UTC.
  ///   - isNumbered: Whether to append a number if another run has the name, which is an error otherwise.
  func keep(
    _ results: String, as name: String, at now: String, by origin: RunOrigin?, heldAgainst baseline: Baseline?,
    release: String? = nil, isNumbered: Bool = false
  ) throws {
    try store.add(
      StoredRun(
        id: RunID(suite: suite.name, name: name).description, suite: suite.name, created: now, results: results,
        origin: origin.map { try compactJSON($0) }, release: release, baseline: baseline.map { try compactJSON($0) }),
      isNumbered: isNumbered)
  }
}

/// Parameter files to take values from.
struct ParameterFileOptions: ParsableArguments {
  @Option(
    name: .customLong("parameters"), parsing: .singleValue,
    help: ArgumentHelp(
      "Read parameters and smoothing from a file of bench tune; --set and --smooth override them. May be repeated.",
      valueName: "file"))
  var paths: [String] = []

  /// - Parameter detectors: The possible detectors.
  ///
  /// - Throws: `DataError` with file, line and key, `EvaluationError.usage` if two files are for one detector.
  func read(of detectors: [DetectorDefinition]) throws -> [ParameterFile] {
    var names: Set<String> = []
    return try paths.map { path in
      let file = try ParameterFile(yaml: InputFile(path), of: detectors)
      guard names.insert(file.tuning.detector).inserted else {
        throw EvaluationError.usage("\(path) is the second parameter file for \(file.tuning.detector): expected one")
      }
      return file
    }
  }

  /// - Parameter files: Those that were read.
  /// - Throws: `EvaluationError.usage` for two that smooth the poses differently: all detectors read the same poses.
  func requireOneSmoothing(_ files: [ParameterFile]) throws {
    let chosen = zip(paths, files).compactMap { path, file in file.smoothing.map { (path: path, smoothing: $0) } }
    guard let first = chosen.first, let other = chosen.first(where: { $0.smoothing != first.smoothing }) else { return }
    throw EvaluationError.usage(
      "\(other.path): expected the smoothing \(first.smoothing) of \(first.path), found \(other.smoothing); tune it "
        + "again with --parameters \(first.path), or give a command with --smooth the smoothing for both")
  }
}

/// The commit that a change is compared with.
struct AgainstOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Compare with the suite and baseline at the merge base of HEAD with this branch, tag or commit. "
        + "(default: $BENCH_BASE_REF; in CI also $GITHUB_BASE_REF; otherwise the baseline in the work tree)",
      valueName: "git ref"))
  var against: String?

  /// `nil` for the work tree's own baseline.
  ///
  /// - Throws: As `GitCheckout.mergeBase(withFirstOf:)`.
  func commit(in project: Project) throws -> GitCommit? {
    try names.map { try GitCheckout(project.root).mergeBase(withFirstOf: $0) }
  }

  private var names: [String]? {
    if let against { return [against] }
    let environment = ProcessInfo.processInfo.environment
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    let isCI = value("CI").map { !["false", "0"].contains($0) } ?? false
    // The name of a branch, which a CI clone often has only as a remote branch.
    // A clone's origin/HEAD may be any branch.
    return (value("BENCH_BASE_REF") ?? (isCI ? value("GITHUB_BASE_REF") : nil))
      .map { $0 == "HEAD" ? [$0] : [$0, "origin/\($0)"] }
  }
}

/// Whether a detector may be judged on subjects that it was tuned on.
struct TunedSubjectsOptions: ParsableArguments {
  @Flag(help: "Also judge on people that a --parameters file or the baseline was tuned on: an optimistic result.")
  var allowTunedSubjects = false

  func require(_ run: SuiteRun) throws {
    if !allowTunedSubjects { try run.requireUnseenSubjects() }
  }

  func require(_ baseline: Baseline) throws {
    if !allowTunedSubjects { try baseline.requireUnseenSubjects() }
  }
}

extension ClipSource {
  /// - Throws: `EvaluationError.usage` if both are given.
  init(_ files: PredictionFiles?, or tallies: TallyFiles? = nil) throws {
    switch (files, tallies) {
    case (nil, nil): self = .replay
    case (let files?, nil): self = .predictions(files)
    case (nil, let tallies?): self = .tallies(tallies)
    case (_?, _?): throw EvaluationError.usage("--tallies have their own predictions: leave out --predictions")
    }
  }
}

/// Tally files of all clips, which replace the replay.
struct TalliedOptions: ParsableArguments {
  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("Take all shards' files of bench tally instead of replaying the clips.", valueName: "file"))
  var tallies: [String] = []

  /// `nil` for none.
  ///
  /// - Throws: As `TallyFiles.init(_:)`.
  func files() throws -> TallyFiles? { tallies.isEmpty ? nil : try TallyFiles(tallies) }
}

/// Files of predictions, which replace the replay of their detector.
struct PredictionOptions: ParsableArguments {
  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "Read a detector's predictions from these CSV or JSON Lines files instead of replaying it.",
      valueName: "file"))
  var predictions: [String] = []

  /// `nil` for none.
  ///
  /// - Throws: `DataError` with file and line.
  func files() throws -> PredictionFiles? {
    predictions.isEmpty ? nil : try PredictionFiles(predictions.map { try InputFile($0) })
  }

  /// - Throws: `EvaluationError.missing` if a clip of the run has no prediction: such a clip is not judged.
  static func requireAll(_ run: SuiteRun) throws {
    for detector in run.predicted where !detector.unpredicted.isEmpty {
      let clips = detector.unpredicted
      throw EvaluationError.missing(
        what: detector.sources.map(\.file).joined(separator: ", "),
        expected: "a prediction for each of the \(run.clipCount) clips; a row with only a clip means that "
          + "nothing was found in it",
        found: "none for \(clips.prefix(5).joined(separator: ", "))"
          + (clips.count > 5 ? " and \(clips.count - 5) more" : ""))
    }
  }
}

/// The smoothing of the poses before detection.
struct SmoothingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Smooth the poses before detection: average:<frames>, median:<frames>, one-euro, "
        + "one-euro:<minimum cutoff>,<beta>,<derivative cutoff>, or none. (default: the smoothing of --parameters, or "
        + "the suite's)",
      valueName: "filter"))
  var smooth: String?

  /// `nil` for that of the parameter files or the suite.
  var smoothing: SmoothingChoice? {
    get throws { try smooth.map { try SmoothingChoice($0) } }
  }

  func validate() throws {
    do { _ = try smoothing } catch let error as SmoothingError {
      throw ValidationError("--smooth: expected \(SmoothingChoice.expected), found \(error.found)")
    }
  }
}
