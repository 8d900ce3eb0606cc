import Foundation

/// The files of a folder; none may lie outside it.
package struct FolderContents: Sendable {
  /// The folder as the user gave it, without a slash at its end.
  package let directory: String
  /// The folder without symbolic links.
  private let root: RealPath

  /// - Parameter expected: The expected content, for the error.
  /// - Throws: `DataError` if there is no such folder.
  package init(_ directory: String, expected: String) throws {
    var directory = directory
    while directory.count > 1, directory.hasSuffix("/") { directory.removeLast() }
    guard let root = RealPath(directory), FileKind(root.text) == .directory else {
      let found = FileKind(directory) == nil ? "no such folder" : "a file"
      throw DataError(file: directory, expected: expected, found: found)
    }
    self.directory = directory
    self.root = root
  }

  /// A file's name in errors, which is also its path.
  package func name(_ relative: String) -> String {
    directory.hasSuffix("/") ? directory + relative : "\(directory)/\(relative)"
  }

  package func file(_ relative: String) throws -> InputFile {
    let name = name(relative)
    guard let path = RealPath(name) else {
      throw DataError(file: name, expected: "a file that can be read", found: "no such file")
    }
    return try InputFile(path, in: root, name: name)
  }

  /// `nil` if there is no such file.
  package func fileIfPresent(_ relative: String) throws -> InputFile? {
    FileKind(name(relative)) == nil ? nil : try file(relative)
  }

  /// The problem with a path that a file of the folder refers to; `nil` if it leads to a file inside.
  package func objection(to relative: String) -> (expected: String, found: String)? {
    let parts = relative.split(separator: "/", omittingEmptySubsequences: false)
    guard !parts.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }), !relative.utf8.contains(0) else {
      return ("a path within the folder, without '.' and '..'", Excerpt.of(relative))
    }
    guard let path = RealPath(name(relative)) else {
      return ("a file of the folder", "\(Excerpt.of(relative)), which does not exist")
    }
    guard path.isWithin(root) else {
      return ("a file of the folder", "\(Excerpt.of(relative)), a link that leads outside")
    }
    return nil
  }

  /// The names of the files at the top of the folder, sorted.
  package func topLevelNames() throws -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
    } catch {
      throw DataError(file: directory, expected: "a folder that can be read", found: error.localizedDescription)
    }
  }
}

/// The kind of file at a path, without following a symbolic link at its end.
public enum FileKind {
  case file, directory, link, other

  /// `nil` if nothing exists there.
  public init?(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFREG: self = .file
    case S_IFDIR: self = .directory
    case S_IFLNK: self = .link
    default: self = .other
    }
  }
}
