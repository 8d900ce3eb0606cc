import Foundation

/// Subject names that differ only by case, spaces or the way in which Unicode writes a letter: probably one person, who
/// counts as several.
public struct SimilarSubjects: Sendable {
  /// Each the names of probably one person, sorted.
  public let groups: [[String]]

  /// `nil` if all names differ by more.
  public init?(_ subjects: Set<String>) {
    let alike = Dictionary(grouping: subjects.filter { !$0.isEmpty }) { name in
      String(name.precomposedStringWithCompatibilityMapping.lowercased().filter { !$0.isWhitespace })
    }
    groups = alike.values.filter { $0.count > 1 }.map { $0.sorted() }.sorted { $0[0] < $1[0] }
    if groups.isEmpty { return nil }
  }

  /// `Anna and anna`
  public var words: String { groups.map { $0.joined(separator: " and ") }.joined(separator: ", ") }

  /// The consequence, and what to do.
  var note: String {
    "\(words) may be one person under several names, who then counts as several. If so, give all clips the same name."
  }
}
