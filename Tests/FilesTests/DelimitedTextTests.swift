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
    #expect(try rows("a|b|c\n1|2.5|\n") == [["a", "b", "c"], ["1", "2.5", ""]])
    #expect(try rows("rate\t25\nnames\ta\tb\n1\t2\t3\n") == [["rate", "25"], ["names", "a", "b"], ["1", "2", "3"]])
    #expect(try rows("a,b\n\"1\t2\n3\t4\",5\n") == [["a", "b"], ["1\t2\n3\t4", "5"]])
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

  @Test func wordsForNothingAreNoNumbers() throws {
    var numbers: [Double?] = []
    let text = "None,NaN,nan,NULL,NA,-,N/A,,no,-1\n"
    try DelimitedText(InputFile(name: "a", bytes: Data(text.utf8))).forEachRow { row in
      numbers = (0..<row.count).map(row.number)
    }
    #expect(numbers.prefix(8).allSatisfy { $0?.isNaN == true })
    #expect(numbers[8...] == [nil, -1])
  }

  @Test func fieldsInQuotationMarksMayHaveLineEnds() throws {
    #expect(try rows("a,b\n\"x: 1\ny: 2\n\",3\n4,5\n") == [["a", "b"], ["x: 1\ny: 2\n", "3"], ["4", "5"]])
    var lines: [Int] = []
    try DelimitedText(InputFile(name: "a", bytes: Data("a,b\n\"1\n2\",3\n4,5\n".utf8))).forEachRow {
      lines.append($0.line)
    }
    #expect(lines == [1, 2, 4])
  }

  @Test func linesOfCommentsBeforeTheHeaderAreNoRows() throws {
    let text = try DelimitedText(InputFile(name: "a", bytes: Data("# fps: 25\n#made by hand; twice\na,b\n1,2\n".utf8)))
    #expect(text.comments == ["fps: 25", "made by hand; twice"])
    var lines: [Int] = []
    try text.forEachRow { lines.append($0.line) }
    #expect(lines == [3, 4])
    #expect(try rows("# fps: 25\n# a,b\n1,2e-1\n") == [["a", "b"], ["1", "2e-1"]])
    #expect(try rows("#a,b\n1,nan\n") == [["a", "b"], ["1", "nan"]])
    #expect(try rows("# once\n") == [])
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
