import Foundation
import Testing

/// `bench drift` on the terminal, as JSON and as CSV.
@Suite struct PredictionDriftCommandTests {
  private func project(after: Int) throws -> Workspace {
    let workspace = try Workspace()
    func table(_ count: Int) -> String { "clip,count\n" + (1...6).map { "p\($0)_1,\(count)\n" }.joined() }
    try workspace.write(table(2), to: "2.0.csv")
    try workspace.write(table(after), to: "2.1.csv")
    return workspace
  }

  @Test func saysWhatCanBeSaid() throws {
    let workspace = try project(after: 3)
    let outcome = try workspace.run("drift", "2.0.csv", "2.1.csv", "--person-before", "_")
    outcome.expectSuccess()
    #expect(
      outcome.output.split(separator: "\n\n")[0].split(whereSeparator: \.isNewline).joined(separator: " ").hasPrefix(
        "2.1 counts 1.00 reps a clip more than 2.0 (1.00 to 1.00; 6 people); whether that is better can't be said without labels."
      ))
    #expect(outcome.output.contains("\nbefore   2.0: 2.0.csv, 6 clips of 6 people\n"))
    #expect(outcome.output.contains("\ncompared the same 6 clips on both sides, by name\n"))
    #expect(outcome.output.contains("Nothing here says which version is right"))

    let json = try workspace.run("drift", "2.0.csv", "2.1.csv", "--person-before", "_", "--json")
    struct Record: Decodable {
      struct Measure: Decodable { var measure: String, difference: Double, low: Double, shown: String? }
      var pairing: String, changedClips: Int, measures: [Measure]
    }
    let record = try JSONDecoder().decode(Record.self, from: Data(json.output.utf8))
    #expect(record.pairing == "clips" && record.changedClips == 6)
    #expect(record.measures.map(\.shown) == ["higher", nil])

    let unnamed = try workspace.run("drift", "2.0.csv", "2.1.csv")
    #expect(unnamed.output.hasPrefix("2.1 counts 1.00 reps a clip more than 2.0; without people it can't be said"))
    let csv = try workspace.run("drift", "2.0.csv", "2.1.csv", "--csv")
    #expect(csv.output.split(whereSeparator: \.isNewline)[1].hasPrefix(",count,reps a clip,2,3,1,,,,,,"))
  }

  @Test func theSamePredictions() throws {
    let outcome = try project(after: 2).run("drift", "2.0.csv", "2.1.csv")
    outcome.expectSuccess()
    #expect(outcome.output.hasPrefix("2.1 predicts the same as 2.0 on the same 6 clips.\n"))
  }
}
