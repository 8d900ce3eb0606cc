import Files
import Foundation
import TestSupport
import Testing

/// Files that are made, or happen, to exhaust or mislead whoever reads them.
@Suite struct HostileFileTests {
  private func yaml(_ text: String) -> String {
    errorText { _ = try YAMLMapping(InputFile("a.yaml", text: text)) }
  }

  @Test func aMappingThatTakesNoKeysSaysSo() {
    let text = errorText { try YAMLMapping(InputFile("a.yaml", text: "b: { c: 1 }\n")).mapping("b").requireOnly([]) }
    #expect(text.hasPrefix("a.yaml:1: expected no keys for b, found \"c\""), "\(text)")
  }

  /// Nothing goes down the stack a hundred thousand levels.
  @Test(arguments: ["[", "{a: ", "- ", "? "]) func nestingIsBounded(_ level: String) {
    #expect(yaml(String(repeating: level, count: 100_000)).contains("Maximum nesting level reached"))
  }

  @Test func whatTheLimitsAllowIsRead() {
    #expect(yaml("a: " + String(repeating: "[", count: 900) + String(repeating: "]", count: 900)) == "no error")
    #expect(yaml((0..<900).map { String(repeating: " ", count: $0) + "a:\n" }.joined() + "\n") == "no error")
    #expect(yaml("a: \"it's 3 * 4 - * 5, *all* of it\"\nb: - - -\n").hasPrefix("a.yaml:2: expected YAML, found "))
  }

  /// Ten lists of ten lists of … : 10^9 values in 200 bytes, of which the hash of a key would visit each.
  @Test func aliasesAreBounded() {
    let levels = "bcdefghij".map { "\($0): &\($0) [" }
    var text = "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
    for (index, level) in levels.enumerated() {
      let name = Array("abcdefghi")[index]
      text += level + Array(repeating: "*\(name)", count: 10).joined(separator: ", ") + "]\n"
    }
    #expect(yaml(text + "? *j\n: 1\n") == "a.yaml:4: expected at most 20 aliases, found more")
    #expect(yaml("a: &a b\nc: *a\n") == "no error")
  }

  @Test func aHugeManifestIsNotParsed() {
    #expect(
      yaml("a: " + String(repeating: "x", count: 1 << 20))
        == "a.yaml: expected YAML of at most 1048576 bytes, found 1048579 bytes")
  }

  @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian], ["", "\u{FEFF}"])
  func utf16IsNamed(_ encoding: String.Encoding, _ mark: String) throws {
    let bytes = try #require((mark + "frame,time_s\n").data(using: encoding))
    let file = InputFile(name: "a", bytes: bytes)
    let message = "a: expected text in UTF-8, found text in UTF-16; save it as UTF-8"
    #expect(errorText { _ = try YAMLMapping(file) } == message)
    #expect(errorText { _ = try CSVTable(file, required: ["frame"]) } == message)
    #expect(errorText { _ = try NumberRows(file, columnCount: 2) } == message)
  }

  /// The end of a line is not looked for in the whole file.
  @Test func aLineWithoutEnd() {
    let file = InputFile(name: "a", bytes: Data("1,2\n".utf8) + Data(count: 1 << 24) + Data("1\n".utf8))
    let text = InputFile(name: "a", bytes: Data("1,2\n".utf8) + Data(repeating: 0x31, count: (1 << 24) + 1))
    for file in [file, text] {
      // Only the beginning is checked to be text.
      let late = InputFile(name: "a", bytes: Data(String(repeating: "1,2\n", count: 1 << 14).utf8) + file.bytes)
      let message = "a:\((1 << 14) + 2): expected at most 16777216 bytes in a line, found a longer one"
      #expect(errorText { _ = try NumberRows(late, columnCount: 2) } == message)
      #expect(errorText { try DelimitedText(late).forEachRow { _ in } } == message)
    }
  }

  /// 2^40 frames, with the bytes of two.
  @Test func anArrayThatClaims2To40Frames() {
    var file = NumpyArray(shape: [2, 17, 2], values: [Float](repeating: 0, count: 68)).encoded
    let header = Data("'shape': (1099511627776, 17, 2), }".utf8)
    guard let place = file.range(of: Data("'shape'".utf8))?.lowerBound else {
      Issue.record("no shape in the header")
      return
    }
    file.replaceSubrange(place..<place + header.count, with: header)
    #expect(
      errorText { _ = try NumpyArray(InputFile(name: "a.npy", bytes: file)) }
        == "a.npy: expected 149533581377536 bytes of values for shape (1099511627776, 17, 2), found 272 bytes, "
        + "the file is truncated")
  }
}
