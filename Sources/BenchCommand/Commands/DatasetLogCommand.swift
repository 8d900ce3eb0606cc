import ArgumentParser
import Datasets
import Evaluation
import Files
import Foundation
import Reports

struct DatasetLogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log", abstract: "Show who imported, exported and removed datasets, and when.",
    discussion: """
      Each entry holds a hash of the one before. Exits with 1 if an entry was changed or is missing. Anyone who can \
      write the store can also replace the whole log: keep the last hash elsewhere and check it with --contains. \
      Caches of the checkout's own folders are not logged.

      Examples:
        bench dataset log
        bench dataset log --contains 7d0c1f
      """)

  @Option(help: ArgumentHelp("Fail unless the log has an entry whose hash begins like this.", valueName: "hash"))
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
    let known = contains.flatMap { hash in log.entries.first { $0.hash.hasPrefix(hash.lowercased()) } }
    if json {
      Terminal.out(String(decoding: try stableJSON(log.entries), as: UTF8.self))
    } else if log.entries.isEmpty {
      Terminal.out([.line("nothing was imported, exported or removed")])
    } else {
      let rows = log.entries.map { entry in
        [
          "\(entry.number)", entry.time, entry.who, entry.action.rawValue, entry.dataset, entry.detail,
          String(entry.hash.prefix(12)),
        ]
      }
      let header = ["", "time", "who", "what", "dataset", "", "hash"]
      let title = "\(log.entries.count) \(log.entries.count == 1 ? "entry" : "entries"), the newest last"
      // Only of an undamaged log does a known hash say that all entries up to it are there.
      let finding = log.damage == nil ? known.map { Self.finding($0, of: log.entries.count) } : nil
      Terminal.out(
        .lines([finding, title].compactMap(\.self))
          + [.gap, .columns(TextTable([header] + rows, right: [0]))])
    }
    if let damage = log.damage {
      throw DataError(file: storage.project.storePath, expected: "an unchanged audit log", found: damage)
    }
    if let contains, known == nil {
      throw DataError(
        file: storage.project.storePath, expected: "an audit entry with the hash \(contains)",
        found: "none: entries are missing, or it is another log")
    }
  }

  private static func finding(_ entry: AuditEntry, of count: Int) -> String {
    "The log has the hash \(entry.hash.prefix(12)): entry \(entry.number) of \(count), and none up to it was changed."
  }
}
