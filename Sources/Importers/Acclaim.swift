import Files
import Foundation
import PoseModel

/// Acclaim motion capture, `.amc` beside its skeleton, `.asf`: one motion file per clip, joints by forward kinematics.
///
/// A motion's skeleton is the ASF file with its own name (`walk.amc`, `walk.asf`), with the part before its last `_`
/// (`02_01.amc`, `02.asf`), or the only one in the folder; that name is the subject's. A bone's name means its far end,
/// `root` the root. Lengths are divided by the skeleton's unit and read as inches, as in the database of
/// Carnegie Mellon University, or in the unit that gives legs of human length. Motions have 120 frames a second, as in
/// that database, unless `--fps` sets another rate. y points up unless `--up` sets another axis, also if people lie.
///
/// - Source: Schafer, Acclaim Skeleton File Definition V1.10, 1995; "Acclaim Format - ASF line Details", and "How do I
///   convert the lengths used in the asf/amc files into meters?", CMU Graphics Lab.
public struct AcclaimMotion: CaptureImporter {
  public static let format = "amc"
  public static let summary = "Acclaim motions, *.amc beside their *.asf, by forward kinematics"

  static let capture = MotionCapture.Format(
    name: format, ending: "amc", source: "ASF/AMC files",
    open: { file, directory, options in
      let skeleton = try ASFFile(InputFile(AcclaimMotion.skeleton(of: file, in: directory), in: directory))
      return try AMCFile(InputFile(file, in: directory), skeleton: skeleton, rate: options.fps ?? usualRate)
    }, fixesUp: true,
    companions: { file, directory in (try? AcclaimMotion.skeleton(of: file, in: directory)).map { [$0] } ?? [] })

  public static let options: Set<ImportOption> = [.exercise, .subject, .folders, .mapping, .up, .unit, .fps]

  private static let usualRate = 120.0

  let recordings: MotionCapture

  init(_ recordings: MotionCapture) { self.recordings = recordings }

  /// The skeleton of a motion; both are paths within a folder.
  private static func skeleton(of file: String, in directory: String) throws -> String {
    let within = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
    let name = String(file.dropFirst(within.count).dropLast(".amc".count))
    let present = try SourceFolder("\(directory)/\(within)")?.names(endingIn: "asf") ?? []
    let stem = name.lastIndex(of: "_").map { String(name[..<$0]) }
    for wanted in [name, stem].compactMap({ $0 }) {
      if let file = present.first(where: { $0.lowercased() == "\(wanted).asf".lowercased() }) {
        return within + file
      }
    }
    guard present.count == 1 else {
      let wanted = ["\(name).asf"] + (stem.map { ["\($0).asf"] } ?? []) + ["a single .asf file"]
      throw DataError(
        file: "\(directory)/\(file)", expected: "\(wanted.joined(separator: ", or ")) beside it",
        found: present.isEmpty ? "none" : present.joined(separator: ", "))
    }
    return within + present[0]
  }
}

/// A skeleton in Acclaim's format: bones, each starting at the end of its parent.
struct ASFFile {
  struct Bone {
    var name: String
    var parent: Int?
    /// From the parent's end to this one's in the rest pose, in the skeleton's world axes.
    var reach: SIMD3<Double>
    /// The bone's own axes in the rest pose.
    var axis: Rotation
    /// The axes that its angles turn about, in the order of the motion file: 0 is x.
    var turns: [Int]
  }

  let file: String
  /// The divisor of skeleton and motion coordinates.
  let unit: Double
  /// Parents before children, the root first.
  let bones: [Bone]
  /// The root's values in the motion file: 0 to 2 positions along x, y and z, 3 to 5 angles about them.
  let rootOrder: [Int]
  let rootPosition: SIMD3<Double>

  /// - Throws: `DataError` with the line if the text is not such a skeleton, or its hierarchy is not a tree.
  init(_ input: InputFile) throws {
    try input.requireBeginningOfText()
    file = input.name
    var reader = ASFReader(input)
    try reader.read()
    unit = reader.unit
    rootOrder = reader.rootOrder
    rootPosition = reader.rootPosition
    bones = try reader.sorted()
  }
}

