import ArgumentParser
import Coaching
import Datasets
import Evaluation
import Foundation

struct DatasetCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Says what in a dataset would spoil an evaluation.",
    discussion: """
      Takes the name of a dataset, imported or under datasets/, or a folder. A folder is first read by the rules of the \
      format: what breaks them is an error with file and line.

      Checks:
      \(DatasetChecks.all.map { "  \($0.name): \($0.title)" }.joined(separator: "\n"))

      A problem makes results wrong or too good, a warning may, a note is worth knowing. --strict ends with 5 where there \
      are problems or warnings. --explain gives each check's thresholds and why they are so.

      Examples:
        bench dataset check datasets/squat-sample
        bench dataset check repcount-pose --strict --only near-duplicates --only person-change
        bench dataset check repcount-pose --json > findings.json
      """)

  @Argument(help: "The dataset's name, or a folder.") var dataset: String
  @Option(
    parsing: .singleValue, help: ArgumentHelp("Only this check; may be repeated.", valueName: "check"))
  var only: [String] = []
  @Flag(help: "Ends with exit code 5 where there are problems or warnings.") var strict = false
  @Flag(help: "Also says from where on a check finds something, and why there.") var explain = false
  @Flag(help: "Prints every finding as JSON.") var json = false
  @OptionGroup var storage: StoreOptions

  func validate() throws {
    let known = DatasetChecks.all.map { $0.name }
    if let unknown = only.first(where: { !known.contains($0) }) {
      throw ValidationError(
        "--only takes one of \(known.joined(separator: ", ")), found \(NearNames.question(unknown, in: known))")
    }
  }

  func run() throws {
    let project = storage.project
    let folder = project.datasetNames.contains(dataset) ? project.datasetFolder(dataset) : dataset
    let record: CheckRecord
    if FileManager.default.fileExists(atPath: "\(folder)/\(DatasetRecipe.file)") {
      record = try look(at: DatasetRecipe(folder), called: folder)
    } else if FileManager.default.fileExists(atPath: "\(folder)/dataset.yaml") || dataset.contains("/") {
      record = try look(at: readable(folder), called: folder)
    } else if project.datasetNames.contains(dataset) || FileManager.default.fileExists(atPath: project.storePath) {
      let store = try storage.open()
      let stored = try DatasetCatalogue(project: project, store: store).dataset(named: dataset)
      let clips = try store.clips(of: stored)
      record = try look(stored.manifest, count: clips.count, called: dataset) { try store.clip(clips[$0], of: stored) }
    } else if FileManager.default.fileExists(atPath: folder) {
      record = try look(at: readable(folder), called: folder)
    } else {
      throw EvaluationError.missing(
        what: "dataset \(dataset)", expected: "a folder, or an imported dataset", found: "neither")
    }
    Terminal.out(json ? String(decoding: try stableJSON(record), as: UTF8.self) : record.text(explaining: explain))
    if strict && !record.isClean { throw ExitCode(5) }
  }

  /// A folder all of whose clips can be read.
  ///
  /// - Throws: `ExitCode(1)` where some can't, each of which it says.
  private func readable(_ folder: String) throws -> DatasetFolder {
    guard FileManager.default.fileExists(atPath: folder) else {
      throw EvaluationError.missing(what: "dataset folder \(folder)", expected: "a folder", found: "nothing there")
    }
    let contents = try DatasetFolder(folder)
    var wrong: [String] = []
    for index in contents.clips.indices {
      do { _ = try contents.clip(index) } catch let error as DataError { wrong.append("\(error)") }
    }
    guard wrong.isEmpty else {
      Terminal.error(wrong.map { "bench: \($0)" }.joined(separator: "\n"))
      throw ExitCode(1)
    }
    return contents
  }

  private func look(at source: some DatasetSource, called name: String) throws -> CheckRecord {
    try look(source.manifest, count: source.clipCount, called: name, source.clip)
  }

  private func look(
    _ manifest: Manifest, count: Int, called name: String, _ clip: (Int) throws -> Clip
  ) throws -> CheckRecord {
    let bar = ProgressBar("checking", total: count)
    defer { bar.finish() }
    var next = 0
    var subjects: Set<String> = []
    let findings = try DatasetChecks.findings(
      manifest, suites: storage.project.suites(on: manifest.name, registry: Bench.registry)
    ) {
      guard next < count else { return nil }
      next += 1
      try bar.update(next)
      let clip = try clip(next - 1)
      subjects.insert(clip.info.subject)
      return clip
    }
    return CheckRecord(
      dataset: name, clips: count, subjects: subjects.count,
      checks: DatasetChecks.all.map { $0.name }.filter { only.isEmpty || only.contains($0) },
      findings: findings.filter { only.isEmpty || only.contains($0.check) })
  }
}
