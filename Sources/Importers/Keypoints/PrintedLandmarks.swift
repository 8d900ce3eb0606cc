import Files
import PoseModel

/// MediaPipe's landmarks as Python prints them, frame after frame: `landmark { x: 0.5 y: 0.25 z: -0.1 visibility: 0.9 }`
/// of Solutions, `NormalizedLandmark(x=0.5, y=0.25, z=-0.1, visibility=0.9, …)` of Tasks.
///
/// A frame has 33 of them, or as many people as a result of Tasks lists in `pose_landmarks`; what it lists in
/// `pose_world_landmarks` is not read. `None` and an empty list are a frame without a person. A number before a frame
/// whose name says so (`frame: 12`, `timestamp_ms: 400`) is its number or time.
struct PrintedLandmarks {
  private let file: InputFile

  static let count = 33

  /// `nil` if the file does not begin in that way.
  init?(_ file: InputFile) {
    let beginning = String(decoding: file.bytes.prefix(2048), as: UTF8.self)
    guard beginning.contains(/landmarks?\s*\{\s*x\s*:/) || beginning.contains("Landmark(x=") else { return nil }
    self.file = file
  }

  /// Calls `body` with each frame.
  ///
  /// - Throws: `DataError` with the line if a frame has another count of landmarks, and the errors of `body`.
  func forEachFrame(_ body: (KeypointFrame, PointList) throws -> Void) throws {
    try file.requireBeginningOfText()
    var points = PointList()
    points.require(count: Self.count)
    var (frame, values) = (KeypointFrame(), [Float]())
    func fail(_ line: Int) -> DataError {
      DataError(
        file: file.name, line: line, expected: "\(Self.count) landmarks a frame",
        found: "\(values.count / KeypointFrame.channels)")
    }
    // Whether a list is open that began with its name, and whether it is of the world.
    var (isOpen, isWorld) = (false, false)
    func take() {
      frame.people.append(KeypointFrame.Person(values: values))
      values = []
    }
    func close(_ line: Int) throws {
      if !values.isEmpty {
        guard values.count == Self.count * KeypointFrame.channels else { throw fail(line) }
        take()
      }
      try body(frame, points)
      (frame, isOpen, isWorld) = (KeypointFrame(), false, false)
    }
    var last = 0
    try file.forEachLine(longest: 1 << 24) { line, range in
      last = line
      try forEachWord(in: range) { word, number in
        let key = FrameKey.plain(word)
        if let number, let channel = PointReader.channel(key), key != "s", key != "p" {
          guard !isWorld else { return }
          if channel == .x {
            if values.count == Self.count * KeypointFrame.channels { if isOpen { take() } else { try close(line) } }
            values += [Float](repeating: .nan, count: KeypointFrame.channels)
          }
          guard !values.isEmpty else { throw fail(line) }
          values[values.count - KeypointFrame.channels + channel.index] = Float(number)
          return
        }
        if number?.isNaN == true, key.hasSuffix("landmarks") {
          isWorld = key.contains("world")
          guard !isWorld else { return }
          if isOpen || !values.isEmpty { try close(line) }
          isOpen = true
          return
        }
        let fact = number?.isFinite == true ? FrameKey(word) : nil
        guard fact != nil || number == nil && word == "None" else { return }
        if isOpen || !values.isEmpty { try close(line) }
        switch fact {
        case .number: frame.number = number.flatMap { Int(exactly: $0) }
        case .time(let unit): (frame.time, frame.timeUnit) = (number, unit)
        case nil:
          try body(frame, points)
          frame = KeypointFrame()
        default: break
        }
      }
    }
    if isOpen || !values.isEmpty { try close(last) }
  }

  /// Calls `body` with each word of a line and the number that `:`, `=` or a space separates from it: NaN for a value
  /// that is none, `nil` without a value.
  private func forEachWord(in line: Range<Int>, _ body: (String, Double?) throws -> Void) throws {
    try file.bytes.withUnsafeBytes { raw in
      let bytes = UnsafeBufferPointer(rebasing: raw.bindMemory(to: UInt8.self)[line])
      func isLetter(_ byte: UInt8) -> Bool { byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z") }
      func isPart(_ byte: UInt8) -> Bool { isLetter(byte) || byte == UInt8(ascii: "_") || byte &- 0x30 < 10 }
      var place = 0
      while place < bytes.count {
        guard isLetter(bytes[place]) else {
          place += 1
          continue
        }
        let start = place
        while place < bytes.count, isPart(bytes[place]) { place += 1 }
        let word = String(decoding: bytes[start..<place], as: UTF8.self)
        var isKey = false
        while place < bytes.count, [0x20, 0x22, 0x27, 0x3A, 0x3D].contains(bytes[place]) {
          isKey = isKey || bytes[place] == 0x3A || bytes[place] == 0x3D
          place += 1
        }
        if place < bytes.count, let number = DecimalNumber(bytes, at: place) {
          place = number.end
          try body(word, number.double(bytes))
          continue
        }
        // x: nan
        try body(word, isKey ? .nan : nil)
        if isKey { while place < bytes.count, isPart(bytes[place]) { place += 1 } }
      }
    }
  }
}
