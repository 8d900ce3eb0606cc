import Datasets
import Evaluation
import Foundation

/// A folder of a report's files that appears whole or not at all.
struct ReportFolder {
  /// What the report is called: the name asked for, with a number where another has it.
  let name: String
  /// Where the files are written first.
  let staging: String
  /// Where they appear.
  let destination: String

  /// Makes the folder that a report is staged in; that it can be made only once reserves the name among runs at once.
  ///
  /// - Throws: `DataError` where nothing can be written there.
  init(called wanted: String, in folder: String) throws {
    let path = "\(folder)/\(wanted)"
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw DataError(file: path, expected: "to write a report here", found: "no folder that can be made")
    }
    for number in 1... {
      let name = number == 1 ? wanted : "\(wanted)-\(number)"
      let staging = "\(folder)/.\(name)"
      if mkdir(staging, 0o755) == 0 {
        if !FileManager.default.fileExists(atPath: "\(folder)/\(name)") {
          (self.name, self.staging, destination) = (name, staging, "\(folder)/\(name)")
          return
        }
        rmdir(staging)
      } else if errno != EEXIST {
        break
      }
    }
    throw DataError(file: path, expected: "to write a report here", found: Self.systemReason)
  }

  /// Writes a file of the report.
  func write(_ bytes: Data, to file: String) throws { try writeWhole(bytes, to: "\(staging)/\(file)") }

  /// Lets the report appear.
  func publish() throws {
    guard rename(staging, destination) == 0 else {
      throw DataError(file: destination, expected: "to put the report there", found: Self.systemReason)
    }
  }

  /// Takes back what was not published.
  func discard() { try? FileManager.default.removeItem(atPath: staging) }

  /// Why the last system call failed, in the system's words.
  static var systemReason: String { String(cString: strerror(errno)).lowercased() }
}
