/// The text of a name within its owner, `squat-sample/s01`. `ClipID`, `PersonID` and `RunID` say what the two are.
package struct SlashedName: Hashable, Sendable {
  package var owner: String
  package var name: String

  /// - Returns: `nil` for a text without a slash.
  package init?(_ text: String) {
    guard let slash = text.firstIndex(of: "/") else { return nil }
    owner = String(text[..<slash])
    name = String(text[text.index(after: slash)...])
  }

  /// The name without its owner; a text without a slash as it is.
  package static func name(of text: String) -> String { Self(text)?.name ?? text }

  /// A clip or person without its dataset, if there is only one.
  package static func name(of text: String, amongDatasets count: Int) -> String {
    count > 1 ? text : Self.name(of: text)
  }
}
