import Files
import Foundation
import PoseModel

/// The recordings of a file in JSON: lists of frames by their keys, or objects of a list that have a name and frames.
extension KeypointJSON {
  /// The keys of a file with a recording each, or their names in a list; empty if it has one.
  static func parts(_ file: InputFile) throws -> [ToolPart] {
    let first = file.bytes.withoutByteOrderMark.first { $0 > 0x20 }
    guard !isLines(file) else { return [] }
    let start = KeypointJSON(file)
    if first == UInt8(ascii: "[") {
      do { return try JSONReader.read(file) { json in try listed(&json, start) } } catch is EnoughRead { return [] }
    }
    guard first == UInt8(ascii: "{"), !isFrame(file) else { return [] }
    return try JSONReader.read(file) { json in
      var keys: [Recording] = []
      var nested: [Recording] = []
      var lists: [(parts: [ToolPart], range: Range<Int>)] = []
      try json.object { json, key in
        let name = key.text
        guard !isFrame(key: name), !KeyFacts(name).isWorld, !KeyFacts(name).isOther, KeyFacts(name).frameKey == nil,
          !areScores(key: name)
        else {
          return try json.skip()
        }
        var inner: [Recording] = []
        let place = json.place
        if try json.kind() == .array {
          var parts: [ToolPart] = []
          do { parts = try listed(&json, start) } catch is EnoughRead {}
          guard parts.count < 2 else { return lists.append((parts, place..<json.place)) }
          json.place = place
        }
        if try hasFrames(&json, start, inner: &inner) { keys.append((name, place..<json.place)) }
        nested += inner.map { (name: "\(name)_\($0.name)", range: $0.range) }
      }
      if keys.isEmpty, lists.count == 1 {
        let others = rest(of: file, without: [lists[0].range])
        let performer = subject(in: file)
        return lists[0].parts.map { part in
          ToolPart(
            name: part.name, subject: part.subject ?? performer,
            place: part.place.map { ToolPart.Place(range: $0.range, rest: others) })
        }
      }
      if keys.isEmpty, Set(nested.map(\.name)).count == nested.count { keys = nested }
      guard keys.count > 1 else { return [] }
      let others = rest(of: file, without: keys.map(\.range))
      return keys.map { ToolPart(name: $0.name, place: ToolPart.Place(range: $0.range, rest: others)) }
    }
  }

  /// A recording below a key, or two, and its place in the document.
  private typealias Recording = (name: String, range: Range<Int>)

  /// A document with null instead of the values at these places.
  private static func rest(of file: InputFile, without ranges: [Range<Int>]) -> Data {
    let first = file.bytes.startIndex
    var rest = Data()
    var end = 0
    for range in ranges {
      rest += file.bytes[first + end..<first + range.lowerBound]
      rest += Data("null".utf8)
      end = range.upperBound
    }
    return rest + file.bytes[(first + end)...]
  }

  /// Whether a key of a list names a recording, and not what the list is of.
  private static func isRecording(key: String) -> Bool {
    let facts = KeyFacts(key)
    return !facts.isWorld && !facts.isOther && !facts.isKnown && facts.frameKey == nil && facts.channel == nil
      && !containers.contains(where: facts.plain.contains)
  }