/// Collects the contents of an ASF file line by line.
private struct ASFReader {
  private let input: InputFile
  private(set) var unit = 1.0
  private(set) var rootOrder = [0, 1, 2, 3, 4, 5]
  private(set) var rootPosition = SIMD3<Double>.zero
  private var anglesAreDegrees = true
  private var rootAxis: (angles: SIMD3<Double>, order: [Int]) = (.zero, [0, 1, 2])
  private var bones: [String: Draft] = [:]
  private var order: [String] = []
  private var children: [(parent: String, name: String, line: Int)] = []
  private var draft: Draft?
  private var line = 0

  private struct Draft {
    var name: String?
    var direction: SIMD3<Double>?
    var length: Double?
    var axis: (angles: SIMD3<Double>, order: [Int]) = (.zero, [0, 1, 2])
    var turns: [Int] = []
  }

  init(_ input: InputFile) { self.input = input }

  private func failure(_ expected: String, _ found: String) -> DataError {
    DataError(file: input.name, line: line, expected: expected, found: String(found.prefix(60)))
  }

  mutating func read() throws {
    var lines = try TextLines(input)
    var section = ""
    while let next = lines.next() {
      line = next.number
      // Commas and parentheses count as spaces, and # starts a comment.
      let words = next.text.prefix { $0 != "#" }.split { " \t,()".contains($0) }.map(String.init)
      guard let key = words.first?.lowercased() else { continue }
      if key.hasPrefix(":") {
        section = key
        continue
      }
      let values = Array(words.dropFirst())
      switch section {
      case ":units": try readUnit(key, values)
      case ":root": try readRoot(key, values)
      case ":bonedata": try readBone(key, values)
      case ":hierarchy": if key != "begin", key != "end" { children += values.map { (key, $0.lowercased(), line) } }
      default: break
      }
    }
    guard draft == nil else { throw failure("end", "the end of the file") }
  }

  private mutating func readUnit(_ key: String, _ values: [String]) throws {
    if key == "length" {
      unit = try number(values.first)
      guard unit > 0 else { throw failure("a unit of length above 0", "\(unit)") }
    } else if key == "angle" {
      guard let name = values.first?.lowercased(), ["deg", "rad"].contains(name) else {
        throw failure("angles in deg or rad", values.first ?? "nothing")
      }
      anglesAreDegrees = name == "deg"
    }
  }

  private mutating func readRoot(_ key: String, _ values: [String]) throws {
    switch key {
    case "order":
      let known = ["tx", "ty", "tz", "rx", "ry", "rz"]
      rootOrder = try values.map { value in
        guard let index = known.firstIndex(of: value.lowercased()) else { throw failure("TX … RZ", value) }
        return index
      }
      guard Set(rootOrder).count == rootOrder.count else {
        throw failure("each of TX … RZ once", values.joined(separator: " "))
      }
    case "axis": rootAxis.order = try axes(values.first)
    case "position": rootPosition = try vector(values)
    case "orientation": rootAxis.angles = try vector(values)
    default: break
    }
  }

  private mutating func readBone(_ key: String, _ values: [String]) throws {
    if key == "begin" {
      guard draft == nil else { throw failure("end", "begin") }
      draft = Draft()
      return
    }
    guard var bone = draft else { throw failure("begin", key) }
    switch key {
    case "name": bone.name = values.first?.lowercased()
    case "direction": bone.direction = try vector(values)
    case "length": bone.length = try number(values.first)
    case "axis":
      guard values.count == 4 else { throw failure("three angles and their order", values.joined(separator: " ")) }
      bone.axis = (try vector(values.dropLast()), try axes(values[3]))
    case "dof":
      bone.turns = try values.map { value in
        guard let index = ["rx", "ry", "rz"].firstIndex(of: value.lowercased()) else {
          throw failure("degrees of freedom rx, ry and rz only, as bones can only turn", value)
        }
        return index
      }
    case "end":
      guard let name = bone.name, bone.direction != nil, bone.length != nil else {
        throw failure("a bone with name, direction and length", "one of them missing")
      }
      guard name != "root", bones.updateValue(bone, forKey: name) == nil else {
        throw failure("a bone with a unique name", name)
      }
      order.append(name)
      draft = nil
      return
    default: break
    }
    draft = bone
  }

