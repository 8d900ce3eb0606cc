import Datasets
import Foundation

extension SweepResults {
  /// Reads a `sweep.json`.
  ///
  /// - Throws: `DataError` where it can't be read, `EvaluationError.missing` for another format.
  public init(file path: String) throws {
    struct Head: Decodable { var format: Int }
    let bytes = try InputFile(path).bytes
    do {
      let format = try JSONDecoder().decode(Head.self, from: bytes).format
      guard format == Self.currentFormat else {
        throw EvaluationError.missing(
          what: path, expected: "format \(Self.currentFormat)", found: "format \(format), of another version of bench")
      }
      self = try JSONDecoder().decode(SweepResults.self, from: bytes)
    } catch let error as DecodingError {
      throw DataError(file: path, expected: "the results of a sweep", found: error.words)
    }
  }
}
