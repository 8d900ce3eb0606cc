import Files
import Foundation

/// A folder that an importer reads.
struct SourceFolder {
  /// Without a slash at its end.
  let path: String

  /// `nil` if the path is not a folder.
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

  /// `nil` if there is no such folder.
  ///
  /// - Throws: `DataError` if it is a link that leads outside.
  func folder(_ relative: String) throws -> SourceFolder? {
    guard let folder = SourceFolder("\(path)/\(relative)") else { return nil }
    try requireInside(relative)
    return folder
  }

  func contains(_ relative: String) -> Bool { FileManager.default.fileExists(atPath: "\(path)/\(relative)") }

  /// The names in the folder, without hidden ones, in natural order: 2 before 10.
  ///
  /// - Throws: `DataError` if the folder cannot be read.
  func names() throws -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: path).filter { !$0.hasPrefix(".") }.sorted {
        $0.compare($1, options: .numeric) == .orderedAscending
      }
    } catch {
      throw DataError(file: path, expected: "a folder that can be read", found: error.localizedDescription)
    }
  }

  /// The names of the files with this ending, in any case.
  func names(endingIn ending: String) throws -> [String] {
    try names().filter { $0.lowercased().hasSuffix(".\(ending)") }
  }

  /// The paths of all files in the folder and its subfolders with one of these endings, in any case, in natural order.
  /// Hidden files are left out. Links to folders are not followed: targets within the folder are found in their own
  /// place.
  ///
  /// - Parameter limit: The most files to find.
  /// - Throws: `DataError` if a link to a folder leads outside, something with that ending is not a file, a folder
  ///   cannot be read, or the folder is the root of the file system or too large for a folder of recordings.
  func files(endingIn endings: [String], limit: Int = .max) throws -> [String] {
    guard RealPath(path)?.text != "/" else {
      throw DataError(
        file: path, expected: "a folder of recordings", found: "the root of the file system; name a folder in it")
    }
    let endings = endings.map { ".\($0)" }
    var found: [String] = []
    var folders = [""]
    var seen = 0
    while found.count < limit, let folder = folders.popLast() {
      try forEachEntry(of: folder) { name in
        guard found.count < limit else { return false }
        seen += 1
        guard seen <= Self.most else {
          throw DataError(
            file: path, expected: "a folder of recordings, with at most \(Self.most) files and folders in it",
            found: "more; name the folder that has the recordings")
        }
        let file = folder + name
        let isOurs = { endings.contains { name.lowercased().hasSuffix($0) } }
        switch FileKind("\(path)/\(file)") {
        case .directory: folders.append(file + "/")
        case .link where SourceFolder("\(path)/\(file)") != nil: try requireInside(file)
        case .file, .link: if isOurs() { found.append(file) }
        case .other: if isOurs() { _ = try InputFile("\(path)/\(file)") }
        case nil: break
        }
        return true
      }
    }
    return found.sorted { $0.compare($1, options: .numeric) == .orderedAscending }
  }

  /// Half a million frames, each a file in its own folder.
  private static let most = 1_000_000

  /// Calls `body` with the name of each entry in a subfolder except hidden ones, in the system's order, until it
  /// returns `false`.
  private func forEachEntry(of folder: String, _ body: (String) throws -> Bool) throws {
    guard let stream = opendir("\(path)/\(folder)") else {
      // A folder that was removed meanwhile is empty.
      if errno == ENOENT { return }
      throw DataError(
        file: "\(path)/\(folder)", expected: "a folder that can be read",
        found: String(cString: strerror(errno)).lowercased())
    }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if !name.hasPrefix("."), try !body(name) { return }
    }
  }

  private func requireInside(_ relative: String) throws {
    if let target = RealPath("\(path)/\(relative)"), let root = RealPath(path), target != root, !target.isWithin(root) {
      throw DataError(
        file: "\(path)/\(relative)", expected: "a folder within \(path)", found: "a link that leads outside")
    }
  }

  /// The first line of a file, without a byte order mark, cut after 64 KiB; `nil` if it cannot be read.
  func firstLine(of relative: String) -> String? {
    guard let file = try? InputFile("\(path)/\(relative)") else { return nil }
    let line = file.bytes.prefix(1 << 16).withoutByteOrderMark.prefix {
      $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r")
    }
    return String(decoding: line, as: UTF8.self)
  }
}

extension PortableName {
  /// - Throws: `DataError` if a clip cannot have the name that its file gives it.
  static func require(_ clip: String, of file: String) throws {
    guard isValid(clip) else { throw DataError(file: file, expected: description, found: clip) }
  }
}

/// Archives, which annotation tools export and people send each other, recognised by their first bytes.
///
/// - Source: PKWARE, ".ZIP File Format Specification" 6.3.4, local file header; RFC 1952, 2.3.1; RFC 8878, 3.1.1;
///   `TarFormat`; the others by what `file` knows them by.
enum PackedFile {
  private static let beginnings: [(kind: String, at: Int, bytes: [UInt8])] = [
    ("a ZIP archive", 0, [0x50, 0x4B, 0x03, 0x04]), ("a gzip file", 0, [0x1F, 0x8B]),
    ("a tar archive", 257, Array("ustar".utf8)), ("a bzip2 file", 0, Array("BZh".utf8)),
    ("an xz file", 0, [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0]), ("a Zstandard file", 0, [0x28, 0xB5, 0x2F, 0xFD]),
    ("a 7-Zip archive", 0, [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]), ("a RAR archive", 0, Array("Rar!".utf8)),
  ]

  /// The usual endings of such files.
  private static let endings = ["zip", "gz", "tgz", "tar", "bz2", "xz", "zst", "7z", "rar"]

  /// The kind of archive; `nil` if the file is none.
  static func kind(_ file: InputFile) -> String? {
    beginnings.first { file.bytes.dropFirst($0.at).starts(with: $0.bytes) }?.kind
  }

  /// - Throws: `DataError` for a packed file.
  static func refuse(_ file: InputFile) throws {
    guard let kind = kind(file) else { return }
    throw DataError(
      file: file.name, expected: "files as the tool wrote them, not packed",
      found: "\(kind): unpack it, and give the folder")
  }

  /// Refuses a path or folder with an archive and nothing readable.
  ///
  /// - Throws: `DataError`.
  static func refuse(at path: String) throws {
    if let folder = SourceFolder(path) {
      if let first = try folder.files(endingIn: endings, limit: 1).first {
        try refuse(InputFile(first, in: folder.path))
      }
    } else {
      try refuse(InputFile(path))
    }
  }
}
