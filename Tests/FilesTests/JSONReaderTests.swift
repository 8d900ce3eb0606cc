import Files
import Foundation
import TestSupport
import Testing

@Suite struct JSONReaderTests {
  static func read<Result>(_ text: String, _ body: (inout JSONReader) throws -> Result) throws -> Result {
    try read(Data(text.utf8), body)
  }

  static func read<Result>(_ bytes: Data, _ body: (inout JSONReader) throws -> Result) throws -> Result {
    try JSONReader.read(InputFile(name: "a.json", bytes: bytes), body)
  }

  static func error(_ bytes: Data, _ body: (inout JSONReader) throws -> Void) -> String {
    do {
      try read(bytes, body)
      return "no error"
    } catch {
      return "\(error)"
    }
  }

  @Test func anObjectIsReadByItsKeys() throws {
    let text = """
      [ {"x": 1.5, "note": {"by": ["a", "b"], "n": null}, "name": "left\\u0020knee \\ud83d\\ude00\\n", "seen": true},
        {"x": -2e-1, "seen": false, "\\u0078": 7} ]
      """
    var xs: [Float] = []
    var names: [String] = []
    var seen: [Bool] = []
    try Self.read(text) { json in
      try json.array { json in
        try json.object { json, key in
          switch key {
          case "x": xs.append(try json.coordinate())
          case "name": names.append(try json.string())
          case "seen": seen.append(try json.boolean())
          default: try json.skip()
          }
        }
      }
    }
    #expect(xs == [1.5, -0.2, 7])
    #expect(names == ["left knee 😀\n"])
    #expect(seen == [true, false])
  }

  @Test func listsOfListsHaveAShape() throws {
    var values: [Float] = []
    let shape = try Self.read("[[[1,2],[3,4],[5,null]]]") { try $0.tensor(into: &values) }
    #expect(shape == [1, 3, 2])
    #expect(values.prefix(5) == [1, 2, 3, 4, 5] && values.last?.isNaN == true)
    var flat: [Float] = [9]
    #expect(try Self.read(" [ 1 , 2.5 , NaN ] ") { try $0.coordinates(into: &flat) } == 3)
    #expect(flat.prefix(3) == [9, 1, 2.5] && flat.last?.isNaN == true)
    #expect(try Self.read("[]") { try $0.tensor(into: &flat) } == [0])
    #expect(try Self.read("[[], []]") { try $0.tensor(into: &flat) } == [2, 0])
  }

