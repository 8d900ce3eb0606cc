/// Names that are too long for their place, shortened so that they can still be told apart.
extension TextStyle {
  /// The text, or as much of its beginning and end as fits with "…" between them; `nil` where not one character fits.
  func shortenedInside(_ text: String, to limit: Double) -> String? {
    guard !text.isEmpty, !limit.isNaN else { return nil }
    // A name of a megabyte need not be measured whole.
    let text = Array(text.count > 1000 ? text.prefix(500) + text.suffix(500) : text[...])
    if width(of: String(text)) <= limit { return String(text) }
    func cut(_ kept: Int) -> String { String(text.prefix((kept + 1) / 2)) + "…" + String(text.suffix(kept / 2)) }
    var (low, high) = (0, text.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if width(of: cut(middle)) <= limit { low = middle } else { high = middle }
    }
    return low == 0 ? nil : cut(low)
  }

  /// Names that each fit: the middle of one that is too long is left out, or, where that makes two alike, what all that
  /// are too long begin with.
  func shortened(_ names: [String], to limit: Double) -> [String] {
    let names = names.map(\.printable)
    let short = names.map { shortenedInside($0, to: limit) ?? "" }
    let long = names.indices.filter { short[$0] != names[$0] }
    guard Set(short).count < Set(names).count, let first = long.first else { return short }
    let start = long.dropFirst().reduce(names[first]) { $0.commonPrefix(with: names[$1]) }
    return names.indices.map { index in
      guard short[index] != names[index] else { return short[index] }
      return "…" + (shortenedInside(String(names[index].dropFirst(start.count)), to: limit - width(of: "…")) ?? "")
    }
  }
}

extension String {
  fileprivate func commonPrefix(with other: String) -> String {
    String(zip(self, other).prefix { $0 == $1 }.map(\.0))
  }
}
