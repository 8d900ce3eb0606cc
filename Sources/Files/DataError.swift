/// An error in external data: its location, the expected content, and the content found.
public struct DataError: Error, Hashable, Sendable, CustomStringConvertible {
  public var file: String
  /// Counted from 1.
  public var line: Int?
  public var clip: String?
  public var expected: String
  public var found: String

  public init(file: String, line: Int? = nil, clip: String? = nil, expected: String, found: String) {
    self.file = file
    self.line = line
    self.clip = clip
    self.expected = expected
    self.found = found
  }

  /// `datasets/mine/reps.csv:7: clip a01: expected an end after the start 2.5 s, found 2.1 s`
  public var description: String {
    // A name with several lines would look like several messages.
    let name = file.visible.replacing("\n", with: "\\u{0A}")
    let place = line.map { "\(name):\($0)" } ?? name
    let subject = clip.map { ": clip \($0)" } ?? ""
    return "\(place)\(subject): expected \(Excerpt.cut(expected)), found \(Excerpt.cut(found))".visible
  }
}

/// A line of a file.
public struct FileLocation: Hashable, Sendable {
  /// The file's name in errors.
  public var file: String
  /// Counted from 1.
  public var line: Int

  public init(file: String, line: Int) {
    self.file = file
    self.line = line
  }
}

/// Excerpts of external texts for errors.
package enum Excerpt {
  /// The text in quotation marks, with control characters escaped and a long end left out.
  package static func of(_ text: some StringProtocol) -> String {
    let scalars = text.unicodeScalars
    var shown = scalars.prefix(length).map { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
        scalar.escaped(asASCII: true)
      default: String(scalar)
      }
    }.joined()
    if scalars.dropFirst(length).first != nil { shown += "…" }
    return "\"\(shown)\""
  }

  package static func of(_ bytes: some Collection<UInt8>) -> String {
    of(String(decoding: bytes.prefix(4 * length), as: UTF8.self))
  }

  /// Names of a list, cut short if there are many.
  package static func list(_ names: some Collection<String>) -> String {
    names.count <= listed ? names.joined(separator: ", ") : names.prefix(listed).joined(separator: ", ") + ", …"
  }

  /// A message, cut if it is too long to read: names in it may come from a file of any size.
  package static func cut(_ message: String) -> String {
    message.utf8.count <= longest ? message : String(message.unicodeScalars.prefix(longest)) + "…"
  }

  private static let length = 60
  private static let listed = 40
  private static let longest = 8192
}

extension Unicode.Scalar {
  /// Whether it is one of the control characters U+0000 to U+001F and U+007F to U+009F, general category Cc.
  package var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }

  /// Whether it has the property White_Space.
  package var isSpace: Bool { isASCII ? self == " " || (0x09...0x0D).contains(value) : properties.isWhitespace }
}
