import Foundation

/// The files of a folder, none of which may lie outside it.
struct FolderContents: Sendable {
  /// The folder as the user gave it, without a slash at its end.
  let directory: String
  /// The folder without symbolic links.
  private let root: String

  init(_ directory: String) throws {
    var directory = directory
    while directory.count > 1, directory.hasSuffix("/") { directory.removeLast() }
    guard let root = Self.resolve(directory), FileKind(root) == .directory else {
      let found = FileKind(directory) == nil ? "no such folder" : "a file"
      throw DataError(file: directory, expected: "a folder with dataset.yaml and clips.csv", found: found)
    }
    self.directory = directory
    self.root = root
  }

  /// What errors call a file, which is also its path.
  func name(_ relative: String) -> String {
    directory.hasSuffix("/") ? directory + relative : "\(directory)/\(relative)"
  }

  func file(_ relative: String) throws -> InputFile {
    guard let path = Self.resolve(name(relative)) else {
      throw DataError(file: name(relative), expected: "a file that can be read", found: "no such file")
    }
    guard contains(path) else {
      throw DataError(file: name(relative), expected: "a file in the folder", found: "a link that leads outside")
    }
    return try InputFile(path, name: name(relative))
  }

  /// `nil` where there is no such file.
  func fileIfPresent(_ relative: String) throws -> InputFile? {
    FileKind(name(relative)) == nil ? nil : try file(relative)
  }

  /// What is wrong with a path that a file of the folder gives for another one; `nil` where it leads to a file inside.
  func objection(to relative: String) -> (expected: String, found: String)? {
    let parts = relative.split(separator: "/", omittingEmptySubsequences: false)
    guard !parts.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }), !relative.utf8.contains(0) else {
      return ("a path within the folder, without '.' and '..'", Excerpt.of(relative))
    }
    guard let path = Self.resolve(name(relative)) else {
      return ("a file of the folder", "\(Excerpt.of(relative)), which does not exist")
    }
    guard contains(path) else {
      return ("a file of the folder", "\(Excerpt.of(relative)), a link that leads outside")
    }
    return nil
  }

  /// The names of the files at the top of the folder, sorted.
  func topLevelNames() throws -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
    } catch {
      throw DataError(file: directory, expected: "a folder that can be read", found: error.localizedDescription)
    }
  }

  private func contains(_ path: String) -> Bool { path.hasPrefix(root == "/" ? root : root + "/") }

  private static func resolve(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
