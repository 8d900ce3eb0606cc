import Files
import Foundation
import PoseModel

/// A file's content in one of the containers that keypoints are read from.
///
/// JSON is known by its beginning, whatever the file's ending. Five other contents become a table: points as records in
/// JSON (`{"frame": 0, "joint": "nose", "x": 0.5, "y": 0.25}`), points of XML, of JSON without frames of its own and of
/// JSON in a table's fields, as labelling tools write them, a table that has a column a frame, and lines of a log in which
/// numbers follow the names of points. So do bodies of NTU RGB+D.
enum KeypointContainer {
  /// A table, in the file or made of it.
  case text(InputFile)
  case json(InputFile)
  /// NumPy's, in the file or made of it.
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
      let file = Self.joined(file) ?? file
      guard isNamedJSON || Self.isJSON(file) else { break }
      let areRecords = isSmall && Self.areRecords(file)
      let isTable = areRecords || isSmall && !KeypointJSON.isOurs(file)
      if isTable, let table = Self.table(file, areRecords: areRecords, most: most) {
        self = .text(table)
      } else if isTable, let array = Self.array(file) {
        self = .array(array)
      } else {
        self = .json(file)
      }
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
      // Names above columns that spaces separate are no names before numbers.
      let isLog = ending == "txt" && (try? DelimitedText(file))?.separator != UInt8(ascii: " ")
      let log = isLog ? PrintedPoints(file, most: most) : nil
      let bodies = ending == "skeleton" ? KinectBodies(file, most: most) : nil
      self = .text(
        log.map { InputFile(name: file.name, rows: $0.rows) } ?? bodies?.rows.table(file.name)
          ?? Self.table(turning: file) ?? Self.table(fields: file, most: most) ?? file)
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

  /// Documents that were written one after the other without lines of their own, as a list; `nil` for other files.
  private static func joined(_ file: InputFile) -> InputFile? {
    file.bytes.withoutByteOrderMark.withUnsafeBytes { bytes -> InputFile? in
      func start(_ place: Int) -> Int? {
        bytes[place...].firstIndex { $0 > 0x20 }.flatMap {
          bytes[$0] == UInt8(ascii: "{") || bytes[$0] == UInt8(ascii: "[") ? $0 : nil
        }
      }
      guard bytes.count <= largest, let first = documentEnd(bytes, before: min(bytes.count, longestDocument)),
        start(first) != nil, !KeypointJSON.isLines(file)
      else { return nil }
      var list = Data("[".utf8)
      var (begin, end) = (0, first)
      while true {
        list += bytes[begin..<end]
        guard let next = start(end) else { break }
        guard let close = documentEnd(bytes, from: next, before: bytes.count) else { return nil }
        list += Data(",".utf8)
        (begin, end) = (next, close)
      }
      return InputFile(name: file.name, bytes: list + Data("]".utf8))
    }
  }

  /// The array in lists of lists of numbers, or in a list beside its shape (`{"shape": [60, 17, 3], "data": […]}`); `nil`
  /// for other contents.
  private static func array(_ file: InputFile) -> InputFile? {
    let start = file.bytes.withoutByteOrderMark.prefix(1 << 12).filter { $0 > 0x20 }
    guard start.starts(with: Data("[[".utf8)) || String(decoding: start, as: UTF8.self).contains("\"shape\":["),
      let whole = try? JSONReader.read(file, { try $0.value(limit: mostValues) })
    else { return nil }
    var shape: [Int] = []
    var values: [Float] = []
    func add(_ value: JSONValue, _ depth: Int) -> Bool {
      guard case .array(let elements) = value else {
        guard depth == shape.count, let number = value.number ?? (value.isNull ? .nan : nil) else { return false }
        values.append(Float(number))
        return true
      }
      return depth < shape.count && elements.count == shape[depth] && elements.allSatisfy { add($0, depth + 1) }
    }
    if case .object(let members) = whole {
      func numbers(_ key: String) -> [Double] {
        guard case .array(let elements)? = members.first(where: { $0.key == key })?.value else { return [] }
        return elements.compactMap(\.number)
      }
      shape = numbers("shape").compactMap { Int(exactly: $0) }
      values = numbers("data").map { Float($0) }
    } else {
      var level = whole
      while case .array(let elements) = level, let first = elements.first {
        shape.append(elements.count)
        level = first
      }
      guard add(whole, 0) else { return nil }
    }
    var left = values.count
    for length in shape {
      guard length > 0, left % length == 0 else { return nil }
      left /= length
    }
    guard shape.count > 1, left == 1 else { return nil }
    return InputFile(name: file.name, bytes: NumpyArray(shape: shape, values: values).encoded)
  }

