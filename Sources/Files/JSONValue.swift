/// A small part of a JSON document in memory, for documents of unknown structure.
public indirect enum JSONValue: Sendable {
  case object([(key: String, value: JSONValue)])
  case array([JSONValue])
  case string(String)
  case number(Double)
  case boolean(Bool)
  case null
  /// A list or object that was skipped, because it has too many values or is nested too deeply.
  case large

  /// A number, also as a text or as `{"value": 0.5}` or `{"isPresent": true, "value": 0.5}`, Java's forms of optional
  /// numbers; `nil` for anything else.
  public var number: Double? {
    switch self {
    case .number(let number): number
    case .string(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
    case .object(let members):
      members.allSatisfy { if case .boolean = $0.value { true } else { $0.key == "value" } }
        ? members.first { $0.key == "value" }?.value.number : nil
    default: nil
    }
  }
}

extension JSONReader {
  /// Reads the next value.
  ///
  /// - Parameter limit: The most values to read; the rest is skipped and replaced by `.large`.
  public mutating func value(limit: Int) throws -> JSONValue {
    var left = limit
    return try value(left: &left, depth: 0)
  }

  private static let deepestValue = 12

  private mutating func value(left: inout Int, depth: Int) throws -> JSONValue {
    left -= 1
    let kind = try kind()
    if kind == .object || kind == .array, left <= 0 || depth == Self.deepestValue {
      try skip()
      return .large
    }
    switch kind {
    case .object:
      var members: [(key: String, value: JSONValue)] = []
      var isCut = false
      try object { json, key in
        if left <= 0 { isCut = true }
        if isCut { return try json.skip() }
        members.append((key.text, try json.value(left: &left, depth: depth + 1)))
      }
      return isCut ? .large : .object(members)
    case .array:
      var elements: [JSONValue] = []
      var isCut = false
      try array { json in
        if left <= 0 { isCut = true }
        if isCut { return try json.skip() }
        elements.append(try json.value(left: &left, depth: depth + 1))
      }
      return isCut ? .large : .array(elements)
    case .string: return .string(try string())
    case .number:
      if take("NaN") || take("Infinity") || take("-Infinity") { return .null }
      return .number(try number())
    case .boolean: return .boolean(try boolean())
    case .null:
      try skip()
      return .null
    }
  }
}
