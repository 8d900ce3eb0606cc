import Foundation
import Yams

/// The keys and values of a YAML file, or of a part of it, with a reader for each type.
///
/// Each reader throws a `DataError` with file, line and key if a value has another type. A plain scalar is a text
/// whatever YAML's core schema makes of it: `version: 1.0` is "1.0".
public struct YAMLMapping {
  public let file: String
  private let mapping: Node.Mapping
  /// The prefix of a key in errors: `coordinates.`
  private let prefix: String
  private let fallbackLine: Int

  /// Reads a file that contains one mapping.
  public init(_ file: InputFile) throws {
    try YAMLLimits.check(file)
    let text = try file.text()
    let node: Node?
    do {
      // Without rules that turn plain scalars into numbers, dates and truth values: these take longer than the parsing.
      node = try Yams.compose(yaml: text, .basic)
    } catch let error as YamlError {
      throw error.dataError(file: file.name)
    }
    guard let node else {
      throw DataError(file: file.name, line: 1, expected: "keys and values", found: "an empty file")
    }
    guard let mapping = node.mapping else {
      throw DataError(file: file.name, line: node.mark?.line ?? 1, expected: "keys and values", found: node.kind)
    }
    self.init(file: file.name, mapping: mapping, prefix: "", fallbackLine: 1)
  }

  private init(file: String, mapping: Node.Mapping, prefix: String, fallbackLine: Int) {
    self.file = file
    self.mapping = mapping
    self.prefix = prefix
    self.fallbackLine = fallbackLine
  }

  /// The line on which the mapping begins, from 1.
  public var line: Int { mapping.mark?.line ?? fallbackLine }

  /// The keys in the order of the file.
  public var keys: [String] { mapping.keys.compactMap(\.string) }

  /// Refuses unknown keys, to report a misspelt one instead of treating it as absent.
  public func requireOnly(_ known: [String]) throws {
    for (key, _) in mapping {
      let name = key.scalar?.string
      if let name, known.contains(name) { continue }
      throw DataError(
        file: file, line: key.mark?.line ?? line,
        expected: known.isEmpty
          ? "no keys for \(prefix.dropLast())" : "only the keys \(known.map { prefix + $0 }.joined(separator: ", "))",
        found: name.map { NearNames.question($0, in: known) } ?? "a key that is \(key.kind)")
    }
  }

  /// The missing keys among the required ones.
  ///
  /// - Parameter examples: A line to copy for each key: `suite: squat`.
  public func missing(_ examples: KeyValuePairs<String, String>) -> [MissingKey] {
    examples.filter { mapping[$0.key] == nil }.map { MissingKey(line: line, key: prefix + $0.key, example: $0.value) }
  }

  /// A text that is not empty and has no control characters but line feeds.
  public func text(_ key: String) throws -> String { try text(value(key), key) }

  public func textIfPresent(_ key: String) throws -> String? { mapping[key] == nil ? nil : try text(key) }

  /// Whether a key has a list.
  public func isList(_ key: String) -> Bool { mapping[key]?.sequence != nil }

  /// A list of texts.
  public func texts(_ key: String) throws -> [String] {
    guard let sequence = try value(key).sequence else { throw failure(key, expected: "a list") }
    return try sequence.map { try text($0, key) }
  }

  /// A finite number.
  public func number(_ key: String) throws -> Double { try number(value(key), key) }

  /// A list of finite numbers.
  public func numbers(_ key: String) throws -> [Double] {
    guard let sequence = try value(key).sequence else { throw failure(key, expected: "a list of numbers") }
    return try sequence.map { try number($0, key) }
  }

  private func number(_ node: Node, _ key: String) throws -> Double {
    let number = (node.scalar?.string).flatMap { text in
      Array(text.utf8).withUnsafeBufferPointer { bytes in DecimalNumber(whole: bytes)?.double(bytes) }
    }
    guard let number, number.isFinite else { throw failure(key, expected: "a number") }
    return number
  }

  /// One of the cases of an enumeration.
  public func choice<Choice>(_ key: String) throws -> Choice
  where Choice: CaseIterable & RawRepresentable, Choice.RawValue == String {
    let text = try text(key)
    guard let choice = Choice(rawValue: text) else {
      throw failure(key, expected: Choice.allCases.map(\.rawValue).joined(separator: " or "))
    }
    return choice
  }

  /// The mapping below a key.
  public func mapping(_ key: String) throws -> YAMLMapping { try nested(value(key), key) }

  /// Whether a key has keys and values, and not a text, a number or a list.
  public func hasMapping(_ key: String) -> Bool { mapping[key]?.mapping != nil }

  /// The mappings of a list, empty if there is no such key.
  public func mappingsIfPresent(_ key: String) throws -> [YAMLMapping] {
    guard let node = mapping[key] else { return [] }
    guard let sequence = node.sequence else { throw failure(key, expected: "a list") }
    return try sequence.enumerated().map { try nested($1, "\(key)[\($0 + 1)]") }
  }

