import Foundation

/// A file that importers can be given, for as long as `body` runs.
///
/// Written through C, because Foundation waits until a file is on the disk, which takes longer than what is tried.
func withTemporaryFile<Result>(
  _ bytes: Data, named name: String, _ body: (_ path: String) throws -> Result
) throws -> Result {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("fuzz-\(UUID().uuidString)").path
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(atPath: folder) }
  let path = "\(folder)/\(name)"
  guard let file = fopen(path, "wb") else { throw CocoaError(.fileWriteUnknown) }
  let written = bytes.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) }
  guard fclose(file) == 0, written == bytes.count else { throw CocoaError(.fileWriteUnknown) }
  return try body(path)
}
