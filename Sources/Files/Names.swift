import Foundation

/// Known names similar to a misspelt one.
public enum NearNames {
  /// Up to three of `names`, the nearest first.
  ///
  /// An edit is a letter inserted, left out or replaced, or two neighbours swapped (optimal string alignment; Damerau, A
  /// technique for computer detection and correction of spelling errors, 1964). Case does not count.
  ///
  /// - Parameter most: The most edits; `nil` for a third of the name's letters, at least one.
  public static func of(_ name: String, in names: some Sequence<String>, within most: Int? = nil) -> [String] {
    let wanted = Array(name.lowercased().unicodeScalars.prefix(longest))
    let limit = most ?? max(1, wanted.count / 3)
    var near: [(name: String, distance: Int)] = []
    for candidate in Set(names) {
      let letters = Array(candidate.lowercased().unicodeScalars.prefix(longest))
      guard abs(letters.count - wanted.count) <= limit else { continue }
      let distance = edits(wanted, letters)
      if distance <= limit { near.append((candidate, distance)) }
    }
    return near.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(3).map(\.name)
  }

  /// `"squatt", did you mean squat?`, or the name alone if nothing is near.
  public static func question(_ name: String, in names: some Sequence<String>) -> String {
    Excerpt.of(name) + (proposal(name, in: names).map { ", \($0)" } ?? "")
  }

  /// `did you mean squat? There are lunge, squat`, or only what there is if nothing is near; of more than three names
  /// the nearest three.
  public static func choice(_ name: String, in names: some Collection<String>) -> String {
    let proposal = proposal(name, in: names)
    let few = of(name, in: names, within: longest)
    guard names.count > few.count else {
      return (proposal.map { "\($0) There are " } ?? "there are ") + few.sorted().joined(separator: ", ")
    }
    return proposal ?? "of \(names.count), the nearest are \(few.joined(separator: ", "))"
  }

  /// `did you mean squat?`; `nil` if nothing is near.
  private static func proposal(_ name: String, in names: some Sequence<String>) -> String? {
    let near = of(name, in: names)
    return near.isEmpty ? nil : "did you mean \(near.joined(separator: " or "))?"
  }

  private static let longest = 64

  private static func edits(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    var before: [Int] = []
    var above = Array(0...b.count)
    for (i, letter) in a.enumerated() {
      var row = [i + 1]
      for (j, other) in b.enumerated() {
        var best = min(above[j] + (letter == other ? 0 : 1), above[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, letter == b[j - 1], a[i - 1] == other { best = min(best, before[j - 1] + 1) }
        row.append(best)
      }
      before = above
      above = row
    }
    return above[b.count]
  }
}

/// Names that are also names of files: up to 200 letters, digits, `.`, `_` and `-`, not beginning with `.` or `-`
///
/// The portable filename character set of POSIX.1-2017, 3.282, without hidden files and names that look like options.
/// With an ending and the affixes of a temporary file, the name stays below the 255 bytes that file systems allow.
public enum PortableName {
  public static let description =
    "a name of up to \(longest) letters, digits, '.', '_' and '-' that does not begin with '.' or '-'"

  /// The description, with the nearest such name: `…, such as Zoe`.
  public static func description(near text: String) -> String {
    let name = near(text)
    return name.isEmpty || name == text ? description : "\(description), such as \(name)"
  }

  public static func isValid(_ text: String) -> Bool {
    guard let first = text.utf8.first, text.utf8.count <= longest else { return false }
    return !".-".utf8.contains(first) && text.utf8.allSatisfy { isLetterOrDigit($0) || "._-".utf8.contains($0) }
  }

  private static let longest = 200

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: false
    }
  }
}

extension PortableName {
  /// The text without accents, with every other character that is not allowed in such a name replaced by `-`; empty if
  /// nothing remains.
  public static func near(_ text: String) -> String {
    let letters = text.unicodeScalars.filter { $0.properties.generalCategory != .nonspacingMark }.map {
      scalar -> Character in
      let base = String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars.first ?? scalar
      return isValid("a\(base)") ? Character(base) : "-"
    }
    let begun = String(letters).drop { ".-_".contains($0) }.prefix(longest)
    return String(begun.reversed().drop { ".-_ ".contains($0) }.reversed())
  }

  /// Such a name from the last part of a path without its ending; `nil` if nothing remains.
  public static func near(pathOf path: String) -> String? {
    guard let last = path.split(separator: "/").last else { return nil }
    let point = last.lastIndex(of: ".").flatMap { $0 > last.startIndex ? $0 : nil }
    let name = near(String(last[..<(point ?? last.endIndex)]))
    return name.isEmpty ? nil : name
  }
}

/// The forms of names that a project's own files define.
package enum DefinedName: String {
  /// A detector or an exercise: `bench-press`.
  case hyphenated = "lowercase letters and digits with hyphens between them"
  /// A parameter: `bottomAngle`.
  case camelCase = "a lowercase letter and then letters and digits"
  /// A fault: `knee_valgus`.
  case underscored = "lowercase letters, digits and underscores"

  package func matches(_ name: String) -> Bool {
    switch self {
    case .hyphenated:
      name.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        .allSatisfy { !$0.isEmpty && $0.allSatisfy { Self.isLower($0) || Self.isDigit($0) } }
    case .camelCase:
      name.utf8.first.map(Self.isLower) ?? false
        && name.utf8.allSatisfy {
          Self.isLower($0) || Self.isDigit($0) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
        }
    case .underscored:
      name.utf8.first.map(Self.isLower) ?? false
        && name.utf8.allSatisfy { Self.isLower($0) || Self.isDigit($0) || $0 == UInt8(ascii: "_") }
    }
  }

  private static func isLower(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
