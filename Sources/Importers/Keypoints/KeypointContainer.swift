import Files
import Foundation
import PoseModel

/// A file's content in one of the containers that keypoints are read from.
///
/// JSON is known by its beginning, whatever the file's ending. Four other contents become a table: points as records in
/// JSON (`{"frame": 0, "joint": "nose", "x": 0.5, "y": 0.25}`), elements of XML with a name, x and y, a table that has a
/// column a frame, and lines of a log in which numbers follow the names of points.
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
      self = (isSmall ? Self.table(records: file, most: most) : nil).map { .text($0) } ?? .json(file)
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
      self = .text(log.map { Self.table(file.name, $0.rows) } ?? Self.table(turning: file) ?? file)
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

  // MARK: Records

  /// The table of a list of points, in JSON or JSON Lines; `nil` for other contents.
  private static func table(records file: InputFile, most: Int) -> InputFile? {
    var rows = NamedRows(most: most)
    func add(_ value: JSONValue) throws {
      guard case .object(let members) = value, !rows.isEmpty || isRecord(members) else { throw EnoughRead() }
      try rows.add(members.map { (key: $0.key, value: field($0.value)) })
    }
    do {
      if KeypointJSON.isLines(file) {
        try file.forEachLine(longest: 1 << 16) { _, range in
          let first = file.bytes.startIndex
          let line = InputFile(
            name: file.name, bytes: file.bytes[first + range.lowerBound..<first + range.upperBound])
          if !range.isEmpty { try add(JSONReader.read(line) { try $0.value(limit: mostFields) }) }
        }
      } else {
        guard file.bytes.withoutByteOrderMark.first(where: { $0 > 0x20 }) == UInt8(ascii: "[") else { return nil }
        try JSONReader.read(file) { json in try json.array { json in try add(json.value(limit: mostFields)) } }
      }
    } catch { guard rows.isFull else { return nil } }
    return rows.isEmpty ? nil : table(file.name, rows.withHeader)
  }

  private static let mostFields = 100

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

  private static func field(_ value: JSONValue) -> String {
    switch value {
    case .string(let text): text
    case .number(let number): number.shortestDecimal
    case .boolean(let isTrue): isTrue ? "true" : "false"
    default: ""
    }
  }

  // MARK: XML

  /// The table of all elements with a name, x and y, or one place in `points`, as CVAT's skeletons have: with what the
  /// elements around them say, such as a frame and a person. `nil` for other contents.
  private static func table(xml file: InputFile, most: Int) -> InputFile? {
    var rows = NamedRows(most: most)
    var around: [[(key: String, value: String)]] = []
    do {
      var reader = try XMLReader(file)
      while let event = try reader.next() {
        switch event {
        case .start(let name, let attributes):
          if attributes["outside"] != "1", let point = point(attributes) {
            try rows.add(Array(around.joined()) + point)
          }
          around.append(
            attributes.sorted { $0.key < $1.key }.map { attribute in
              (key: FrameKey(attribute.key) == nil ? "\(name)_\(attribute.key)" : attribute.key, value: attribute.value)
            })
        case .end: around.removeLast()
        case .text: break
        }
      }
    } catch { guard rows.isFull else { return nil } }
    return rows.isEmpty ? nil : table(file.name, rows.withHeader)
  }

  /// The name, x, y and confidence of an element; `nil` without them.
  private static func point(_ attributes: [String: String]) -> [(key: String, value: String)]? {
    guard let name = ["name", "label", "joint", "type", "id"].lazy.compactMap({ attributes[$0] }).first else {
      return nil
    }
    var fields: [(key: String, value: String)] = [(key: "keypoint", value: name)]
    if let places = attributes["points"]?.split(separator: ","), places.count == 2 {
      fields += zip(["x", "y"], places).map { (key: $0, value: String($1)) }
    } else {
      for key in attributes.keys.sorted() where KeyFacts(key).channel != nil {
        fields.append((key: key, value: attributes[key] ?? ""))
      }
    }
    let channels = fields.compactMap { KeyFacts($0.key).channel }
    return channels.contains(.x) && channels.contains(.y) ? fields : nil
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
    for field in fields {
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