  private func number(_ text: String?) throws -> Double {
    guard let text, let number = Double(text), number.isFinite else { throw failure("a number", text ?? "nothing") }
    return number
  }

  private func vector(_ words: [String]) throws -> SIMD3<Double> {
    guard words.count == 3 else { throw failure("three numbers", words.joined(separator: " ")) }
    return SIMD3(try number(words[0]), try number(words[1]), try number(words[2]))
  }

  private func axes(_ text: String?) throws -> [Int] {
    let order = (text ?? "").lowercased().compactMap {
      "xyz".firstIndex(of: $0).map { "xyz".distance(from: "xyz".startIndex, to: $0) }
    }
    guard Set(order).count == 3, text?.count == 3 else {
      throw failure("an order of axes such as XYZ", text ?? "nothing")
    }
    return order
  }

  private func rotation(_ axis: (angles: SIMD3<Double>, order: [Int])) -> Rotation {
    Rotation(axis.angles * (anglesAreDegrees ? 1 : 180 / Double.pi), turning: axis.order)
  }

  /// The bones with parents before their children.
  ///
  /// - Throws: `DataError` if a bone is unknown, has two parents or none, or is its own ancestor.
  func sorted() throws -> [ASFFile.Bone] {
    func failure(_ line: Int?, _ expected: String, _ found: String) -> DataError {
      DataError(file: input.name, line: line, expected: expected, found: String(found.prefix(60)))
    }
    var below: [String: [String]] = [:]
    var seen: Set<String> = []
    for (parent, name, line) in children {
      guard bones[name] != nil, parent == "root" || bones[parent] != nil else {
        throw failure(line, "bones of :bonedata", bones[name] == nil ? name : parent)
      }
      guard seen.insert(name).inserted else { throw failure(line, "each bone to have one parent", "\(name) again") }
      below[parent, default: []].append(name)
    }
    var sorted = [ASFFile.Bone(name: "root", parent: nil, reach: .zero, axis: rotation(rootAxis), turns: [])]
    var open = (below["root"] ?? []).map { ($0, 0) }
    var next = 0
    while next < open.count {
      let (name, parent) = open[next]
      next += 1
      guard let bone = bones[name], let direction = bone.direction, let length = bone.length else { continue }
      guard direction.length > 0 else { throw failure(nil, "a direction of \(name)", "0 0 0") }
      open += (below[name] ?? []).map { ($0, sorted.count) }
      sorted.append(
        ASFFile.Bone(
          name: name, parent: parent, reach: direction.normalized * length, axis: rotation(bone.axis), turns: bone.turns
        ))
    }
    guard sorted.count == bones.count + 1 else {
      let lost = order.first { name in !sorted.contains { $0.name == name } }
      throw failure(nil, "every bone to descend from the root", "\(lost ?? "one") that does not")
    }
    return sorted
  }
}

/// A motion in Acclaim's format: each frame is a line with its number, then one line per bone with its angles.
struct AMCFile: PointMotion {
  let file: String
  let names: [String]
  let rate: Double
  let times: [Double]?
  let frameCount: Int
  let metresPerUnit: Double? = nil
  let upAxis: WorldAxis? = .y
  let subject: String?
  private let skeleton: ASFFile
  private let input: InputFile
  private let numbers: AMCNumbers
  /// The position of each frame's number, and the end of the text.
  private let starts: [Int]
  /// The size of an angle's unit in degrees.
  private let degrees: Double
  /// The angles of each bone: the axis, and the index of the number.
  private let turning: [[(axis: Int, number: Int)]]