  /// Who performs, as a key of the document says, or of an object in it.
  static func subject(in file: InputFile) -> String? {
    guard !isLines(file), file.bytes.withoutByteOrderMark.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") else {
      return nil
    }
    var subject: String?
    func look(_ json: inout JSONReader, depth: Int) throws {
      try json.object { json, key in
        let name = key.text
        let kind = try json.kind()
        if KeyFacts(name).frameKey == .subject, kind == .string || kind == .number {
          subject = text(try json.value(limit: 1))
          throw EnoughRead()
        }
        if kind == .object, depth == 0 { try look(&json, depth: 1) } else { try json.skip() }
      }
    }
    try? JSONReader.read(file) { try look(&$0, depth: 0) }
    return subject
  }

  /// A name that is a text or a number; `nil` for other values.
  static func text(_ value: JSONValue) -> String? {
    switch value {
    case .string(let text): text.isEmpty ? nil : text
    case .number(let number): number.formatted(.number.grouping(.never))
    default: nil
    }
  }

  /// The recordings of the next value, `[{"video": "anna.mp4", "frames": […]}, …]`.
  ///
  /// - Throws: `EnoughRead` if an element is none.
  private static func listed(_ json: inout JSONReader, _ start: KeypointJSON) throws -> [ToolPart] {
    var headings: [Heading] = []
    var places: [ToolPart.Place] = []
    try json.array { json in
      guard try json.kind() == .object else { throw EnoughRead() }
      let place = json.place
      var heading = Heading()
      var isFound = false
      try json.object { json, key in
        if try heading.take(key.text, &json) { return }
        guard KeyFacts(key.text).plain == "frames" else { return try json.skip() }
        var inner: [Recording] = []
        isFound = try hasFrames(&json, start, inner: &inner)
      }
      guard isFound, heading.name != nil else { throw EnoughRead() }
      headings.append(heading)
      places.append(ToolPart.Place(range: place..<json.place, rest: Data()))
    }
    for names in [headings.map(\.name), headings.map(\.nameOfSubject)] where Set(names).count == names.count {
      return names.indices.map { ToolPart(name: names[$0], subject: headings[$0].subject, place: places[$0]) }
    }
    return []
  }

  /// What an object in a list says of the recording whose frames it has.
  struct Heading {
    private var clip: String?
    private var sessions: [String] = []
    private(set) var subject: String?

    var name: String? { clip ?? (sessions.isEmpty ? nil : sessions.joined(separator: "_")) }

    /// Its name after its subject's, for recordings of several people that are called alike.
    var nameOfSubject: String? {
      name.map { name in subject.map { KeypointFrame.name(of: name, by: $0) } ?? name }
    }

    /// Takes the next value, if its key is that of a name; returns whether it is.
    mutating func take(_ key: String, _ json: inout JSONReader) throws -> Bool {
      let facts = KeyFacts(key)
      let isName = facts.frameKey == .clip || facts.plain == "name"
      guard isName || facts.frameKey == .subject || facts.frameKey == .session,
        try [.string, .number].contains(json.kind())
      else { return false }
      guard let text = KeypointJSON.text(try json.value(limit: 1)) else { return true }
      if isName {
        clip = clip ?? text
      } else {
        sessions.append(text)
        if facts.frameKey == .subject { subject = subject ?? text }
      }
      return true
    }
  }

  /// Whether the next value, which is read, is a list of frames or an object of them by their numbers.
  ///
  /// - Parameter inner: Gets the keys of an object's lists of frames that are recordings of their own.
  private static func hasFrames(
    _ json: inout JSONReader, _ start: KeypointJSON, inner: inout [Recording]
  ) throws -> Bool {
    var other = start
    var (found, looked) = (false, 0)
    func look(_ json: inout JSONReader) throws {
      guard !found, looked < 20 else { return try json.skip() }
      looked += 1
      let frame = other.frame(try json.value(limit: largestFrame), isRoot: false)
      found = frame?.people.isEmpty == false
    }
    switch try json.kind() {
    case .array: try json.array { try look(&$0) }
    case .object:
      try json.object { json, key in
        let name = key.text
        let isContainer = try [.array, .object].contains(json.kind())
        if isFrame(key: name) {
          try look(&json)
        } else if name == "frames" || name == "data" || name == "poses", isContainer {
          var rest: [Recording] = []
          if try hasFrames(&json, start, inner: &rest) { found = true }
        } else if isRecording(key: name), try json.kind() == .array {
          var rest: [Recording] = []
          let place = json.place
          if try hasFrames(&json, start, inner: &rest) { inner.append((name, place..<json.place)) }
        } else {
          try json.skip()
        }
      }
    default: try json.skip()
    }
    return found
  }
}
