import Foundation

/// A folder `mine` within a temporary one, gone after the test.
public final class TestFolder {
  public let outside: URL
  public var path: String { outside.appendingPathComponent("mine").path }

  public init() throws {
    outside = FileManager.default.temporaryDirectory.appendingPathComponent("test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: outside, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: outside) }

  public func write(_ text: String, to file: String) throws { try write(Data(text.utf8), to: file) }

  public func write(_ bytes: Data, to file: String) throws {
    let url = outside.appendingPathComponent("mine/\(file)")
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try bytes.write(to: url)
  }

  /// Every file below the folder with its bytes.
  public func snapshot(_ folder: String = "mine") throws -> [String: Data] {
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
  public func error(_ body: () throws -> Void) -> String {
    errorText(body).replacingOccurrences(of: outside.path + "/", with: "")
  }
}

/// The text of the error that `body` throws.
public func errorText(_ body: () throws -> Void) -> String {
  do {
    try body()
    return "no error"
  } catch {
    return "\(error)"
  }
}
