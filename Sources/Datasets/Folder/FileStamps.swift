import Files
import Foundation
import GRDB

/// What the files of a folder were like when they were hashed: an unchanged file need not be read again to know its hash.
///
/// A file is unchanged if its size, inode, device and times of change are. As in git's index, a file that changed shortly
/// before the stamps were taken is read again: it may change once more without another time.
///
/// - Source: git, "Racy git problem", Documentation/technical/racy-git.txt.
package struct FileStamps: Hashable, Sendable {
  struct Status: Hashable, Sendable {
    var size: Int64
    /// Nanoseconds since 1970: of the content, and of the inode, which no program can set.
    var modified: Int64
    var changed: Int64
    var inode: UInt64
    var device: UInt64

    /// `nil` unless it is a regular file.
    init?(_ path: String) {
      var status = stat()
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
      #if canImport(Darwin)
        let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
      #else
        let (modified, changed) = (status.st_mtim, status.st_ctim)
      #endif
      size = Int64(status.st_size)
      self.modified = Int64(modified.tv_sec) * 1_000_000_000 + Int64(modified.tv_nsec)
      self.changed = Int64(changed.tv_sec) * 1_000_000_000 + Int64(changed.tv_nsec)
      inode = UInt64(status.st_ino)
      device = UInt64(truncatingIfNeeded: status.st_dev)
    }
  }

  struct Stamp: Hashable, Sendable {
    var status: Status
    /// 32 bytes.
    var digest: Data
  }

  /// Nanoseconds since 1970, before the first file was read.
  var taken: Int64
  /// By the files' names within the folder.
  var stamps: [String: Stamp]

  /// The coarsest times of change are those of FAT, in two seconds.
  private static let racy: Int64 = 2_000_000_000

  static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1e9) }

  /// The hash of an unchanged file; `nil` for a file to be read.
  func digest(of name: String, _ status: Status?) -> Data? {
    guard let status, let stamp = stamps[name], stamp.status == status,
      max(status.modified, status.changed) < taken - Self.racy
    else { return nil }
    return stamp.digest
  }
}

/// As text: the time, then a line for each file.
extension FileStamps {
  var text: String {
    stamps.sorted { $0.key < $1.key }.reduce(into: "\(taken)\n") { text, entry in
      let status = entry.value.status
      text += "\(status.size) \(status.modified) \(status.changed) \(status.inode) \(status.device) "
      text += "\(entry.value.digest.base64EncodedString()) \(entry.key)\n"
    }
  }

  /// `nil` for any other text.
  init?(text: String) {
    var lines = text.utf8.split(separator: UInt8(ascii: "\n"))[...]
    guard let taken = lines.popFirst().flatMap({ Int64(Substring($0)) }) else { return nil }
    (self.taken, stamps) = (taken, [:])
    for line in lines {
      let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 6).map { Substring($0) }
      guard fields.count == 7, let status = Status(fields), let digest = Data(base64Encoded: String(fields[5])) else {
        return nil
      }
      stamps[String(fields[6])] = Stamp(status: status, digest: digest)
    }
  }
}

extension FileStamps.Status {
  fileprivate init?(_ fields: [Substring]) {
    guard let size = Int64(fields[0]), let modified = Int64(fields[1]), let changed = Int64(fields[2]),
      let inode = UInt64(fields[3]), let device = UInt64(fields[4])
    else { return nil }
    (self.size, self.modified, self.changed) = (size, modified, changed)
    (self.inode, self.device) = (inode, device)
  }
}

extension Store {
  /// What the files of a folder were like when its cache was last compared with them; `nil` if unknown.
  package func stamps(ofFolder folder: String) throws -> FileStamps? {
    try read { db in
      try String.fetchOne(
        db, sql: "SELECT stamps FROM dataset WHERE folder = ? AND content IS NOT NULL AND NOT removed",
        arguments: [folder])
    }.flatMap(FileStamps.init(text:))
  }

  /// Keeps them with the folder's cache when a run is added: to read a folder alone writes nothing.
  package func keep(_ stamps: FileStamps, ofFolder folder: String) { self.stamps.withLock { $0[folder] = stamps } }

  func writeStamps(in db: Database) throws {
    for (folder, stamps) in stamps.withLock({ $0 }) {
      try db.execute(
        sql: "UPDATE dataset SET stamps = ? WHERE folder = ? AND content IS NOT NULL AND NOT removed",
        arguments: [stamps.text, folder])
    }
  }
}
