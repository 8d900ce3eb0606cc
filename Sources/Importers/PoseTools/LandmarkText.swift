import Files
import Foundation
import PoseModel

/// Tables of BlazePose's landmarks in other spellings than `frame,nose_x,nose_y …` with commas, by columns' names or
/// count.
///
/// - A line per frame: named columns separated by semicolons or tabs, with decimal commas; a column per landmark with a
///   tuple `(x, y, z, visibility)` in each field; or no header and 66, 99, 132 or 165 numbers after up to three columns of
///   a frame's number or time, a file's name or a class, or before such a class.
/// - A line per landmark: columns x and y, a landmark's name or number (`landmark`, `id`, `name` …), and a frame or time.
struct LandmarkText {
  private enum Layout {
    /// The column of each value of a pose; -1 for none.
    case values([Int])
    /// The column of each landmark's tuple; -1 for none.
    case tuples([Int])
    /// The columns of a landmark's name or number, x, y, z and visibility; -1 for none.
    case lines(landmark: Int, values: [Int])
  }

  private let text: DelimitedText
  private let file: String
  private let layout: Layout
  private let hasHeader: Bool
  private var number: Int?
  private var time: (column: Int, unit: TimeUnit?)?
  private var facts: [(FrameKey, Int)] = []

  /// `nil` if a file has no such layout.
  init?(_ file: InputFile) {
    guard let text = try? DelimitedText(file), let sample = Self.sample(text), let first = sample.first else {
      return nil
    }
    self.text = text
    self.file = file.name
    let names = first.texts
    let isNumeric = first.numbers.count { $0?.isFinite == true } * 2 > names.count
    hasHeader = !isNumeric || Self.isCount(first)
    if isNumeric {
      guard let (layout, number, time) = Self.headerless(Array(sample.dropFirst(hasHeader ? 1 : 0))) else { return nil }
      self.layout = layout
      self.number = number
      if let time { self.time = (time, nil) }
      return
    }
    for (column, name) in names.enumerated() {
      switch FrameKey(name) {
      case .number: number = number ?? column
      case .time(let unit): if time == nil || unit != nil { time = (column, unit) }
      case let fact?: facts.append((fact, column))
      case nil: break
      }
    }
    guard let layout = Self.layout(names, sample.dropFirst().first, hasFrames: number != nil || time != nil) else {
      return nil
    }
    self.layout = layout
  }

  private struct SampledRow {
    var texts: [String]
    var numbers: [Double?]
    var tuple: Int
  }

  private static func sample(_ text: DelimitedText) -> [SampledRow]? {
    var rows: [SampledRow] = []
    do {
      try text.forEachRow { row in
        guard row.count <= 1000 else { throw EnoughRead() }
        let fields = 0..<row.count
        rows.append(
          SampledRow(
            texts: fields.map(row.text), numbers: fields.map(row.number),
            tuple: fields.map { row.number($0) == nil ? row.numbers($0).count : 0 }.max() ?? 0))
        if rows.count == 8 { throw EnoughRead() }
      }
    } catch {}
    return rows.isEmpty ? nil : rows
  }

  /// Whether a row is `0,1,2 …`, maybe after an empty field: the header that pandas writes of columns without names.
  private static func isCount(_ row: SampledRow) -> Bool {
    let numbers = row.texts.first?.isEmpty == true ? row.numbers.dropFirst() : row.numbers[...]
    return [0, 1].contains { first in zip(numbers, 0...).allSatisfy { $0 == Double($1 + first) } }
  }

  private static func headerless(_ rows: [SampledRow]) -> (layout: Layout, number: Int?, time: Int?)? {
    guard let count = rows.first?.numbers.count else { return nil }
    // The last row of a sample may be cut off.
    guard rows.dropLast().allSatisfy({ $0.numbers.count == count }) else { return nil }
    for channels in [4, 3, 2, 5] {
      let others = count - LandmarkFrame.count * channels
      guard (0...3).contains(others) else { continue }
      let isLast = others == 1 && rows[0].numbers[count - 1] == nil
      let start = isLast ? 0 : others
      let columns = (0..<LandmarkFrame.count).flatMap { landmark in
        (0..<4).map { $0 < channels ? start + landmark * channels + $0 : -1 }
      }
      // Of the numbers before the landmarks, whole ones that grow are frames, and others that grow times.
      var (number, time): (Int?, Int?) = (nil, nil)
      for column in 0..<start {
        let values = rows.dropLast().compactMap { $0.numbers[column] }
        guard values.count > 1, values.count == rows.count - 1, zip(values, values.dropFirst()).allSatisfy({ $0 < $1 })
        else { continue }
        if values.allSatisfy({ $0 == $0.rounded() }) && values[1] - values[0] < 10 {
          number = number ?? column
        } else {
          time = time ?? column
        }
      }
      return (.values(columns), number, time)
    }
    return nil
  }

