import Files
import Foundation
import TestSupport
import Testing

@Suite struct JSONRecordTests {
  private static let record = JSONRecord(["x", "y", "visibility"], required: 2, "a landmark with x and y")

  /// NaN as "none".
  ///
  /// - Parameter isLong: whether there is so much space around that objects are read many bytes at a time.
  private func values(_ text: String, isLong: Bool = false) throws -> [String] {
    let text = isLong ? String(repeating: " ", count: 16) + text + String(repeating: " ", count: 200) : text
    var values: [Float] = [-1]
    let count = try JSONReaderTests.read(text) { try $0.records(Self.record, into: &values) }
    #expect(values.count == 1 + 3 * count && values[0] == -1)
    return values.dropFirst().map { $0.isNaN ? "none" : "\($0)" }
  }

  /// In the order of the record or not, with or without space, with other keys between them or escapes in them.
  @Test(arguments: [
    #"[{"x":1,"y":2.5,"visibility":0.5}]"#, #"[{"visibility":0.5,"y":2.5,"x":1}]"#,
    " [ { \"x\" : 1 ,\n\"y\"\t:\r2.5 , \"visibility\" : 0.5 } ] ",
    #"[{"z":[{"x":9}],"x":1,"xy":9,"y":2.5,"":9,"visibilitY":9,"visibility":0.5,"a longer key":null}]"#,
    #"[{"\u0078":1,"y":2.5,"visibility":0.5}]"#, #"[{"y":2.5,"x":1,"visibility":0.5,"name":"a, [b] {c}"}]"#,
    #"[{"x":9,"y":2.5,"x":1,"visibility":0.5}]"#,
  ]) func numbersStandInTheOrderOfTheKeys(_ text: String) throws {
    #expect(try values(text) == ["1.0", "2.5", "0.5"])
    #expect(try values(text, isLong: true) == ["1.0", "2.5", "0.5"])
  }

  @Test(arguments: [false, true]) func whatIsMissingIsNaN(_ isLong: Bool) throws {
    let text = #"[{"x":1,"y":null},{"y":2,"x":3,"visibility":NaN},{"x":4,"y":5,"visibility":6}]"#
    let expected = ["1.0", "none", "none", "3.0", "2.0", "none", "4.0", "5.0", "6.0"]
    #expect(try values(text, isLong: isLong) == expected)
    #expect(try values("[]").isEmpty)
  }

  @Test(arguments: [
    (#"[{"x":1}]"#, "expected a landmark with x and y at [0], found one without"),
    (#"[{"x":1,"y":2},{"y":1}]"#, "expected a landmark with x and y at [1], found one without"),
    ("[{}]", "expected a landmark with x and y at [0], found one without"),
    ("[1]", "expected an object at [0], found \"1\""),
    (#"[{"x":"1"}]"#, "expected a number or null at [0].x, found the text \"1\""),
    (#"[{"x":1 "y":2}]"#, "expected \",\" or \"}\" at [0].x, found the text \"y\""),
    (#"[{"x":1,}]"#, "expected a key in quotation marks"), (#"[{"x":1,"y":2"#, "expected \",\" or \"}\""),
    (#"[{"x":1,"a":}]"#, "expected a value at [0].a"), (#"[{"x" 1}]"#, "expected \":\""),
    (#"{"x":1,"y":2}"#, "expected a list, found \"{\""),
    (#"[{"x":01,"y":2,"visibility":3}]"#, "expected a number or null at [0].x"),
    (#"[{"x":1.,"y":2,"visibility":3}]"#, "expected a number or null at [0].x"),
    (#"[{"x":1,"y":.5,"visibility":3}]"#, "expected a number or null at [0].y"),
    (#"[{"x":1,"y":2,"visibility":1e39}]"#, "expected a number up to 3.4e38 at [0].visibility"),
    (#"[{"x":1,"y":2,"visibility":3}{}]"#, "expected \",\" or \"]\" at [0]"),
    (#"[{"x":1,"y":2,"visibility":3},]"#, "expected an object at [1], found \"]\""),
  ]) func whatIsWrongIsNamed(_ text: String, _ words: String) {
    for isLong in [false, true] where !isLong || text.hasSuffix("]") {
      let error = errorText { _ = try values(text, isLong: isLong) }
      #expect(error.hasPrefix("a.json:1: " + words), "\(error)")
    }
  }
}
