import Files
import Foundation
import PoseModel

/// JSON that contains the points of a body in each frame at any place, found by their structure.
///
/// A pose is a list of points, all of a skeleton's or with names or numbers, an object of points by name, an object with
/// a list for all x and one for all y, a list of points beside a list of scores, or a list of all numbers. A frame is a
/// pose, or an object with a pose or several people's in it, perhaps with a number and a time. The frames are the
/// elements of a list, the members of an object by their numbers, the lines of a file in JSON Lines, or a file each.
/// Several such lists in an object are recordings by their keys, and objects with a name and such a list each in a list
/// by their names. A table may be a list of its rows or an object of its columns, as pandas writes it. Names of points
/// may stand once beside the frames, and so may the times and confidences of all frames. Joints may stand in groups, such
/// as those of the upper and the lower body. World landmarks (`world` or `3D` in their key) are read if there are no others.
struct KeypointJSON {
  let file: InputFile
  let isWorld: Bool
  /// What stands beside the only recording that is read.
  private let rest: InputFile?
  var reader = PointReader()
  var said = Said()
  private var isFound = false
  /// The first frames of the list, from which its structure is learned; `nil` once it was tried.
  private var sample: [(text: Data, frame: KeypointFrame)]? = []
  private var template: FrameTemplate?
  private let beside: Beside
  /// How many frames were read.
  private var next = 0

  /// The file's facts about the recording, as far as it was read.
  var facts: ClipFacts { said.facts }

  /// The maximum number of values of a frame: several people with world landmarks.
  static let largestFrame = 20_000
  /// The length of the part that is read to find out whether a file is a frame.
  private static let longestFrame = 1 << 18

  /// - Parameter part: The place of the only recording that is read; `nil` for the first one.
  init(_ file: InputFile, isWorld: Bool = false, part: ToolPart.Place? = nil) {
    self.isWorld = isWorld
    rest = part.map { InputFile(name: file.name, bytes: $0.rest) }
    let first = file.bytes.startIndex
    self.file =
      part.map {
        InputFile(
          name: file.name, bytes: file.bytes[first + $0.range.lowerBound..<first + $0.range.upperBound])
      } ?? file
    var beside = Beside()
    beside.look(self.file)
    if let rest { beside.look(rest) }
    self.beside = beside
    (reader.names, reader.header) = (beside.points, beside.columns)
  }

  /// A frame with its time and confidences, where they stand beside the frames.
  private mutating func completed(_ frame: KeypointFrame) -> KeypointFrame {
    defer { next += 1 }
    guard !beside.times.isEmpty || !beside.scores.isEmpty else { return frame }
    var frame = frame
    if frame.time == nil, next < beside.times.count { (frame.time, frame.timeUnit) = (beside.times[next], beside.unit) }
    guard next < beside.scores.count else { return frame }
    if frame.add(scores: beside.scores[next]) { reader.points.hasPlaces = true }
    return frame
  }

  /// Whether a file is one frame.
  static func isFrame(_ file: InputFile) -> Bool {
    guard file.bytes.count <= longestFrame, !isLines(file),
      let value = try? JSONReader.read(file, { try $0.value(limit: largestFrame) })
    else { return false }
    let hasPeople = [false, true].contains { isWorld in
      var json = KeypointJSON(file, isWorld: isWorld)
      return json.frame(value, isRoot: true)?.people.isEmpty == false
    }
    // A joint's `{"x": […], "y": […]}` over time looks like the points of one frame.
    return hasPeople && (try? SeriesTable(file)) == nil
  }

  /// Whether a file is a frame in which nobody was found.
  static func isEmptyFrame(_ file: InputFile) -> Bool {
    guard file.bytes.count <= longestEmptyFrame,
      let value = try? JSONReader.read(file, { try $0.value(limit: largestFrame) })
    else { return false }
    var json = KeypointJSON(file)
    return json.frame(value, isRoot: true)?.people.isEmpty == true
  }

  private static let longestEmptyFrame = 1 << 12

