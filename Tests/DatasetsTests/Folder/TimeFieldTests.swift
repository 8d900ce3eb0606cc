import Datasets
import Files
import Foundation
import PoseModel
import TestSupport
import Testing

@Suite struct TimeFieldTests {
  private func row(_ field: String) throws -> CSVRow {
    let table = try CSVTable(InputFile("t.csv", text: "clip,note\na,\(field)\n"), required: ["clip", "note"])
    return try #require(table.rows.first)
  }

  @Test func readsTimes() throws {
    #expect(try row("0.0000015").time("note") == Microseconds(2))
    #expect(try row("").timeIfPresent("note") == nil)
  }

  @Test func refusesWhatIsNotATime() throws {
    let row = try row("-1")
    #expect(
      errorText { _ = try row.time("note") }
        == #"t.csv:2: expected a time in seconds from 0 in column note, found "-1""#)
  }

  @Test func writesTimes() {
    let fields: [CSVField] = [.time(Microseconds(1_500_000)), .time(Microseconds(-20)), .time(.zero)]
    #expect(CSVField.row(fields) == "1.5,-0.00002,0\n")
  }

  @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian], ["", "\u{FEFF}"])
  func posesInUTF16AreNamed(_ encoding: String.Encoding, _ mark: String) throws {
    let bytes = try #require((mark + "frame,time_s\n").data(using: encoding))
    #expect(
      errorText { _ = try PoseCSV.read(InputFile(name: "a", bytes: bytes), skeleton: .coco17, channels: [.x, .y]) }
        == "a: expected text in UTF-8, found text in UTF-16; save it as UTF-8")
  }
}
