import Files
import PoseModel

/// The frames of a recording on a time axis.
///
/// Frame numbers start at 0 if there is a frame 0, otherwise at 1, to keep the video's times even if its beginning
/// shows no person. If the first number exceeds 300 and the count of frames, or there is only one
/// frame, they start at the first number. Skipped numbers are frames without a person, unless all numbers are as far
/// apart: then only every second one, say, was kept. Times are used as given; if the
/// first exceeds ten seconds and the recording's length, or is an hour or more, they are relative to it.
///
/// The nominal rate comes from the median step if two thirds of the steps are within a tenth of it. Otherwise the
/// recording has no fixed rate, and the nominal one comes from the mean step, without gaps longer than twice the
/// median.
struct FrameTimeline {
  let times: [Microseconds]
  /// Nominal frames a second: the rate for frame numbers, or one derived from the times.
  let rate: Double
  private(set) var remarks: [String] = []
  private var indices: [Int: Int] = [:]
  private var first = 0
  /// How far apart all numbers are.
  private var step = 1

  /// - Parameters:
  ///   - frames: Numbers or times, increasing.
  ///   - width: The count of numbers per frame.
  /// - Throws: `DataError` if there is no frame, or frames are too far apart or too many for a clip.
  init(_ frames: [Int], clock: PoseRecording.Clock, width: Int, file: String, clip: String) throws {
    guard let lowest = frames.first, let highest = frames.last else {
      throw DataError(file: file, clip: clip, expected: "at least one frame", found: "none")
    }
    switch clock {
    case .frames(let rate):
      for (earlier, later) in zip(frames, frames.dropFirst()) where later - earlier > FrameGrid.longestGap {
        throw DataError(
          file: file, clip: clip,
          expected: "frame numbers of one recording, at most \(FrameGrid.longestGap) apart",
          found: "\(later) after \(earlier)")
      }
      guard highest - lowest <= frames.count * FrameGrid.mostGapsPerFrame + FrameGrid.longestGap else {
        throw DataError(
          file: file, clip: clip,
          expected: "at most \(FrameGrid.mostGapsPerFrame) skipped frames per existing frame",
          found: "\(frames.count) from \(lowest) to \(highest)")
      }
      // A number beyond the recording's length means that it was cut out of a longer one.
      let isCut = lowest > FrameGrid.longestGap || lowest > max(frames.count, Self.latestStart)
      first = frames.count == 1 || isCut || lowest < 0 ? lowest : min(lowest, 1)
      if frames.count >= Self.fewestSteps, let step = Self.step(frames) {
        self.step = step
        if !isCut, lowest >= 0 { first = lowest % step }
      }
      self.rate = rate / Double(step)
      let count = (highest - first) / step + 1
      try ClipSize.check(frames: count, of: width, file: file, clip: clip)
      times = [Microseconds](frames: count, rate: self.rate)
      if step > 1 {
        remarks.append(
          "frame numbers are \(step) apart: \(self.rate.shortestDecimal) frames a second; if none was left out: --fps "
            + (rate * Double(step)).shortestDecimal)
      }
      if first > 1 { remarks.append("frames are counted from \(first)") }
      if count > frames.count { remarks.append("\(count - frames.count) of \(count) frames are missing: no person") }
    case .times:
      // A time beyond the recording's length is a clock's that was running before.
      let isRunning = lowest > max(highest - lowest, Self.latestTime)
      let start = frames.count > 1 && isRunning || lowest >= Self.anHour || lowest < 0 ? lowest : 0
      times = frames.map { Microseconds(Int64($0 - start)) }
      for (index, frame) in frames.enumerated() { indices[frame] = index }
      guard frames.count > 1 else {
        rate = 30
        return
      }
      for (earlier, later) in zip(times, times.dropFirst()) where later - earlier > ClipSize.longestPause {
        throw DataError(
          file: file, clip: clip, expected: "a time at most an hour after \(earlier.seconds) s",
          found: "\(later.seconds) s")
      }
      let steps = zip(frames, frames.dropFirst()).map { $1 - $0 }.sorted()
      let median = steps[steps.count / 2]
      guard (Self.shortestStep...Self.longestStep).contains(median) else {
        throw DataError(
          file: file, clip: clip,
          expected: "frames 1 to 1000 ms apart, as times in seconds or, in a column time_ms or with a unit in the "
            + "mapping, in milliseconds",
          found: "frames \(Self.milliseconds(median)) ms apart")
      }
      let near = steps.count { abs($0 - median) * 10 <= median }
      let isRegular = near * 3 >= steps.count * 2
      let kept = isRegular ? [median] : steps.filter { $0 <= 2 * median }
      rate = (1e8 * Double(kept.count) / Double(kept.reduce(0, +))).rounded() / 100
      if start != 0 { remarks.append("times are relative to the first, \(Double(start) / 1e6) s") }
      let (shortest, longest) = (steps[0], steps[steps.count - 1])
      let range = "\(Self.milliseconds(shortest)) to \(Self.milliseconds(longest)) ms apart"
      if !isRegular {
        remarks.append("no fixed frame rate, \(range): assumed the mean, \(rate.shortestDecimal) frames a second")
      } else if Double(longest) > 1.5 * Double(median) || Double(shortest) < 0.5 * Double(median) {
        remarks.append("frames lie \(range), mostly \(Self.milliseconds(median))")
      }
    }
  }