  private static func layout(_ names: [String], _ row: SampledRow?, hasFrames: Bool) -> Layout? {
    if let wide = LandmarkColumns(names) {
      var columns = [Int](repeating: -1, count: LandmarkFrame.width)
      for (place, name) in wide.places {
        guard let column = names.firstIndex(of: name) else { continue }
        let channel = wide.channels[place % wide.channels.count]
        columns[place / wide.channels.count * 4 + channel.index] = column
      }
      return .values(columns)
    }
    let plain = names.map(FrameKey.plain)
    let channels = [
      ["x", "xcoordinate", "posx", "xnorm"], ["y", "ycoordinate", "posy", "ynorm"],
      ["z", "zcoordinate", "posz", "znorm"],
      ["visibility", "v", "vis", "score", "confidence", "c", "likelihood"],
    ].map { known in plain.firstIndex(where: known.contains) ?? -1 }
    let keys = [
      "landmarkname", "landmarkid", "landmarkindex", "landmark", "joint", "keypoint", "bodypart", "point", "name",
      "type", "lm", "landmarkidx", "id", "index", "idx", "jointname", "keypointid", "keypointname",
    ]
    if hasFrames, channels[0] >= 0, channels[1] >= 0,
      let landmark = keys.lazy.compactMap({ plain.firstIndex(of: $0) }).first
    {
      return .lines(landmark: landmark, values: channels)
    }
    var columns = [Int](repeating: -1, count: LandmarkFrame.count)
    for (column, name) in names.enumerated() {
      if let place = LandmarkName.named(name) { columns[place] = column }
    }
    return columns.count { $0 >= 0 } >= 4 && (row?.tuple ?? 0) >= 2 ? .tuples(columns) : nil
  }

  /// Calls `body` with each frame.
  ///
  /// - Throws: `DataError` with the line, and the errors of `body`.
  func forEachFrame(facts said: inout ClipFacts, _ body: (LandmarkFrame) throws -> Void) throws {
    var isHeader = hasHeader
    var columns: Int?
    var open: LandmarkFrame?
    var pose: [Float] = []
    var isFirst = true
    try text.forEachRow { row in
      if columns == nil { columns = row.count }
      guard row.count == columns else {
        throw DataError(file: file, line: row.line, expected: "\(columns ?? 0) fields", found: "\(row.count)")
      }
      if isHeader {
        isHeader = false
        return
      }
      if isFirst {
        isFirst = false
        note(row, &said)
      }
      var frame = LandmarkFrame()
      if let number {
        guard let value = row.number(number).flatMap(Int.init(exactly:)) else {
          throw row.failure("a whole number in column \(number + 1)", row.text(number))
        }
        frame.number = value
      }
      if let time {
        // A date is no time that frames have.
        if let value = row.number(time.column), value.isFinite { (frame.time, frame.timeUnit) = (value, time.unit) }
      }
      switch layout {
      case .values(let columns):
        frame.people = [try columns.map { $0 < 0 ? .nan : try row.coordinate($0) }]
        try body(frame)
      case .tuples(let columns):
        var pose = [Float](repeating: .nan, count: LandmarkFrame.width)
        for (landmark, column) in columns.enumerated() where column >= 0 && !row.isEmpty(column) {
          let values = row.numbers(column)
          for (channel, value) in values.prefix(4).enumerated() where Float(value).isFinite {
            pose[landmark * 4 + channel] = Float(value)
          }
        }
        frame.people = [pose]
        try body(frame)
      case .lines(let landmark, let values):
        if let last = open, last.number != frame.number || last.number == nil && last.time != frame.time {
          try body(last.with(pose))
          open = nil
        }
        if open == nil {
          open = frame
          pose = [Float](repeating: .nan, count: LandmarkFrame.width)
        }
        guard let place = LandmarkName.place(row.text(landmark)) else {
          throw row.failure("a landmark's name, or a number from 0 to 32", row.text(landmark))
        }
        for (channel, column) in values.enumerated() where column >= 0 {
          pose[place * 4 + channel] = try row.coordinate(column)
        }
      }
    }
    if let last = open { try body(last.with(pose)) }
  }

  /// The size and rate that some tables repeat in each row.
  private func note(_ row: DelimitedText.Row, _ said: inout ClipFacts) {
    var (width, height): (Int?, Int?)
    for (fact, column) in facts {
      let value = row.number(column)
      switch fact {
      case .fps: if let value, value > 0, value <= 1000 { said.fps = value }
      case .width: width = value.flatMap(Int.init(exactly:))
      case .height: height = value.flatMap(Int.init(exactly:))
      default: break
      }
    }
    if let width, let height { said.size = ImageSize(width: width, height: height) }
  }
}

extension LandmarkFrame {
  /// The frame with a person, unless all is missing.
  fileprivate func with(_ pose: [Float]) -> LandmarkFrame {
    var frame = self
    frame.people = pose.contains(where: \.isFinite) ? [pose] : []
    return frame
  }
}
