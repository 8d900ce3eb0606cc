import Datasets
import Files
import Foundation
import Statistics

/// What a dataset's folder has more than at a commit, where everything that was there is unchanged: clips that are new,
/// of people who are new or known.
///
/// Growth takes nothing from what a comparison says of the old clips, unlike a label that is changed or a clip that is
/// gone.
struct DatasetGrowth: Sendable {
  let dataset: String
  /// The names of the clips that are new.
  let added: [String]

  /// Clips that are new in a dataset of the run.
  fileprivate init(of dataset: String, added: [String]) { (self.dataset, self.added) = (dataset, added) }

  /// `nil` if something else than growth happened, or the commit does not have the dataset's folder.
  ///
  /// - Throws: `EvaluationError.missing` if git does not answer.
  init?(of dataset: String, since commit: GitCommit, in project: Project) throws {
    let folder = Project(root: "").datasetFolder(dataset)
    func before(_ file: String) throws -> InputFile? {
      try commit.file("\(folder)/\(file)").map { InputFile(name: file, bytes: $0) }
    }
    func now(_ file: String) -> InputFile? { try? InputFile("\(project.datasetFolder(dataset))/\(file)") }
    guard let old = try before("dataset.yaml").flatMap({ try? Manifest(yaml: $0) }),
      let new = now("dataset.yaml").flatMap({ try? Manifest(yaml: $0) }), old.measuresAlike(new),
      let clips = try before("clips.csv").flatMap({ Self.rows($0) }), let all = now("clips.csv").flatMap(Self.rows)
    else { return nil }
    let tables = Set(try commit.names(in: folder) + project.datasetTables(dataset)).filter {
      $0.hasSuffix(".csv") && $0 != "clips.csv"
    }
    for (clip, rows) in clips where all[clip] != rows { return nil }
    for table in tables {
      let old = try before(table).map { Self.rows($0) } ?? [:]
      let new = now(table).map(Self.rows) ?? [:]
      guard let old, let new else { return nil }
      for clip in clips.keys where old[clip] != new[clip] { return nil }
    }
    // Git compares the poses at once, also of large files that a filter keeps elsewhere. Of a link it has only the path.
    let changed = Set(try commit.changedPaths())
    var names: [String: Set<String>] = [:]
    for (_, rows) in clips {
      guard let poses = rows.first?["poses"], !poses.isEmpty else { continue }
      let path = "\(folder)/\(poses)"
      let place = PathParts(path)
      let known = try names[place.folder] ?? commit.fileNames(in: place.folder)
      names[place.folder] = known
      guard known.contains(place.name), !changed.contains(path) else { return nil }
    }
    self.dataset = dataset
    added = all.keys.filter { clips[$0] == nil }.sorted()
  }

  /// The rows of each clip, as texts by column; `nil` for a table without clips.
  private static func rows(_ file: InputFile) -> [String: [[String: String]]]? {
    // A table that is read without its other columns has them empty.
    guard let header = try? CSVTable(file, required: ["clip"], ignoringOthers: true).columns,
      let table = try? CSVTable(file, required: header)
    else { return nil }
    var rows: [String: [[String: String]]] = [:]
    for row in table.rows {
      var values: [String: String] = [:]
      for column in table.columns { values[column] = (try? row.textIfPresent(column)) ?? "" }
      guard let clip = values["clip"] else { return nil }
      rows[clip, default: []].append(values)
    }
    return rows
  }
}

extension Manifest {
  /// Whether poses and labels mean the same in another one; what is said of source and licence may differ.
  fileprivate func measuresAlike(_ other: Manifest) -> Bool {
    var other = other
    (other.version, other.source, other.licence, other.caveat) = (version, source, licence, caveat)
    return self == other
  }
}

/// The datasets of a suite that only grew since a commit, pinned to their content of now in the suite's file.
public struct GrownPins {
  /// What is pinned anew, one sentence each.
  public private(set) var words: [String] = []
  private let path: String
  private let before: Data