  /// The greatest first time that may follow frames without a person, in microseconds.
  private static let latestTime = 10_000_000
  private static let anHour = 3_600_000_000

  /// The greatest first number that may follow frames without a person: ten seconds at 30 frames a second.
  private static let latestStart = 300

  /// The fewest plausible microseconds between two frames; below this, times are in another unit.
  private static let shortestStep = 1000
  private static let longestStep = 1_000_000

  /// The fewest frames that show a step.
  private static let fewestSteps = 10

  /// The difference of all successive numbers if it is greater than 1.
  private static func step(_ frames: [Int]) -> Int? {
    let step = frames[1] - frames[0]
    return step > 1 && zip(frames, frames.dropFirst()).allSatisfy { $1 - $0 == step } ? step : nil
  }

  /// The index of a frame among the times.
  func index(_ frame: Int) -> Int? { indices.isEmpty ? (frame - first) / step : indices[frame] }

  private static func milliseconds(_ count: Int) -> String {
    let tenths = (Double(count) / 100).rounded() / 10
    return tenths == tenths.rounded() ? "\(Int(tenths))" : "\(tenths)"
  }
}

/// The numbers of a recording's frames, each once.
///
/// Most files have frames in order, which needs no hashing; late ones are kept separately.
struct FrameNumbers {
  private var growing: [Int] = []
  private var late: Set<Int> = []

  /// Returns whether the number is new.
  @discardableResult
  mutating func insert(_ number: Int) -> Bool {
    guard let last = growing.last, number <= last else {
      growing.append(number)
      return true
    }
    guard number < last, !contains(number) else { return false }
    return late.insert(number).inserted
  }

  /// Whether it is among those that came in order.
  private func contains(_ number: Int) -> Bool {
    var below = 0
    var above = growing.count
    while below < above {
      let middle = (below + above) / 2
      if growing[middle] < number { below = middle + 1 } else { above = middle }
    }
    return below < growing.count && growing[below] == number
  }

  var isEmpty: Bool { growing.isEmpty }

  /// The highest one.
  var last: Int? { growing.last }

  var count: Int { growing.count + late.count }

  var sorted: [Int] { late.isEmpty ? growing : (growing + late).sorted() }
}

/// The frame of each image in a recording, from the images' names.
///
/// If all names differ only in one number (`0.jpg`, `1.jpg`; `walk_0001.png`), that number is the frame; otherwise
/// images are in the order of their first appearance. As long as names follow one pattern, only their numbers are kept:
/// a recording may have half a million.
struct ImageFrames {
  private var pattern: Pattern?
  /// The number of each image, as long as names follow `pattern`.
  private var known: [Int] = []
  /// The index of each number in `known`, if they are not increasing.
  private var places: [Int: Int]?
  /// The name of each image, if they follow no `pattern`.
  private var names: [String] = []
  private var placesByName: [String: Int] = [:]

