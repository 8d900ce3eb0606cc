import Files
import Testing

@Suite struct JSONLineTests {
  private func text(_ write: (inout JSONLine) -> Void) -> String {
    var line = JSONLine()
    write(&line)
    return String(decoding: line.bytes, as: UTF8.self)
  }

  /// RFC 8259, 7: quotation mark, reverse solidus and control characters.
  @Test func textsAreEscaped() {
    #expect(text { $0.string("a\"b\\c\n\u{1B}é") } == #""a\"b\\c\u000a\u001bé""#)
    #expect(text { $0.strings(["a", "b"]) } == #"["a","b"]"#)
    #expect(text { $0.strings([]) } == "[]")
  }

  @Test(arguments: [0.1, -2.5, 1e-7, 3.4e38, 16_777_216, 512.3333] as [Float]) func numbersComeBack(value: Float) {
    #expect(Float(text { $0.number(value) }) == value)
  }

  @Test func whatIsNoNumberIsNull() {
    #expect(text { $0.number(Float.nan) } == "null")
    #expect(text { $0.number(-Double.infinity) } == "null")
  }

  /// Two points of x, y and confidence in two rows, column by column.
  @Test func pointsAreListsOrNull() {
    let columns: [Float] = [1, 2, 3, 4, 0.5, .nan] + [.nan, 5, 6, 7, 0, 1]
    func row(_ row: Int) -> String {
      text { $0.points(of: columns, row: row, of: 2, points: 2, channels: 3, needing: (0, 1)) }
    }
    #expect(row(0) == "[[1.0,3.0,0.5],null]")
    #expect(row(1) == "[[2.0,4.0,null],[5.0,7.0,1.0]]")
  }
}
