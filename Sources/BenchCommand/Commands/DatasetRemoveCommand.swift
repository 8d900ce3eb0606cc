import ArgumentParser
import Datasets
import Evaluation
import Files
import Foundation
import Pipeline
import Reports
import Statistics

struct DatasetRemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove a dataset from the store; its folder and its runs stay.",
    discussion: """
      Its poses, labels and names are erased from the store's files; only its own name stays, in the audit log. Runs \
      keep no poses, but the names of its clips and people: --runs removes these runs too. Your reports and \
      baselines stay; those that contain its name are listed.

      A dataset with labels that were added in the store and are in no folder or archive that bench wrote is removed \
      with --labels only.

      Example: bench dataset remove repcount-pose
      """)

  @Argument(help: "The dataset.") var name: String
  @Flag(help: "Also remove the runs on this dataset from the history.") var runs = false
  @Flag(help: "Remove the dataset even if its labels are nowhere else.") var labels = false
  @OptionGroup var storage: StoreOptions

  func run() throws {
    let store = try storage.open()
    let all = try store.datasets()
    let found = all.filter { $0.manifest.name == name }
    let orphans = found.isEmpty ? try store.runs(onDataset: name).count : 0
    guard !found.isEmpty || runs && orphans > 0 else {
      throw EvaluationError.missing(
        what: "dataset \(name)", expected: "a dataset of the store (see: bench dataset list)",
        found: orphans > 0
          ? "only \(NumberText.count(orphans, "run")) on it; --runs removes \(orphans == 1 ? "it" : "them")"
          : "none called " + NearNames.question(name, in: all.map(\.manifest.name)))
    }
    if !labels, try found.contains(where: store.hasUnsavedLabels) {
      throw EvaluationError.usage(
        "\(name) has labels that are nowhere else; write them to \(storage.project.datasetFolder(name)) with: "
          + "bench dataset sync \(name); or remove them too with: bench dataset remove --labels \(name)")
    }
    let removal = try DatasetRemoval(found, of: [name], .removed, withRuns: runs, in: store, of: storage.project)
    let isFolder = storage.project.datasetNames.contains(name)
    let line =
      "removed \(name) from the store"
      + (isFolder ? "; its folder \(storage.project.datasetFolder(name)) stays" : "")
    Terminal.out(.lines((found.isEmpty ? [] : [line]) + removal.lines))
    guard removal.erasure == .complete else { throw ExitCode(1) }
  }
}

/// A removal from the store, and its messages.
struct DatasetRemoval {
  /// The items that no other process removed.
  let datasets: [StoredDataset]
  let erasure: Erasure
  /// Messages on the data that stay and the data removed with it.
  let lines: [String]

  init(
    _ datasets: [StoredDataset], of names: [String], _ action: AuditEntry.Action, withRuns: Bool, in store: Store,
    of project: Project
  ) throws {
    let removal = try store.remove(datasets, action, runsOn: withRuns ? names : [])
    self.datasets = removal.datasets
    erasure = removal.erasure
    var lines: [String] = []
    if withRuns, !removal.runs.isEmpty {
      lines.append(
        "removed \(NumberText.count(removal.runs.count, "run")) on \(names.joined(separator: ", ")) from the history")
    } else if !withRuns {
      let count = try Set(names.flatMap { try store.runs(onDataset: $0).map(\.id) }).count
      if count > 0 {
        lines.append(
          "\(NumberText.count(count, "run")) on it stay\(count == 1 ? "s" : "") in the history, with the names of clips and "
            + "people; --runs would have removed them")
      }
    }
    let files = Self.files(naming: names, in: project)
    if !files.isEmpty { lines.append("these files contain its name: \(files.joined(separator: ", "))") }
    if case .pending(let reason) = erasure {
      lines.append(
        "its bytes are still in the store's files, because \(reason); bench dataset purge clears them")
    }
    self.lines = lines
  }

  /// All reports (a suite's folders and files) and baselines of any run that contain one of the names as a word.
  private static func files(naming names: [String], in project: Project) -> [String] {
    let manager = FileManager.default
    func entries(_ folder: String) -> [String] {
      ((try? manager.contentsOfDirectory(atPath: folder)) ?? []).sorted().map { "\(folder)/\($0)" }
    }
    func holds(_ path: String) -> Bool {
      // The targets of links, such as that to the latest report, are searched themselves.
      switch FileKind(path) {
      case .directory: return entries(path).contains(where: holds)
      case .file:
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped) else { return false }
        return names.contains { data.holds(word: $0) }
      default: return false
      }
    }
    let reports = entries(project.reports).flatMap { FileKind($0) == .directory ? entries($0) : [$0] }
    return (reports + entries(project.baselines)).filter(holds)
  }
}

extension Data {
  /// Whether the name occurs, and not as a part of a longer one.
  fileprivate func holds(word: String) -> Bool {
    let word = Array(word.utf8)
    return withUnsafeBytes { bytes in
      func isPartOfName(_ index: Int) -> Bool {
        bytes.indices.contains(index) && PortableName.isValid("a" + String(UnicodeScalar(bytes[index])))
      }
      var start = 0
      // Unlike Data's own search, this copies nothing.
      while let base = bytes.baseAddress, let first = word.first, bytes.count - start >= word.count,
        let found = memchr(base + start, Int32(first), bytes.count - start - word.count + 1)
      {
        let place = UnsafeRawPointer(found) - base
        if memcmp(found, word, word.count) == 0, !isPartOfName(place - 1), !isPartOfName(place + word.count) {
          return true
        }
        start = place + 1
      }
      return false
    }
  }
}
