import Files
import Foundation

/// Biovision hierarchies, `.bvh`: one file per clip, joints by forward kinematics.
///
/// A joint's name means its position; with `_end` appended, it means the end site below it. The sets `bvh-…` in
/// `MarkerSets`, or `--mapping`, define which joints are hips or knees. The unit is inferred from the length of the
/// legs unless `--unit` sets it; y points up unless `--up` sets another axis.
///
/// - Source: Meredith and Maddock, Motion Capture File Formats Explained, University of Sheffield, CS0111, 2001; Biovision
///   BVH, University of Wisconsin-Madison, CS 838, 1999.
public struct BVH: CaptureImporter {
  public static let format = "bvh"
  public static let summary = "Biovision hierarchies, *.bvh, by forward kinematics"

  static let capture = MotionCapture.Format(name: format, ending: "bvh", source: "BVH files") { file, directory, _ in
    try BVHFile(InputFile(file, in: directory))
  }

  let recordings: MotionCapture

  init(_ recordings: MotionCapture) { self.recordings = recordings }
}

/// A BVH file: a hierarchy of joints, then one line of angles and positions per frame.
struct BVHFile: PointMotion {
  /// A joint or an end site.
  private struct Node {
    var parent: Int?
    var offset: SIMD3<Double>
    var isEndSite = false
    var channels: Range<Int> = 0..<0
  }

  /// 0 to 2 are positions along x, y and z, 3 to 5 rotations about them.
  private typealias Channel = Int

  let file: String
  private(set) var names: [String] = []
  let rate: Double
  let frameCount: Int
  let metresPerUnit: Double? = nil
  let upAxis: WorldAxis? = .y
  let remarks: [String]
  private var nodes: [Node] = []
  private var channels: [Channel] = []
  private let input: InputFile
  /// The start of the first frame's numbers.
  private let start: Int

  /// Reads the hierarchy and counts the numbers of the frames.
  ///
  /// The frames that are there count, not those that the header declares. If they differ, each must be a line, as a
  /// missing number would shift all later ones; the last line may be cut off, and is then left out.
  ///
  /// - Throws: `DataError` with the line if the text is not such a hierarchy, has no frame, or a line has more or fewer
  ///   numbers than a frame.
  init(_ input: InputFile) throws {
    try input.requireBeginningOfText()
    file = input.name
    self.input = input
    var words = TextWords(input)
    var nodes: [Node] = []
    var names: [String] = []
    var channels: [Channel] = []
    try words.take("HIERARCHY")
    // Nested joints are kept in a list, as a file may nest them deeper than the stack allows.
    var open: [Int] = []
    var word = try words.require("ROOT")
    while word.uppercased() != "MOTION" {
      switch word.uppercased() {
      case "ROOT" where open.isEmpty, "JOINT" where !open.isEmpty:
        names.append(try words.require("a joint's name"))
        try words.take("{")
        open.append(nodes.count)
        nodes.append(Node(parent: open.dropLast().last, offset: .zero))
      // An end site below one would lengthen its name at each level.
      case "END" where !open.isEmpty && !nodes[open[open.count - 1]].isEndSite:
        try words.take("Site")
        try words.take("{")
        names.append(names[open[open.count - 1]] + "_end")
        open.append(nodes.count)
        nodes.append(Node(parent: open.dropLast().last, offset: .zero, isEndSite: true))
      case "OFFSET" where !open.isEmpty:
        for axis in 0..<3 { nodes[open[open.count - 1]].offset[axis] = try words.number("an offset") }
      case "CHANNELS" where !open.isEmpty:
        let first = channels.count
        let count = try words.number("a number of channels")
        guard (0...6).contains(count), count == count.rounded() else {
          throw words.failure(expected: "0 to 6 channels", found: "\(count)")
        }
        for _ in 0..<Int(count) { channels.append(try Self.channel(&words)) }
        nodes[open[open.count - 1]].channels = first..<channels.count
      case "}" where !open.isEmpty: open.removeLast()
      default:
        throw words.failure(
          expected: open.isEmpty ? "ROOT or MOTION" : "OFFSET, CHANNELS, JOINT, End Site or }",
          found: word.prefix(40).debugDescription)
      }
      word = try words.require(open.isEmpty ? "ROOT or MOTION" : "} to \(names[open[open.count - 1]].prefix(40))")
    }
    guard open.isEmpty else { throw words.failure(expected: "}", found: "MOTION") }
    guard !channels.isEmpty else { throw words.failure(expected: "channels", found: "none") }
    try words.take("Frames:")
    let frames = try words.number("a number of frames")
    try words.take("Frame")
    try words.take("Time:")
    let seconds = try words.number("seconds between frames")
    guard seconds > 0 else { throw words.failure(expected: "seconds above 0 between frames", found: "\(seconds)") }
    rate = 1 / seconds
    start = words.position
    let counted = try words.count()
    if Double(counted) == frames * Double(channels.count) {
      frameCount = counted / channels.count
      remarks = []
    } else if counted < channels.count {
      throw DataError(
        file: input.name, expected: "\(frames.shortestDecimal) frames of \(channels.count) numbers, as declared",
        found: "0" + (counted == 0 ? "" : " and \(counted) more numbers"))
    } else {
      (frameCount, remarks) = try Self.lines(of: words, width: channels.count, declared: frames)
    }
    self.nodes = nodes
    self.names = names
    self.channels = channels
  }

