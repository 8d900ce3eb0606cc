import Files
import Foundation
import PoseModel

/// JSON that contains BlazePose's 33 landmarks of each frame at any place, found by their structure.
///
/// A pose is a list of 33 landmarks, of at least four with names or numbers (`id`, `type`, `name`), an object of
/// landmarks by name, or a list of 66, 99, 132 or 165 numbers. A landmark is an object with x and y, also below
/// `position` or `position3D`, or a list of 2 to 5 numbers: x, y, z, visibility, presence. A frame is a pose, or an object
/// with a pose or several people's in it, perhaps with a number and a time. The frames are the elements of a list, the
/// members of an object by their numbers, the lines of a file in JSON Lines, or a file each. World landmarks (`world`
/// or `3D` in their key) are read if there are no others.
struct LandmarkJSON {
  private let file: InputFile
  private let isWorld: Bool
  private var said = Said()
  private var isFound = false

  /// The file's facts about the recording, as far as it was read.
  var facts: ClipFacts { said.facts }

  /// The maximum number of values of a frame: several people with world landmarks.
  private static let largestFrame = 20_000
  /// The length of the part that is read to find out whether a file is a frame.
  private static let longestFrame = 1 << 18

  init(_ file: InputFile, isWorld: Bool = false) {
    self.file = file
    self.isWorld = isWorld
  }

  /// Whether a file is one frame.
  static func isFrame(_ file: InputFile) -> Bool {
    guard file.bytes.count <= longestFrame, !isLines(file),
      let value = try? JSONReader.read(file, { try $0.value(limit: largestFrame) })
    else { return false }
    return [false, true].contains { frame(value, isWorld: $0, isRoot: true)?.people.isEmpty == false }
  }

  /// Whether a file has one document per line, by its name or its first two lines.
  static func isLines(_ file: InputFile) -> Bool {
    if ["jsonl", "ndjson"].contains(file.ending) { return true }
    let lines = file.bytes.prefix(longestFrame).split(separator: UInt8(ascii: "\n"), maxSplits: 2)
    guard lines.count > 1 else { return false }
    return lines.prefix(2).allSatisfy { line in
      (line.first == UInt8(ascii: "{") || line.first == UInt8(ascii: "["))
        && (try? JSONReader.read(InputFile(name: file.name, bytes: line)) { try $0.skip() }) != nil
    }
  }

  /// Calls `body` with each frame, in the order of the file.
  ///
  /// - Throws: `DataError` with the line, and the errors of `body`.
  mutating func forEachFrame(_ body: (LandmarkFrame) throws -> Void) throws {
    if Self.isFrame(file) {
      let value = try JSONReader.read(file) { try $0.value(limit: Self.largestFrame) }
      if let frame = Self.frame(value, isWorld: isWorld, isRoot: true) { try body(frame) }
    } else if Self.isLines(file) {
      try lines(body)
    } else {
      var reader = self
      defer { self = reader }
      try JSONReader.read(file) { json in try reader.search(&json, depth: 0, body) }
    }
  }

