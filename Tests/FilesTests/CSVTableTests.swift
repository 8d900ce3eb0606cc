import Files
import Foundation
import TestSupport
import Testing

struct CSVTableTests {
  private func table(
    _ text: String, required: [String] = ["clip", "label"], optional: [String] = ["note"], ignoringOthers: Bool = false
  ) throws -> CSVTable {
    try CSVTable(
      InputFile("t.csv", text: text), required: required, optional: optional, ignoringOthers: ignoringOthers)
  }

  private func message(_ text: String) -> String { errorText { _ = try table(text) } }

  @Test func readsQuotedFields() throws {
    let rows = try table("clip,label,note\na,\"b, \"\"c\"\"\",\n").rows
    #expect(try rows.map { try $0.text("label") } == [#"b, "c""#])
    #expect(try rows.map { try $0.textIfPresent("note") } == [nil])
  }

  @Test func readsColumnsInAnyOrderAndWithoutOptionalOnes() throws {
    for row in try table("label,clip\nx,a\n").rows {
      #expect(try row.text("clip") == "a")
      #expect(try row.text("label") == "x")
      #expect(try row.textIfPresent("note") == nil)
    }
  }

  @Test func knowsTheLinesOfRows() throws {
    let text = "clip,label,note\r\na,\"x\r\ny\nz\",1\r\n\r\nb,x,2\rc,\"\r\",3\n\nd,x,4"
    let table = try table(text)
    #expect(table.rows.map(\.line) == [2, 6, 7, 10])
    #expect(try table.rows.map { try $0.integer("note") } == [1, 2, 3, 4])
  }

  @Test func skipsAByteOrderMark() throws {
    #expect(try table("\u{FEFF}clip,label\na,b\n").columns == ["clip", "label"])
  }

  @Test func ignoresOtherColumnsWhereAsked() throws {
    let table = try table("x,clip,,label\n1,a,2,b\n", ignoringOthers: true)
    #expect(table.columns == ["x", "clip", "", "label"])
    #expect(try table.rows.map { try $0.text("label") } == ["b"])
  }

  @Test func hasNoRowsUnderAHeader() throws {
    #expect(try table("clip,label\n").rows.isEmpty)
  }

  @Test func checksTheHeader() {
    #expect(message("") == "t.csv:1: expected a header with clip, label, note, found an empty file")
    #expect(message("clip,note\n") == #"t.csv:1: expected column label, found only "clip", "note""#)
    #expect(
      message("\nclip,label,notte\n")
        == #"t.csv:2: expected only the columns clip, label, note, found column "notte", did you mean note?"#)
    #expect(message("clip,label,clip\n") == "t.csv:1: expected each column once, found column clip twice")
  }

  @Test func checksTheNumberOfFields() {
    #expect(message("clip,label\na,b\nc\n") == "t.csv:3: expected 2 fields, found 1")
    #expect(message("clip,label\na,b,c\n") == "t.csv:2: expected 2 fields, found 3")
  }

  @Test func refusesBrokenQuotation() {
    let expected =
      "expected a comma or the end of the line after a closing quotation mark, and quotation marks only around whole fields"
    #expect(message("clip,label\na,\"b\"c\n") == #"t.csv:2: \#(expected), found "a,"b"c\n""#)
    #expect(message("clip,label\na,b\"c\n") == #"t.csv:2: \#(expected), found "a,b"c\n""#)
    #expect(
      message("clip,label\na,b\nc,\"d\ne,f\n")
        == "t.csv:3: expected a closing quotation mark, found the end of the file")
  }

  /// Of each field it is kept where it ends: a file of commas alone must not fill the memory.
  @Test func refusesMoreFieldsThanMemoryHolds() {
    let file = InputFile(name: "t.csv", bytes: Data(repeating: UInt8(ascii: ","), count: 1 << 24))
    #expect(
      errorText { _ = try CSVTable(file, required: ["clip"]) }
        == "t.csv:1: expected at most 16777216 fields and 2097152 rows, found more; split the file")
  }

  @Test func refusesWhatIsNotText() {
    #expect(message("clip,label\na,b\u{0}\n") == "t.csv:2: expected text, found a NUL character")
    let file = InputFile(
      name: "t.csv", bytes: Data("clip,label\na,b\nc,\"x\n".utf8) + [0xC3, 0x28] + Data("\"\n".utf8))
    #expect(
      errorText { _ = try CSVTable(file, required: ["clip", "label"]) }
        == "t.csv:4: expected UTF-8 text, found bytes that are not UTF-8")
  }

  private func row(_ field: String) throws -> CSVRow {
    let rows = try table("clip,label,note\na,b,\(field)\n").rows
    return try #require(rows.first)
  }

  @Test func readsTypes() throws {
    #expect(try row("-1.5e1").number("note") == -15)
    #expect(try row("-3").integer("note") == -3)
    #expect(try row("TRUE").flag("note") && row("1").flag("note"))
    #expect(try !row("false").flag("note") && !row("0").flag("note"))
    #expect(try row("").numberIfPresent("note") == nil)
    #expect(try row("").integerIfPresent("note") == nil)
  }

  @Test(arguments: ["", "abc", "0x10", "1.5 ", "nan", "inf", "1e999", "1,5".replacing(",", with: ";")])
  func refusesWhatIsNotANumber(_ field: String) throws {
    let row = try row(field)
    let found = field.isEmpty ? "an empty field" : "\"\(field)\""
    #expect(errorText { _ = try row.number("note") } == "t.csv:2: expected a number in column note, found \(found)")
  }

  @Test func refusesOtherTypes() throws {
    func message(_ field: String, _ read: (CSVRow) throws -> Void) throws -> String {
      let row = try row(field)
      return errorText { try read(row) }
    }
    #expect(
      try message("1.0") { _ = try $0.integer("note") }
        == #"t.csv:2: expected a whole number in column note, found "1.0""#)
    #expect(
      try message("yes") { _ = try $0.flag("note") }
        == #"t.csv:2: expected 1, 0, true or false in column note, found "yes""#)
    let text = "t.csv:2: expected a text without spaces around it or control characters in column note, found "
    #expect(try message("") { _ = try $0.text("note") } == text + "an empty field")
    #expect(try message(" x") { _ = try $0.text("note") } == text + #"" x""#)
    #expect(try message("x\u{1B}[1m") { _ = try $0.text("note") } == text + #""x\u{1B}[1m""#)
  }
}
