import Foundation

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
    case .dataCorrupted where isOfText: "text that is not valid JSON"
    case .dataCorrupted(let context): "\(place(context.codingPath)): \(context.debugDescription)"
    @unknown default: "\(self)"
    }
  }

  /// As `words`, but with the key of a number that its type cannot hold, such as 0.5 for a count: `JSONDecoder` calls the
  /// whole text invalid.
  ///
  /// - Parameter decode: Decodes a text as the file's was.
  package func words(in file: InputFile, decode: (Data) throws -> Void) -> String {
    guard isOfText, let number = try? Self.unfitNumber(in: file, decode) else { return words }
    return "\(number.key) with \(number.value), out of its range"
  }

  private var isOfText: Bool {
    guard case .dataCorrupted(let context) = self else { return false }
    return context.debugDescription.hasPrefix("The given data was not valid JSON")
  }

  /// `nil` if the text is no JSON.
  private static func unfitNumber(
    in file: InputFile, _ decode: (Data) throws -> Void
  ) throws -> (key: String, value: Double)? {
    var numbers: [(key: String, value: Double, place: Range<Int>)] = []
    try JSONReader.forEachNumber(in: file) { numbers.append((key: $0.joined(), value: $1, place: $2)) }
    /// Whether the text is still invalid with 0 for the first numbers.
    func isInvalid(withoutFirst count: Int) -> Bool {
      var bytes = Array(file.bytes)
      for place in numbers.prefix(count).map(\.place) {
        for index in place { bytes[index] = UInt8(ascii: index == place.lowerBound ? "0" : " ") }
      }
      do { try decode(Data(bytes)) } catch let error as DecodingError { return error.isOfText } catch {}
      return false
    }
    guard !isInvalid(withoutFirst: numbers.count) else { return nil }
    var (invalid, valid) = (0, numbers.count)
    while valid - invalid > 1 {
      let middle = (invalid + valid) / 2
      if isInvalid(withoutFirst: middle) { invalid = middle } else { valid = middle }
    }
    return (numbers[invalid].key, numbers[invalid].value)
  }
}
