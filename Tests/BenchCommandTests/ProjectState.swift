import Datasets
import Foundation

/// What a command must leave as it was when it fails: every file of the project, and what the store holds.
struct ProjectState: Equatable {
  /// Name and content of every dataset of the store.
  let datasets: [String]
  let runs: [String]
  /// But for the store's own.
  let files: [String: Data]

  init(_ workspace: Workspace) throws {
    let store = try workspace.store()
    datasets = try store.datasets().map { dataset in
      "\(dataset.manifest.name) \(dataset.content?.description ?? "unfinished") \(dataset.clipCount)"
    }
    runs = try store.runs(ofSuite: "squat").map { "\($0.id) \($0.results.count)" }
    files = try Self.files(workspace.project)
  }

  /// Every file below a folder with its bytes, but for the store's.
  static func files(_ folder: String) throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder) where !name.hasPrefix(".formbench") {
      let type = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")[.type] as? FileAttributeType
      files[name] = type == .typeRegular ? try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)")) : Data()
    }
    return files
  }
}
