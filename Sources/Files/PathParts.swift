/// The folder and the name of a path, found in its bytes.
///
/// Foundation's `deletingLastPathComponent` ends the program on a path of one letter, such as `x` or `./`.
package struct PathParts: Hashable, Sendable {
  /// Everything before the name, without slashes at its end: empty for a name alone, `/` for one at the root.
  package let folder: String
  /// The last part, without slashes after it; empty for `/` and an empty path.
  package let name: String

  package init(_ path: String) {
    let (bytes, slash) = (Array(path.utf8), UInt8(ascii: "/"))
    /// The number of bytes up to the last one that is no slash.
    func end(_ bytes: ArraySlice<UInt8>) -> Int { (bytes.lastIndex { $0 != slash } ?? -1) + 1 }
    let whole = bytes[..<end(bytes[...])]
    let start = (whole.lastIndex(of: slash) ?? -1) + 1
    let above = bytes[..<end(whole[..<start])]
    name = String(decoding: whole[start...], as: UTF8.self)
    folder = above.isEmpty && bytes.first == slash ? "/" : String(decoding: above, as: UTF8.self)
  }

  /// The part of the name after its last dot; empty without one, and in a name such as `.hidden`.
  package var ending: String { dot.map { String(decoding: name.utf8[$0...].dropFirst(), as: UTF8.self) } ?? "" }

  /// The name without its ending and the dot before that.
  package var stem: String { dot.map { String(decoding: name.utf8[..<$0], as: UTF8.self) } ?? name }

  private var dot: String.Index? {
    let point = UInt8(ascii: ".")
    return name.utf8.lastIndex(of: point).flatMap { dot in
      name.utf8[..<dot].contains { $0 != point } ? dot : nil
    }
  }

  /// The path of a name in a folder, which is empty for the current one.
  package static func join(_ folder: String, _ name: String) -> String {
    folder.isEmpty ? name : folder.utf8.last == UInt8(ascii: "/") ? folder + name : "\(folder)/\(name)"
  }
}
