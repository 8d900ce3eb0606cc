import Files
import Foundation
import PoseModel

/// A file's content in one of the containers that keypoints are read from.
///
/// JSON is known by its beginning, whatever the file's ending. Five other contents become a table: points as records in
/// JSON (`{"frame": 0, "joint": "nose", "x": 0.5, "y": 0.25}`), points of XML, of JSON without frames of its own and of
/// JSON in a table's fields, as labelling tools write them, a table that has a column a frame, and lines of a log in which
/// numbers follow the names of points.
enum KeypointContainer {
  /// A table, in the file or made of it.
  case text(InputFile)
  case json(InputFile)
  /// NumPy's.
  case array(InputFile)
  /// MediaPipe's landmarks as Python prints them.
  case printed(InputFile)

  /// - Parameter isSample: Whether the first rows suffice of a table that is made of other contents.
  init(_ file: InputFile, isSample: Bool = false) {
    let most = isSample ? Self.sampledRows : .max
    let ending = file.ending
    if ending == "npy" || ending == "npz" {
      self = .array(file)
      return
    }
    // A table is made in memory.
    let isSmall = file.bytes.count <= Self.largest
    let isNamedJSON = ["json", "jsonl", "ndjson"].contains(ending)
    if isNamedJSON || ending == "txt", PrintedLandmarks(file) != nil {
      self = .printed(file)
      return
    }
    switch file.bytes.withoutByteOrderMark.first(where: { $0 > 0x20 }) {
    case .some(UInt8(ascii: "{")), .some(UInt8(ascii: "[")):
      guard isNamedJSON || Self.isJSON(file) else { break }
      let areRecords = isSmall && Self.areRecords(file)
      let isTable = areRecords || isSmall && !KeypointJSON.isOurs(file)
      self = (isTable ? Self.table(file, areRecords: areRecords, most: most) : nil).map { .text($0) } ?? .json(file)
      return
    case .some(UInt8(ascii: "<")):
      self = .text((isSmall ? Self.table(xml: file, most: most) : nil) ?? file)
      return
    default: break
    }
    if isNamedJSON {
      self = .json(file)
    } else if !isSmall {
      self = .text(file)
    } else {
      let log = ending == "txt" ? PrintedPoints(file, most: most) : nil
      self = .text(
        log.map { Self.table(file.name, $0.rows) } ?? Self.table(turning: file) ?? Self.table(fields: file, most: most)
          ?? file)
    }
  }

  /// The size of other contents that become a table: an hour of 17 points.
  private static let largest = 1 << 27

  /// More rows than the head of a table has.
  private static let sampledRows = 1 << 13

  /// The file, or the table that it became.
  var file: InputFile {
    switch self {
    case .text(let file), .json(let file), .array(let file), .printed(let file): file
    }
  }

  /// The table, if it is one.
  var table: InputFile? { if case .text(let file) = self { file } else { nil } }

  private static func isJSON(_ file: InputFile) -> Bool {
    KeypointJSON.isLines(file) || (try? JSONReader.read(file) { try $0.skip() }) != nil
  }

