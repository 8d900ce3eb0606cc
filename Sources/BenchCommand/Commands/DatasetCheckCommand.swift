import ArgumentParser
import Coaching
import Datasets
import Evaluation
import Foundation

struct DatasetCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Says what in a dataset would spoil an evaluation.",
    discussion: """
      Takes the name of a dataset, imported or under datasets/, or a folder. Of a folder, rows and pose files that break \
      the rules of the format are findings too, with file and line; import and run refuse it.

      Checks:
      \(DatasetChecks.all.map { "  \($0.name): \($0.title)" }.joined(separator: "\n"))

      A problem makes results wrong or too good, a warning may, a note is worth knowing. --strict ends with 5 where there \
      are problems or warnings; without it only what can't be read ends with 1. --explain gives each check's thresholds and \
      why they are so.

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
      let recipe = try DatasetRecipe(folder)
      record = try look(recipe.manifest, count: recipe.clipCount, called: folder) { UncheckedClip(try recipe.clip($0)) }
    } else if FileManager.default.fileExists(atPath: "\(folder)/dataset.yaml") || dataset.contains("/") {
      record = try look(at: folder)
    } else if project.datasetNames.contains(dataset) || FileManager.default.fileExists(atPath: project.storePath) {
      let store = try storage.open()
      let stored = try DatasetCatalogue(project: project, store: store).dataset(named: dataset)
      let clips = try store.clips(of: stored)
      record = try look(stored.manifest, count: clips.count, called: dataset) {
        UncheckedClip(try store.clip(clips[$0], of: stored))
      }
    } else if FileManager.default.fileExists(atPath: folder) {
      record = try look(at: folder)
    } else {
      throw EvaluationError.missing(
        what: "dataset \(dataset)", expected: "a folder, or an imported dataset", found: "neither")
    }
    Terminal.out(json ? String(decoding: try stableJSON(record), as: UTF8.self) : record.text(explaining: explain))
    if strict && !record.isClean { throw ExitCode(5) }
    if record.isUnreadable { throw ExitCode(1) }
  }

  private func look(at path: String) throws -> CheckRecord {
    guard FileManager.default.fileExists(atPath: path) else {
      throw EvaluationError.missing(what: "dataset folder \(path)", expected: "a folder", found: "nothing there")
    }
    let folder = try UncheckedFolder(path)
    return try look(folder.manifest, count: folder.clipCount, called: path, unreadable: folder.unreadable, folder.clip)
  }

  private func look(
    _ manifest: Manifest, count: Int, called name: String, unreadable: [DataError] = [],
    _ clip: (Int) throws -> UncheckedClip
  ) throws -> CheckRecord {
    let bar = ProgressBar("checking", total: count)
    defer { bar.finish() }
    var next = 0
    var subjects: Set<String> = []
    let findings = try DatasetChecks.findings(
      manifest, suites: storage.project.suites(on: manifest.name, registry: Bench.registry), unreadable: unreadable
    ) {
      guard next < count else { return nil }
      next += 1
      try bar.update(next)
      let unchecked = try clip(next - 1)
      subjects.insert(unchecked.clip.info.subject)
      return unchecked
    }
    return CheckRecord(
      dataset: name, clips: count, subjects: subjects.count,
      checks: DatasetChecks.all.map { $0.name }.filter { only.isEmpty || only.contains($0) },
      findings: findings.filter { only.isEmpty || only.contains($0.check) })
  }
}
