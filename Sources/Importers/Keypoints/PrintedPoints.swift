import Files
import Foundation
import PoseModel

/// Frames as programs print them, a line each, in which numbers follow the name of each point: Kotlin's
/// `Pose(timestampMs=40, keyPoints=[KeyPoint(bodyPart=NOSE, coordinate=PointF(540.1, 384.5), score=0.9), …])` or a log's
/// `frame=1 nose=(540.1,384.5,0.9) left_eye=(…)`; or a line a point below one that says the frame, `Frame 1`, or a line
/// of numbers a frame below one that names the point: `# Label : left knee`.
struct PrintedPoints {
  /// The table of these frames: its header and a row a frame.
  let rows: [[String]]

  /// `nil` if the first frames have fewer than four points each, or numbers of a point before its name.
  ///
  /// - Parameter most: How many frames are wanted.
  init?(_ file: InputFile, most: Int) {
    var rows = NamedRows(most: most)
    // A frame of several lines, and how many points it has so far.
    var open: [(key: String, value: String)] = []
    var points = 0
    /// The point that the lines are of.
    var section: String?
    func close() throws {
      if points >= Self.fewestPoints { try rows.add(open) }
      (open, points) = ([], 0)
    }
    do {
      try file.forEachLine(longest: 1 << 16) { _, range in
        let first = file.bytes.startIndex
        let bytes = file.bytes[first + range.lowerBound..<first + range.upperBound]
        let text = String(decoding: bytes, as: UTF8.self)
        if let title = Self.title(text) {
          section = title
          return
        }
        if let section, let fields = Self.numbers(text) {
          return try rows.add([(key: "keypoint", value: section)] + fields)
        }
        let line = Line(bytes)
        if line.points >= Self.fewestPoints, !line.isBackwards { return try rows.add(line.fields) }
        if line.points == 0, !line.fields.isEmpty {
          if points > 0 { try close() }
          open += line.fields
        } else if line.points > 0, !line.isBackwards, !open.isEmpty {
          open += line.fields
          points += line.points
        }
        // Other lines may come between frames.
        guard !rows.isEmpty || !open.isEmpty || section != nil || text.hasPrefix("#") else { throw EnoughRead() }
      }
      try close()
    } catch { guard rows.isFull else { return nil } }
    self.rows = rows.withHeader
    guard self.rows.count > Self.fewestFrames else { return nil }
  }

  /// The point that a line without numbers names alone or after a colon; `nil` for other lines.
  private static func title(_ text: String) -> String? {
    guard !text.contains(where: \.isNumber), let last = text.split(separator: ":").last else { return nil }
    let name = last.trimmingCharacters(in: CharacterSet(charactersIn: "#[] \t\r"))
    return PointReader.isKnown(name) ? name : nil
  }

  /// The frame's number or time, x, y and perhaps a confidence; `nil` for other lines.
  private static func numbers(_ text: String) -> [(key: String, value: String)]? {
    let words = text.split(whereSeparator: { " \t;\r".contains($0) }).map(String.init)
    guard (3...4).contains(words.count), words.dropFirst().allSatisfy({ Double($0) != nil }),
      Double(words[0]) != nil || ClockTime.seconds(words[0]) != nil
    else { return nil }
    return zip([Int(words[0]) == nil ? "time" : "frame", "x", "y", "c"], words).map { (key: $0, value: $1) }
  }

  private static let fewestPoints = 4
  private static let fewestFrames = 2

  /// A line's columns: a frame's number or time, and each point's numbers together or, if words name them, by channel.
  private struct Line {
    private(set) var fields: [(key: String, value: String)] = []
    private var names: Set<String> = []
    private(set) var points = 0
    /// Whether numbers that are called x stand before the first name of a point.
    private(set) var isBackwards = false

    init(_ bytes: Data) {
      var key: String?
      var channel: Channel?
      var found: [(name: String, values: [(channel: Channel?, text: String)])] = []
      Self.forEachWord(bytes) { word, isNumber in
        guard isNumber else {
          let facts = KeyFacts(word)
          channel = facts.channel
          if facts.isKnown {
            found.append((word, []))
          } else if found.isEmpty {
            switch facts.frameKey {
            case .number, .time: key = word
            default: key = nil
            }
          }
          return
        }
        if let last = found.indices.last {
          found[last].values.append((channel, word))
        } else if channel == .x {
          isBackwards = true
        } else if let key {
          add(key, word)
        }
        (key, channel) = (nil, nil)
      }
      found = found.filter { $0.values.count >= 2 }
      points = found.count
      let areNamed = found.contains { $0.values.contains { $0.channel != nil } }
      for point in found {
        guard areNamed else {
          let texts = point.values.prefix(4).map(\.text)
          if !texts.contains(where: Self.isMissing) { add(point.name, "(" + texts.joined(separator: ", ") + ")") }
          continue
        }
        for (place, value) in point.values.prefix(4).enumerated() {
          let own = value.channel ?? (place < 3 ? [Channel.x, .y, .z][place] : .confidence)
          add("\(point.name)_\(own)", value.text)
        }
      }
    }

    private mutating func add(_ name: String, _ text: String) {
      if names.insert(name).inserted { fields.append((key: name, value: text)) }
    }

    private static func isMissing(_ word: String) -> Bool { word.lowercased() == "nan" }

    /// Calls `body` with each word and number, in their order. `nan` is a number.
    private static func forEachWord(_ bytes: Data, _ body: (String, _ isNumber: Bool) -> Void) {
      func isLetter(_ byte: UInt8) -> Bool {
        byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z") || byte == UInt8(ascii: "_")
      }
      func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
      let bytes = Array(bytes)
      func hasDigit(at place: Int) -> Bool { place < bytes.count && isDigit(bytes[place]) }
      var place = 0
      while place < bytes.count {
        let start = place
        if isLetter(bytes[place]) {
          while place < bytes.count, isLetter(bytes[place]) || isDigit(bytes[place]) { place += 1 }
          let word = String(decoding: bytes[start..<place], as: UTF8.self)
          body(word, isMissing(word))
        } else if isDigit(bytes[place]) || bytes[place] == UInt8(ascii: ".") && hasDigit(at: place + 1) {
          let isNegative = start > 0 && bytes[start - 1] == UInt8(ascii: "-")
          while place < bytes.count, isDigit(bytes[place]) || bytes[place] == UInt8(ascii: ".") { place += 1 }
          if place < bytes.count, bytes[place] | 0x20 == UInt8(ascii: "e") {
            let sign = place + 1 < bytes.count ? bytes[place + 1] : 0
            let power = place + (sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") ? 2 : 1)
            if hasDigit(at: power) {
              place = power
              while hasDigit(at: place) { place += 1 }
            }
          }
          body((isNegative ? "-" : "") + String(decoding: bytes[start..<place], as: UTF8.self), true)
        } else {
          place += 1
        }
      }
    }
  }
}
