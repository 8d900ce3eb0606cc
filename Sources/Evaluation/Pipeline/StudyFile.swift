import Datasets
import Files
import Foundation

/// A file of numbers that a sweep, a tuning, a comparison or a self-test has left behind.
public struct StudyFile: Sendable {
  private let path: String

  public init(_ path: String) { self.path = path }

  /// - Parameters:
  ///   - what: `the results of a sweep`
  ///   - format: the version of its layout.
  /// - Throws: `DataError` where it can't be read, `EvaluationError.missing` for another format.
  public func read<Value: Decodable>(_ what: String, format: Int) throws -> Value {
    let bytes = try InputFile(path).bytes
    do {
      let found = try JSONDecoder().decode(FormatNumber.self, from: bytes).format
      guard found == format else {
        throw EvaluationError.missing(
          what: path, expected: "format \(format)", found: "format \(found), of another version of bench")
      }
      return try JSONDecoder().decode(Value.self, from: bytes)
    } catch let error as DecodingError {
      throw DataError(file: path, expected: what, found: error.words)
    }
  }
}

/// The version of its layout, which every file of numbers and every stored run says.
struct FormatNumber: Decodable { var format: Int }
