import Files
import Foundation
import Testing

@Suite struct DecodingErrorTests {
  private struct Study: Decodable {
    struct Part: Decodable {
      var count: Int
      var share: Double
    }

    var parts: [Part]
    var seed: UInt64
  }

  /// Decoders call the whole text invalid where a number does not fit, and name no key.
  @Test(arguments: [
    (
      #"{"parts": [{"count": 3, "share": 0.5}, {"count": 1.5, "share": 1}], "seed": 1}"#,
      "parts[1].count with 1.5, out of its range"
    ),
    (#"{"parts": [{"share": 1e300, "count": 1e300}], "seed": 1}"#, "parts[0].count with 1e+300, out of its range"),
    (#"{"parts": [], "seed": -1}"#, "seed with -1.0, out of its range"),
    (#"{"parts": [], "seed": "#, "text that is not valid JSON"), ("", "text that is not valid JSON"),
    (#"{"parts": [], "seed": "one"}"#, "seed that is not of type UInt64"),
  ])
  func aNumberThatDoesNotFitIsNamed(json: String, words: String) throws {
    let file = InputFile(name: "study.json", bytes: Data(json.utf8))
    func decode(_ bytes: Data) throws { _ = try JSONDecoder().decode(Study.self, from: bytes) }
    let error = try #require(throws: DecodingError.self) { try decode(file.bytes) }
    #expect(error.words(in: file, decode: decode) == words)
  }
}