  /// The number of different images.
  var count: Int { pattern == nil ? names.count : known.count }

  /// The index of an image, in the order of first appearance.
  mutating func place(of name: String) -> Int {
    if count == 0 { pattern = Pattern(name) }
    if let number = pattern?.number(of: name) { return place(ofNumber: number) }
    if let pattern {
      for number in known { _ = place(ofName: pattern.name(number)) }
      self.pattern = nil
      known = []
      places = nil
    }
    return place(ofName: name)
  }

  /// The frame of each image, by its index; `nil` if names have no number.
  var numbers: [Int]? {
    guard pattern == nil else { return known }
    let stems = names.lazy.map { NumberedName($0.prefix(upTo: $0.lastIndex(of: ".") ?? $0.endIndex)) }
    guard let first = stems.first ?? nil else { return nil }
    var numbers: [Int] = []
    for stem in stems {
      guard let stem, stem.prefix == first.prefix, stem.suffix == first.suffix else { return nil }
      numbers.append(stem.number)
    }
    return Set(numbers).count == numbers.count ? numbers : nil
  }

  private mutating func place(ofName name: String) -> Int {
    if let place = placesByName[name] { return place }
    placesByName[name] = names.count
    names.append(name)
    return names.count - 1
  }

  private mutating func place(ofNumber number: Int) -> Int {
    if places == nil {
      var below = 0
      var above = known.count
      if let last = known.last, number > last { below = above }
      while below < above {
        let middle = (below + above) / 2
        if known[middle] < number { below = middle + 1 } else { above = middle }
      }
      if below < known.count {
        if known[below] == number { return below }
        places = Dictionary(uniqueKeysWithValues: known.enumerated().map { ($1, $0) })
      }
    }
    if let place = places?[number] { return place }
    places?[number] = known.count
    known.append(number)
    return known.count - 1
  }
}

/// The pattern of names that differ in one number: `walk_`, four digits or more, `.png`.
///
/// Each number has only one name.
private struct Pattern {
  private let prefix: [UInt8]
  private let suffix: [UInt8]
  /// The fewest digits of a name so far.
  private var shortest = Int.max
  /// The number of digits that zeros pad to; `nil` until a name begins with a zero.
  private var filled: Int?

  init?(_ name: String) {
    let end = name.lastIndex(of: ".") ?? name.endIndex
    guard let first = NumberedName(name[..<end]) else { return nil }
    prefix = Array(first.prefix.utf8)
    suffix = Array(first.suffix.utf8) + Array(name[end...].utf8)
    // More digits than a number can have.
    if let last = prefix.last, Self.digits.contains(last) { return nil }
  }

  private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

  /// `nil` for a name that does not follow the pattern.
  mutating func number(of name: String) -> Int? {
    var name = name
    let (prefix, suffix) = (prefix, suffix)
    let digits = name.withUTF8 { bytes -> (number: Int, count: Int, isFilled: Bool)? in
      let count = bytes.count - prefix.count - suffix.count
      guard (1...17).contains(count), bytes.starts(with: prefix), bytes.suffix(suffix.count).elementsEqual(suffix)
      else { return nil }
      var number = 0
      for byte in bytes[prefix.count..<prefix.count + count] {
        guard Self.digits.contains(byte) else { return nil }
        number = number * 10 + Int(byte - UInt8(ascii: "0"))
      }
      return (number, count, count > 1 && bytes[prefix.count] == UInt8(ascii: "0"))
    }
    guard let digits else { return nil }
    if digits.isFilled {
      guard digits.count == filled ?? min(digits.count, shortest) else { return nil }
      filled = digits.count
    } else if let filled, digits.count < filled {
      return nil
    }
    shortest = min(shortest, digits.count)
    return digits.number
  }

  /// The name with this number.
  func name(_ number: Int) -> String {
    let digits = "\(number)"
    let zeros = String(repeating: "0", count: max((filled ?? 0) - digits.utf8.count, 0))
    return String(decoding: prefix, as: UTF8.self) + zeros + digits + String(decoding: suffix, as: UTF8.self)
  }
}
