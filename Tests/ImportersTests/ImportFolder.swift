import Datasets
import Foundation
import PoseModel
import Testing

/// A folder to import, gone after the test.
final class ImportFolder {
  let path = NSTemporaryDirectory() + "import-" + UUID().uuidString

  init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func write(_ text: String, to file: String) throws {
    let url = URL(fileURLWithPath: "\(path)/\(file)")
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  /// The words of the error that `body` throws, without the folder.
  func error(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "no error"
    } catch {
      return "\(error)".replacing(path + "/", with: "")
    }
  }
}

extension DatasetSource {
  func clips() throws -> [Clip] { try (0..<clipCount).map { try clip($0) } }
}

extension Keypoints {
  /// A column as an array; empty where there is no such channel.
  func values(_ keypoint: Int, _ channel: Channel) -> [Float] { column(keypoint, channel).map { Array($0) } ?? [] }
}
