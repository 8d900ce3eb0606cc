import Datasets
import Files
import Foundation
import Pipeline
import Simulation

/// Finds datasets by name: the checkout's folders, through their cache in the store, and imported datasets.
///
/// A name may have both. Where they differ, the side that was changed since they were last alike is the dataset, or the
/// one with the content that a suite pins or a run had.
public struct DatasetCatalogue: Sendable {
  public let project: Project
  public let store: Store

  public init(project: Project, store: Store) {
    self.project = project
    self.store = store
  }

  /// - Throws: `EvaluationError.missing` for a dataset that does not exist, has expired or whose import is unfinished,
  ///   with the import of an absent public set; `DataError` for a folder that cannot be read or contains a dataset of
  ///   another name, and for a wrong entry of a public set; `StoreError.bothChanged` if store and folder were both
  ///   changed.
  public func dataset(named name: String) throws -> StoredDataset { try dataset(named: name, with: nil) }

  /// - Parameter content: That of the wanted side if store and folder differ; `nil` for the newer one.
  private func dataset(named name: String, with content: ContentHash?) throws -> StoredDataset {
    let isFolder = project.datasetNames.contains(name)
    if isFolder {
      let path = try project.within(project.datasetFolder(name))
      if FileKind("\(path)/\(DatasetRecipe.file)") == nil, let imported = try store.importedDataset(named: name) {
        try imported.requireUnexpired()
        return try side(of: store.compare(imported, withFolder: path), with: content)
      }
      try store.importing(
        folder: path, named: name, cacheOf: URL(fileURLWithPath: path).standardizedFileURL.path,
        readsEveryFile: DataReading.current.readsEveryFile)
    }
    // The store's copy of a folder that is gone, or that belongs to another checkout, is not this checkout's dataset.
    let stored = try store.datasets().filter { $0.manifest.name == name && (isFolder || $0.folder == nil) }
    let finished = stored.filter { $0.content != nil }
    if let complete = isFolder ? finished.last : finished.first {
      try complete.requireUnexpired()
      return complete
    }
    if let unfinished = stored.first {
      throw EvaluationError.missing(
        what: "dataset \(name)", expected: "a finished import",
        found: "one that was interrupted after \(unfinished.clipCount) clips; run the same import again")
    }
    if let set = try PublicSets(of: project).set(named: name) { throw set.missing }
    let names = Set(try store.datasets().filter { $0.folder == nil }.map(\.manifest.name) + project.datasetNames)
    throw EvaluationError.missing(
      what: "dataset \(name)", expected: "a folder \(project.datasetFolder(name)) or an imported dataset",
      found: names.isEmpty
        ? "neither; import one with: bench dataset import"
        : "neither; " + NearNames.choice(name, in: names))
  }

  /// A dataset as a run saw it; if its folder is gone, the store's copy.
  ///
  /// - Parameter content: The content in the run's record.
  ///
  /// - Throws: As `dataset(named:)`.
  public func dataset(named name: String, keptAs content: String) throws -> StoredDataset {
    do {
      return try dataset(named: name, with: ContentHash(content))
    } catch let error as EvaluationError {
      guard case .missing = error,
        let kept = try store.datasets().first(where: { stored in
          stored.manifest.name == name && stored.content?.description == content
            && !(stored.expires?.hasPassed() ?? false)
        })
      else { throw error }
      return kept
    }
  }

  /// - Parameters:
  ///   - suite: The name of the suite that pins it.
  ///   - predictions: Of the run, for the next step that an error names.
  /// - Throws: As `dataset(named:)`, and `EvaluationError.missing` if the content differs from the pinned one.
  public func dataset(
    pinned pin: Suite.DatasetPin, by suite: String, predictions: PredictionFiles? = nil
  ) throws -> StoredDataset {
    let dataset = try dataset(named: pin.name, with: pin.content)
    try pin.require(dataset, acceptedBy: "bench baseline accept --suite \(suite)\(predictions?.sources.options ?? "")")
    return dataset
  }

  private func side(of comparison: DatasetComparison, with content: ContentHash?) throws -> StoredDataset {
    let (imported, difference) = (comparison.imported, comparison.difference)
    guard let cache = comparison.cache else { return imported }
    let name = imported.manifest.name
    let folder = project.datasetFolder(name)
    let wanted = content.flatMap { content in [imported, cache].first { $0.content == content } }
    guard !difference.isEmpty else { return wanted ?? imported }
    guard !difference.isUnrelated else {
      let found = wanted ?? cache
      DataReading.current.note(
        "dataset \(name): the store's and that of \(folder) have no clip in common; used "
          + (found.folder == nil ? "the store's" : folder))
      return found
    }
    guard let newer = difference.newer else {
      let error = StoreError.bothChanged(dataset: name, folder: folder, changes: difference.summary)
      guard let wanted else { throw error }
      DataReading.current.note("\(error)")
      return wanted
    }
    let found = wanted ?? (newer == .store ? imported : cache)
    let places = newer == .store ? ("the store", folder) : (folder, "the store")
    DataReading.current.note(
      "dataset \(name): \(places.0) is newer than \(places.1) (\(difference.summary)); used "
        + (found.folder == nil ? "the store" : folder) + (wanted == nil ? "" : ", with the wanted content")
        + ". Bring both up to date with: bench dataset sync \(name)")
    return found
  }
}

extension StoredDataset {
  /// - Throws: `EvaluationError.missing` if it has expired.
  public func requireUnexpired() throws {
    guard let expires, expires.hasPassed() else { return }
    throw EvaluationError.missing(
      what: "dataset \(manifest.name)", expected: "one that has not expired",
      found: "one that expired on \(expires); bench dataset purge removes it")
  }
}

