import Datasets
import Foundation

/// Finds datasets by name: the checkout's folders, through their cache in the store, and what was imported.
public struct DatasetCatalogue: Sendable {
  public let project: Project
  public let store: Store

  public init(project: Project, store: Store) {
    self.project = project
    self.store = store
  }

  /// - Throws: `EvaluationError.missing` for a dataset that is not there or whose import is unfinished or that has expired; `DataError` for a
  ///   folder that can't be read.
  public func dataset(named name: String) throws -> StoredDataset {
    let isFolder = project.datasetNames.contains(name)
    if isFolder {
      let path = project.datasetFolder(name)
      try store.importing(folder: path, cacheOf: URL(fileURLWithPath: path).standardizedFileURL.path)
    }
    // What the store keeps of a folder that is gone, or is another checkout's, is not this checkout's dataset.
    let stored = try store.datasets().filter { $0.manifest.name == name && (isFolder || $0.folder == nil) }
    if let complete = stored.first(where: { $0.content != nil }) {
      if let expires = complete.expires, expires.hasPassed() {
        throw EvaluationError.missing(
          what: "dataset \(name)", expected: "one that may still be kept",
          found: "one that expired on \(expires); bench dataset purge removes it")
      }
      return complete
    }
    if let unfinished = stored.first {
      throw EvaluationError.missing(
        what: "dataset \(name)", expected: "a finished import",
        found: "one that was interrupted after \(unfinished.clipCount) clips; run the same import again")
    }
    let names = Set(try store.datasets().filter { $0.folder == nil }.map(\.manifest.name) + project.datasetNames)
    throw EvaluationError.missing(
      what: "dataset \(name)", expected: "a folder \(project.datasetFolder(name)) or an imported dataset",
      found: names.isEmpty
        ? "neither, and no other dataset"
        : "neither; there are \(names.sorted().joined(separator: ", ")). Asked for \(NearNames.question(name, in: names))"
    )
  }

  /// A dataset as a run saw it: where its folder is gone, what the store keeps of it.
  ///
  /// - Parameter content: as the run notes it.
  /// - Throws: as `dataset(named:)`.
  public func dataset(named name: String, keptAs content: String) throws -> StoredDataset {
    do {
      return try dataset(named: name)
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

  /// - Throws: as `dataset(named:)`, and `EvaluationError.missing` where the content is another than the pinned one.
  public func dataset(pinned pin: Suite.DatasetPin) throws -> StoredDataset {
    let dataset = try dataset(named: pin.name)
    guard dataset.content == pin.content else {
      throw EvaluationError.missing(
        what: "dataset \(pin.name)", expected: "the content that the suite is pinned to, \(pin.content)",
        found: dataset.content?.description ?? "an unfinished import")
    }
    return dataset
  }
}