  /// Whether a file has one document per line, by its name or its first two lines.
  static func isLines(_ file: InputFile) -> Bool {
    if ["jsonl", "ndjson"].contains(file.ending) { return true }
    let start = InputFile(name: file.name, bytes: file.bytes.prefix(longestFrame))
    var lines: [Data] = []
    try? start.forEachLine(longest: longestFrame) { _, range in
      let first = start.bytes.startIndex
      if !range.isEmpty { lines.append(start.bytes[first + range.lowerBound..<first + range.upperBound]) }
      if lines.count == 2 { throw EnoughRead() }
    }
    guard lines.count > 1 else { return false }
    return lines.allSatisfy { line in
      (line.first == UInt8(ascii: "{") || line.first == UInt8(ascii: "["))
        && (try? JSONReader.read(InputFile(name: file.name, bytes: line)) { try $0.skip() }) != nil
    }
  }

  /// Whether a file has frames: at its beginning, as recordings by names, as columns, or after lists and long frames.
  static func isOurs(_ file: InputFile) -> Bool {
    hasFrames(file.head, isWorld: false) || hasFrames(file.head, isWorld: true)
      || (try? parts(file))?.isEmpty == false || (try? SeriesTable(file)) != nil
      || file.head.bytes.count < file.bytes.count && hasFrames(file, isWorld: false)
  }

  private static func hasFrames(_ file: InputFile, isWorld: Bool) -> Bool {
    var isThere = false
    var json = KeypointJSON(file, isWorld: isWorld)
    try? json.forEachFrame { frame, _ in
      isThere = !frame.people.isEmpty
      if isThere { throw EnoughRead() }
    }
    return isThere
  }

  /// What of a file is not understood: the first list that could be points.
  static func complaint(_ file: InputFile) -> DataError? {
    var found: String?
    func look(_ value: JSONValue, _ path: String) {
      guard found == nil else { return }
      switch value {
      case .array(let elements):
        let keys = elements.first.flatMap { element -> [String]? in
          if case .object(let members) = element { members.map { KeyFacts($0.key).plain } } else { nil }
        }
        let hasX = keys?.contains { PointReader.channel($0) == .x } ?? false
        let hasY = keys?.contains { PointReader.channel($0) == .y } ?? false
        if hasX != hasY {
          found = "\(path) with \(hasX ? "x" : "y") alone"
        } else if hasX {
          found = "\(path) with \(elements.count) points"
        } else if elements.count > 8, elements.allSatisfy(\.isNumber) {
          found = "\(path) with \(elements.count) numbers"
        }
        for element in elements.prefix(3) { look(element, path + "[]") }
      case .object(let members): for member in members { look(member.value, path + ".\(member.key)") }
      default: break
      }
    }
    try? JSONReader.read(file) { json in
      if try json.kind() == .array {
        try json.array { look(try $0.value(limit: largestFrame), "[]") }
      } else {
        try json.object { json, key in look(try json.value(limit: KeypointJSON.largestFrame), key.text) }
      }
    }
    return found.map {
      DataError(
        file: file.name,
        expected: "x and y of points with the names of joints, or as many points as a known skeleton has "
          + "(\(EstimatorSkeleton.sizes))", found: $0)
    }
  }

  /// Calls `body` with each frame, in the order of the file.
  ///
  /// - Throws: `DataError` with the line, and the errors of `body`.
  mutating func forEachFrame(_ body: (KeypointFrame, PointList) throws -> Void) throws {
    if let rest {
      var copy = self
      defer { self = copy }
      if !rest.bytes.isEmpty {
        try JSONReader.read(rest) { json in try json.object { json, key in try copy.pass(&json, key.text) } }
      }
      try JSONReader.read(file) { json in try copy.search(&json, depth: 1, body) }
    } else if Self.isFrame(file) {
      let value = try JSONReader.read(file) { try $0.value(limit: Self.largestFrame) }
      if let frame = frame(value, isRoot: true) { try body(frame, reader.points) }
    } else if Self.isLines(file) {
      try lines(body)
    } else {
      var copy = self
      defer { self = copy }
      try JSONReader.read(file) { json in try copy.search(&json, depth: 0, body) }
      if !copy.isFound, let table = try SeriesTable(file) { try table.forEachFrame(body) }
    }
  }

