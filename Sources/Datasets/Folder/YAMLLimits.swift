/// What a YAML file may have at most before it is parsed, so that none can exhaust time, memory or the stack.
///
/// The parser goes down a level of the stack with every level of nesting, and aliases of aliases stand for
/// exponentially many values. Both are bounded from above by what can be counted without parsing: no file of ours comes
/// near.
struct YAMLLimits {
  static let bytes = 1 << 20
  /// Lists and mappings in brackets, as many as could be nested.
  static let brackets = 2000
  /// Columns before the first text of a line, as many levels as could begin there.
  static let columns = 200
  static let aliases = 20

  /// - Throws: `DataError` with the line where the file goes beyond.
  static func check(_ file: InputFile) throws {
    func failure(_ expected: String, _ found: String, line: Int? = nil) -> DataError {
      DataError(file: file.name, line: line, expected: expected, found: found)
    }
    guard file.bytes.count <= bytes else {
      throw failure("YAML of at most \(bytes) bytes", "\(file.bytes.count) bytes")
    }
    var (line, brackets, aliases, indentation) = (1, 0, 0, 0)
    var isLeading = true
    var before = UInt8(ascii: "\n")
    for byte in file.bytes {
      switch byte {
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"), 0x85, 0xA8, 0xA9:
        // YAML 1.1 ends lines with U+0085, U+2028 and U+2029 too, of which these are the last bytes.
        if byte == UInt8(ascii: "\n") { line += 1 }
        (isLeading, indentation) = (true, 0)
        before = byte
        continue
      case UInt8(ascii: "["), UInt8(ascii: "{"): brackets += 1
      // An alias stands where a value may begin; elsewhere the character is one of a text.
      case UInt8(ascii: "*") where " \t\n\r[{,:?-".utf8.contains(before): aliases += 1
      default: break
      }
      if isLeading {
        isLeading = " \t-?:".utf8.contains(byte)
        indentation += 1
      }
      before = byte
      guard indentation <= Self.columns else {
        throw failure("at most \(Self.columns) columns before a line's text", "more", line: line)
      }
      guard brackets <= Self.brackets else {
        throw failure("at most \(Self.brackets) opening brackets", "more", line: line)
      }
      guard aliases <= Self.aliases else { throw failure("at most \(Self.aliases) aliases", "more", line: line) }
    }
  }
}
