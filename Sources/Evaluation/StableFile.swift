import Datasets
import Foundation

/// JSON for files that people compare: sorted keys, one value a line, a line feed at the end.
public func stableJSON(_ value: some Encodable) throws -> Data {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
  return try encoder.encode(value) + Data("\n".utf8)
}

/// Writes a file whole or not at all, making its folder where it is absent.
///
/// - Throws: `DataError` with the system's reason.
public func writeWhole(_ data: Data, to path: String) throws {
  do {
    let folder = (path as NSString).deletingLastPathComponent
    if !folder.isEmpty { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }
    try data.write(to: URL(fileURLWithPath: path), options: .atomic)
  } catch let error as CocoaError {
    let reason = (error.underlying as? POSIXError).map {
      String(cString: strerror(Int32($0.code.rawValue))).lowercased()
    }
    throw DataError(file: path, expected: "to write here", found: reason ?? error.localizedDescription)
  }
}
