import Files
import Foundation
import Testing

@Suite struct NumberRowsTests {
  func rows(_ text: String, columns: Int = 3) throws -> NumberRows {
    try NumberRows(InputFile(name: "a.txt", bytes: Data(text.utf8)), columnCount: columns)
  }

  @Test func readsNumbersAndGaps() throws {
    let rows = try rows("1,-2.5, 3e2\r\n,nan,0\r\n\r\n")
    #expect(rows.rowCount == 2)
    #expect(Array(rows.values.prefix(3)) == [1, -2.5, 300])
    #expect(rows.values.map(\.isNaN) == [false, false, false, true, true, false])
  }

  @Test(arguments: [
    ("1,2,3\n1,2\n", "a.txt:2: expected 3 numbers, found 2"),
    ("1,2,3,4\n", "a.txt:1: expected 3 numbers, found 4"),
    ("1,2,x\n", "a.txt:1: expected a number in column 3, found \"x\""),
    ("1,inf,2\n", "a.txt:1: expected a number in column 2, found \"inf\""),
    ("1,1e40,2\n", "a.txt:1: expected a number in column 2, found \"1e40\""),
    ("1,2,3\n\n1,2,3\n", "a.txt:2: expected 3 numbers, found 1"),
    ("", "a.txt:1: expected 3 numbers per line, found an empty file"),
    ("\n\n", "a.txt:1: expected 3 numbers per line, found an empty file"),
  ])
  func wrongLinesAreNamed(_ text: String, _ words: String) {
    let error = #expect(throws: DataError.self) { try rows(text) }
    #expect(error?.description == words)
  }
}
