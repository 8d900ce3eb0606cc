/// Whether every element of an XML text is closed in order: enough for a report without character data of its own.
struct XMLCheck {
  let isWellFormed: Bool

  init(_ xml: String) {
    var open: [Substring] = []
    var holds = true
    for part in xml.split(separator: "<") where !part.hasPrefix("?") {
      guard let end = part.firstIndex(of: ">") else {
        holds = false
        break
      }
      let tag = part[..<end]
      if tag.hasPrefix("/") {
        holds = holds && open.popLast() == tag.dropFirst()
      } else if !tag.hasSuffix("/") {
        open.append(tag.prefix { $0 != " " })
      }
    }
    isWellFormed = holds && open.isEmpty
  }
}