  private mutating func lines(_ body: (LandmarkFrame) throws -> Void) throws {
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
      if let frame = Self.frame(value, isWorld: isWorld, isRoot: true) {
        try body(frame)
      } else if case .object(let members) = value {
        for member in members { said.note(member.key, member.value) }
      }
    }
  }

  /// Finds the list of frames and the facts about the recording.
  private mutating func search(
    _ json: inout JSONReader, depth: Int, _ body: (LandmarkFrame) throws -> Void
  ) throws {
    guard depth < 6 else { return try json.skip() }
    switch try json.kind() {
    case .array:
      // Frames without a person may come first.
      var empty: [LandmarkFrame] = []
      var isHere = false
      try json.array { json in
        guard !isFound || isHere else { return try json.skip() }
        let value = try json.value(limit: Self.largestFrame)
        guard let frame = Self.frame(value, isWorld: isWorld, isRoot: false) else { return }
        if !isHere, frame.people.isEmpty {
          empty.append(frame)
          return
        }
        if !isHere {
          isHere = true
          isFound = true
          for frame in empty { try body(frame) }
        }
        try body(frame)
      }
    case .object:
      var isHere = false
      try json.object { json, key in
        let name = key.text
        if Self.isWorld(name), !isWorld { return try json.skip() }
        let isContainer = try [.array, .object].contains(json.kind())
        if let number = Self.number(of: name), isContainer {
          guard !isFound || isHere else { return try json.skip() }
          guard var frame = Self.frame(try json.value(limit: Self.largestFrame), isWorld: isWorld, isRoot: false)
          else { return }
          isHere = true
          isFound = true
          frame.number = frame.number ?? number
          return try body(frame)
        }
        if isContainer, FrameKey(name) == nil, !Said.sizeKeys.contains(FrameKey.plain(name)) {
          return try search(&json, depth: depth + 1, body)
        }
        said.note(name, try json.value(limit: 100))
      }
    default: try json.skip()
    }
  }

  private static func isWorld(_ key: String) -> Bool {
    let plain = FrameKey.plain(key)
    return plain.contains("world") || plain.hasSuffix("3d") && plain != "position3d"
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

    static let sizeKeys: Set = ["resolution", "size", "imagesize", "framesize", "videosize"]

    mutating func note(_ key: String, _ value: JSONValue) {
      switch FrameKey(key) {
      case .fps: if let fps = value.number, fps > 0, fps <= 1000 { facts.fps = fps }
      case .width: width = value.number
      case .height: height = value.number
      default:
        guard Self.sizeKeys.contains(FrameKey.plain(key)) else { return noteWithin(value) }
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

    private mutating func noteWithin(_ value: JSONValue) {
      if case .object(let members) = value { for member in members { note(member.key, member.value) } }
    }
  }

  // MARK: A frame

  /// A value as a frame; `nil` if it is none.
  ///
  /// - Parameter isRoot: Whether it is a whole document, in which a list of poses is frames and not people.
  private static func frame(_ value: JSONValue, isWorld: Bool, isRoot: Bool) -> LandmarkFrame? {
    var frame = LandmarkFrame()
    switch value {
    case .null: return isRoot ? nil : frame
    case .array(let elements):
      if elements.isEmpty { return isRoot ? nil : frame }
      if let pose = pose(value) {
        frame.people = [pose]
        return frame
      }
      guard !isRoot else { return nil }
      frame.people = people(value, isWorld: isWorld, depth: 0) ?? []
      return frame.people.isEmpty ? nil : frame
    case .object(let members):
      // A document of frames by their numbers.
      if isRoot, members.contains(where: { number(of: $0.key) != nil }) { return nil }
      var isFrame = false
      if let pose = pose(value) {
        frame.people = [pose]
        isFrame = true
      } else if let people = people(value, isWorld: isWorld, depth: 0) {
        // A document of several poses has frames.
        if isRoot, people.count > 1 { return nil }
        frame.people = people
        isFrame = true
      }
      for member in members {
        switch FrameKey(member.key) {
        case .number:
          frame.number = member.value.number.flatMap(Int.init(exactly:))
          isFrame = isFrame || frame.number != nil && !isRoot
        case .time(let unit):
          guard let time = member.value.number else { break }
          (frame.time, frame.timeUnit) = (time, unit)
          isFrame = isFrame || !isRoot
        default:
          if FrameKey.plain(member.key) == "index", frame.number == nil {
            frame.number = member.value.number.flatMap(Int.init(exactly:))
          }
        }
      }
      return isFrame ? frame : nil
    default: return nil
    }
  }

  /// The poses within a value; `nil` if there is no place for any.
  private static func people(_ value: JSONValue, isWorld: Bool, depth: Int) -> [[Float]]? {
    guard depth < 4 else { return nil }
    if let pose = pose(value) { return [pose] }
    switch value {
    case .array(let elements):
      if elements.isEmpty { return depth > 0 ? [] : nil }
      let found = elements.compactMap { people($0, isWorld: isWorld, depth: depth + 1) }
      return found.count == elements.count ? found.flatMap { $0 } : nil
    case .object(let members):
      var empty: [[Float]]?
      for isWorldKey in isWorld ? [true, false] : [false] {
        for member in members where Self.isWorld(member.key) == isWorldKey {
          guard FrameKey(member.key) == nil, let found = people(member.value, isWorld: isWorld, depth: depth + 1) else {
            continue
          }
          if !found.isEmpty { return found }
          if containers.contains(where: FrameKey.plain(member.key).contains) { empty = found }
        }
      }
      return empty
    case .null: return depth > 0 ? [] : nil
    default: return nil
    }
  }

  /// Parts of the keys that hold poses, and are empty in a frame without a person.
  private static let containers = ["landmark", "keypoint", "pose", "point", "people", "person", "joint", "result"]

  /// x, y, z and visibility of each landmark; `nil` if the value is no pose.
  private static func pose(_ value: JSONValue) -> [Float]? {
    var pose = [Float](repeating: .nan, count: LandmarkFrame.width)
    func set(_ place: Int, _ landmark: SIMD4<Float>) {
      for channel in 0..<4 { pose[place * 4 + channel] = landmark[channel].isFinite ? landmark[channel] : .nan }
    }
    switch value {
    case .array(let elements):
      if [66, 99, 132, 165].contains(elements.count), case .number = elements[0] {
        let step = elements.count / LandmarkFrame.count
        for (index, element) in elements.enumerated() where index % step < 4 {
          guard let number = element.number ?? (element.isNull ? .nan : nil) else { return nil }
          let value = Float(number)
          pose[index / step * 4 + index % step] = value.isFinite ? value : .nan
        }
        return pose
      }
      guard (4...LandmarkFrame.count).contains(elements.count) else { return nil }
      var places: Set<Int> = []
      for (index, element) in elements.enumerated() {
        guard let landmark = landmark(element) else { return nil }
        let place = landmark.place ?? (elements.count == LandmarkFrame.count ? index : nil)
        guard let place, places.insert(place).inserted else { return nil }
        set(place, landmark.values)
      }
      // COCO's keypoints have names of these landmarks, or the first 17 numbers.
      return elements.count == LandmarkFrame.count || !places.isSubset(of: common) && places.contains { $0 > 16 }
        ? pose : nil
    case .object(let members):
      var count = 0
      for member in members {
        guard let place = LandmarkName.named(member.key), let landmark = landmark(member.value) else { continue }
        set(place, landmark.values)
        count += 1
      }
      return count >= 4 && members.contains { isOnlyOurs($0.key) } ? pose : nil
    default: return nil
    }
  }

  /// Whether a name distinguishes BlazePose from other models, which have a nose and knees too.
  private static func isOnlyOurs(_ name: String) -> Bool {
    LandmarkName.named(name).map { !common.contains($0) } ?? false
  }

  /// The landmarks that COCO has too.
  private static let common: Set = [0, 2, 5, 7, 8, 11, 12, 13, 14, 15, 16, 23, 24, 25, 26, 27, 28]

  private static func landmark(_ value: JSONValue) -> (place: Int?, values: SIMD4<Float>)? {
    var values = SIMD4<Float>(repeating: .nan)
    switch value {
    case .null: return (nil, values)
    case .array(let numbers):
      guard (2...5).contains(numbers.count) else { return nil }
      for (index, element) in numbers.prefix(4).enumerated() {
        guard let number = element.number ?? (element.isNull ? .nan : nil) else { return nil }
        values[index] = Float(number)
      }
      return (nil, values)
    case .object(let members):
      var place: Int?
      for member in members {
        switch FrameKey.plain(member.key) {
        case "x", "px", "xpx": if let number = member.value.number { values[0] = Float(number) }
        case "y", "py", "ypx": if let number = member.value.number { values[1] = Float(number) }
        case "z": if let number = member.value.number { values[2] = Float(number) }
        case "visibility", "v", "vis", "score", "confidence", "conf", "c", "likelihood", "inframelikelihood":
          if let number = member.value.number { values[3] = Float(number) }
        case "position", "position3d", "point", "coordinates", "location":
          guard let inner = landmark(member.value) else { break }
          for channel in 0..<3 where inner.values[channel].isFinite { values[channel] = inner.values[channel] }
        case "name", "type", "landmarktype", "landmarkname", "landmark", "bodypart", "joint", "part":
          place = Self.place(member.value) ?? place
        case "id", "index", "landmarkid", "idx", "landmarkindex": place = place ?? Self.place(member.value)
        default: break
        }
      }
      return values[0].isFinite && values[1].isFinite || place != nil ? (place, values) : nil
    default: return nil
    }
  }

  private static func place(_ value: JSONValue) -> Int? {
    switch value {
    case .number(let number): Int(exactly: number).flatMap { (0..<LandmarkFrame.count).contains($0) ? $0 : nil }
    case .string(let name): LandmarkName.place(name)
    default: nil
    }
  }
}

extension JSONValue {
  fileprivate var isNull: Bool { if case .null = self { true } else { false } }
}