  /// Reads all frames, to find errors early.
  ///
  /// - Throws: `DataError` with the line if a frame's number is not greater than the last one, the clip has too many
  ///   frames, or a number is missing.
  init(_ input: InputFile, skeleton: ASFFile, rate: Double) throws {
    try input.requireBeginningOfText()
    self.input = input
    self.skeleton = skeleton
    self.rate = rate
    file = input.name
    names = skeleton.bones.map(\.name)
    subject = URL(fileURLWithPath: skeleton.file).deletingPathExtension().lastPathComponent
    numbers = AMCNumbers(skeleton)
    turning = skeleton.bones.indices.map { bone in
      (bone == 0 ? skeleton.rootOrder.map { $0 - 3 } : skeleton.bones[bone].turns).enumerated()
        .filter { $1 >= 0 }.map { (axis: $1, number: $0) }
    }
    var reader = AMCReader(input, numbers)
    var frames: [Int] = []
    var starts: [Int] = []
    // Line numbers are counted from the start, only when an error needs one.
    while let next = try reader.next() {
      guard next <= 1_000_000_000 else {
        throw DataError(
          file: input.name, line: reader.frameLine, expected: "a frame up to 1000000000", found: "\(next)")
      }
      if let last = frames.last, next <= last || next > last + FrameGrid.longestGap {
        throw DataError(
          file: input.name, line: reader.frameLine,
          expected: "a frame from \(last + 1) to \(last + FrameGrid.longestGap)",
          found: "\(next)")
      }
      frames.append(next)
      starts.append(reader.frameStart)
      try ClipSize.check(
        frames: frames.count, orMore: true, of: Skeleton.motionCapture.keypoints.count * 3, file: input.name)
    }
    degrees = reader.isInRadians ? 180 / .pi : 1
    frameCount = frames.count
    let first = frames.first ?? 0
    let hasGaps = (frames.last ?? 0) - first != frames.count - 1
    times = hasGaps ? frames.map { Double($0 - first) / rate } : nil
    self.starts = starts
  }

  func forEachFrame(_ body: (Int, UnsafeBufferPointer<SIMD3<Double>>) throws -> Void) throws {
    try forEachFrame(every: 1, body)
  }

  func forEachFrame(
    every step: Int, _ body: (Int, UnsafeBufferPointer<SIMD3<Double>>) throws -> Void
  ) throws {
    var points = [SIMD3<Double>](repeating: .zero, count: names.count)
    var turns = [Rotation](repeating: .identity, count: names.count)
    var reader = AMCReader(input, numbers)
    for frame in stride(from: 0, to: frameCount, by: step) {
      if frame == 0 || step > 1 { reader.move(to: starts[frame]) }
      _ = try reader.next()
      pose(reader.values, &points, &turns)
      try points.withUnsafeBufferPointer { try body(frame, $0) }
    }
  }

  /// The positions of the bones' ends.
  ///
  /// A bone turns in its own axes: the product of the inverse of their rotation, the motion's rotation and the axes'
  /// rotation. Angles are about fixed axes, applied in order (CMU, "Acclaim Format - ASF line Details").
  private func pose(_ values: [Double], _ points: inout [SIMD3<Double>], _ turns: inout [Rotation]) {
    var position = skeleton.rootPosition
    for (index, channel) in skeleton.rootOrder.enumerated() where channel < 3 { position[channel] += values[index] }
    points[0] = position / skeleton.unit
    var index = 0
    while index < turning.count {
      let bone = skeleton.bones[index]
      var turn = Rotation.identity
      for angle in turning[index] {
        turn = Rotation(degrees: values[numbers.starts[index] + angle.number] * degrees, about: angle.axis) * turn
      }
      if !turning[index].isEmpty { turn = bone.axis * turn * bone.axis.inverse }
      if let parent = bone.parent {
        turns[index] = turning[index].isEmpty ? turns[parent] : turns[parent] * turn
        points[index] = points[parent] + turns[index] * bone.reach / skeleton.unit
      } else {
        turns[index] = turn
      }
      index += 1
    }
  }
}

/// The layout of a motion's frame: the numbers of each bone one after the other.
struct AMCNumbers {
  /// In lower case, as UTF-8.
  let names: [[UInt8]]
  /// The start of each bone's numbers, and the end of the last one's.
  let starts: [Int]
  let skeleton: String

  init(_ skeleton: ASFFile) {
    names = skeleton.bones.map { Array($0.name.lowercased().utf8) }
    var starts = [0]
    for index in skeleton.bones.indices {
      starts.append(starts[index] + (index == 0 ? skeleton.rootOrder.count : skeleton.bones[index].turns.count))
    }
    self.starts = starts
    self.skeleton = skeleton.file
  }