  private mutating func lines(_ body: (KeypointFrame, PointList) throws -> Void) throws {
    try file.requireNoUTF16()
    var line = 0
    var start = file.bytes.withoutByteOrderMark.startIndex
    while start < file.bytes.endIndex {
      let end = file.bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? file.bytes.endIndex
      let text = InputFile(name: file.name, bytes: file.bytes[start..<end])
      line += 1
      start = end + 1
      guard text.bytes.contains(where: { $0 > 0x20 }) else { continue }
      let value: JSONValue
      do {
        value = try JSONReader.read(text) { try $0.value(limit: Self.largestFrame) }
      } catch var error as DataError {
        error.line = line
        throw error
      }
      if let frame = frame(value, isRoot: true, isLine: true) {
        try body(frame, reader.points)
      } else if case .object(let members) = value {
        for member in members { said.note(member.key, member.value) }
      }
    }
  }

  /// Notes a fact, or passes over a value.
  private mutating func pass(_ json: inout JSONReader, _ name: String) throws {
    if try [.array, .object].contains(json.kind()), KeyFacts(name).frameKey == nil,
      !Said.sizeKeys.contains(KeyFacts(name).plain)
    {
      return try json.skip()
    }
    said.note(name, try json.value(limit: 100))
  }

  /// The next value as a frame of a list; `nil` if it is none.
  private mutating func nextFrame(_ json: inout JSONReader) throws -> KeypointFrame? {
    if let frame = template?.frame(&json) { return frame }
    let start = json.place
    let value = try json.value(limit: Self.largestFrame)
    guard let frame = frame(value, isRoot: false) else { return nil }
    guard !frame.people.isEmpty, var sample else { return frame }
    let first = file.bytes.startIndex
    sample.append((file.bytes[first + start..<first + json.place], frame))
    self.sample = sample
    guard sample.count == FrameTemplate.sample else { return frame }
    self.sample = nil
    let copy = self
    template = FrameTemplate(sample) { text in
      var reader = copy
      guard
        let value = try? JSONReader.read(InputFile(name: "", bytes: text), { try $0.value(limit: Self.largestFrame) })
      else { return nil }
      return reader.frame(value, isRoot: false)
    }
    return frame
  }

  private mutating func emit(_ frame: KeypointFrame, _ body: (KeypointFrame, PointList) throws -> Void) throws {
    let frame = completed(frame)
    try body(frame, reader.points)
  }

  /// More people than a picture shows, in fewer frames than a recording has, are frames of as many people.
  static let mostPeople = 20
  private static let fewFrames = 10

  /// Lists of a person's frames, one a person, as PYSKL writes them, as frames of people; others as they are.
  private mutating func turned(_ crowds: [KeypointFrame]) -> [KeypointFrame] {
    guard let count = crowds.first?.people.count, crowds.allSatisfy({ $0.people.count == count }) else { return crowds }
    var crowds = crowds
    for (index, scores) in zip(crowds.indices, beside.scores) {
      if crowds[index].add(scores: scores) { reader.points.hasPlaces = true }
    }
    return (0..<count).map { place in
      var frame = KeypointFrame()
      frame.people = crowds.map { $0.people[place] }
      return frame
    }
  }

  /// Reads the frames of a person, by their numbers in an object or in a list; returns whether the next value, below the
  /// person's number, is such.
  private mutating func readTrack(
    _ json: inout JSONReader, _ name: String, into frames: inout [Int: KeypointFrame]
  ) throws -> Bool {
    let start = json.place
    let isList = try json.kind() == .array
    var numbers: Set<Int> = []
    var copy = self
    func next(_ json: inout JSONReader, _ key: String?) throws -> KeypointFrame? {
      guard var frame = copy.frame(try json.value(limit: Self.largestFrame), isRoot: false) else { return nil }
      frame.number = key.flatMap(Self.number(of:)) ?? frame.number
      return frame.number != nil && frame.people.count < 2 ? frame : nil
    }
    func forEach(_ json: inout JSONReader, _ body: (KeypointFrame?) throws -> Void) throws {
      guard isList else { return try json.object { json, key in try body(next(&json, key.text)) } }
      try json.array { json in try body(next(&json, nil)) }
    }
    do {
      try forEach(&json) { frame in
        guard let number = frame?.number, numbers.count <= Self.mostPeople else { throw EnoughRead() }
        numbers.insert(number)
      }
    } catch is EnoughRead {}
    json.place = start
    guard numbers.count > Self.mostPeople else { return false }
    try forEach(&json) { frame in
      guard var frame, let number = frame.number else { return }
      let people = frame.people.map { KeypointFrame.Person(track: name, values: $0.values) }
      frame.people = []
      frames[number, default: frame].people += people
    }
    self = copy
    return true
  }

