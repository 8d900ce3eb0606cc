import Foundation

/// What stands at a path, without following a symbolic link at its end.
public enum FileKind {
  case file, directory, link, other

  /// Returns `nil` where nothing stands there.
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
