import Datasets
import Foundation

/// A motion of Acclaim's format: each frame a line with its number, then a line a bone with its angles.
struct AMCFile: PointMotion {
  let file: String
  let names: [String]
  let rate: Double
  let times: [Double]?
  let frameCount: Int
  let metresPerUnit: Double? = nil
  let upAxis: Axis? = .y
  let subject: String?
  private let skeleton: ASFFile
  private let input: InputFile
  /// How many degrees an angle is.
  private let degrees: Double

  /// Reads the frames' numbers.
  ///
  /// - Throws: `DataError` with the line where a frame does not come after the one before.
  init(_ input: InputFile, skeleton: ASFFile, rate: Double) throws {
    try input.requireNoUTF16()
    self.input = input
    self.skeleton = skeleton
    self.rate = rate
    file = input.name
    names = skeleton.bones.map(\.name)
    subject = URL(fileURLWithPath: skeleton.file).deletingPathExtension().lastPathComponent
    var lines = TextLines(input)
    var numbers: [Int] = []
    var degrees = 1.0
    while let line = lines.next() {
      guard let frame = Self.frame(line) else {
        if numbers.isEmpty, line.text.lowercased().hasPrefix(":radians") { degrees = 180 / .pi }
        continue
      }
      guard frame <= 1_000_000_000 else {
        throw DataError(file: input.name, line: line.number, expected: "a frame up to 1000000000", found: "\(frame)")
      }
      if let last = numbers.last, frame <= last || frame > last + FrameGrid.longestGap {
        throw DataError(
          file: input.name, line: line.number, expected: "a frame from \(last + 1) to \(last + FrameGrid.longestGap)",
          found: "\(frame)")
      }
      numbers.append(frame)
    }
    self.degrees = degrees
    frameCount = numbers.count
    let first = numbers.first ?? 0
    let hasGaps = (numbers.last ?? 0) - first != numbers.count - 1
    times = hasGaps ? numbers.map { Double($0 - first) / rate } : nil
  }

  private static func frame(_ line: TextLines.Line) -> Int? {
    guard let first = line.words.first, first.first?.isNumber == true else { return nil }
    return Int(first)
  }

  func forEachFrame(_ body: (Int, UnsafeBufferPointer<SIMD3<Double>>) throws -> Void) throws {
    let places = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
    let counts = skeleton.bones.indices.map { $0 == 0 ? skeleton.rootOrder.count : skeleton.bones[$0].turns.count }
    var values = counts.map { [Double](repeating: 0, count: $0) }
    var points = [SIMD3<Double>](repeating: .zero, count: names.count)
    var turns = [Rotation](repeating: .identity, count: names.count)
    var missing = Set<Int>()
    let moving = Set(counts.indices.filter { counts[$0] > 0 })
    var frame = -1
    func failure(_ line: Int?, _ expected: String, _ found: String) -> DataError {
      DataError(file: file, line: line, expected: expected, found: String(found.prefix(60)))
    }
    func finish(_ line: Int?) throws {
      guard frame >= 0 else { return }
      guard missing.isEmpty else {
        throw failure(line, "every bone that moves", "no \(missing.sorted().map { names[$0] }.joined(separator: ", "))")
      }
      pose(values, &points, &turns)
      try points.withUnsafeBufferPointer { try body(frame, $0) }
    }
    var lines = TextLines(input)
    while let line = lines.next() {
      if Self.frame(line) != nil {
        try finish(line.number)
        frame += 1
        missing = moving
        continue
      }
      let words = line.words
      guard frame >= 0, let name = words.first?.lowercased() else { continue }
      guard let place = places[name] else { throw failure(line.number, "a bone of \(skeleton.file)", name) }
      guard missing.remove(place) != nil else { throw failure(line.number, "each bone once in a frame", name) }
      guard words.count == counts[place] + 1 else {
        throw failure(line.number, "\(counts[place]) numbers for \(name)", "\(words.count - 1)")
      }
      for index in 0..<counts[place] {
        guard let value = Double(words[index + 1]), value.isFinite else {
          throw failure(line.number, "a number", String(words[index + 1]))
        }
        values[place][index] = value
      }
    }
    try finish(nil)
  }

  /// Where the bones end.
  ///
  /// A bone turns in its own axes: by the inverse of their rotation, the motion's, and that rotation. Angles are about
  /// fixed axes, the first first (CMU, "Acclaim Format - ASF line Details").
  private func pose(_ values: [[Double]], _ points: inout [SIMD3<Double>], _ turns: inout [Rotation]) {
    var position = skeleton.rootPosition
    for (index, channel) in skeleton.rootOrder.enumerated() where channel < 3 { position[channel] += values[0][index] }
    for (index, bone) in skeleton.bones.enumerated() {
      var angles = SIMD3<Double>.zero
      var order: [Int] = []
      for (position, axis) in (index == 0 ? skeleton.rootOrder.map { $0 - 3 } : bone.turns).enumerated() where axis >= 0
      {
        angles[axis] = values[index][position] * degrees
        order.append(axis)
      }
      let turn = bone.axis * Rotation(angles, turning: order) * bone.axis.inverse
      if let parent = bone.parent {
        turns[index] = turns[parent] * turn
        points[index] = points[parent] + turns[index] * bone.reach / skeleton.unit
      } else {
        turns[index] = turn
        points[index] = position / skeleton.unit
      }
    }
  }
}