extension Suite.DatasetPin {
  /// - Parameter command: Accepts the suite's baseline again.
  /// - Throws: `EvaluationError.missing` if the dataset's content differs from the pinned one.
  func require(_ dataset: StoredDataset, acceptedBy command: String) throws {
    guard dataset.content == content else {
      throw EvaluationError.missing(
        what: "dataset \(name)", expected: "the content that the suite pins, \(content)",
        found: (dataset.content?.description ?? "an unfinished import")
          + "; if it only has more clips, this pins its new content and accepts the baseline again: "
          + "\(command) --against origin/main; if it was changed otherwise on purpose, put this content into the suite "
          + "and accept the baseline again: \(command); to run the suite on it nevertheless, without a verdict: --dataset \(name)"
      )
    }
  }
}

extension DatasetCatalogue {
  /// Finds a clip by its name in the checkout's datasets and the store; among several, the one with a wanted exercise.
  ///
  /// Datasets that a recipe would have to generate are searched only if no other has the clip.
  ///
  /// - Parameters:
  ///   - name: The clip's name, or `dataset/clip`.
  ///   - dataset: The only dataset to search; `nil` for all.
  ///   - preferred: Datasets to search before the others, if they exist.
  ///   - exercises: The exercises of the wanted clip if several have the name.
  /// - Throws: `EvaluationError.missing` if no clip has the name, with the import of a preferred public set that is
  ///   absent; `EvaluationError.usage` if several have; otherwise as `dataset(named:)`.
  public func clip(
    named name: String, in dataset: String? = nil, preferring preferred: [String] = [], likelyOf exercises: [String]
  ) throws -> (dataset: StoredDataset, clip: StoredClip) {
    let id = ClipID(name)
    let wanted = id?.clip ?? name
    if let dataset, let id, id.dataset != dataset {
      throw EvaluationError.usage("--dataset \(dataset) and the clip \(name) name different datasets: give one of them")
    }
    var found: [(dataset: StoredDataset, clip: StoredClip)] = []
    var others: [String] = []
    var likely: [String] = []
    let only = dataset ?? id?.dataset
    let groups = try only.map { [[$0]] } ?? datasetNames(preferring: preferred, likelyOf: exercises)
    for (place, names) in groups.enumerated() {
      for dataset in try names.map(dataset(named:)) {
        for clip in try store.clips(of: dataset) {
          if clip.info.name == wanted { found.append((dataset, clip)) } else { others.append(clip.info.name) }
          if place == 0, exercises.contains(clip.info.exercise) { likely.append(clip.info.name) }
        }
      }
      let fitting = found.filter { exercises.contains($0.clip.info.exercise) }
      if fitting.count == 1 { return fitting[0] }
      if fitting.count > 1 { break }
    }
    guard let first = found.first else {
      // The clip may be one of an absent public set.
      if only == nil, let set = try preferred.compactMap(absentSet(named:)).first { throw set.missing }
      let names = groups[0] + groups.dropFirst().joined().sorted()
      guard !names.isEmpty else {
        throw EvaluationError.missing(
          what: "clip \(name)", expected: "a clip of a dataset",
          found: "no datasets; import one with: bench dataset import")
      }
      let more = names.count > 5 ? " and \(names.count - 5) more datasets" : ""
      throw EvaluationError.missing(
        what: "clip \(name)", expected: "a clip of \(names.prefix(5).joined(separator: ", "))" + more,
        found: "none called " + Self.near(wanted, likely, others))
    }
    guard found.count == 1 else {
      throw EvaluationError.usage(
        "\(name) is in several datasets: write "
          + found.map { $0.clip.info.id(in: $0.dataset.manifest) }.joined(separator: " or "))
    }
    return first
  }

  /// The preferred datasets, then others that may have clips of the exercises, and last those that recipes generate.
  private func datasetNames(preferring preferred: [String], likelyOf exercises: [String]) throws -> [[String]] {
    let imported = try store.datasets().filter { $0.content != nil && $0.folder == nil }.map(\.manifest.name)
    let all = Set(imported + project.datasetNames)
    let first = preferred.filter(all.contains)
    let ofOthers = project.datasetNames.filter { name in
      guard let recipe = try? DatasetRecipe(project.within(project.datasetFolder(name))) else { return false }
      return !recipe.generator.exercises.contains { exercises.contains($0.name) }
    }
    let likely = all.subtracting(ofOthers).subtracting(first)
    return [first, likely.sorted(), ofOthers.filter { !first.contains($0) }.sorted()]
  }

  /// The name, and clips with similar ones: of the likely clips if there are any, else of all others.
  private static func near(_ wanted: String, _ likely: [String], _ others: [String]) -> String {
    let all = [likely, others].map { NearNames.question(wanted, in: $0) + alike(wanted, $0) }
    return all.first { $0 != Excerpt.of(wanted) } ?? Excerpt.of(wanted)
  }

  /// Some clips that contain the name if none is similar: `s01` is not a misspelt `s01_side_2`.
  private static func alike(_ wanted: String, _ clips: [String]) -> String {
    let found = clips.filter { $0.lowercased().contains(wanted.lowercased()) }
    guard !wanted.isEmpty, !found.isEmpty, NearNames.of(wanted, in: clips).isEmpty else { return "" }
    return "; there are \(found.prefix(3).joined(separator: ", "))"
      + (found.count > 3 ? " and \(found.count - 3) more" : "")
  }
}