  func count(_ bone: Int) -> Int { starts[bone + 1] - starts[bone] }
}

/// Reads the frames of a motion one after the other: a line with the frame's number, then one line per bone.
struct AMCReader {
  /// Of the frame read last.
  private(set) var values: [Double]
  /// The position of the last frame's number.
  private(set) var frameStart = 0
  /// Whether a line `:RADIANS` precedes the first frame.
  private(set) var isInRadians = false

  private let input: InputFile
  private let bytes: Data
  private let numbers: AMCNumbers
  private var memory: ReadMemory
  /// The start of the next line.
  private var position: Int
  /// The bones in the order of the last frame, as a guess for the next one.
  private var order: [Int]
  private var isThere: [Bool]
  private let moving: Int
  /// A word's range in the text.
  private typealias Word = Range<Int>

  init(_ input: InputFile, _ numbers: AMCNumbers) {
    self.input = input
    self.numbers = numbers
    bytes = input.bytes
    memory = ReadMemory(of: input)
    position = bytes.byteOrderMarkCount
    values = [Double](repeating: 0, count: numbers.starts.last ?? 0)
    order = Array(numbers.names.indices)
    isThere = [Bool](repeating: false, count: numbers.names.count)
    moving = numbers.names.indices.count { numbers.count($0) > 0 }
  }

  /// Continues at a frame with a known start.
  mutating func move(to start: Int) { position = start }

  /// The line of the last frame's number, from 1, counted from the text's beginning.
  var frameLine: Int { line(of: frameStart) }

  /// Reads a frame and returns its number; `nil` after the last.
  ///
  /// - Throws: `DataError` with the line if it lacks a bone, has a bone that the skeleton lacks, or a wrong number of
  ///   values.
  mutating func next() throws -> Int? {
    memory.pass(position)
    return try bytes.withUnsafeBytes { raw in try next(raw.bindMemory(to: UInt8.self)) }
  }

  private mutating func next(_ text: UnsafeBufferPointer<UInt8>) throws -> Int? {
    var number: Int?
    while number == nil {
      guard position < text.count else { return nil }
      let start = position
      let end = try lineEnd(text, from: start)
      if let word = Self.word(text, from: start, to: end) {
        number = Self.frame(text, word)
        if number == nil { isInRadians = isInRadians || Self.saysRadians(text, word) }
      }
      frameStart = start
      position = Self.afterLine(text, end)
    }
    var found = 0
    for index in isThere.indices { isThere[index] = false }
    while position < text.count {
      let start = position
      let end = try lineEnd(text, from: start)
      guard let word = Self.word(text, from: start, to: end) else {
        position = Self.afterLine(text, end)
        continue
      }
      if Self.frame(text, word) != nil { break }
      let bone = try bone(text, word, guess: found < order.count ? order[found] : nil)
      guard !isThere[bone], numbers.count(bone) > 0 else {
        throw failure(word.lowerBound, "each bone once in a frame", text, word)
      }
      isThere[bone] = true
      order[found] = bone
      found += 1
      try read(text, bone, from: word.upperBound, to: end)
      position = Self.afterLine(text, end)
    }
    guard found == moving else {
      let missing = isThere.indices.filter { !isThere[$0] && numbers.count($0) > 0 }
      throw DataError(
        file: input.name, line: line(of: min(position, max(text.count - 1, 0))), expected: "every bone that moves",
        found: "no \(missing.map { String(decoding: numbers.names[$0], as: UTF8.self) }.joined(separator: ", "))")
    }
    return number
  }

  private mutating func read(
    _ text: UnsafeBufferPointer<UInt8>, _ bone: Int, from start: Int, to end: Int
  ) throws {
    var place = start
    var index = numbers.starts[bone]
    var count = 0
    while let word = Self.word(text, from: place, to: end) {
      if count < numbers.count(bone) {
        guard let number = DecimalNumber(text, at: word.lowerBound), number.end == word.upperBound,
          case let value = number.double(text), value.isFinite
        else { throw failure(word.lowerBound, "a number", text, word) }
        values[index] = value
        index += 1
      }
      count += 1
      place = word.upperBound
    }
    guard count == numbers.count(bone) else {
      let name = String(decoding: numbers.names[bone], as: UTF8.self)
      throw DataError(
        file: input.name, line: line(of: start), expected: "\(numbers.count(bone)) numbers for \(name)",
        found: "\(count)")
    }
  }

