import Files
import Foundation

/// The keys and lists at the beginning of a JSON file, to recognise its format: `[].keypoints[].score`.
///
/// A list's elements are `[]`. Below the first level each path also appears with `*` as its first key, as some tools
/// name their objects after images.
struct JSONOutline {
  /// The paths as a tree, to avoid building texts for every value.
  private struct Node {
    var kinds: [JSONReader.Kind] = []
    var members: [String: Int] = [:]
    var element: Int?
  }

  /// The first is the document.
  private var nodes = [Node()]

  /// The length of the part that is read.
  private static let length = 1 << 16
  private static let deepest = 8

  /// `nil` if the file is not JSON; if it is cut off or becomes invalid, the outline covers the part before.
  init?(_ file: InputFile) { self.init(file, length: Self.length) }

  private init?(_ file: InputFile, length: Int) {
    let start = InputFile(name: file.name, bytes: file.bytes.prefix(length))
    // The error at the cut-off end does not matter.
    try? JSONReader.read(start) { json in try note(&json, at: 0, general: 0, depth: 0) }
    let isStructured = has("", .object) || has("", .array)
    guard isStructured else { return nil }
  }

  /// An answer from a file's outline: from its first few frames if they suffice, as a folder may have many small files.
  ///
  /// - Parameter answer: The answer from an outline; `nil` if it lacks the necessary paths.
  static func tell<Answer>(_ file: InputFile, _ answer: (JSONOutline) -> Answer?) -> Answer? {
    for length in [Self.length / 16, Self.length] {
      guard let outline = JSONOutline(file, length: length) else { return nil }
      if let answer = answer(outline) { return answer }
      if file.bytes.count <= length { return nil }
    }
    return nil
  }

  /// Whether a file's outline has what the caller looks for.
  static func tells(_ file: InputFile, _ isThere: (JSONOutline) -> Bool) -> Bool {
    tell(file) { isThere($0) ? true : nil } ?? false
  }

  func has(_ path: String, _ kind: JSONReader.Kind) -> Bool {
    var node = 0
    var rest = path[...]
    while !rest.isEmpty {
      let next: Int?
      if rest.hasPrefix("[]") {
        rest = rest.dropFirst(2)
        next = nodes[node].element
      } else {
        if rest.hasPrefix(".") { rest = rest.dropFirst() }
        let key = rest.prefix { $0 != "." && $0 != "[" }
        rest = rest[key.endIndex...]
        next = nodes[node].members[String(key)]
      }
      guard let next else { return false }
      node = next
    }
    return nodes[node].kinds.contains(kind)
  }

  /// Some paths, for an error that shows what was found.
  var excerpt: String {
    paths(of: 0, called: "").filter { !$0.hasPrefix("*") }.sorted { ($0.count, $0) < ($1.count, $1) }.prefix(4)
      .joined(separator: ", ")
  }

  /// The paths below one of `nodes`.
  private func paths(of node: Int, called path: String) -> [String] {
    var below = nodes[node].members.map { (path: path.isEmpty ? $0 : "\(path).\($0)", node: $1) }
    if let element = nodes[node].element { below.append((path + "[]", element)) }
    return below.flatMap { [$0.path] + paths(of: $0.node, called: $0.path) }
  }

  /// - Parameters:
  ///   - node: The node of the next value.
  ///   - general: The same with `*` for the first key.
  private mutating func note(_ json: inout JSONReader, at node: Int, general: Int, depth: Int) throws {
    let kind = try json.kind()
    add(kind, to: node)
    if general != node { add(kind, to: general) }
    guard depth < Self.deepest else { return try json.skip() }
    switch kind {
    case .object:
      try json.object { json, key in
        let key = key.text
        let below = member(key, of: node)
        let generalBelow = depth == 0 ? member("*", of: node) : general == node ? below : member(key, of: general)
        try note(&json, at: below, general: generalBelow, depth: depth + 1)
      }
    case .array:
      try json.array { json in
        let below = element(of: node)
        try note(&json, at: below, general: general == node ? below : element(of: general), depth: depth + 1)
      }
    case .string, .number, .boolean, .null: try json.skip()
    }
  }

  private mutating func add(_ kind: JSONReader.Kind, to node: Int) {
    if !nodes[node].kinds.contains(kind) { nodes[node].kinds.append(kind) }
  }

  private mutating func member(_ key: String, of node: Int) -> Int {
    if let member = nodes[node].members[key] { return member }
    nodes[node].members[key] = nodes.count
    return newNode()
  }

  private mutating func element(of node: Int) -> Int {
    if let element = nodes[node].element { return element }
    nodes[node].element = nodes.count
    return newNode()
  }

  private mutating func newNode() -> Int {
    nodes.append(Node())
    return nodes.count - 1
  }
}
