import Datasets
import Files
import Foundation
import Pipeline

/// A results file of a sweep, tuning, comparison or self-test.
public struct StudyFile: Sendable {
  private let path: String

  public init(_ path: String) { self.path = path }

  /// - Parameters:
  ///   - what: `the results of a sweep`
  ///   - format: The version of its layout.
  /// - Throws: `DataError` if it cannot be read, `EvaluationError.missing` for another format.
  public func read<Value: Decodable>(_ what: String, format: Int) throws -> Value {
    let file = try InputFile(path)
    try file.requireSize(atMost: InputFile.largestResults)
    let bytes = file.bytes
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

/// The version of the layout, which every results file and stored run contains.
package struct FormatNumber: Decodable { package var format: Int }

extension DecodingError {
  /// The error and its place in words.
  package var words: String {
    func place(_ path: [any CodingKey]) -> String {
      let keys = path.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
      return keys.isEmpty ? "the file" : String(keys.drop { $0 == "." })
    }
    return switch self {
    case .keyNotFound(let key, let context): "\(place(context.codingPath)) without \(key.stringValue)"
    case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
      "\(place(context.codingPath)) that is not of type \(type)"
    case .dataCorrupted(let context): "\(place(context.codingPath)): \(context.debugDescription)"
    @unknown default: "\(self)"
    }
  }
}