  /// Counts frames that are a line each, with remarks on a last one that is cut off and on another count in the header.
  private static func lines(
    of words: TextWords, width: Int, declared: Double
  ) throws -> (count: Int, remarks: [String]) {
    var rest = words
    var (count, line, found) = (0, words.line, 0)
    func failure() -> DataError {
      DataError(file: words.file, line: line, expected: "\(width) numbers, a frame, in a line", found: "\(found)")
    }
    while try rest.skip() {
      if rest.line > line, found > 0 {
        guard found == width else { throw failure() }
        count += 1
        found = 0
      }
      line = rest.line
      found += 1
    }
    guard found <= width, count > 0 || found == width else { throw failure() }
    var remarks: [String] = []
    if found == width {
      count += 1
    } else {
      remarks.append("line \(line) is cut off, with \(found) of \(width) numbers: its frame is left out")
    }
    if Double(count) != declared {
      remarks.append("the header says \(declared.shortestDecimal) frames, the file has \(count), which are read")
    }
    return (count, remarks)
  }

  private static func channel(_ words: inout TextWords) throws -> Channel {
    let known = ["xposition", "yposition", "zposition", "xrotation", "yrotation", "zrotation"]
    let word = try words.require("a channel")
    guard let channel = known.firstIndex(of: word.lowercased()) else {
      throw words.failure(expected: "Xposition … Zrotation", found: word.prefix(40).debugDescription)
    }
    return channel
  }

  func forEachFrame(_ body: (Int, UnsafeBufferPointer<SIMD3<Double>>) throws -> Void) throws {
    var words = TextWords(input, from: start)
    var values = [Double](repeating: 0, count: channels.count)
    var points = [SIMD3<Double>](repeating: .zero, count: nodes.count)
    var turns = [Rotation](repeating: .identity, count: nodes.count)
    for frame in 0..<frameCount {
      var index = 0
      while index < values.count {
        values[index] = try words.number("a number of frame \(frame + 1)")
        index += 1
      }
      index = 0
      while index < nodes.count {
        place(index, values, &points, &turns)
        index += 1
      }
      try points.withUnsafeBufferPointer { try body(frame, $0) }
    }
  }