  /// Finds the list of frames and the facts about the recording.
  private mutating func search(
    _ json: inout JSONReader, depth: Int, _ body: (KeypointFrame, PointList) throws -> Void
  ) throws {
    guard depth < 6 else { return try json.skip() }
    switch try json.kind() {
    case .array:
      // Frames without a person may come first.
      var empty: [KeypointFrame] = []
      var isHere = false
      var crowds: [KeypointFrame] = []
      var areCrowds = true
      try json.array { json in
        guard !isFound || isHere else { return try json.skip() }
        guard let frame = try nextFrame(&json) else { return }
        if !isHere, frame.people.isEmpty {
          empty.append(frame)
          return
        }
        if !isHere {
          isHere = true
          isFound = true
          for frame in empty { try emit(frame, body) }
        }
        areCrowds = areCrowds && empty.isEmpty && frame.people.count > Self.mostPeople && crowds.count < Self.fewFrames
        if areCrowds {
          crowds.append(frame)
          return
        }
        for frame in crowds { try emit(frame, body) }
        crowds = []
        try emit(frame, body)
      }
      for frame in turned(crowds) { try emit(frame, body) }
    case .object:
      var isHere = false
      var crowds: [KeypointFrame] = []
      var areCrowds = true
      var tracks: [Int: KeypointFrame] = [:]
      try json.object { json, key in
        let name = key.text
        if KeyFacts(name).isWorld, !isWorld { return try json.skip() }
        let isContainer = try [.array, .object].contains(json.kind())
        if isContainer, !isFound || !tracks.isEmpty, Self.number(of: name) != nil,
          try readTrack(&json, name, into: &tracks)
        {
          isFound = true
          return
        }
        if Self.isFrame(key: name), isContainer {
          guard !isFound || isHere else { return try json.skip() }
          guard var frame = frame(try json.value(limit: Self.largestFrame), isRoot: false)
          else { return }
          isHere = true
          isFound = true
          if let number = Self.number(of: name) {
            if KeypointFrame.isClock(number) {
              frame.time = frame.time ?? Double(number)
            } else {
              frame.number = frame.number ?? number
            }
          } else if let time = Double(name) {
            frame.time = frame.time ?? time
          } else if let seconds = ClockTime.seconds(name) {
            if frame.time == nil { (frame.time, frame.timeUnit) = (seconds, .seconds) }
          } else {
            frame.take(name: name)
          }
          areCrowds = areCrowds && frame.people.count > Self.mostPeople && crowds.count < Self.fewFrames
          if areCrowds {
            for place in frame.people.indices { frame.people[place].track = frame.people[place].track ?? name }
            crowds.append(frame)
            return
          }
          for frame in crowds { try emit(frame, body) }
          crowds = []
          return try emit(frame, body)
        }
        if KeyFacts(name).isOther || Self.areScores(key: name) { return try json.skip() }
        let isFact = Self.isFact(name) || Said.sizeKeys.contains(KeyFacts(name).plain)
        if isContainer, !isFact { return try search(&json, depth: depth + 1, body) }
        said.note(name, try json.value(limit: 100))
      }
      for frame in turned(crowds) { try emit(frame, body) }
      for number in tracks.keys.sorted() { if let frame = tracks[number] { try emit(frame, body) } }
    default: try json.skip()
    }
  }

  /// Whether a key of a document names confidences, whose lists may look like a body's numbers.
  static func areScores(key: String) -> Bool {
    let facts = KeyFacts(key)
    return facts.isConfidence
      && ["score", "conf", "visib", "likelihood", "prob", "accura", "certain"].contains(where: facts.plain.contains)
  }

  /// Whether a key names a frame, by its number, its time (`0.040`, `40ms`) or its image (`anna_0012.jpg`).
  static func isFrame(key: String) -> Bool {
    if number(of: key) != nil || key.contains(".") && (Double(key) != nil || KeypointFrame.isImage(key)) { return true }
    return key.first?.isNumber == true && ClockTime.seconds(key) != nil
  }

  /// `12` and `frame_12`.
  static func number(of key: String) -> Int? {
    let digits = key.hasPrefix("frame") ? key.dropFirst(5).drop { $0 == "_" || $0 == "-" || $0 == " " } : key[...]
    guard !digits.isEmpty, digits.utf8.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }) else {
      return nil
    }
    return Int(digits)
  }
}
