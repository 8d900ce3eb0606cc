import Foundation
import GRDB
import Testing

/// Files of a dataset folder that have not changed since they were read.
@Suite struct UnchangedFilesTests {
  /// Stamps that say that the files were read long after they changed, with another hash for `reps.csv`: they stay as
  /// they are where they are trusted.
  @Test func aRunTrustsTheirTimesAndTheGateDoesNot() throws {
    let workspace = try Workspace.withSquats()
    try workspace.run("baseline", "accept", "--suite", "squat").expectSuccess()
    try workspace.run("run", "--suite", "squat").expectSuccess()
    let store = try DatabaseQueue(path: workspace.path(".formbench/store.sqlite"))
    func stamps() throws -> String {
      try #require(try store.read { try String.fetchOne($0, sql: "SELECT stamps FROM dataset") })
    }
    var lines = try stamps().split(separator: "\n").map(String.init)
    lines[0] = "\(try #require(Int64(lines[0])) + 3_600_000_000_000)"
    let place = try #require(lines.firstIndex { $0.hasSuffix(" reps.csv") })
    var fields = lines[place].split(separator: " ").map(String.init)
    fields[5] = Data(repeating: 7, count: 32).base64EncodedString()
    lines[place] = fields.joined(separator: " ")
    let altered = lines.joined(separator: "\n") + "\n"
    func alters(_ command: String...) throws -> Bool {
      try store.write { try $0.execute(sql: "UPDATE dataset SET stamps = ?", arguments: [altered]) }
      try workspace.run(command).expectSuccess()
      return try stamps() != altered
    }
    #expect(try !alters("run", "--suite", "squat"))
    #expect(try alters("gate", "--suite", "squat"))
  }
}
