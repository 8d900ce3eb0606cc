import Files
import Foundation
import Testing

@Suite struct DelimitedTextTests {
  private func rows(_ text: String) throws -> [[String]] {
    var rows: [[String]] = []
    try DelimitedText(InputFile(name: "a", bytes: Data(text.utf8))).forEachRow { row in
      rows.append((0..<row.count).map(row.text))
    }
    return rows
  }

  @Test func separatorsAreDetected() throws {
    #expect(try rows("a,b,c\n1,2,3\n") == [["a", "b", "c"], ["1", "2", "3"]])
    #expect(try rows("a;b;c\r\n1,5; 2 ;\r\n") == [["a", "b", "c"], ["1,5", "2", ""]])
    #expect(try rows("a\tb\tc\n\"x\ty\"\t\"q\"\"q\"\t\n") == [["a", "b", "c"], ["x\ty", "q\"q", ""]])
  }

  @Test func numbersMayHaveDecimalCommas() throws {
    var numbers: [Double?] = []
    try DelimitedText(InputFile(name: "a", bytes: Data("1,5;2.5;nan;x\n".utf8))).forEachRow { row in
      numbers = (0..<row.count).map(row.number)
    }
    #expect(numbers[0] == 1.5)
    #expect(numbers[1] == 2.5)
    #expect(numbers[2]?.isNaN == true)
    #expect(numbers[3] == nil)
  }

  @Test func tuplesHaveTheirNumbers() throws {
    var found: [[Double]] = []
    let text = "\"(0.5, -2e-1, 3)\",\"[np.float32(0.25) 1]\"\n"
    try DelimitedText(InputFile(name: "a", bytes: Data(text.utf8))).forEachRow { row in
      found = (0..<row.count).map(row.numbers)
    }
    #expect(found == [[0.5, -0.2, 3], [0.25, 1]])
  }

  @Test func anOpenQuotationMarkIsNamed() {
    #expect(
      throws: DataError(
        file: "a", line: 2, expected: "a quotation mark at the end of a field", found: "none")
    ) { try rows("a,b\n\"1,2\n") }
  }
}
