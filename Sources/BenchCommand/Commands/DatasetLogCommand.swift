import ArgumentParser
import Datasets
import Evaluation
import Files
import Foundation

struct DatasetLogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log", abstract: "List who imported, exported and removed which dataset, and when.",
    discussion: """
      Each entry is chained to the one before by a hash, which is checked: exit code 1 if an entry was changed or is missing. Anyone who can write the store can make a whole new log: keep the last hash elsewhere, and check it with --contains. Caches of the checkout's own folders are not imports.

      Examples:
        bench dataset log
        bench dataset log --contains 7d0c1f
      """)

  @Option(help: ArgumentHelp("The beginning of a hash that the log must have.", valueName: "hash"))
  var contains: String?
  @Flag(help: "Print the entries as JSON.") var json = false
  @OptionGroup var storage: StoreOptions

  func validate() throws {
    if let contains, contains.count < 6 || !contains.allSatisfy(\.isHexDigit) {
      throw ValidationError("--contains takes at least six hexadecimal digits, found \"\(contains)\"")
    }
  }

  func run() throws {
    let log = try storage.open().auditLog()
    if json {
      Terminal.out(String(decoding: try stableJSON(log.entries), as: UTF8.self))
    } else if log.entries.isEmpty {
      Terminal.out("nothing was imported, exported or removed")
    } else {
      let rows = log.entries.map { entry in
        [
          "\(entry.number)", entry.time, entry.who, entry.action.rawValue, entry.dataset, entry.detail,
          String(entry.hash.prefix(12)),
        ]
      }
      let header = ["", "time", "who", "what", "dataset", "", "hash"]
      Terminal.out(Terminal.table([header] + rows, right: [0], indent: 0).joined(separator: "\n"))
    }
    if let damage = log.damage {
      throw DataError(file: storage.project.storePath, expected: "an audit log that nobody changed", found: damage)
    }
    if let contains, !log.entries.contains(where: { $0.hash.hasPrefix(contains.lowercased()) }) {
      throw DataError(
        file: storage.project.storePath, expected: "an audit entry with the hash \(contains)",
        found: "none: entries are missing, or it is another log")
    }
  }
}
