import Foundation
import Scoring
import Testing

/// A confusion matrix as files of results hold it.
struct ConfusionMatrixFileTests {
  @Test func aFileHoldsItWhole() throws {
    let matrix = ConfusionMatrix(truth: ["a", "a", "b"], predicted: ["a", "b", "b"])
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let json = try encoder.encode(matrix)
    #expect(String(decoding: json, as: UTF8.self) == #"{"counts":[[1,1],[0,1]],"labels":["a","b"]}"#)
    #expect(try JSONDecoder().decode(ConfusionMatrix.self, from: json) == matrix)
  }

  @Test(arguments: [
    #"{"counts":[[1,2]],"labels":["a"]}"#, #"{"counts":[],"labels":["a"]}"#, #"{"counts":[[-1]],"labels":["a"]}"#,
    #"{"counts":[[1,0],[0,1]],"labels":["a","a"]}"#,
  ])
  func countsThatAreNoMatrixAreRefused(json: String) {
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(ConfusionMatrix.self, from: Data(json.utf8)) }
  }
}
