import ArgumentParser
import Evaluation
import Files
import Foundation
import Pipeline
import Reports
import Scoring
import Statistics

struct BaselineCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "baseline",
    abstract: "Show, compare or accept a suite's baseline.",
    discussion: "Example: bench baseline accept --suite squat",
    subcommands: [Accept.self, Show.self, Diff.self])

  struct Accept: AsyncParsableCommand, SuiteCommand, RereadingCommand {
    static let configuration = CommandConfiguration(
      abstract: "Run a suite and write its result as the baseline, to be committed.",
      discussion: """
        With --because, the baseline records the loss of each gating metric and the reason; bench gate --against then \
        passes that loss as ACCEPTED LOSS. The loss is measured from the replaced baseline or, with --against, from \
        the baseline of the commit where the change began. Without --because, it lists what is worse, and bench gate \
        --against stops that as before.

        With --against, datasets that only have more clips than at that commit are pinned to their new content in the \
        suite.

        Examples:
          bench baseline accept --suite squat && git diff baselines/
          bench baseline accept --suite squat --because "Half squats no longer count" --against origin/main
        """)

    @OptionGroup var suite: SuiteOptions
    @OptionGroup var predictions: PredictionOptions
    @OptionGroup var tallied: TalliedOptions
    @OptionGroup var smoothing: SmoothingOptions
    @OptionGroup var tunedSubjects: TunedSubjectsOptions

    @Option(
      help: ArgumentHelp("Accept the losses of gating metrics and record this one-line reason.", valueName: "reason"))
    var because: String?

    @OptionGroup var against: AgainstOptions

    func run() async throws {
      Interruption.watch()
      defer { Interruption.unwatch() }
      guard suite.datasets.isEmpty else {
        throw EvaluationError.usage("a baseline needs the suite's own datasets: leave out --dataset")
      }
      let reason = try because.map(AcceptedLoss.reason)
      let project = suite.storage.project
      let path = try project.within(project.baselineFile(suite.suite))
      let isAgainst = reason != nil || against.against != nil
      let base = isAgainst ? try against.commit(in: suite.storage.project).map(suite.base) : nil
      if reason != nil, base?.isKnown != true { _ = try suite.baseline() }
      let pins = try base.map { base in
        try GrownPins(
          of: project.suite(named: suite.suite, registry: Bench.registry), since: base.commit, in: project,
          suite.storage.open())
      }
      var isAccepted = false
      defer { if !isAccepted { pins?.undo() } }
      var executed = try await suite.execute(
        smoothing: smoothing.smoothing, from: ClipSource(predictions.files(), or: tallied.files()),
        beside: base?.baseline
      ) { run in
        try tunedSubjects.require(run)
        try PredictionOptions.requireAll(run)
      }
      executed.results.repeatNote = try await ProgramCheck.repeatNote(
        executed.run, executed.results, threads: suite.threads)
      var baseline = Baseline(executed.results)
      try tunedSubjects.require(baseline)
      let before = try? Baseline(file: path, suite: executed.suite.name)
      var grown: GrownData?
      if let base {
        grown = try await GrownData(
          since: base, executed.run, executed.results, in: project, threads: suite.threads)
      }
      let change = try self.change(executed, since: base, or: before, grown)
      let losses = reason.map { change?.losses(because: $0) ?? [] }
      let file = Project(root: "").baselineFile(suite.suite)
      let isCommitted = GitCheckout(project.root).hasCommitted(file)
      let isDraft = base?.baseline == nil && isCommitted == false
      baseline.continue(
        base?.baseline ?? before, executed.results, accepting: losses ?? [], isDraft: isDraft, grown: grown)
      baseline.accept(losses, besides: before?.acceptedLosses ?? [], since: base?.baseline)
      // Measured costs differ every time: a baseline that is otherwise equal keeps its costs, unless an update now
      // takes clearly longer or shorter.
      let stays =
        before.map {
          $0.agrees(with: baseline) && $0.overlaps(baseline) && $0.acceptedLosses == baseline.acceptedLosses
        } ?? false
      try Interruption.check()
      if stays {
        // A command that was killed just after its write left its folder.
        StagingFolder.clear(for: path)
      } else {
        try baseline.write(to: path)
      }
      isAccepted = true
      let done =
        stays
        ? "Baseline unchanged: \(path)" : "Baseline accepted: \(baseline.words); wrote \(path)"
      let ref = base?.commit.ref ?? (isCommitted == true ? "origin/main" : nil)
      let accepted =
        losses.map(Self.accepted) ?? (isDraft ? [] : Self.worse(change, executed.suite, against: ref))
      let workflows = base.map { ChangedWorkflows(in: project, since: $0.commit).objections.findings } ?? []
      Terminal.out(
        [TextBlock].lines((pins?.words ?? []) + [done]) + accepted
          + workflows.map { TextBlock.fact("finding", $0, .unsure) }
          + executed.results.tuningBlocks + executed.results.repeatBlocks)
    }

    /// The run beside a base or, if that has nothing to compare with, beside the baseline that is replaced; `nil` if
    /// there is neither, or nothing that can be compared.
    ///
    /// - Throws: `EvaluationError.usage` if there is a reason for losses that cannot be compared.
    private func change(
      _ executed: ExecutedRun, since base: BaseSuite?, or before: Baseline?, _ grown: GrownData?
    ) throws -> Comparison? {
      do {
        if let base, base.isKnown {
          return try Comparison(
            executed.results, of: executed.suite, against: base.judging(executed.run), own: Baseline(executed.results),
            grown: grown)
        }
        return try before.map { try Comparison(executed.results, with: $0) }
      } catch let error as EvaluationError {
        guard because == nil else {
          throw EvaluationError.usage(
            "--because: this run cannot be compared with the previous baseline (\(error)); name another commit with --against"
          )
        }
        return nil
      }
    }

    private static func accepted(_ losses: [AcceptedLoss]) -> [TextBlock] {
      let lines =
        losses.isEmpty
        ? ["no gating metric is worse: the reason was not recorded"] : losses.map { "accepted \($0.words)" }
      return lines.map { .line(TonedText($0)) }
    }

    /// What is worse without a reason, and that a gate stops it.
    ///
    /// - Parameter ref: The branch that a gate compares with; `nil` if there is none.
    private static func worse(_ change: Comparison?, _ suite: Suite, against ref: String?) -> [TextBlock] {
      guard let change else { return [] }
      let losses = Verdict(change).losses
      let lines = losses.map { TextBlock.fact("worse", $0.reason, .unsure) }
      guard let ref, losses.contains(where: { $0.holdsRelease(stopAt: suite.stopAt) }) else { return lines }
      return lines + [
        .unbroken(
          "",
          "bench gate --suite \(suite.name)\(change.results.predictionOptions) --against \(RunOrigin.quoted(ref)) "
            + "stops this."),
        change.results.remedy(against: ref),
      ]
    }
  }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print a suite's baseline.", discussion: "Example: bench baseline show --suite squat")

    @Option(help: "The suite.") var suite: String
    @OptionGroup var storage: StoreOptions

    func run() throws {
      let path = storage.project.baselineFile(suite)
      let baseline = try storage.project.baseline(ofSuite: suite)
      var head: [TextBlock] = [
        .line("Baseline of suite \(baseline.suite): \(baseline.words)"), .unbroken("file", path),
        .unbroken("suite", "\(baseline.suite) version \(baseline.suiteVersion)"),
      ]
      head += baseline.datasets.sorted { $0.key < $1.key }.map {
        TextBlock.unbroken("dataset", "\($0.key) \($0.value)")
      }
      head += baseline.detectors.map { detector in
        let values = detector.parameters.sorted { $0.key < $1.key }
          .map { "\($0.key)=\(NumberText.plain($0.value))" }.joined(separator: " ")
        return TextBlock.unbroken("detector", "\(detector.name) \(values)")
      }
      let rows = baseline.metrics.map { metric in
        [
          metric.detector, metric.metric, NumberText.value(metric.value, unit: ""),
          "\(metric.bySubject.values.count { $0 != nil }) of \(NumberText.count(metric.bySubject.count, "person"))",
        ]
      }
      let losses = (baseline.acceptedLosses ?? []).map { TextBlock.unbroken("accepted", $0.words) }
      let table = TextTable([["detector", "metric", "value", "defined for"]] + rows, right: [2])
      Terminal.out(head + [.gap, .columns(table), .gap] + losses)
    }
  }

  struct Diff: AsyncParsableCommand, SuiteCommand {
    static let configuration = CommandConfiguration(
      abstract: "Run a suite and show its differences from the baseline.",
      discussion: """
        Exits with 0 even if the run differs. To block a release, use bench gate.

        Example: bench baseline diff --suite squat --set reps.squat-states.bottomAngle=100
        """)

    @OptionGroup var suite: SuiteOptions
    @OptionGroup var predictions: PredictionOptions
    @OptionGroup var smoothing: SmoothingOptions

    func run() async throws {
      let baseline = try suite.baseline()
      let executed = try await suite.execute(
        smoothing: smoothing.smoothing, from: ClipSource(predictions.files()), beside: baseline)
      let comparison = try Comparison(executed.results, with: baseline)
      let verdict = Verdict(comparison)
      Terminal.out(comparison.screen(verdict, why: comparison.why(verdict) { _, _ in nil }))
    }
  }
}

extension Baseline {
  /// `exact counts 0.611; 36 clips, 6 metrics`: the first metric that has a value.
  fileprivate var words: String {
    let size = "\(NumberText.count(clips.count, "clip")), \(NumberText.count(metrics.count, "metric"))"
    guard let first = metrics.first(where: { $0.value != nil }) else { return "\(size), none of them with a value" }
    let value = NumberText.value(first.value, unit: "")
    return "\(Metric.plainName(of: first.metric)) \(value) of \(first.detector); \(size)"
  }
}
