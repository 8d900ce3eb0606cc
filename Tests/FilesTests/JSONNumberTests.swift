import Files
import Foundation
import TestSupport
import Testing

/// Numbers of JSON lists are read as C's `strtof` reads them, bit for bit, however they are written.
struct JSONNumberTests {
  /// Numbers as tools and people write them, from one to 25 digits, some with an exponent.
  private static func texts() -> [String] {
    var random = TestGenerator(seed: 11)
    return (0..<20_000).map { index in
      let value = Double.random(in: -2000...2000, using: &random)
      switch index % 5 {
      case 0: return String(format: "%.\(Int.random(in: 0...20, using: &random))f", value)
      case 1: return "\(value)"
      case 2: return "\(Float(value) / 1e6)"
      case 3: return String(format: "%.\(Int.random(in: 0...12, using: &random))e", value)
      default: return "\(Int(value))"
      }
    }
  }

  @Test(arguments: [",", ", ", " ,\n  "])
  func areThoseOfC(_ separator: String) throws {
    let texts = Self.texts()
    var values: [Float] = []
    let count = try JSONReaderTests.read("[" + texts.joined(separator: separator) + "]") {
      try $0.coordinates(into: &values)
    }
    #expect(count == texts.count)
    let wrong = zip(texts, values).first { text, value in strtof(text, nil).bitPattern != value.bitPattern }
    #expect(wrong == nil)
  }

  /// Between numbers that are read many at a time, and at the end of the text, where they are not.
  @Test(arguments: ["01", "1.", ".5", "-", "1e", "+1", "1.2.3", "0x1", "1 2", ""])
  func whatIsNoNumberIsNamed(_ text: String) {
    let others = [String](repeating: "0.25", count: 100).joined(separator: ",")
    for text in ["[\(others),\(text),\(others)]", "[\(others),\(text)]"] {
      var values: [Float] = []
      let error = errorText { _ = try JSONReaderTests.read(text) { try $0.tensor(into: &values) } }
      #expect(error.hasPrefix("a.json:1: expected "), "\(error)")
    }
  }
}
