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
    case .dataCorrupted(let context) where context.debugDescription.hasPrefix("The given data was not valid JSON"):
      "text that is not valid JSON"
    case .dataCorrupted(let context): "\(place(context.codingPath)): \(context.debugDescription)"
    @unknown default: "\(self)"
    }
  }
}