  /// Computes a node's position from its parent, which precedes it, and its channels.
  ///
  /// A root's position is its offset plus its channels; any other joint with position channels uses them instead of its
  /// offset. Rotations are multiplied in the order of the channels.
  private func place(
    _ index: Int, _ values: [Double], _ points: inout [SIMD3<Double>], _ turns: inout [Rotation]
  ) {
    let node = nodes[index]
    var offset = node.offset
    var turn = Rotation.identity
    var channel = node.channels.lowerBound
    while channel < node.channels.upperBound {
      let kind = channels[channel]
      if kind >= 3 {
        turn = turn * Rotation(degrees: values[channel], about: kind - 3)
      } else {
        offset[kind] = node.parent == nil ? node.offset[kind] + values[channel] : values[channel]
      }
      channel += 1
    }
    if let parent = node.parent {
      points[index] = points[parent] + turns[parent] * offset
      turns[index] = turns[parent] * turn
    } else {
      points[index] = offset
      turns[index] = turn
    }
  }
}

/// The words of a text, between spaces and ends of lines, with the line of the last one.
struct TextWords {
  let file: String
  private let bytes: Data
  private var memory: ReadMemory
  /// The start of the search for the next word.
  private(set) var position: Int
  private(set) var line: Int

  /// - Parameter start: A position from an earlier reader of the file; lines are then counted from it.
  init(_ input: InputFile, from start: Int? = nil) {
    file = input.name
    bytes = input.bytes
    memory = ReadMemory(of: input)
    position = start ?? bytes.byteOrderMarkCount
    line = 1
    if let start {
      line += bytes.withUnsafeBytes { raw in raw[..<start].count { $0 == UInt8(ascii: "\n") } }
    }
  }

  func failure(expected: String, found: String) -> DataError {
    DataError(file: file, line: line, expected: expected, found: found)
  }

  /// The next word; `nil` at the end.
  mutating func next() throws -> String? {
    guard let range = try nextRange() else { return nil }
    return String(decoding: bytes[range], as: UTF8.self)
  }

  mutating func require(_ expected: String) throws -> String {
    guard let word = try next() else { throw failure(expected: expected, found: "the end of the file") }
    return word
  }

  /// Consumes an expected word, in any case.
  mutating func take(_ expected: String) throws {
    let word = try require(expected)
    guard word.lowercased() == expected.lowercased() else {
      throw failure(expected: expected, found: word.prefix(40).debugDescription)
    }
  }

  /// Consumes a finite number.
  mutating func number(_ expected: String) throws -> Double {
    guard let range = try nextRange() else { throw failure(expected: expected, found: "the end of the file") }
    let value = bytes.withUnsafeBytes { raw -> Double? in
      let text = UnsafeBufferPointer(rebasing: raw.bindMemory(to: UInt8.self)[range])
      return DecimalNumber(whole: text)?.double(text)
    }
    guard let value, value.isFinite else {
      throw failure(
        expected: expected, found: String(decoding: bytes[range].prefix(40), as: UTF8.self).debugDescription)
    }
    return value
  }

  /// Passes the next word; `false` at the end.
  mutating func skip() throws -> Bool { try nextRange() != nil }

  /// How many words follow.
  func count() throws -> Int {
    var rest = self
    var count = 0
    while try rest.skip() { count += 1 }
    return count
  }

  /// The longest word, such as a joint's name, in bytes.
  private static let longest = 4096

  private mutating func nextRange() throws -> Range<Int>? {
    memory.pass(position)
    return try bytes.withUnsafeBytes { raw -> Range<Int>? in
      while position < raw.count, Self.isSpace(raw[position]) {
        if raw[position] == UInt8(ascii: "\n") { line += 1 }
        position += 1
      }
      guard position < raw.count else { return nil }
      let first = position
      let limit = min(raw.count, first + Self.longest + 1)
      while position < limit, !Self.isSpace(raw[position]) { position += 1 }
      guard position - first <= Self.longest else {
        throw failure(expected: "words of at most \(Self.longest) bytes", found: "a longer one")
      }
      return first..<position
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
