import Foundation

/// A folder of files that importers can be given, for as long as `body` runs.
///
/// Written through C, because Foundation waits until a file is on the disk, which takes longer than what is tried.
func withTemporaryFiles<Result>(
  _ files: [String: [UInt8]], _ body: (_ folder: String) throws -> Result
) throws -> Result {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("fuzz-\(UUID().uuidString)").path
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(atPath: folder) }
  for (name, bytes) in files {
    if let end = name.lastIndex(of: "/") {
      try FileManager.default.createDirectory(
        atPath: "\(folder)/\(name[..<end])", withIntermediateDirectories: true)
    }
    guard let file = fopen("\(folder)/\(name)", "wb") else { throw CocoaError(.fileWriteUnknown) }
    let written = fwrite(bytes, 1, bytes.count, file)
    guard fclose(file) == 0, written == bytes.count else { throw CocoaError(.fileWriteUnknown) }
  }
  return try body(folder)
}
