import Datasets
import Foundation
import PoseModel

/// A folder `mine` within a temporary one, gone after the test.
final class TestFolder {
  let outside: URL
  var path: String { outside.appendingPathComponent("mine").path }

  init() throws {
    outside = FileManager.default.temporaryDirectory.appendingPathComponent("datasets-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: outside, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: outside) }

  func write(_ text: String, to file: String) throws { try write(Data(text.utf8), to: file) }

  func write(_ bytes: Data, to file: String) throws {
    let url = outside.appendingPathComponent("mine/\(file)")
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try bytes.write(to: url)
  }

  /// Every file below the folder with its bytes.
  func snapshot(_ folder: String = "mine") throws -> [String: Data] {
    let root = outside.appendingPathComponent(folder).path
    var files: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: root) {
      var isDirectory: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: "\(root)/\(name)", isDirectory: &isDirectory)
      if !isDirectory.boolValue { files[name] = try Data(contentsOf: URL(fileURLWithPath: "\(root)/\(name)")) }
    }
    return files
  }

  /// The text of the error that `body` throws, the temporary part of paths left out.
  func error(_ body: () throws -> Void) -> String {
    errorText(body).replacingOccurrences(of: outside.path + "/", with: "")
  }

  /// The text of the error that opening the dataset, or reading one of its clips, throws.
  func openingError() -> String {
    error {
      let folder = try DatasetFolder(path)
      for index in folder.clips.indices { _ = try folder.clip(index) }
    }
  }
}

/// The text of the error that `body` throws.
func errorText(_ body: () throws -> Void) -> String {
  do {
    try body()
    return "no error"
  } catch {
    return "\(error)"
  }
}

extension InputFile {
  init(_ name: String, text: String) { self.init(name: name, bytes: Data(text.utf8)) }
}
