/// Makes external text safe for output: names of files and people, keys, labels, captions and errors may contain
/// sequences that a terminal executes, that change the writing direction, or that a CI runner reads as a command.
extension String {
  /// The text with harmful sequences escaped, as `\u{1B}`: control and formatting characters, line ends other than line
  /// feeds, and workflow commands. Joiners stay, because some languages and emoji need them.
  ///
  /// A workflow command is `::name` at the start of a line, after any space (GitHub), and `##[name]` or
  /// `##vso[name]` anywhere (older runners, Azure Pipelines, TeamCity).
  ///
  /// - Source: github.com/actions/runner, `src/Runner.Common/ActionCommand.cs`, `TryParseV2` and `TryParse`.
  public var visible: String {
    // Most texts are plain, and some have megabytes.
    guard
      hasPair(of: UInt8(ascii: ":")) || hasPair(of: UInt8(ascii: "#"))
        || hasObeyed
    else { return self }
    var shown = String.UnicodeScalarView()
    var isLineStart = true
    let scalars = Array(unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      if scalar.isObeyed || isLineStart && scalars[index...].starts(with: "::".unicodeScalars)
        || scalars.endsMarker(at: index)
      {
        shown.append(contentsOf: scalar.escape.unicodeScalars)
      } else {
        shown.append(scalar)
      }
      isLineStart = scalar == "\n" || isLineStart && scalar.isSpace
    }
    return String(shown)
  }

  /// `visible` on one line, for captions and names within a sentence.
  public var visibleLine: String { visible.replacing("\n", with: " ") }
}

extension [Unicode.Scalar] {
  /// Whether an index is that of the second `#` of `##[` or `##vso[`.
  fileprivate func endsMarker(at index: Int) -> Bool {
    guard self[index] == "#", index > 0, self[index - 1] == "#" else { return false }
    return self[(index + 1)...].first { !($0.isASCII && $0.properties.isAlphabetic) } == "["
  }
}

// Without a branch a byte, the compiler compares many bytes at once.
extension String {
  /// Whether two of these bytes are adjacent.
  fileprivate func hasPair(of byte: UInt8) -> Bool {
    var text = self
    return text.withUTF8 { bytes in
      var found: UInt8 = 0
      for place in bytes.indices.dropFirst() {
        let (before, next): (UInt8, UInt8) = (bytes[place - 1] == byte ? 1 : 0, bytes[place] == byte ? 1 : 0)
        found |= before & next
      }
      return found != 0
    }
  }

  /// Whether any character is obeyed.
  fileprivate var hasObeyed: Bool {
    var text = self
    let isPlain = text.withUTF8 { bytes in
      var others: UInt8 = 0
      for byte in bytes { others |= byte >= 0x20 && byte < 0x7F || byte == UInt8(ascii: "\n") ? 0 : 1 }
      return others == 0
    }
    // Most texts are ASCII.
    return !isPlain && unicodeScalars.contains(where: \.isObeyed)
  }
}

extension Unicode.Scalar {
  /// Whether a terminal, a browser or a line reader interprets the character instead of showing it.
  package var isObeyed: Bool {
    if isASCII { return isControl && self != "\n" }
    return switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    case .format: self != "\u{200C}" && self != "\u{200D}"
    default: false
    }
  }

  /// `\u{1B}`, and `\u{3A}` for plain characters too.
  fileprivate var escape: String {
    isObeyed ? escaped(asASCII: true) : "\\u{\(String(value, radix: 16, uppercase: true))}"
  }
}

/// The JSON with harmful characters escaped. They only occur in its strings, where JSON has an escape for each.
package func visibleJSON(_ json: String) -> String {
  guard json.hasPair(of: UInt8(ascii: "#")) || json.hasObeyed else { return json }
  var shown = String.UnicodeScalarView()
  let scalars = Array(json.unicodeScalars)
  for (index, scalar) in scalars.enumerated() {
    guard scalar.isObeyed || scalars.endsMarker(at: index) else {
      shown.append(scalar)
      continue
    }
    for unit in String(scalar).utf16 {
      let digits = String(unit, radix: 16)
      shown.append(contentsOf: "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".unicodeScalars)
    }
  }
  return String(shown)
}

extension String {
  /// The text quoted as one word of a shell command.
  package var shellQuoted: String {
    let isPlain =
      !isEmpty
      && utf8.allSatisfy { byte in
        byte > 0x7F || "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%".utf8.contains(byte)
      }
    return isPlain ? self : "'\(replacing("'", with: "'\\''"))'"
  }
}
