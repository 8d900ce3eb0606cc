import Foundation
import GRDB

/// What can go wrong with the store, in words that say what to do.
public enum StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  case locked(path: String)
  case readOnly(path: String)
  case diskFull(path: String)
  case damaged(path: String, detail: String)
  case cannotOpen(path: String, detail: String)
  case newerVersion(path: String)
  /// A dataset of this name with other content is there already.
  case nameTaken(dataset: String, stored: ContentHash)
  case other(path: String, detail: String)

  public var description: String {
    switch self {
    case .locked(let path):
      "\(path): expected to use the store, found it locked by another process; wait for that one to end"
    case .readOnly(let path):
      "\(path): expected a store that can be written, found it read-only; check the permissions of the file and its folder"
    case .diskFull(let path): "\(path): expected room for the store, found the disk full; nothing was changed"
    case .damaged(let path, let detail):
      "\(path): expected an SQLite store, found a damaged or truncated file (\(detail)); move it away and import the "
        + "datasets again, or bring back a copy to keep the history of runs"
    case .cannotOpen(let path, let detail): "\(path): expected to open the store, found: \(detail)"
    case .newerVersion(let path):
      "\(path): expected a store of this version of bench, found one that a newer version has written"
    case .nameTaken(let dataset, let stored):
      "dataset \(dataset): expected a new name or the same content, found another dataset of this name in the store "
        + "(\(stored)); nothing was imported. Remove that one first or import under another --name"
    case .other(let path, let detail): "\(path): \(detail)"
    }
  }

  /// What SQLite's code means here.
  init(_ error: DatabaseError, path: String) {
    let detail = error.message ?? "\(error.resultCode)"
    switch error.resultCode {
    case .SQLITE_BUSY, .SQLITE_LOCKED: self = .locked(path: path)
    case .SQLITE_READONLY: self = .readOnly(path: path)
    case .SQLITE_FULL: self = .diskFull(path: path)
    case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .damaged(path: path, detail: detail)
    // Without the right to write its folder SQLite can't make the journal.
    case .SQLITE_CANTOPEN where access((path as NSString).deletingLastPathComponent.nonEmpty, W_OK) != 0:
      self = .readOnly(path: path)
    case .SQLITE_CANTOPEN, .SQLITE_PERM: self = .cannotOpen(path: path, detail: detail)
    case .SQLITE_IOERR where detail.contains("disk full"): self = .diskFull(path: path)
    default: self = .other(path: path, detail: detail)
    }
  }
}

extension String {
  /// The path of a folder as the system wants it: the current one is ".".
  fileprivate var nonEmpty: String { isEmpty ? "." : self }
}