  /// - Throws: The errors of `DatasetCatalogue.dataset(named:)`, and `EvaluationError.missing` if git does not answer.
  public init(of suite: Suite, since commit: GitCommit, in project: Project, _ store: Store) throws {
    path = try project.within(project.suiteFile(suite.name))
    before = try InputFile(path).bytes
    let catalogue = DatasetCatalogue(project: project, store: store)
    var text = String(decoding: before, as: UTF8.self)
    for pin in suite.datasets where project.datasetNames.contains(pin.name) {
      guard let content = try catalogue.dataset(named: pin.name).content, content != pin.content,
        let growth = try DatasetGrowth(of: pin.name, since: commit, in: project), !growth.added.isEmpty
      else { continue }
      text = text.replacing(pin.content.description, with: content.description)
      words.append(
        "dataset \(pin.name) has \(NumberText.count(growth.added.count, "clip")) more than \(commit.title): "
          + "pinned its new content in \(path)")
    }
    if !words.isEmpty { try writeWhole(Data(text.utf8), to: path) }
  }

  /// Gives the suite's file its former content.
  public func undo() {
    if !words.isEmpty { try? writeWhole(before, to: path) }
  }
}

/// The datasets of a suite that only grew since a commit, its other new clips, and the results on the clips that were
/// there.
public struct GrownData: Sendable {
  let datasets: [DatasetGrowth]
  /// Clips that the suite takes from other datasets, or of other exercises, than at the commit.
  private let others: [DatasetGrowth]
  /// Of the clips that were there.
  let kept: RunResults

  /// - Parameter results: Those of the whole run, whose costs are taken.
  /// - Returns: `nil` if no dataset grew and no clip is new, or if none was there.
  /// - Throws: `EvaluationError.missing` if git does not answer, and the errors of a replay.
  public init?(
    since base: BaseSuite, _ run: SuiteRun, _ results: RunResults, in project: Project, threads: Int
  ) async throws {
    datasets = try (base.suite?.datasets ?? []).compactMap { old in
      guard let now = run.suite.datasets.first(where: { $0.name == old.name }), now.content != old.content else {
        return nil
      }
      return try DatasetGrowth(of: old.name, since: base.commit, in: project)
    }
    let known = base.clipNames(results)
    let new = results.clips.filter { !known.contains($0.id) }
    guard new.count < results.clips.count, !datasets.isEmpty || !new.isEmpty else { return nil }
    let grown = Set(datasets.map(\.dataset))
    others = Dictionary(grouping: new, by: \.dataset).filter { !grown.contains($0.key) }
      .sorted { $0.key < $1.key }.map { DatasetGrowth(of: $0.key, added: $0.value.map(\.name).sorted()) }
    var kept = try await run.results(onClips: known, version: results.bench, threads: threads)
    kept.measured = results.measured
    self.kept = kept
  }

  /// Whether this is all that is new since a baseline.
  func isGrowth(of earlier: Baseline, to baseline: Baseline) -> Bool {
    let grown = Set(datasets.map(\.dataset))
    return earlier.datasets.allSatisfy { name, content in
      baseline.datasets[name] == content || baseline.datasets[name] != nil && grown.contains(name)
    } && Set(earlier.clips.keys) == Set(kept.clips.map(\.id))
  }

  /// What the reader is told, one sentence each.
  func words(_ results: RunResults) -> [String] {
    let people = Dictionary(
      results.clips.map { ($0.id, $0.subject) }, uniquingKeysWith: { first, _ in first })
    return (datasets + others).map { growth in
      let own = Dictionary(
        growth.added.map { ($0, people[ClipID(dataset: growth.dataset, clip: $0).description] ?? "") },
        uniquingKeysWith: { first, _ in first })
      return growth.words(own) + (growth.added.isEmpty ? "" : ": compared on the clips that were there")
    }
  }
}

extension DatasetGrowth {
  /// `dataset mine has 3 clips more, of s11`
  func words(_ people: [String: String]) -> String {
    guard !added.isEmpty else { return "dataset \(dataset) has the same clips and labels, with another description" }
    let names = Set(added.compactMap { people[$0] }).sorted()
    return "dataset \(dataset) has \(added.count) clip\(added.count == 1 ? "" : "s") more, of "
      + names.prefix(5).joined(separator: ", ") + (names.count > 5 ? " and \(names.count - 5) more people" : "")
  }
}
