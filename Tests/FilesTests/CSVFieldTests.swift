import Files
import Foundation
import Testing

struct CSVFieldTests {
  @Test func writesEachKindInOneForm() {
    let fields: [CSVField] = [
      .text("a"), .number(30), .number(29.97), .integer(-4), .literal("1.5"), .flag(true), .flag(false), .empty,
    ]
    #expect(CSVField.row(fields) == "a,30,29.97,-4,1.5,1,0,\n")
  }

  @Test(arguments: [
    ("a b", "a b"), ("a,b", "\"a,b\""), ("a\"b", "\"a\"\"b\""), ("a\nb", "\"a\nb\""), ("a\rb", "\"a\rb\""),
    ("a\r\nb", "\"a\r\nb\""), ("", ""), ("né", "né"),
  ])
  func quotesWhereNeeded(_ text: String, _ encoded: String) {
    #expect(CSVField.text(text).encoded == encoded)
  }

  /// Which no text of a dataset has, but a machine's name or a release of a history may.
  @Test(arguments: [("\t=1", "'\t=1"), ("\r=1", "\"'\r=1\""), ("\n@a", "\"'\n@a\""), ("a\t=1", "a\t=1")])
  func disarmsFormulasBehindControlCharacters(_ text: String, _ encoded: String) {
    #expect(CSVField.text(text).encoded == encoded)
  }

  @Test(arguments: [
    ("=1+1", "'=1+1"), ("@SUM(A1)", "'@SUM(A1)"), ("+cmd", "'+cmd"), ("-a", "'-a"), ("=\"a\"", "\"'=\"\"a\"\"\""),
    ("-3", "-3"), ("+1.5", "+1.5"), ("'quoted'", "'quoted'"), ("'=1", "''=1"), ("''-a", "'''-a"), ("-", "'-"),
  ])
  func disarmsFormulas(_ text: String, _ encoded: String) throws {
    #expect(CSVField.text(text).encoded == encoded)
    let table = try CSVTable(InputFile("t.csv", text: "clip\n" + CSVField.row([.text(text)])), required: ["clip"])
    #expect(try table.rows.map { try $0.text("clip") } == [text])
  }
}
