import Datasets
import Foundation

/// The recordings below a path, by the names of their files.
///
/// A clip is a file, or, where a tool writes a file a frame, the files of a folder that differ only in the last number of
/// their names. It is called after the folders between the path and the file, and the file: `anna/squat/03.json` below the
/// path is `anna_squat_03`. A folder that is called like the recording, as tools make one for each video, is not said twice:
/// `squat_03/squat_03_000000000000.json` is `squat_03`. Whatever can't stand in a name becomes `-`. Hidden files are left
/// out, links that lead out of the folder refused.
struct ToolFiles {
  enum Grouping: Sendable {
    /// Each file is a recording.
    case clipPerFile
    /// Each file is a frame.
    case framePerFile
  }

  /// Without a slash at its end.
  let directory: String
  var clips: [ToolClip] = []
  /// Files that end like the tool's, but hold something else.
  private(set) var others: [String] = []

  /// - Throws: `DataError` where there is no such file, or two recordings have the same name.
  init(
    _ path: String, endings: [String], grouping: Grouping, format: String, isOurs: (InputFile) -> Bool
  ) throws {
    let paths: [String]
    if let folder = SourceFolder(path) {
      directory = folder.path
      paths = try folder.files(endingIn: endings)
    } else {
      let slash = path.lastIndex(of: "/")
      directory = slash.map { String(path[..<$0]) } ?? "."
      paths = [slash.map { String(path[path.index(after: $0)...]) } ?? path]
    }
    var groups: [String: [ToolClip.File]] = [:]
    var order: [String] = []
    for path in paths {
      let (key, frame) = Self.place(path, grouping)
      if groups[key] == nil { order.append(key) }
      groups[key, default: []].append(ToolClip.File(path: path, frame: frame))
    }
    var names: [String: String] = [:]
    for key in order {
      guard let files = groups[key], let first = files.first else { continue }
      // A frame without anybody may tell nothing.
      guard try files.prefix(Self.looked).contains(where: { isOurs(try InputFile($0.path, in: directory)) }) else {
        others.append(first.path)
        continue
      }
      let (name, folders, hasOwnFolder) = Self.name(key, directory: directory)
      if let other = names.updateValue(first.path, forKey: name) {
        throw DataError(
          file: "\(directory)/\(first.path)", expected: "a clip name of its own, found \(name)",
          found: "the same for \(other)")
      }
      clips.append(ToolClip(name: name, files: files, folders: folders, hasOwnFolder: hasOwnFolder))
    }
    guard !clips.isEmpty else {
      if let other = others.first { try InputFile(other, in: directory).requireWhole() }
      throw DataError(
        file: path, expected: "files of format \(format), ending in .\(endings.joined(separator: " or ."))",
        found: others.isEmpty ? "none" : "other files, such as \(others[0])")
    }
  }

  /// Whether the first file that ends like the tool's is the tool's, without listing the rest.
  static func begins(_ path: String, endings: [String], isOurs: (InputFile) -> Bool) -> Bool {
    let paths = (try? SourceFolder(path)?.files(endingIn: endings, limit: looked)) ?? [""]
    return paths.contains { file in
      let whole = file.isEmpty ? path : "\(path)/\(file)"
      guard hasEnding(whole, endings), let input = try? InputFile(whole) else { return false }
      return isOurs(input)
    }
  }

  /// The first file below a path that ends so.
  ///
  /// - Throws: `DataError` where it can't be read, or a link leads outside.
  static func first(_ path: String, endings: [String]) throws -> InputFile? {
    guard let folder = SourceFolder(path) else { return hasEnding(path, endings) ? try InputFile(path) : nil }
    return try folder.files(endingIn: endings, limit: 1).first.map { try InputFile($0, in: folder.path) }
  }

  /// Files of a folder that are opened to tell what it is.
  private static let looked = 20

  private static func hasEnding(_ path: String, _ endings: [String]) -> Bool {
    endings.contains { path.lowercased().hasSuffix(".\($0)") }
  }

  /// What a file's recording is known by, and which frame of it the file is.
  private static func place(_ path: String, _ grouping: Grouping) -> (key: String, frame: Int?) {
    let parts = path.split(separator: "/")
    let file = parts.last ?? ""
    let stem = file.prefix(upTo: file.lastIndex(of: ".") ?? file.endIndex)
    let folder = parts.dropLast().map { "\($0)/" }.joined()
    guard grouping == .framePerFile else { return (folder + stem, nil) }
    guard let name = NumberedName(stem) else { return (folder + stem, nil) }
    // Names are told apart by both parts, and called by the one before the number.
    return ("\(folder)\(name.prefix)\u{0}\(name.suffix)", name.number)
  }

  /// What a recording is called, the folders that it lies in, and whether the last of them is called like it.
  private static func name(
    _ key: String, directory: String
  ) -> (name: String, folders: [String], hasOwnFolder: Bool) {
    let path = key.split(separator: "\u{0}", omittingEmptySubsequences: false).first ?? ""
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let folders = Array(parts.dropLast())
    let own = PortableName.near(parts.last ?? "")
    let hasOwnFolder = !own.isEmpty && folders.last.map(PortableName.near) == own
    let words = hasOwnFolder ? folders : parts
    let name = PortableName.near(words.joined(separator: "_"))
    // Frames that are called by numbers alone are called after the folder that is imported.
    let called =
      name.isEmpty ? PortableName.near(directory.split(separator: "/").last.map(String.init) ?? "clip") : name
    return (called, folders, hasOwnFolder)
  }
}
