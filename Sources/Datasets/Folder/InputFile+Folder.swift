import Foundation

extension InputFile {
  /// A file of a folder that somebody gave us, which may hold links to anything on this machine.
  ///
  /// A link is followed where it leads to a file of the same folder.
  ///
  /// - Parameters:
  ///   - relative: the path within the folder; errors name the file as the folder followed by it.
  ///   - directory: the folder, which may be a link itself.
  /// - Throws: `DataError` where a link or `..` leads out of the folder, and as `init(_:name:)`.
  public init(_ relative: String, in directory: String) throws {
    let path = directory.hasSuffix("/") ? directory + relative : "\(directory)/\(relative)"
    guard let target = RealPath(path), let root = RealPath(directory) else {
      // There is no such file; opening it says why.
      try self.init(path)
      return
    }
    guard target.isWithin(root) else {
      throw DataError(file: path, expected: "a file in the folder", found: "a link that leads outside")
    }
    try self.init(target.text, name: path)
  }
}

/// A path without symbolic links, `.` and `..`.
public struct RealPath: Hashable, Sendable {
  let text: String

  /// `nil` where nothing stands at the path.
  public init?(_ path: String) {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    text = String(cString: resolved)
  }

  /// Whether it lies below a folder.
  public func isWithin(_ folder: RealPath) -> Bool { text.hasPrefix(folder.text == "/" ? "/" : folder.text + "/") }
}
