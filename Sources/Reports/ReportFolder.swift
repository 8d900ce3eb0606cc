import Charts
import Datasets
import Evaluation
import Files
import Foundation

/// A folder of a report's files that appears atomically.
///
/// It is written in a hidden folder beside its destination. A killed process leaves that folder, and the next report of
/// the suite deletes it. A lock held by the writing process marks a folder in use.
final class ReportFolder {
  /// The report's name: the requested one, with a number appended if it is taken.
  let name: String
  /// The hidden folder that is written first.
  let staging: String
  /// The published folder.
  let destination: String
  private let folder: String
  private let lock: Int32

  /// Creates the staging folder of a report; creating it reserves the name among concurrent runs.
  ///
  /// - Throws: `DataError` if the folder is not writable.
  init(called wanted: String, in folder: String) throws {
    let path = "\(folder)/\(wanted)"
    guard makeFolder(folder) else {
      throw DataError(file: path, expected: "a folder for the report", found: "it cannot be created")
    }
    Self.clear(folder)
    for number in 1... {
      let name = number == 1 ? wanted : "\(wanted)-\(number)"
      let staging = "\(folder)/.\(name)"
      if mkdir(staging, Permissions.folder) == 0 {
        // Another process that is cleaning up may have removed the new folder as abandoned.
        if let lock = FolderLock.take(staging), FileKind("\(folder)/\(name)") == nil {
          fchmod(lock, Permissions.folder)
          (self.name, self.staging, destination) = (name, staging, "\(folder)/\(name)")
          (self.folder, self.lock) = (folder, lock)
          return
        }
        rmdir(staging)
      } else if errno != EEXIST {
        break
      }
    }
    throw DataError(file: path, expected: "a folder for the report", found: Self.systemReason)
  }

  /// Writes a file of the report.
  ///
  /// - Throws: `CancellationError` after a Ctrl-C.
  func write(_ bytes: Data, to file: String) throws {
    try InterruptionRequest.check()
    try writeWhole(bytes, to: "\(staging)/\(file)")
  }

  /// Makes the report appear.
  func publish() throws {
    guard rename(staging, destination) == 0 else {
      throw DataError(file: destination, expected: "to move the report here", found: Self.systemReason)
    }
  }

  /// Points the link `latest`, beside the report, at it.
  func pointLatest() throws {
    let latest = "\(folder)/latest"
    // The hidden name is that of the staging folder, which no other process uses while this one is locked.
    guard symlink(name, staging) == 0, rename(staging, latest) == 0 else {
      throw DataError(file: latest, expected: "to link it to \(name)", found: Self.systemReason)
    }
  }

  /// Deletes an unpublished report.
  func discard() { try? FileManager.default.removeItem(atPath: staging) }

  deinit { close(lock) }

  /// Removes the hidden folders and links of reports whose writers have ended.
  private static func clear(_ folder: String) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where name.hasPrefix(".") {
      let path = "\(folder)/\(name)"
      if (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil {
        // A link that will become `latest` points at a report that its writer has locked.
        let report = "\(folder)/\(name.dropFirst())"
        let left = FolderLock.take(report)
        if left != nil || !FileManager.default.fileExists(atPath: report) { unlink(path) }
        if let left { close(left) }
      } else if let left = FolderLock.take(path) {
        try? FileManager.default.removeItem(atPath: path)
        close(left)
      }
    }
  }

  /// The system's message for the last failed call.
  static var systemReason: String { String(cString: strerror(errno)).lowercased() }
}

/// A file of a report or gallery.
public struct ReportFile: Sendable {
  /// The name within the folder.
  public var name: String
  public var data: Data
  /// The positions of a picture's texts, in pixels; `nil` for other files.
  public var texts: [PlacedText]?

  public init(name: String, data: Data, texts: [PlacedText]? = nil) {
    (self.name, self.data, self.texts) = (name, data, texts)
  }

  public init(name: String, _ drawn: DrawnChart) {
    self.init(name: name, data: Data(drawn.bytes), texts: drawn.texts)
  }
}
