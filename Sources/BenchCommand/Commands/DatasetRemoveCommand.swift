import ArgumentParser
import Datasets
import Evaluation
import Files
import Foundation

struct DatasetRemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove a dataset from the store; folders, and without --runs also runs, stay.",
    discussion: """
      No byte of its poses, labels and names stays in the store's files, but for its own name in the audit log. Runs hold \
      no poses, but the names of its clips and subjects: --runs removes these runs too. Reports and baselines are files \
      of yours; it says which have its name.

      Example: bench dataset remove repcount-pose
      """)

  @Argument(help: "The dataset.") var name: String
  @Flag(help: "Also remove the runs on it from the history.") var runs = false
  @OptionGroup var storage: StoreOptions

  func run() throws {
    let store = try storage.open()
    let all = try store.datasets()
    let found = all.filter { $0.manifest.name == name }
    guard !found.isEmpty else {
      throw EvaluationError.missing(
        what: "dataset \(name)", expected: "a dataset of the store",
        found: "none called " + NearNames.question(name, in: all.map(\.manifest.name)))
    }
    let removal = try DatasetRemoval(found, .removed, withRuns: runs, in: store, of: storage.project)
    let isFolder = storage.project.datasetNames.contains(name)
    let line =
      "removed \(name) from the store"
      + (isFolder ? "; its folder \(storage.project.datasetFolder(name)) stays" : "")
    Terminal.out(([line] + removal.lines).joined(separator: "\n"))
    guard removal.erasure == .complete else { throw ExitCode(1) }
  }
}

/// A removal from the store, and what is to be said of it.
struct DatasetRemoval {
  let erasure: Erasure
  /// What stays, and what went with it.
  let lines: [String]

  init(
    _ datasets: [StoredDataset], _ action: AuditEntry.Action, withRuns: Bool, in store: Store, of project: Project
  ) throws {
    let names = Set(datasets.map(\.manifest.name)).sorted()
    var runs: [(id: String, suite: String)] = []
    for name in names {
      for run in try store.runs(onDataset: name) where !runs.contains(where: { $0.id == run.id }) { runs.append(run) }
    }
    erasure = try store.remove(datasets, action, runs: withRuns ? runs.map(\.id) : [])
    var lines: [String] = []
    if !runs.isEmpty {
      let count = Terminal.count(runs.count, "run")
      lines.append(
        withRuns
          ? "removed \(count) on it from the history"
          : "\(count) on it stay\(runs.count == 1 ? "s" : "") in the history, with the names of clips and subjects; "
            + "--runs would have removed them")
    }
    let files = Self.files(naming: names, suites: Set(runs.map(\.suite)).sorted(), in: project)
    if !files.isEmpty { lines.append("these hold its names: \(files.joined(separator: ", "))") }
    if case .pending(let reason) = erasure {
      lines.append(
        "its bytes are still in the store's files, because \(reason); bench dataset purge clears them")
    }
    self.lines = lines
  }

  /// Folders of reports and baselines of suites that ran on a dataset.
  private static func files(naming names: [String], suites: [String], in project: Project) -> [String] {
    func holds(_ path: String) -> Bool {
      guard let data = try? InputFile(project.within(path)).bytes else { return false }
      return names.contains { data.range(of: Data("\"\($0)\"".utf8)) != nil }
    }
    return suites.flatMap { suite -> [String] in
      let folder = project.reportFolder(suite)
      let runs = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      let reports = runs.sorted().filter { $0 != "latest" && holds("\(folder)/\($0)/results.json") }
      let baseline = project.baselineFile(suite)
      return reports.map { "\(folder)/\($0)" } + (holds(baseline) ? [baseline] : [])
    }
  }
}
