import Datasets
import Foundation

/// Which numbers a frame of a motion has: those of each bone one after the other.
struct AMCNumbers {
  /// In lower case, as UTF-8.
  let names: [[UInt8]]
  /// Where each bone's numbers begin, and where the last one's end.
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

/// Reads the frames of a motion one after the other: a line with the frame's number, then a line a bone.
struct AMCReader {
  /// Of the frame that was read last.
  private(set) var values: [Double]
  /// Where the last frame's number stands.
  private(set) var frameStart = 0
  /// Whether a line `:RADIANS` stands before the first frame.
  private(set) var isInRadians = false

  private let input: InputFile
  private let bytes: Data
  private let numbers: AMCNumbers
  private var memory: ReadMemory
  /// Where the next line begins.
  private var position: Int
  /// The bones in the order of the last frame, by which the next one's are guessed.
  private var order: [Int]
  private var isThere: [Bool]
  private let moving: Int
  /// A word's place in the text.
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

  /// Goes on at a frame whose start is known.
  mutating func move(to start: Int) { position = start }

  /// The line of the last frame's number, from 1, counted from the text's beginning.
  var frameLine: Int { line(of: frameStart) }

  /// Reads a frame and returns its number; `nil` after the last.
  ///
  /// - Throws: `DataError` with the line where it lacks a bone, has one that the skeleton lacks, or other numbers.
  mutating func next() throws -> Int? {
    memory.pass(position)
    return try bytes.withUnsafeBytes { raw in try next(raw.bindMemory(to: UInt8.self)) }
  }

  private mutating func next(_ text: UnsafeBufferPointer<UInt8>) throws -> Int? {
    var number: Int?
    while number == nil {
      guard position < text.count else { return nil }
      let start = position
      let end = Self.lineEnd(text, from: start)
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
      let end = Self.lineEnd(text, from: start)
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

  /// Counted only where something is wrong.
  private func line(of position: Int) -> Int {
    bytes.withUnsafeBytes { raw in
      let text = raw.bindMemory(to: UInt8.self)
      var line = 1
      var next = bytes.byteOrderMarkCount
      while case let end = Self.lineEnd(text, from: next), end < position {
        line += 1
        next = Self.afterLine(text, end)
      }
      return line
    }
  }

  // MARK: Bytes

  /// Where the line ends, be it in LF, CR LF or CR.
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

  /// The number of a frame, which is all digits.
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
