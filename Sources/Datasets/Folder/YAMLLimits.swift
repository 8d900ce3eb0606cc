/// What a YAML file may have at most before it is parsed, so that none can exhaust time or memory.
///
/// Aliases of aliases stand for exponentially many values. They are bounded from above by what can be counted without
/// parsing: no file of ours comes near. How deep values may nest, the parser bounds itself.
enum YAMLLimits {
  static let bytes = 1 << 20
  static let aliases = 20

  /// - Throws: `DataError` with the line where the file goes beyond.
  static func check(_ file: InputFile) throws {
    guard file.bytes.count <= bytes else {
      throw DataError(
        file: file.name, expected: "YAML of at most \(bytes) bytes", found: "\(file.bytes.count) bytes")
    }
    var (line, aliases) = (1, 0)
    var before = UInt8(ascii: "\n")
    for byte in file.bytes {
      if byte == UInt8(ascii: "\n") { line += 1 }
      // An alias stands where a value may begin; elsewhere the character is one of a text.
      if byte == UInt8(ascii: "*"), " \t\n\r[{,:?-".utf8.contains(before) { aliases += 1 }
      before = byte
      guard aliases <= Self.aliases else {
        throw DataError(file: file.name, line: line, expected: "at most \(Self.aliases) aliases", found: "more")
      }
    }
  }
}