  /// An error in the value of a key, which shows the value found.
  public func failure(_ key: String, expected: String) -> DataError {
    let node = mapping[key]
    return failure(key, expected: expected, found: node.map(\.excerpt) ?? "no such key")
  }

  /// An error in the value of a key.
  public func failure(_ key: String, expected: String, found: String) -> DataError {
    DataError(
      file: file, line: mapping[key]?.mark?.line ?? line, expected: "\(expected) for \(prefix)\(key)", found: found)
  }

  private func value(_ key: String) throws -> Node {
    guard let node = mapping[key] else {
      throw DataError(file: file, line: line, expected: "key \(prefix)\(key)", found: "no such key")
    }
    return node
  }

  private func text(_ node: Node, _ key: String) throws -> String {
    guard let text = node.scalar?.string, node.null == nil, !text.isEmpty,
      !text.unicodeScalars.contains(where: { $0.isControl && $0 != "\n" })
    else {
      throw DataError(
        file: file, line: node.mark?.line ?? line, expected: "a text for \(prefix)\(key)", found: node.excerpt)
    }
    return text
  }

  private func nested(_ node: Node, _ key: String) throws -> YAMLMapping {
    let line = node.mark?.line ?? line
    guard let mapping = node.mapping else {
      throw DataError(file: file, line: line, expected: "keys and values for \(prefix)\(key)", found: node.excerpt)
    }
    return YAMLMapping(file: file, mapping: mapping, prefix: "\(prefix)\(key).", fallbackLine: line)
  }
}

/// A required key that a file lacks.
public struct MissingKey: Hashable, Sendable {
  /// The line on which the incomplete mapping begins, from 1.
  public var line: Int
  /// The key with the keys above it: `camera.fps`.
  public var key: String
  /// A line to copy.
  public var example: String
}

extension DataError {
  /// One error that names every key that a file lacks, each with its line and an example; `nil` if it lacks none.
  public init?(file: String, missing keys: [MissingKey]) {
    guard let first = keys.first else { return nil }
    let lines = keys.map { "\n  line \($0.line): \($0.key), for example  \($0.example)" }
    self.init(
      file: file, line: first.line, expected: "all required keys",
      found: "\(keys.count) missing:\(lines.joined())")
  }
}

extension Node {
  fileprivate var kind: String {
    switch self {
    case .mapping: "keys and values"
    case .sequence: "a list"
    case .scalar: null == nil ? "a text" : "nothing"
    case .alias: "an alias"
    }
  }

  fileprivate var excerpt: String {
    guard case .scalar(let scalar) = self, null == nil else { return kind }
    return Excerpt.of(scalar.string)
  }
}

extension YamlError {
  fileprivate func dataError(file: String) -> DataError {
    switch self {
    case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
      .composer(let context, let problem, let mark, _):
      // libyaml says `found unexpected end of stream` and, if it began earlier, `while scanning a quoted scalar`.
      let what =
        problem.hasPrefix("found ")
        ? String(problem.dropFirst(6)) : problem.replacing("did not find expected ", with: "none of the expected ")
      let since = context.map { " \($0.text) from line \($0.mark.line)" } ?? ""
      return DataError(file: file, line: mark.line, expected: "YAML", found: what + since)
    case .duplicatedKeysInMapping(let names, let context):
      return DataError(
        file: file, line: context.mark.line, expected: "each key once",
        found: "\(names.sorted().joined(separator: ", ")) twice")
    case .reader(let problem, let offset, _, let yaml):
      let line = offset.map { 1 + yaml.utf8.prefix($0).count { $0 == UInt8(ascii: "\n") } }
      return DataError(file: file, line: line, expected: "YAML", found: problem)
    default:
      return DataError(file: file, expected: "YAML", found: "\(self)")
    }
  }
}

/// Limits of a YAML file before it is parsed, to protect time and memory.
///
/// Aliases of aliases stand for exponentially many values. Their number has an upper bound that can be counted without
/// parsing; no file of ours comes near. The parser limits the nesting itself.
enum YAMLLimits {
  static let bytes = 1 << 20
  static let aliases = 20

  /// - Throws: `DataError` with the line if the file exceeds the limits.
  static func check(_ file: InputFile) throws {
    guard file.bytes.count <= bytes else {
      throw DataError(
        file: file.name, expected: "YAML of at most \(bytes) bytes", found: "\(file.bytes.count) bytes")
    }
    var (line, aliases) = (1, 0)
    var before = UInt8(ascii: "\n")
    for byte in file.bytes {
      if byte == UInt8(ascii: "\n") { line += 1 }
      // An alias can only be at the start of a value; elsewhere the character belongs to a text.
      if byte == UInt8(ascii: "*"), " \t\n\r[{,:?-".utf8.contains(before) { aliases += 1 }
      before = byte
      guard aliases <= Self.aliases else {
        throw DataError(file: file.name, line: line, expected: "at most \(Self.aliases) aliases", found: "more")
      }
    }
  }
}
