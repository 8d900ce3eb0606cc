/// What an error shows of a text that came from outside.
enum Excerpt {
  /// The text in quotation marks, its control characters escaped and its end left out where it is long.
  static func of(_ text: some StringProtocol) -> String {
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

  static func of(_ bytes: some Collection<UInt8>) -> String {
    of(String(decoding: bytes.prefix(4 * length), as: UTF8.self))
  }

  /// Names of a list, cut short where there are many.
  static func list(_ names: some Collection<String>) -> String {
    names.count <= listed ? names.joined(separator: ", ") : names.prefix(listed).joined(separator: ", ") + ", …"
  }

  private static let length = 60
  private static let listed = 40
}
