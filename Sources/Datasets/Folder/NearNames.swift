/// The known names that a misspelt one may have meant.
public enum NearNames {
  /// Up to three of `names`, the nearest first, each within a third of the name's length (at least one edit).
  ///
  /// An edit is a letter inserted, left out or replaced, or two neighbours swapped (optimal string alignment; Damerau, A
  /// technique for computer detection and correction of spelling errors, 1964). Case does not count.
  public static func of(_ name: String, in names: some Sequence<String>) -> [String] {
    let wanted = Array(name.lowercased().unicodeScalars.prefix(longest))
    let limit = max(1, wanted.count / 3)
    var near: [(name: String, distance: Int)] = []
    for candidate in names {
      let letters = Array(candidate.lowercased().unicodeScalars.prefix(longest))
      guard abs(letters.count - wanted.count) <= limit else { continue }
      let distance = edits(wanted, letters)
      if distance <= limit { near.append((candidate, distance)) }
    }
    return near.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(3).map(\.name)
  }

  /// `"squatt", did you mean squat?`, or the name alone where nothing is near.
  public static func question(_ name: String, in names: some Sequence<String>) -> String {
    let near = of(name, in: names)
    return Excerpt.of(name) + (near.isEmpty ? "" : ", did you mean \(near.joined(separator: " or "))?")
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
