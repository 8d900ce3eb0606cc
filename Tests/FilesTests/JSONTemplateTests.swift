import Files
import Foundation
import Testing

@Suite struct JSONTemplateTests {
  /// The numbers of a text by the template of another; `nil` if it is something else, and then it can still be read.
  private func numbers(_ text: String, by template: JSONTemplate) throws -> [Double]? {
    try JSONReaderTests.read("[\(text)]") { json in
      var found: [Double]?
      try json.array { json in
        var numbers = [Double](repeating: 0, count: template.count)
        if json.numbers(of: template, into: &numbers) { found = numbers } else { try json.skip() }
      }
      return found
    }
  }

  @Test func numbersAreWhatMayDiffer() throws {
    let template = JSONTemplate(#"{"a":1,"b":[2.5,-3e2],"c\"4":"7"}"#.utf8)
    #expect(template.count == 3)
    #expect(try numbers(#"{"a":10,"b":[0.5,4],"c\"4":"7"}"#, by: template) == [10, 0.5, 4])
    for other in [
      #"{"a":10,"b":[0.5,4],"c\"4":"8"}"#, #"{"a":10, "b":[0.5,4],"c\"4":"7"}"#, #"{"a":10,"b":[0.5,null],"c\"4":"7"}"#,
      #"{"a":10,"b":[0.5],"c\"4":"7"}"#, #"{"a":1e999,"b":[0.5,4],"c\"4":"7"}"#, "[]",
    ] { #expect(try numbers(other, by: template) == nil, "\(other)") }
  }

  @Test func aFixedNumberIsAPartOfTheText() throws {
    let template = JSONTemplate("[7,7,7]".utf8) { $0 == 1 }
    #expect(template.text([1, 20]) == Array("[1,7,20]".utf8))
    #expect(try numbers("[8,7,9]", by: template) == [8, 9])
    #expect(try numbers("[7,8,9]", by: template) == nil)
  }

  /// A number that is the whole value ends where it ends.
  @Test func aNumberAlone() throws {
    let template = JSONTemplate("5".utf8)
    #expect(try numbers("12", by: template) == [12])
    #expect(try numbers("\"12\"", by: template) == nil)
  }

  /// What is no JSON is an error, as without a template.
  @Test(arguments: ["[01]", "[1.]", "[1x]"]) func noOtherNumbers(_ text: String) {
    let template = JSONTemplate("[2]".utf8)
    #expect(throws: DataError.self) { try numbers(text, by: template) }
  }
}
