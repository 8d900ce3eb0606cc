import ArgumentParser
import Checks
import Coaching
import Datasets
import Evaluation
import Files
import Foundation
import Pipeline
import Reports
import Simulation
import Statistics

struct DatasetCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Find problems in a dataset that would spoil an evaluation.",
    discussion: """
      Takes a folder, or the name of a dataset that was imported or is under datasets/. In a folder, rows and pose \
      files that break the format's rules are findings too, with file and line; import and run refuse such a folder. \
      Every file is read, whatever its times say.

      Checks:
      \(DatasetChecks.all.map { "  \($0.name): \($0.title)" }.joined(separator: "\n"))

      Problems make results wrong or too good. Warnings may. Notes are information. --strict exits with 5 if there are \
      problems or warnings; without it, only unreadable files exit with 1. --explain prints each check's thresholds \
      and their reasons.

      Examples:
        bench dataset check datasets/squat-sample
        bench dataset check repcount-pose --strict --only near-duplicates --only person-change
        bench dataset check repcount-pose --json > findings.json
      """)

  @Argument(help: "The dataset's name, or a folder.") var dataset: String
  @Option(
    parsing: .singleValue, help: ArgumentHelp("Run only this check; may be repeated.", valueName: "check"))
  var only: [String] = []
  @Flag(help: "Exit with 5 if there are problems or warnings.") var strict = false
  @Flag(help: "Also print each check's thresholds and their reasons.") var explain = false
  @Flag(help: "Print every finding as JSON.") var json = false
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
    let folder =
      project.datasetNames.contains(dataset) ? try project.within(project.datasetFolder(dataset)) : dataset
    let record: CheckRecord
    if FileManager.default.fileExists(atPath: "\(folder)/\(DatasetRecipe.file)") {
      let recipe = try DatasetRecipe(folder)
      record = try look(recipe.manifest, count: recipe.clipCount, called: folder) { UncheckedClip(try recipe.clip($0)) }
    } else if let store = try storeToCheck(besides: folder) {
      record = try look(DatasetCatalogue(project: project, store: store).dataset(named: dataset), in: store)
    } else if dataset.contains("/") || FileManager.default.fileExists(atPath: folder) {
      record = try look(at: folder)
    } else {
      throw EvaluationError.missing(
        what: "dataset \(dataset)", expected: "a folder, or an imported dataset", found: "neither")
    }
    if json {
      Terminal.out(String(decoding: try stableJSON(record), as: UTF8.self))
    } else {
      Terminal.out(record.blocks(explaining: explain))
    }
    if strict && !record.isClean { throw ExitCode(5) }
    if record.isUnreadable { throw ExitCode(1) }
  }

  /// The store, if the dataset is in no folder, or if the store alone has changes, which are said; `nil` if the folder is
  /// checked.
  private func storeToCheck(besides folder: String) throws -> Store? {
    let isFolder = FileManager.default.fileExists(atPath: "\(folder)/dataset.yaml") || dataset.contains("/")
    let isOwn = storage.project.datasetNames.contains(dataset)
    let hasStore = FileManager.default.fileExists(atPath: storage.project.storePath)
    guard isFolder ? isOwn && hasStore : isOwn || hasStore else { return nil }
    let store = try storage.open()
    guard isFolder else { return store }
    // What keeps a folder from being compared is what the check finds in it.
    guard let imported = try store.importedDataset(named: dataset),
      let difference = try? store.compare(imported, withFolder: folder).difference, !difference.isUnrelated,
      difference.newer == .store
    else { return nil }
    return store
  }

  private func look(_ stored: StoredDataset, in store: Store) throws -> CheckRecord {
    let clips = try store.clips(of: stored)
    return try look(stored.manifest, count: clips.count, called: dataset) {
      try unchecked(clips[$0], of: stored, in: store)
    }
  }

  /// A clip of the store, without poses if they differ from the import.
  private func unchecked(_ clip: StoredClip, of dataset: StoredDataset, in store: Store) throws -> UncheckedClip {
    do {
      return UncheckedClip(try store.clip(clip, of: dataset))
    } catch StoreError.altered {
      return UncheckedClip(
        Clip(info: clip.info, keypoints: nil, labels: clip.labels),
        unreadable: DataError(
          file: store.path, clip: clip.info.name, expected: "the content that was imported", found: "other bytes"))
    }
  }

  /// The other datasets of suites that do not say whether they share people; missing ones are left out.
  private func neighbours(of name: String, in suites: [Suite]) throws -> [RecurringSubjects.Dataset] {
    let others = Set(suites.filter { $0.people == nil }.flatMap { $0.datasets.map(\.name) }).subtracting([name])
    guard !others.isEmpty else { return [] }
    let store = try storage.open()
    let catalogue = DatasetCatalogue(project: storage.project, store: store)
    return others.sorted().compactMap { other in
      guard let dataset = try? catalogue.dataset(named: other), let clips = try? store.clips(of: dataset) else {
        return nil
      }
      return RecurringSubjects.Dataset(dataset.manifest, subjects: Set(clips.map(\.info.subject)))
    }
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
    let suites = try storage.project.suites(on: manifest.name, registry: Bench.registry)
    let findings = try DatasetChecks.findings(
      manifest, suites: suites, neighbours: neighbours(of: manifest.name, in: suites.map(\.suite)),
      unreadable: unreadable
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

/// The findings of a dataset's checks, as printed and written as JSON.
struct CheckRecord: Encodable {
  var dataset: String
  var clips: Int
  var subjects: Int
  /// The names of the checks that were run.
  var checks: [String]
  var findings: [Finding]

  /// Whether there are only notes.
  var isClean: Bool { findings.allSatisfy { $0.severity == .note } }

  /// Whether a part of the dataset could not be read.
  var isUnreadable: Bool { findings.contains { $0.check == DatasetChecks.unreadable } }

  /// How many of a check's worst findings are shown.
  private static let examples = 3

  /// By check, the most severe first, with the worst examples of each.
  func blocks(explaining: Bool) -> [TextBlock] {
    let size = "\(NumberText.count(clips, "clip")) of \(NumberText.count(subjects, "person"))"
    let groups = Dictionary(grouping: findings, by: \.check)
    let made = DatasetChecks.all.filter { checks.contains($0.name) }
    let found = made.filter { groups[$0.name] != nil }.enumerated().sorted { one, other in
      (groups[one.element.name]?.first?.severity ?? .note, one.offset)
        < (groups[other.element.name]?.first?.severity ?? .note, other.offset)
    }
    let first = isClean ? "" : found.first.map { "; first: \($0.element.title)" } ?? ""
    var blocks: [TextBlock] = [.line("\(dataset): \(size), \(summary)\(first)")]
    for (_, check) in found { blocks += section(check, groups[check.name] ?? [], explaining: explaining) }
    let silent = made.filter { groups[$0.name] == nil }
    if explaining {
      for check in silent {
        blocks += [
          .gap, .line("\("nothing", .good)  \(check.name, .bold)  \(check.title)"),
          Self.detail("threshold: \(check.threshold)"),
        ]
      }
    } else if !silent.isEmpty {
      let names = silent.map { $0.name }.joined(separator: ", ")
      blocks += [.gap, .labelled("nothing ", "found by \(names)", indent: 2)]
    }
    return blocks
  }

  private var summary: String {
    let counts = Finding.Severity.allCases.compactMap { severity -> String? in
      let count = findings.count { $0.severity == severity }
      return count == 0 ? nil : NumberText.count(count, severity.rawValue)
    }
    return counts.isEmpty ? "nothing wrong" : isClean ? "nothing wrong, " + counts[0] : counts.joined(separator: ", ")
  }

  private func section(_ check: any DatasetCheck, _ findings: [Finding], explaining: Bool) -> [TextBlock] {
    let severity = findings.first?.severity ?? .note
    let tone: Tone = severity == .problem ? .bad : severity == .warning ? .unsure : .dim
    let serious = findings.filter { $0.severity != .note }
    let shown = (serious.isEmpty ? findings : serious).prefix(Self.examples)
    let places = Set(findings.compactMap(\.clip))
    let share = places.isEmpty ? "" : ": \(places.count) of \(NumberText.count(clips, "clip"))"
    let notes = serious.isEmpty ? 0 : findings.count - serious.count
    let more = notes > 0 ? ", \(NumberText.count(notes, "note")) included" : ""
    var blocks: [TextBlock] = [
      .gap, .line("\(severity.rawValue, tone)  \(check.name, .bold)  \(check.title)\(share)\(more)"),
    ]
    blocks += shown.map { Self.detail(Self.line($0)) }
    let rest = (serious.isEmpty ? findings.count : serious.count) - shown.count
    if rest > 0 { blocks.append(.line("  and \(rest) more; --json lists all")) }
    if severity != .note || explaining {
      var remedies: [String] = []
      for finding in shown where !remedies.contains(finding.remedy) { remedies.append(finding.remedy) }
      blocks += remedies.map { Self.detail("remedy: \($0)") }
    }
    if explaining { blocks.append(Self.detail("threshold: \(check.threshold)")) }
    return blocks
  }

  private static func detail(_ text: String) -> TextBlock { .labelled("  ", TonedText(text), indent: 4) }

  private static func line(_ finding: Finding) -> String {
    let file = finding.file.map { file in [finding.line.map { "\(file):\($0)" } ?? file] } ?? []
    var place = finding.clip.map { [$0] } ?? []
    if let start = finding.start {
      place.append("\(start) s" + (finding.end.map { $0 == start ? "" : " to \($0) s" } ?? ""))
    }
    return (file + (place.isEmpty ? [] : [place.joined(separator: " at ")]) + [finding.found]).joined(separator: ": ")
  }
}
