import Datasets
import Foundation

/// A folder that an importer reads, and what is in it.
struct SourceFolder {
  /// Without a slash at its end.
  let path: String

  /// Returns `nil` where the path is no folder.
  init?(_ path: String) {
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory.boolValue else {
      return nil
    }
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    self.path = path
  }

  /// The last part of the path.
  var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  func folder(_ relative: String) -> SourceFolder? { SourceFolder("\(path)/\(relative)") }

  func contains(_ relative: String) -> Bool { FileManager.default.fileExists(atPath: "\(path)/\(relative)") }

  /// The names of what is in the folder, but hidden ones, in the order in which people count: 2 before 10.
  ///
  /// - Throws: `DataError` where the folder can't be read.
  func names() throws -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: path).filter { !$0.hasPrefix(".") }.sorted {
        $0.compare($1, options: .numeric) == .orderedAscending
      }
    } catch {
      throw DataError(file: path, expected: "a folder that can be read", found: error.localizedDescription)
    }
  }

  /// The names of the files that end in `.` and this, in any case.
  func names(endingIn ending: String) throws -> [String] {
    try names().filter { $0.lowercased().hasSuffix(".\(ending)") }
  }

  /// The paths within the folder of the files that end in `.` and this, in any case, also those in folders within it; in
  /// the order in which people count. Hidden ones, and what stands behind symbolic links, are left out.
  func files(endingIn ending: String, depth: Int = 8) throws -> [String] {
    try names().flatMap { name -> [String] in
      let type = try? FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")[.type] as? FileAttributeType
      switch type {
      case .typeDirectory? where depth > 0:
        return try folder(name)?.files(endingIn: ending, depth: depth - 1).map { "\(name)/\($0)" } ?? []
      case .typeRegular? where name.lowercased().hasSuffix(".\(ending)"): return [name]
      default: return []
      }
    }
  }

  /// The first line of a file, cut after 64 KiB; `nil` where it can't be read.
  func firstLine(of relative: String) -> String? {
    guard let file = try? InputFile("\(path)/\(relative)") else { return nil }
    let line = file.bytes.prefix(1 << 16).prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    return String(decoding: line, as: UTF8.self)
  }
}
