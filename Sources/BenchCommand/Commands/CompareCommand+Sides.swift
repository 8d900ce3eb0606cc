import Coaching
import Evaluation
import Foundation
import Reports

extension CompareCommand {
  /// Finds or replays both sides and compares them.
  func report() async throws -> ComparisonReport {
    let suite = try self.suite.storage.project.suite(named: self.suite.suite, registry: Bench.registry)
    if let detectors { return try await report(of: detectors, in: suite) }
    let changes = self.suite.assignments
    guard !runs.isEmpty else {
      let before = try plan(suite, fromAssignments, isAfter: false)
      let after = try await replay(try plan(suite, changes), "B")
      return ComparisonReport(
        try PairedComparison(from: .replayed(try await replay(before, "A")), to: .replayed(after)),
        before: words(fromAssignments), after: afterWords, notes: after.results.tuningSentences, bench: Bench.version)
    }
    let stored = try runs.map { try side(called: $0, of: suite) }
    let after = stored.count == 2 ? stored[1] : nil
    let last: ComparisonSide
    var notes: [String] = []
    if let after {
      last = after.side
    } else {
      let replayed = try await replay(try plan(suite, changes), "B")
      notes = replayed.results.tuningSentences
      last = .replayed(replayed)
    }
    return ComparisonReport(
      try PairedComparison(from: stored[0].side, to: last), before: stored[0].words,
      after: after?.words ?? afterWords, notes: notes, bench: Bench.version)
  }

  private func report(of detectors: String, in suite: Suite) async throws -> ComparisonReport {
    let names = detectors.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let pair = try DetectorPair(names, in: suite, registry: Bench.registry)
    let before = try plan(pair.before, fromAssignments, isAfter: false)
    let after = try plan(pair.after, self.suite.assignments)
    let replayed = (before: try await replay(before, "A"), after: try await replay(after, "B"))
    let sides = pair.sides(replayed.before, replayed.after)
    let settings = zip(["A", "B"], [before, after]).flatMap { side, run in
      run.settings.map { setting in
        "\(side) is \(setting.name) with "
          + setting.values.values.sorted { $0.key < $1.key }.map { "\($0.key)=\(NumberText.plain($0.value))" }
          .joined(separator: " ")
      }
    }
    let leftOut =
      pair.leftOut.isEmpty ? [] : ["left out, since only one of them has it: \(pair.leftOut.joined(separator: ", "))"]
    return ComparisonReport(
      try PairedComparison(from: sides.before, to: sides.after), before: names[0], after: names[1],
      notes: settings + leftOut + replayed.after.results.tuningSentences, bench: Bench.version)
  }

  /// - Parameter isAfter: whether it is side B, whose parameters may come from files.
  private func plan(_ suite: Suite, _ assignments: [String], isAfter: Bool = true) throws -> SuiteRun {
    var (options, suite) = (self.suite, suite)
    options.assignments = assignments
    if isAfter || detectors != nil, let smoothing = try smoothing.smoothing { suite.smoothing = smoothing }
    if !isAfter { options.parameterFiles.paths = [] }
    return try options.suiteRun(suite, store: try options.storage.open())
  }

  private func replay(_ run: SuiteRun, _ side: String) async throws -> ReplayedSuite {
    let bar = ProgressBar("replaying \(side)", total: run.clipCount)
    defer { bar.finish() }
    return try await run.replay(
      version: Bench.version, threads: suite.jobs ?? ProcessInfo.processInfo.activeProcessorCount
    ) { try bar.update($0) }
  }

  private func side(called name: String, of suite: Suite) throws -> (side: ComparisonSide, words: String) {
    if name == "baseline" {
      let file = self.suite.storage.project.baselineFile(suite.name)
      return (.baseline(try Baseline(file: file, suite: suite.name)), "the baseline")
    }
    let run = try self.suite.storage.open().run(named: name, ofSuite: suite.name)
    return (.run(run.results, id: run.id), "run \(run.id)")
  }

  private var afterWords: String {
    words(suite.parameterFiles.paths + suite.assignments + (smoothing.smooth.map { ["--smooth \($0)"] } ?? []))
  }

  private func words(_ assignments: [String]) -> String {
    assignments.isEmpty ? "the suite as it stands" : "the suite with \(assignments.joined(separator: ", "))"
  }
}