  /// A table of these rows, of which the first is the header and no other is longer.
  private static func table(_ name: String, _ rows: [[String]]) -> InputFile {
    let width = rows.first?.count ?? 0
    let lines = rows.map { row in
      row.map { field in
        field.contains { ",\"\n\r".contains($0) } ? "\"\(field.replacing("\"", with: "\"\""))\"" : field
      }.joined(separator: ",") + String(repeating: ",", count: width - row.count)
    }
    return InputFile(name: name, bytes: Data((lines.joined(separator: "\n") + "\n").utf8))
  }

  // MARK: Points in JSON

  /// The table of points in JSON or JSON Lines; `nil` for other contents.
  ///
  /// - Parameter areRecords: Whether each is an element or a line, with all its fields.
  private static func table(_ file: InputFile, areRecords: Bool, most: Int) -> InputFile? {
    var rows = NamedRows(most: most)
    func add(_ value: JSONValue) throws {
      guard areRecords else { return try Self.add(value, around: [], to: &rows) }
      guard case .object(let members) = value else { throw EnoughRead() }
      try rows.add(members.map { (key: $0.key, value: text($0.value) ?? "") })
    }
    do {
      if KeypointJSON.isLines(file) {
        try file.forEachLine(longest: largest) { _, range in
          let first = file.bytes.startIndex
          let line = InputFile(
            name: file.name, bytes: file.bytes[first + range.lowerBound..<first + range.upperBound])
          if !range.isEmpty { try add(JSONReader.read(line) { try $0.value(limit: mostValues) }) }
        }
      } else {
        try JSONReader.read(file) { json in
          guard areRecords else { return try add(json.value(limit: mostValues)) }
          try json.array { json in try add(json.value(limit: mostFields)) }
        }
      }
    } catch { guard rows.isFull else { return nil } }
    return rows.isEmpty ? nil : table(file.name, rows.withHeader)
  }

  /// The table of points in JSON in the fields of a table that is not understood as it is; `nil` for other contents.
  private static func table(fields file: InputFile, most: Int) -> InputFile? {
    guard let text = try? DelimitedText(file) else { return nil }
    var rows = NamedRows(most: most)
    var names: [String] = []
    do {
      try text.forEachRow { row in
        let fields = (0..<row.count).map(row.text)
        guard !names.isEmpty else {
          names = fields
          return
        }
        guard fields.contains(where: { $0.hasPrefix("{") }), !rows.isEmpty || KeypointText(file.head) == nil else {
          throw EnoughRead()
        }
        let members = zip(names, fields).map { (key: $0, value: PointField.value($1) ?? .string($1)) }
        try Self.add(.object(members), around: [], to: &rows)
        guard !rows.isEmpty else { throw EnoughRead() }
      }
    } catch { guard rows.isFull else { return nil } }
    return rows.isEmpty ? nil : table(file.name, rows.withHeader)
  }

  /// Adds the points within a value, each with what the objects around it say.
  private static func add(_ value: JSONValue, around: Fields, to rows: inout NamedRows) throws {
    switch value {
    case .array(let elements): for element in elements { try add(element, around: around, to: &rows) }
    case .object(let members):
      let own: Fields = members.compactMap { member in text(member.value).map { (key: member.key, value: $0) } }
      // The name of a point or an image may stand beside the object that has its place.
      let parts = members.compactMap { if case .object(let inner) = $0.value { inner } else { nil } }
      let beside: Fields = (parts.count > mostParts ? [] : parts).flatMap { inner in
        inner.compactMap { member -> (key: String, value: String)? in
          guard let word = text(member.value), isJoint(word) || KeypointFrame.isImage(word) else { return nil }
          return (key: member.key, value: word)
        }
      }
      if let point = point(own, around: around, names: []) {
        return try rows.add(around.compactMap(fact) + own.compactMap(fact) + point)
      }
      for field in own where !rows.facts.contains(where: { $0.key == field.key }) {
        switch FrameKey(field.key) {
        case .fps, .width, .height: rows.facts.append(field)
        default: break
        }
      }
      for member in members where !PointReader.notPoints.contains(KeyFacts(member.key).plain) {
        var outer = around + own + beside
        let (key, isNumber) = (member.key, Int(member.key) != nil || member.key.hasPrefix("frame"))
        if KeypointJSON.isFrame(key: key), !outer.contains(where: { ["frame", "time"].contains($0.key) }) {
          outer.append((key: isNumber || KeypointFrame.isImage(key) ? "frame" : "time", value: key))
        }
        if KeyFacts(member.key).isKnown { outer.append((key: "name", value: member.key)) }
        try add(member.value, around: outer, to: &rows)
      }
    default: break
    }
  }

  /// Whether a text is a joint's name; images in texts are not looked through.
  private static func isJoint(_ text: String) -> Bool { text.utf8.count < 64 && PointReader.isKnown(text) }

  /// A field that says which frame, recording or person a point is of; `nil` for others.
  private static func fact(_ field: (key: String, value: String)) -> (key: String, value: String)? {
    if KeypointFrame.isImage(field.value) { return (key: "image", value: field.value) }
    switch FrameKey(field.key) {
    case .number, .time, .person, .clip, .subject, .session: return field
    default: return nil
    }
  }

  /// An object of more objects is a list of things, not of what they say of each other.
  private static let mostParts = 4

  private typealias Fields = [(key: String, value: String)]

  private static let mostValues = 10_000_000
  private static let mostFields = 100

  /// Whether a file is a list or lines of points, each with its frame.
  private static func areRecords(_ file: InputFile) -> Bool {
    var first: JSONValue?
    var isList = false
    try? JSONReader.read(file) { json in
      isList = try json.kind() == .array
      guard isList else {
        first = try json.value(limit: mostFields)
        return
      }
      try json.array { json in
        first = try json.value(limit: mostFields)
        throw EnoughRead()
      }
    }
    guard case .object(let members)? = first, isRecord(members) else { return false }
    return isList || KeypointJSON.isLines(file)
  }

  /// Whether an object is a point of a frame that it names.
  private static func isRecord(_ members: [(key: String, value: JSONValue)]) -> Bool {
    var (channels, isNamed, isOfFrame) = (0, false, false)
    for member in members {
      switch member.value {
      case .object, .array, .large: return false
      default: break
      }
      let facts = KeyFacts(member.key)
      if facts.channel == .x || facts.channel == .y { channels += 1 }
      if KeypointText.pointKeys.contains(facts.plain) { isNamed = true }
      switch facts.frameKey {
      case .number, .time: isOfFrame = true
      default: break
      }
    }
    return channels == 2 && isNamed && isOfFrame
  }

  /// The text of a value that is no list or object.
  private static func text(_ value: JSONValue) -> String? {
    switch value {
    case .string(let text): text
    case .number(let number): number.shortestDecimal
    case .boolean(let isTrue): isTrue ? "true" : "false"
    default: nil
    }
  }

  // MARK: XML

  /// The table of all elements with x and y, or one place in `points`, as CVAT's skeletons have, and a name of their own
  /// or around them: with what the elements around them say, such as a frame and a person. An element with text alone is a
  /// field of the one that it is in. `nil` for other contents.
  private static func table(xml file: InputFile, most: Int) -> InputFile? {
    var rows = NamedRows(most: most)
    var open: [(name: String, fields: Fields, text: String, isField: Bool)] = []
    do {
      var reader = try XMLReader(file)
      while let event = try reader.next() {
        switch event {
        case .start(let name, let attributes):
          if let outer = open.indices.last { open[outer].isField = false }
          let fields = attributes.sorted { $0.key < $1.key }.map { (key: $0.key, value: $0.value) }
          open.append((name: name, fields: fields, text: "", isField: fields.isEmpty))
        case .text(let text): if let last = open.indices.last { open[last].text += text }
        case .end:
          let element = open.removeLast()
          guard let outer = open.indices.last else { continue }
          if element.isField {
            let text = element.text.trimmingCharacters(in: .whitespacesAndNewlines)
            open[outer].fields.append((key: element.name, value: text))
            continue
          }
          guard !element.fields.contains(where: { $0.key == "outside" && $0.value == "1" }) else { continue }
          let around: Fields = open.flatMap { element in
            element.fields.map { field in
              (key: FrameKey(field.key) == nil ? "\(element.name)_\(field.key)" : field.key, value: field.value)
            }
          }
          let names = ["name", "label", "joint", "type", "id"]
          if let point = point(element.fields, around: around, names: names) { try rows.add(around + point) }
        }
      }
    } catch { guard rows.isFull else { return nil } }
    return rows.isEmpty ? nil : table(file.name, rows.withHeader)
  }

  /// The name, numbers, frame and time of a point; `nil` for other elements.
  ///
  /// - Parameter names: Fields of its own that name it, whatever they say; without one it has the nearest name of a joint.
  private static func point(_ own: Fields, around: Fields, names: [String]) -> Fields? {
    let given = names.lazy.compactMap { key in own.first { $0.key == key }?.value }.first
    guard let name = given ?? (around + own).last(where: { isJoint($0.value) })?.value else { return nil }
    var fields: Fields = [(key: "keypoint", value: name)]
    if let places = own.first(where: { $0.key == "points" })?.value.split(separator: ","), places.count == 2 {
      fields += zip(["x", "y"], places).map { (key: $0, value: String($1)) }
    }
    for field in own {
      // Kinovea's UserX and UserTime.
      let words = JointName.words(field.key)
      if let channel = KeyFacts(words.count == 2 && words[0] == "user" ? words[1] : field.key).channel {
        fields.append((key: "\(channel)", value: field.value))
      } else if case .time? = FrameKey(field.key) {
        fields.append(field)
      }
    }
    return ["x", "y"].allSatisfy { channel in fields.contains { $0.key == channel } } ? fields : nil
  }

  // MARK: A column a frame

  /// The table with a row a frame, of one that has a column a frame; `nil` for others.
  private static func table(turning file: InputFile) -> InputFile? {
    guard let text = try? DelimitedText(file) else { return nil }
    var rows: [[String]] = []
    var (lead, known) = (0, 0)
    do {
      try text.forEachRow { row in
        let fields = (0..<row.count).map(row.text)
        rows.append(fields)
        guard rows.count > 1 else {
          guard row.count > fewestFrames else { throw EnoughRead() }
          return
        }
        guard row.count == rows[0].count else { throw EnoughRead() }
        if rows.count == 2 {
          lead = KeypointColumns.place(fields[0]) == nil ? 2 : 1
          guard (lead..<row.count).allSatisfy({ row.number($0) != nil }) else { throw EnoughRead() }
        }
        if isVariable(fields, lead) { known += 1 }
        // One row of another kind among the first, such as times.
        guard known * 2 >= rows.count - 1 || rows.count > fewestRows else { throw EnoughRead() }
      }
    } catch { return nil }
    guard known >= fewestRows, known * 2 > rows.count - 1 else { return nil }
    let first = rows[0][0].isEmpty || FrameKey(rows[0][0]) == nil ? "frame" : rows[0][0]
    let header = [first] + rows.dropFirst().map { KeypointText.name(Array($0.prefix(lead))) }
    let columns = (lead..<rows[0].count).map { column in rows.map { $0[column] } }
    return table(file.name, [header] + columns)
  }

  /// Whether a row's first fields name a point and one of its numbers.
  private static func isVariable(_ row: [String], _ lead: Int) -> Bool {
    guard lead < row.count else { return false }
    let variable = KeypointText.name(Array(row.prefix(lead)))
    guard case .name(let name)? = KeypointColumns.place(variable)?.point else { return false }
    return PointReader.isKnown(name)
  }

  private static let fewestFrames = 8
  private static let fewestRows = 8
}

/// Rows of fields by their names. Those of the first row come first in the header; others may come with later rows.
struct NamedRows {
  private var names: [String] = []
  private var columns: [String: Int] = [:]
  private var rows: [[String]] = []

  /// Fields that all rows have.
  var facts: [(key: String, value: String)] = []

  /// The fields of the largest table, empty ones included.
  private static let largest = 1 << 27

  private let most: Int

  /// - Parameter most: How many rows are wanted.
  init(most: Int) { self.most = most }

  var isFull: Bool { rows.count == most }
  var isEmpty: Bool { rows.isEmpty }

  /// The header and all rows, which lack the names that came later.
  var withHeader: [[String]] { [names] + rows }

  /// Adds a row. Of several fields of a name, the last one counts.
  ///
  /// - Throws: `EnoughRead` if the table is full or too large.
  mutating func add(_ fields: [(key: String, value: String)]) throws {
    var row = [String](repeating: "", count: names.count)
    for field in fields + facts {
      if let column = columns[field.key] {
        row[column] = field.value
      } else {
        columns[field.key] = names.count
        names.append(field.key)
        row.append(field.value)
      }
    }
    rows.append(row)
    guard !isFull, names.count * rows.count <= Self.largest else { throw EnoughRead() }
  }
}
