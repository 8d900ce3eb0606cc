import Datasets
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
  private let file: InputFile
  private let isWorld: Bool
  /// What stands beside the only recording that is read.
  private let rest: InputFile?
  private var reader = PointReader()
  private var said = Said()
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

  /// What a document has once beside its frames.
  private struct Beside {
    /// The names of points, in a list or by their numbers.
    var points: [String] = []
    /// The names of the columns of rows.
    var columns: [String] = []
    /// A time a frame.
    var times: [Double] = []
    var unit: TimeUnit?
    /// The confidences of a frame's points, person after person.
    var scores: [[Float]] = []

    mutating func look(_ file: InputFile) {
      guard file.bytes.withoutByteOrderMark.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") else { return }
      // A head of a file is cut off, and the first line of JSON Lines is followed by others.
      try? JSONReader.read(file) { try look(&$0, "", depth: 0) }
    }

    private mutating func add(_ texts: [String]) {
      guard texts.count > 4, Set(texts).count == texts.count else { return }
      if points.isEmpty, texts.count(where: PointReader.isKnown) > 4 {
        points = texts
      } else if columns.isEmpty, KeypointColumns(texts) != nil {
        columns = texts
      }
    }

    private mutating func look(_ json: inout JSONReader, _ key: String, depth: Int) throws {
      var copy = self
      defer { self = copy }
      switch try json.kind() {
      case .array:
        let facts = KeyFacts(key)
        if case .time(let unit)? = facts.frameKey {
          return copy.take(times: try json.value(limit: KeypointJSON.mostTimes), unit)
        }
        if facts.isConfidence { return try copy.takeScores(&json) }
        var texts: [String] = []
        var areTexts = true
        try json.array { json in
          let isText = try json.kind() == .string
          areTexts = areTexts && isText && texts.count < KeypointJSON.mostNames
          if areTexts { texts.append(try json.string()) } else { try json.skip() }
        }
        if areTexts { copy.add(texts) }
      case .object where depth < 2:
        var texts: [String] = []
        var areTexts = true
        try json.object { json, key in
          let isText = try json.kind() == .string
          areTexts = areTexts && isText && KeypointJSON.number(of: key.text) == texts.count
          if areTexts {
            texts.append(try json.string())
          } else {
            try copy.look(&json, key.text, depth: depth + 1)
          }
        }
        if areTexts { copy.add(texts) }
      default: try json.skip()
      }
    }

    private mutating func take(times value: JSONValue, _ unit: TimeUnit?) {
      guard times.isEmpty, case .array(let list) = value, list.count > 1 else { return }
      let numbers = list.compactMap(\.number)
      guard numbers.count == list.count, zip(numbers, numbers.dropFirst()).allSatisfy({ $0 < $1 }) else { return }
      (times, self.unit) = (numbers, unit)
    }

    /// Reads a list of a list of numbers a frame, or of a list of such lists, one a person.
    private mutating func takeScores(_ json: inout JSONReader) throws {
      var found: [[Float]] = []
      var areScores = scores.isEmpty
      try json.array { json in
        guard areScores, try json.kind() == .array, case let value = try json.value(limit: KeypointJSON.largestFrame)
        else {
          areScores = false
          return try json.skip()
        }
        let numbers = Self.numbers(value)
        areScores = !numbers.isEmpty
        found.append(numbers)
      }
      if areScores { scores = found }
    }

    /// All numbers of a list or of its lists; empty if it has something else.
    private static func numbers(_ value: JSONValue) -> [Float] {
      guard case .array(let elements) = value else { return [] }
      var numbers: [Float] = []
      for element in elements {
        if case .array = element {
          let inner = Self.numbers(element)
          guard !inner.isEmpty else { return [] }
          numbers += inner
        } else if let number = element.number ?? (element.isNull ? .nan : nil) {
          numbers.append(Float(number))
        } else {
          return []
        }
      }
      return numbers
    }
  }

  /// The most columns of a row.
  private static let mostNames = 3000
  /// A day at a hundred frames a second.
  private static let mostTimes = 8_640_000

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
  private static let mostPeople = 20
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
  private static func number(of key: String) -> Int? {
    let digits = key.hasPrefix("frame") ? key.dropFirst(5).drop { $0 == "_" || $0 == "-" || $0 == " " } : key[...]
    guard !digits.isEmpty, digits.utf8.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }) else {
      return nil
    }
    return Int(digits)
  }

  /// The facts about the recording in keys next to the frames.
  struct Said {
    private(set) var facts = ClipFacts()
    private var width: Double?
    private var height: Double?

    /// Seconds from one frame to the next.
    private static let periodKeys: Set = ["frametime"]
    static let sizeKeys: Set = ["resolution", "size", "imagesize", "framesize", "videosize"]

    mutating func note(_ key: String, _ value: JSONValue) {
      switch KeyFacts(key).frameKey {
      case .fps: if let fps = value.number ?? Self.rate(value), Clip.Info.frameRates.contains(fps) { facts.fps = fps }
      case .width: width = value.number
      case .height: height = value.number
      case .time where Self.periodKeys.contains(KeyFacts(key).plain), .step:
        if let period = value.number, period >= 0.001, period < 1 { facts.fps = facts.fps ?? 1 / period }
      default:
        guard Self.sizeKeys.contains(KeyFacts(key).plain) else { return noteWithin(value) }
        switch value {
        case .array(let sides) where sides.count == 2: (width, height) = (sides[0].number, sides[1].number)
        case .string(let text):
          if let size = ImageSize(text) { (width, height) = (Double(size.width), Double(size.height)) }
        default: noteWithin(value)
        }
      }
      if let width = width.flatMap(Int.init(exactly:)), let height = height.flatMap(Int.init(exactly:)) {
        facts.size = ImageSize(width: width, height: height)
      }
    }

    /// The rate in `30000/1001` and `29.97 fps`, as FFmpeg and MediaInfo write it.
    private static func rate(_ value: JSONValue) -> Double? {
      guard case .string(let text) = value,
        let match = text.wholeMatch(of: /([0-9]+(?:\.[0-9]+)?)(?:\/([0-9]+))?(?: ?(?:fps|FPS))?/),
        let number = Double(match.1)
      else { return nil }
      return match.2.map { number / (Double($0) ?? 0) } ?? number
    }

    private mutating func noteWithin(_ value: JSONValue) {
      if case .object(let members) = value { for member in members { note(member.key, member.value) } }
    }
  }

  // MARK: A frame

  /// A value as a frame; `nil` if it is none.
  ///
  /// - Parameters:
  ///   - isRoot: Whether it is a whole document, in which a list of poses is frames and not people.
  ///   - isLine: Whether such a document is a line, which is one frame of many.
  mutating func frame(_ value: JSONValue, isRoot: Bool, isLine: Bool = false) -> KeypointFrame? {
    var frame = KeypointFrame()
    switch value {
    case .null: return isRoot ? nil : frame
    case .array(let elements):
      if elements.isEmpty { return isRoot && !isLine ? nil : frame }
      if let pose = reader.pose(value) {
        frame.people = [KeypointFrame.Person(values: pose)]
        (frame.number, frame.time, frame.timeUnit) = reader.facts(of: elements)
        return frame
      }
      guard !isRoot || isLine else {
        // The only detection in a frame's file, as Ultralytics writes it.
        guard elements.count == 1, case .object = elements[0] else { return nil }
        return self.frame(elements[0], isRoot: true)
      }
      frame.people = people(value, depth: 0) ?? []
      return frame.people.isEmpty ? nil : frame
    case .object(let members):
      if members.isEmpty { return isRoot && !isLine ? nil : frame }
      // A document of frames by their numbers.
      if isRoot, members.contains(where: { Self.isFrame(key: $0.key) }) { return nil }
      var isFrame = false
      var sessions: [String] = []
      if let people = people(value, depth: 0) {
        // A document of several poses has frames.
        if isRoot, !isLine, people.count > 1 { return nil }
        frame.people = people
        isFrame = true
      }
      for member in members {
        switch KeyFacts(member.key).frameKey {
        case .number:
          if let number = member.value.number {
            frame.number = Int(exactly: number) ?? frame.number
          } else if case .string(let name) = member.value {
            if KeypointFrame.isImage(name) { frame.take(name: name) }
            frame.number = frame.number ?? NumberedName(name)?.number
          }
          isFrame = isFrame || frame.number != nil && !isRoot
        case .time(let unit):
          if let time = member.value.number {
            (frame.time, frame.timeUnit) = (time, unit)
          } else if case .string(let text) = member.value, let seconds = ClockTime.seconds(text) {
            (frame.time, frame.timeUnit, frame.fourthPart) = (seconds, .seconds, ClockTime.fourthPart(text))
          } else if let seconds = Self.parts(of: member.value) {
            (frame.time, frame.timeUnit) = (seconds, .seconds)
          } else {
            break
          }
          isFrame = isFrame || !isRoot
        case .step: frame.step = member.value.number
        case .clip: if case .string(let name) = member.value { frame.take(name: name) }
        case .subject, .session:
          guard let name = Self.text(member.value) else { break }
          sessions.append(name)
          if KeyFacts(member.key).frameKey == .subject { frame.subject = frame.subject ?? name }
        case .fps, .width, .height: if !isRoot { said.note(member.key, member.value) }
        default:
          let plain = KeyFacts(member.key).plain
          if plain == "index", frame.number == nil {
            frame.number = member.value.number.flatMap(Int.init(exactly:))
          } else if plain == "header", frame.time == nil, case .object(let inner) = member.value,
            let seconds = inner.lazy.compactMap({ Self.parts(of: $0.value) }).first
          {
            (frame.time, frame.timeUnit) = (seconds, .seconds)
          }
        }
      }
      if frame.clip == nil, !sessions.isEmpty { frame.clip = sessions.joined(separator: "_") }
      return isFrame ? frame : nil
    default: return nil
    }
  }

  /// The people within a value; `nil` if there is no place for any.
  private mutating func people(_ value: JSONValue, depth: Int) -> [KeypointFrame.Person]? {
    guard depth < 6 else { return nil }
    if let pose = reader.pose(value) {
      var person = KeypointFrame.Person(values: pose)
      if case .object(let members) = value { person.track = Self.track(members, isFrame: depth == 0) }
      return [person]
    }
    switch value {
    case .array(let elements):
      if elements.isEmpty { return depth > 0 ? [] : nil }
      var found: [KeypointFrame.Person] = []
      for element in elements {
        guard let people = people(element, depth: depth + 1) else { return nil }
        found += people
      }
      return found
    case .object(let members):
      if let people = byNumber(members, depth: depth) { return people }
      if let poses = reader.poses(members) { return poses.map { KeypointFrame.Person(values: $0) } }
      var empty: [KeypointFrame.Person]?
      for isWorldKey in isWorld ? [true, false] : [false] {
        var whole: [KeypointFrame.Person] = []
        for member in members where KeyFacts(member.key).isWorld == isWorldKey && !KeyFacts(member.key).isOther {
          // Frames are no people.
          guard !Self.isFact(member.key), KeyFacts(member.key).plain != "frames" else { continue }
          let known = reader
          guard var found = people(member.value, depth: depth + 1) else { continue }
          if found.count == 1, found[0].track == nil { found[0].track = Self.track(members, isFrame: depth == 0) }
          if whole.isEmpty {
            whole = found
          } else if found.count == 1, whole.count == 1, let joined = joined(whole[0], found[0]) {
            whole = [joined]
          } else {
            reader = known
          }
          if found.isEmpty, Self.containers.contains(where: KeyFacts(member.key).plain.contains) { empty = found }
        }
        if !whole.isEmpty { return whole }
      }
      return empty
    case .null: return depth > 0 ? [] : nil
    // JSON as a text in JSON.
    case .string(let text) where text.hasPrefix("[") || text.hasPrefix("{"):
      let inner = InputFile(name: file.name, bytes: Data(text.utf8))
      guard let value = try? JSONReader.read(inner, { try $0.value(limit: Self.largestFrame) }) else { return nil }
      return people(value, depth: depth)
    default: return nil
    }
  }

  /// A person whose points stand in two groups by their names, such as those of the upper and the lower body; `nil` if
  /// the second has points of the first, or points without names.
  private func joined(_ one: KeypointFrame.Person, _ other: KeypointFrame.Person) -> KeypointFrame.Person? {
    let width = reader.points.ids.count * KeypointFrame.channels
    func filled(_ values: [Float]) -> [Float] { values + [Float](repeating: .nan, count: width - values.count) }
    var values = filled(one.values)
    let others = filled(other.values)
    for (place, id) in reader.points.ids.enumerated() {
      let range = place * KeypointFrame.channels..<(place + 1) * KeypointFrame.channels
      let (isOwn, isOther) = (values[range].contains(where: \.isFinite), others[range].contains(where: \.isFinite))
      guard isOwn || isOther else { continue }
      guard case .name = id, !(isOwn && isOther) else { return nil }
      if isOther { values.replaceSubrange(range, with: others[range]) }
    }
    return KeypointFrame.Person(track: one.track, values: values)
  }

  /// The seconds of `{"seconds": 1, "nanoseconds": 40000000}`, as protobuf, Firestore and ROS write times, and of
  /// `{"value": 24, "timescale": 600}`, as Apple's Core Media does.
  private static func parts(of value: JSONValue) -> Double? {
    guard case .object(let members) = value else { return nil }
    func number(_ names: [String]) -> Double? {
      members.first { names.contains(KeyFacts($0.key).plain) }?.value.number
    }
    if let value = number(["value"]), let scale = number(["timescale"]), scale > 0 { return value / scale }
    return number(["seconds", "secs", "sec"]).map {
      $0 + (number(["nanoseconds", "nanos", "nsecs", "nanosec", "nsec"]) ?? 0) * 1e-9
    }
  }

  /// The people of `{"1": pose, "2": pose}`, which have these numbers.
  private mutating func byNumber(
    _ members: [(key: String, value: JSONValue)], depth: Int
  ) -> [KeypointFrame.Person]? {
    guard depth > 0, !members.isEmpty else { return nil }
    var found: [KeypointFrame.Person] = []
    for member in members {
      let digits = member.key.drop { !$0.isNumber }
      guard let number = Int(digits),
        ["", "person", "player", "track", "id"].contains(
          FrameKey.plain(String(member.key.prefix { !$0.isNumber }))),
        let people = people(member.value, depth: depth + 1), people.count == 1
      else { return nil }
      found.append(KeypointFrame.Person(track: "\(number)", values: people[0].values))
    }
    return found
  }

  private static func isFact(_ key: String) -> Bool {
    switch KeyFacts(key).frameKey {
    case nil, .person, .clip, .subject, .session: false
    default: true
    }
  }

  /// The tool's number or name of a person.
  ///
  /// - Parameter isFrame: Whether the members are a frame's, whose `id` is its own.
  private static func track(_ members: [(key: String, value: JSONValue)], isFrame: Bool) -> String? {
    for member in members {
      guard KeyFacts(member.key).frameKey == .person || !isFrame && ["id", "idx"].contains(KeyFacts(member.key).plain)
      else {
        continue
      }
      switch member.value {
      case .number(let number): return number.formatted(.number.grouping(.never))
      case .string(let text): return text
      default: break
      }
    }
    return nil
  }

  /// Parts of the keys that hold poses, and are empty in a frame without a person.
  static let containers = ["landmark", "keypoint", "pose", "point", "people", "person", "joint", "result"]
}