  @Test func numbersAreTheNearestOnes() throws {
    var generator = TestGenerator(seed: 5)
    var texts = ["0", "-0.0", "16777217", "0.1", "3.4028235e38", "1e-46", "1.00000005960464477539062"]
    texts += ["0.000123456789012345678", "0.00000000000000000000123456789012345678"]
    for _ in 0..<20_000 {
      let whole = String(UInt64.random(in: 0...9999, using: &generator))
      let digits = (0..<Int.random(in: 1...24, using: &generator)).map { _ in
        String(UInt8.random(in: 0...9, using: &generator))
      }
      texts.append((Bool.random(using: &generator) ? "-" : "") + whole + "." + digits.joined())
    }
    var values: [Float] = []
    _ = try Self.read("[\(texts.joined(separator: ","))]") { try $0.coordinates(into: &values) }
    let expected = texts.map { Float($0) ?? .nan }
    #expect(values == expected)
    let numbers = try Self.read("[\(texts.joined(separator: ","))]") { json in
      var numbers: [Double] = []
      try json.array { numbers.append(try $0.number()) }
      return numbers
    }
    #expect(numbers == texts.map { Double($0) ?? .nan })
    #expect(
      try Self.read("[3.0, 12]") { json in
        var whole: [Int] = []
        try json.array { whole.append(try $0.integer()) }
        return whole
      } == [3, 12])
  }

  @Test func aByteOrderMarkIsNoPartOfTheText() throws {
    #expect(try Self.read(Data([0xEF, 0xBB, 0xBF]) + Data("7".utf8)) { try $0.integer() } == 7)
  }

  static let deep = Data(String(repeating: "[", count: 100_000).utf8)

  static let wrong: [(bytes: Data, words: String)] = [
    (Data(), "a.json:1: expected JSON, found an empty file"),
    (Data(" \n ".utf8), "a.json:1: expected JSON, found an empty file"),
    (Data("[1,2".utf8), "a.json:1: expected \",\" or \"]\" at [1], found the end of the file"),
    (Data("[1,\n\n 2 3]".utf8), "a.json:3: expected \",\" or \"]\" at [1], found \"3\""),
    (Data("{\"a\": 1,}".utf8), "a.json:1: expected a key in quotation marks at a, found \"}\""),
    (Data("[1] [2]".utf8), "a.json:1: expected the end of the file, found \"[\""),
    (Data("{\"a\" 1}".utf8), "a.json:1: expected \":\", found \"1\""),
    (Data("[01]".utf8), "a.json:1: expected a number at [0], found \"01\""),
    (Data("[1.]".utf8), "a.json:1: expected a number at [0], found \"1.\""),
    (Data("[-]".utf8), "a.json:1: expected a number at [0], found \"-\""),
    (Data("[tru]".utf8), "a.json:1: expected true or false at [0], found \"tru\""),
    (Data("[truely]".utf8), "a.json:1: expected true or false at [0], found \"truely\""),
    (Data("[\"a\\x\"]".utf8), "a.json:1: expected one of the escapes of JSON at [0], found \"\\\""),
    (Data("[\"a\\u12g4\"]".utf8), "a.json:1: expected \\u and four hexadecimal digits at [0], found \"\\\""),
    (Data("[\"a\nb\"]".utf8), "a.json:1: expected no control character in a text at [0], found \"\\n\""),
    (
      Data("[1, \"".utf8) + Data([0xC3, 0x28]) + Data("\"]".utf8),
      "a.json:1: expected UTF-8 text at [1], found bytes that are not UTF-8"
    ),
    (
      Data([0xFF, 0xFE, 0x5B, 0, 0x5D, 0]), "a.json:1: expected JSON in UTF-8, found UTF-16 or UTF-32"
    ),
    (Data([0, 0x5B, 0, 0x5D]), "a.json:1: expected JSON in UTF-8, found UTF-16 or UTF-32"),
    (deep, "a.json:1: expected at most 1000 nested lists and objects at [0][0]"),
  ]

  @Test(arguments: wrong) func whatIsNoJSONIsRefused(_ bytes: Data, _ words: String) {
    let error = Self.error(bytes) { try $0.skip() }
    #expect(error.hasPrefix(words), "\(error)")
  }

  @Test func anErrorNamesTheLineAndTheWayToTheValue() {
    let text = """
      {"frames": [
        {"keypoints": [{"x": 1}]},
        {"keypoints": [{"x": 1}, {"x": "low"}]}
      ]}
      """
    let error = Self.error(Data(text.utf8)) { json in
      try json.object { json, _ in
        try json.array { json in
          try json.object { json, _ in
            try json.array { json in try json.object { json, _ in _ = try json.coordinate() } }
          }
        }
      }
    }
    #expect(error == "a.json:3: expected a number or null at frames[1].keypoints[1].x, found the text \"low\"")
  }

  @Test func numbersBeyondAllBoundsAreRefused() {
    #expect(
      Self.error(Data("1e999".utf8)) { _ = try $0.number() }
        == "a.json:1: expected a number up to 1.8e308, found \"1e999\"")
    #expect(
      Self.error(Data("-1e39".utf8)) { _ = try $0.coordinate() }
        == "a.json:1: expected a number up to 3.4e38, found \"-1e39\"")
    #expect(
      Self.error(Data("9223372036854775808".utf8)) { _ = try $0.integer() }
        == "a.json:1: expected a whole number, found \"9223372036854775808\"")
  }

  @Test func aValueThatIsLeftIsAnError() {
    let list = Self.error(Data("[null, nil]".utf8)) { json in try json.array { _ = $0.takeNull() } }
    #expect(list == "a.json:1: expected a value at [1], found \"nil\"")
    let object = Self.error(Data("{\"a\": 1}".utf8)) { json in try json.object { _, _ in } }
    #expect(object == "a.json:1: expected a value at a, found \"1\"")
  }

  @Test func raggedListsAreRefused() {
    var values: [Float] = []
    let error = Self.error(Data("[[1,2],[3]]".utf8)) { _ = try $0.tensor(into: &values) }
    #expect(error == "a.json:1: expected a list of 2 values, as in the one before at [1], found 1")
    let deep = Self.error(Self.deep) { _ = try $0.tensor(into: &values) }
    #expect(deep.hasPrefix("a.json:1: expected at most eight nested lists at "), "\(deep)")
  }
}