  private func bone(_ text: UnsafeBufferPointer<UInt8>, _ word: Word, guess: Int?) throws -> Int {
    func isNamed(_ bone: Int) -> Bool {
      let name = numbers.names[bone]
      guard name.count == word.count else { return false }
      var index = 0
      while index < name.count {
        let byte = text[word.lowerBound + index]
        guard name[index] == (65...90 ~= byte ? byte | 0x20 : byte) else { return false }
        index += 1
      }
      return true
    }
    if let guess, isNamed(guess) { return guess }
    guard let bone = numbers.names.indices.first(where: isNamed) else {
      throw failure(word.lowerBound, "a bone of \(numbers.skeleton)", text, word)
    }
    return bone
  }

  private func failure(
    _ position: Int, _ expected: String, _ text: UnsafeBufferPointer<UInt8>, _ word: Word
  ) -> DataError {
    let found = String(decoding: text[word], as: UTF8.self).lowercased().prefix(60)
    return DataError(file: input.name, line: line(of: position), expected: expected, found: String(found))
  }

  /// Counted only when an error needs it.
  private func line(of position: Int) -> Int {
    bytes.withUnsafeBytes { raw in
      // What follows the position may be gigabytes without a line's end.
      let text = UnsafeBufferPointer(rebasing: raw.bindMemory(to: UInt8.self)[..<min(position, raw.count)])
      var line = 1
      var next = bytes.byteOrderMarkCount
      while case let end = Self.lineEnd(text, from: next), end < text.count {
        line += 1
        next = Self.afterLine(text, end)
      }
      return line
    }
  }

  // MARK: Bytes

  /// The longest line, a bone with its numbers, in bytes.
  private static let longestLine = 1 << 16

  /// - Throws: `DataError` for a line that is too long.
  private func lineEnd(_ text: UnsafeBufferPointer<UInt8>, from start: Int) throws -> Int {
    let end = Self.lineEnd(
      UnsafeBufferPointer(rebasing: text[..<min(text.count, start + Self.longestLine + 1)]), from: start)
    guard end - start <= Self.longestLine else {
      throw DataError(
        file: input.name, line: line(of: start), expected: "lines of at most \(Self.longestLine) bytes",
        found: "a longer one")
    }
    return end
  }

  /// The end of the line, whether LF, CR LF or CR.
  private static func lineEnd(_ text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var end = start
    while end < text.count, text[end] != UInt8(ascii: "\n"), text[end] != UInt8(ascii: "\r") { end &+= 1 }
    return end
  }

  private static func afterLine(_ text: UnsafeBufferPointer<UInt8>, _ end: Int) -> Int {
    let isPair = end + 1 < text.count && text[end] == UInt8(ascii: "\r") && text[end + 1] == UInt8(ascii: "\n")
    return isPair ? end + 2 : end + 1
  }

  /// The next word between spaces and tabs.
  private static func word(_ text: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int) -> Word? {
    var first = start
    while first < end, isSpace(text[first]) { first &+= 1 }
    guard first < end else { return nil }
    var last = first
    while last < end, !isSpace(text[last]) { last &+= 1 }
    return first..<last
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

  /// The number of a frame: digits only.
  private static func frame(_ text: UnsafeBufferPointer<UInt8>, _ word: Word) -> Int? {
    guard text[word.lowerBound] &- UInt8(ascii: "0") < 10, let number = DecimalNumber(text, at: word.lowerBound),
      number.end == word.upperBound
    else { return nil }
    return number.integer
  }

  private static func saysRadians(_ text: UnsafeBufferPointer<UInt8>, _ word: Word) -> Bool {
    String(decoding: text[word], as: UTF8.self).lowercased().hasPrefix(":radians")
  }
}