  /// The end of the object or list that begins at `start`; `nil` if it goes on.
  private static func documentEnd(_ bytes: UnsafeRawBufferPointer, from start: Int = 0, before limit: Int) -> Int? {
    var (place, depth, isText) = (start, 0, false)
    while place < limit {
      switch bytes[place] {
      case UInt8(ascii: "\""): isText.toggle()
      case UInt8(ascii: "\\"): if isText { place += 1 }
      case UInt8(ascii: "{"), UInt8(ascii: "["): if !isText { depth += 1 }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if !isText { depth -= 1 }
        if depth == 0 { return place + 1 }
      default: break
      }
      place += 1
    }
    return nil
  }

  /// The length of a frame's document.
  private static let longestDocument = 1 << 18

  // MARK: Points in JSON

  /// The table of points in JSON or JSON Lines; `nil` for other contents.
  ///
  /// - Parameter areRecords: Whether each is an element or a line, with all its fields.
  private static func table(_ file: InputFile, areRecords: Bool, most: Int) -> InputFile? {
    var (points, records) = (JSONPoints(most: most), NamedRows(most: most))
    func add(_ value: JSONValue) throws {
      guard areRecords else { return try points.add(value) }
      guard case .object(let members) = value else { throw EnoughRead() }
      try records.add(members.map { (key: $0.key, value: JSONPoints.text($0.value) ?? "") })
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
    } catch { guard records.isFull || points.rows.isFull else { return nil } }
    return (areRecords ? records : points.rows).table(file.name)
  }

  /// The table of points in JSON in the fields of a table that is not understood as it is; `nil` for other contents.
  private static func table(fields file: InputFile, most: Int) -> InputFile? {
    guard let text = try? DelimitedText(file) else { return nil }
    var points = JSONPoints(most: most)
    var names: [String] = []
    do {
      try text.forEachRow { row in
        let fields = (0..<row.count).map(row.text)
        guard !names.isEmpty else {
          names = fields
          return
        }
        guard fields.contains(where: { $0.hasPrefix("{") }), !points.rows.isEmpty || KeypointText(file.head) == nil
        else {
          throw EnoughRead()
        }
        let members = zip(names, fields).map { (key: $0, value: PointField.value($1) ?? .string($1)) }
        try points.add(.object(members))
        guard !points.rows.isEmpty else { throw EnoughRead() }
      }
    } catch { guard points.rows.isFull else { return nil } }
    return points.rows.table(file.name)
  }

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

  // MARK: XML

  /// The table of all elements with x and y, or one place in `points`, as CVAT's skeletons have, and a name of their own
  /// or around them: with what the elements around them say, such as a frame and a person. An element with text alone is a
  /// field of the one that it is in. `nil` for other contents.
  private static func table(xml file: InputFile, most: Int) -> InputFile? {
    var rows = NamedRows(most: most)
    var open: [(name: String, fields: NamedRows.Fields, text: String, isField: Bool)] = []
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
          let around: NamedRows.Fields = open.flatMap { element in
            element.fields.map { field in
              (key: FrameKey(field.key) == nil ? "\(element.name)_\(field.key)" : field.key, value: field.value)
            }
          }
          let names = ["name", "label", "joint", "type", "id"]
          if let point = JSONPoints.point(element.fields, around: around, names: names) { try rows.add(around + point) }
        }
      }
    } catch { guard rows.isFull else { return nil } }
    return rows.table(file.name)
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
    return InputFile(name: file.name, rows: [header] + columns)
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
