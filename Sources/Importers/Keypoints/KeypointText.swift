import Datasets
import Files
import Foundation
import PoseModel

/// Tables of keypoints in any spelling, by columns' names or count.
///
/// - A line per frame: named columns, separated by commas, semicolons or tabs, with decimal commas; a column per point
///   with a tuple `(x, y, z, visibility)` in each field; or no header and as many numbers as a skeleton has, after up to
///   three columns of a frame's number or time, a file's name or a class, or before such a class. A header may have
///   several rows, as DeepLabCut's has, a row of units below it and lines of facts above it. Several people may stand
///   side by side (`p1_nose_x`, `p2_nose_x`), and all of a person's points in one field, as JSON, Python or NumPy print
///   them.
/// - A line per point: columns x and y, a point's name or number (`landmark`, `id`, `name` …), and a frame or time. With
///   neither, and names of joints, a frame begins where a point comes again, and a file may be one frame.
/// - A line per number: `frame,variable,value` with variables such as `left_hip_x`, which may be two columns.
///
/// Files that were joined have their header again: below it another recording begins if frames or times begin again.
/// Commas within quotation marks are decimal if they cannot be those of thousands.
struct KeypointText {
  enum Layout {
    /// The column of each number, with its point and channel.
    case columns(KeypointColumns)
    /// The column of each point's tuple.
    case tuples([(column: Int, point: PointID)])
    /// The columns of a point's name or number, x, y, z and confidence; -1 for none.
    case lines(point: Int, values: [Int])
    /// The columns whose texts together name a point and channel, and that of its value.
    case pairs(names: [Int], value: Int)
    /// Numbers without names from a column on, point after point or, if planar, all x before all y.
    case numbers(start: Int, points: Int, positions: Int, isPlanar: Bool)
    /// The column of all points, and that of their scores.
    case cells(points: Int, scores: Int?)
  }

  private let text: DelimitedText
  private let file: String
  let layout: Layout
  /// The rows before the first frame.
  private let headerRows: Int
  /// The line of the names of columns; `nil` if they have none or take several rows.
  private var headerLine: Int?
  private let hasDecimalCommas: Bool
  private var number: Int?
  private var time: (column: Int, unit: TimeUnit?)?
  private var step: Int?
  private(set) var clip: Int?
  private(set) var sessions: [Int] = []
  private(set) var subject: Int?
  private(set) var person: Int?
  /// The columns of each of several people in a row.
  private var crowd: [(track: String, columns: KeypointColumns)] = []
  /// Whether all frames of a point may follow each other, as pandas melts tables.
  private var isByPoint = false
  /// Whether rows end with a separator that the header lacks.
  private var hasOpenRows = false
  /// Lines of facts before the header.
  private var preamble: [String] = []
  private var facts: [(key: FrameKey, column: Int)] = []
  /// The header's names.
  let names: [String]
  /// The columns that are neither points nor facts.
  private(set) var others: [Int] = []
  /// The columns of labels that are read.
  private var labels: [Int] = []
  /// Whether times are texts.
  private(set) var hasClockTimes = false
  /// Whether confidences are words.
  private var hasFlags = false
  /// Whether frames' numbers stand in texts, such as `frame_12`.
  private(set) var hasNamedFrames = false

  /// `nil` if a file has no such layout.
  init?(_ file: InputFile) {
    guard let text = try? DelimitedText(file), let sample = Self.sample(text), let first = sample.first else {
      return nil
    }
    self.text = text
    self.file = file.name
    hasDecimalCommas = Self.usesDecimalCommas(sample, text)
    if let header = Self.stacked(sample) {
      let crowd = Self.crowd(header.names, header.people)
      guard let columns = crowd.first?.columns ?? KeypointColumns(header.names) else { return nil }
      (names, headerRows, layout) = (header.names, header.rows, .columns(columns))
      take(columns)
      take(crowd, header.people)
      // A column may count frames under no name of its own.
      number = number ?? header.number
      others.removeAll { $0 == header.number || header.names[$0].isEmpty }
      preamble = Self.lines(of: header.preamble)
      return
    }
    if let header = Self.unspecified(sample) ?? Self.grouped(sample), let columns = KeypointColumns(header.names) {
      (names, headerRows, layout) = (header.names, header.rows, .columns(columns))
      take(columns)
      preamble = Self.lines(of: sample.prefix(header.rows - 1))
      return
    }
    let isNumeric = first.numbers.count { $0?.isFinite == true } * 2 > first.texts.count
    let isCount = Self.isCount(first)
    if isNumeric {
      headerRows = isCount ? 1 : 0
      names = first.texts.indices.map { "column \($0 + 1)" }
      guard let found = Self.headerless(Array(sample.dropFirst(headerRows))) else { return nil }
      layout = found.layout
      number = found.number
      if let time = found.time { self.time = (time, nil) }
      return
    }
    let header = Self.header(sample)
    names = sample[header].texts
    headerLine = sample[header].line
    let prefixed = Self.prefixed(names)
    let crowd = prefixed.map { Self.crowd($0.names, $0.people) } ?? []
    if let columns = crowd.first?.columns ?? KeypointColumns(names) {
      layout = .columns(columns)
      headerRows = header + (Self.areUnits(below: header, sample, columns) ? 2 : 1)
      preamble = Self.lines(of: sample[..<header])
      take(columns)
      if let prefixed { take(crowd, prefixed.people) }
      let rows = sample.dropFirst(headerRows)
      if let time {
        hasClockTimes = rows.contains {
          time.column < $0.numbers.count && $0.numbers[time.column].map(ClockTime.isStamp) ?? true
        }
      }
      if let number { hasNamedFrames = rows.contains { number < $0.numbers.count && $0.numbers[number] == nil } }
      hasFlags = rows.contains { row in
        columns.places.contains {
          $0.channel == .confidence && $0.column < row.numbers.count && row.numbers[$0.column] == nil
        }
      }
      hasOpenRows = rows.first.map { isOpen($0.texts.count) && $0.texts.last?.isEmpty == true } ?? false
      return
    }
    headerRows = header + 1
    preamble = Self.lines(of: sample[..<header])
    var rest: [Int] = []
    for (column, name) in names.enumerated() {
      switch FrameKey(name) {
      case .number: number = number ?? column
      case .time(let unit): if time == nil || unit != nil { time = (column, unit) }
      case .step: step = step ?? column
      case .clip: clip = clip ?? column
      case .subject:
        subject = subject ?? column
        sessions.append(column)
      case .session: sessions.append(column)
      case .person: person = person ?? column
      case let fact?: facts.append((fact, column))
      case nil: rest.append(column)
      }
    }
    let rows = Array(sample.dropFirst(headerRows))
    guard let found = Self.layout(names, rows, hasFrames: number != nil || time != nil) else { return nil }
    layout = found
    switch found {
    case .lines(let point, let values):
      others = rest.filter { $0 != point && !values.contains($0) }
      let points = rows.compactMap { point < $0.texts.count ? $0.texts[point] : nil }
      let keys = rows.compactMap { row in
        (number ?? time?.column).flatMap { $0 < row.texts.count ? row.texts[$0] : nil }
      }
      isByPoint = points.count > 2 && Set(points.prefix(3)).count == 1 && Set(keys.prefix(3)).count == 3
    case .pairs(let names, let value):
      others = rest.filter { !names.contains($0) && $0 != value }
      isByPoint = number != nil || time != nil
    case .tuples(let tuples): others = rest.filter { column in !tuples.contains { $0.column == column } }
    case .cells(let points, let scores): others = rest.filter { $0 != points && $0 != scores }
    default: break
    }
  }

  /// Rows of facts as comments: `FPS: 25`, with the rate that stands alone in a row of Vicon's.
  private static func lines(of rows: some Sequence<SampledRow>) -> [String] {
    rows.map { row in
      let isRate = row.texts.count == 1 && row.numbers[0].map { (1...1000).contains($0) } ?? false
      return isRate ? "frame rate: \(row.texts[0])" : row.texts.joined(separator: ": ")
    }
  }

  /// Whether a row has one field more than the header.
  private func isOpen(_ count: Int) -> Bool { count == names.count + 1 }

  /// The columns that tell recordings apart.
  var clips: [Int] { clip.map { [$0] } ?? sessions }

  /// Reads these columns as labels of frames.
  ///
  /// - Throws: `DataError` if there is no such column besides points and facts.
  mutating func take(labels wanted: [String]) throws {
    labels = try wanted.map { name in
      guard let column = others.first(where: { title($0) == name }) else {
        throw DataError(
          file: file, line: 1, expected: "column \(name), as in --labels",
          found: others.isEmpty
            ? "no columns besides points and facts" : "only \(Excerpt.list(others.map { title($0) }))")
      }
      return column
    }
  }

  /// A column's name for readers, without spaces and lines around it: `column 3` if it has none.
  func title(_ column: Int) -> String {
    let name = names[column].trimmingCharacters(in: .whitespacesAndNewlines)
    return name.isEmpty ? "column \(column + 1)" : name
  }

  /// The column of times.
  var timeName: String? { time.map { names[$0.column] } }

  /// The lines of comments before the header.
  var comments: [String] { text.comments + preamble }

  /// What each column is used for, columns of points together.
  func account(_ meaning: KeypointMeaning, labels: [String]) -> [String] {
    func named(_ column: Int?) -> String? { column.map(title) }
    var lines: [String] = []
    func add(_ column: Int?, _ use: String) { if let name = named(column) { lines.append("\(name): \(use)") } }
    add(number, time == nil ? "the frame's number" : "the frame's number, which shows missing frames")
    add(time?.column, "the frame's time")
    add(step, "the time since the frame before")
    for column in clips { add(column, column == subject ? "the recording and its subject" : "the recording") }
    if clip != nil { add(subject, "the subject") }
    add(person, "the person")
    for (fact, column) in facts { add(column, fact == .fps ? "the frame rate" : "the image's \(fact)") }
    switch layout {
    case .columns(let columns):
      let used = columns.places.filter { meaning.place($0.point) != nil }
      if let first = used.first, let last = used.last {
        lines.append("\(first.name) to \(last.name), \(used.count) columns: points")
      }
      if !crowd.isEmpty { lines.append("these and as many columns for each of \(crowd.count) people side by side") }
      for place in columns.places where meaning.place(place.point) == nil {
        lines.append("\(place.name): ignored, as \(meaning.skeleton.name) has no such point")
      }
    case .tuples(let tuples): lines.append("\(tuples.count) columns of lists: points")
    case .cells(let points, let scores):
      add(points, "points")
      add(scores, "confidences")
    case .numbers(let start, let points, let positions, _):
      lines.append("columns \(start + 1) to \(start + points * positions): points")
    case .lines(let point, let values):
      add(point, "the point")
      for (channel, column) in zip(["x", "y", "z", "confidence"], values) where column >= 0 { add(column, channel) }
    case .pairs(let names, let value):
      for column in names { add(column, "the point, and which of its numbers") }
      add(value, "the number")
    }
    var rest: [String] = []
    for column in others {
      if labels.contains(title(column)) {
        add(column, "labels of frames")
      } else if LabelColumns.isLabel(title(column)) {
        add(column, "ignored; labels of frames are imported with --labels \(title(column))")
      } else if let name = named(column) {
        rest.append(name)
      }
    }
    if !rest.isEmpty {
      lines.append("\(rest.joined(separator: ", ")): ignored, as no point or known fact has such a name")
    }
    if !comments.isEmpty {
      lines.append(
        "\(comments.count) lines of comments: \(commentFacts == ClipFacts() ? "ignored" : "read for the frame rate and the image's size alone")"
      )
    }
    return lines
  }

  /// What of a file is not understood.
  static func complaint(_ file: InputFile) -> DataError? {
    guard let text = try? DelimitedText(file), let first = sample(text)?.first, first.texts.count > 1 else {
      return nil
    }
    let isNumeric = first.numbers.count { $0?.isFinite == true } * 2 > first.texts.count
    guard !isNumeric else {
      return DataError(
        file: file.name, line: 1,
        expected: "2 to 5 numbers for each point of a known skeleton (\(EstimatorSkeleton.sizes) points)",
        found: "\(first.texts.count) columns without names")
    }
    let places = first.texts.map { column -> (name: String, channel: Channel)? in
      guard let place = KeypointColumns.place(column), case .name(let name) = place.point, PointReader.isKnown(name)
      else {
        return nil
      }
      return (name, place.channel)
    }
    let halves = zip(first.texts, places).compactMap { column, place -> String? in
      guard let place else { return nil }
      let channels = places.compactMap { $0?.name == place.name ? $0?.channel : nil }
      return channels.contains(.x) && channels.contains(.y) ? nil : column
    }
    return DataError(
      file: file.name, line: 1,
      expected: halves.isEmpty
        ? "columns of joints, such as left_knee_x and left_knee_y, or a frame, a point's name, x and y; a mapping "
          + "names columns in other words (--mapping FILE)"
        : "x and y of each joint",
      found: (halves.isEmpty ? first.texts : halves).prefix(8).joined(separator: ", "))
  }

  private mutating func take(_ columns: KeypointColumns) {
    (number, time, step) = (columns.number, columns.time, columns.step)
    (clip, person) = (columns.clip, columns.person)
    (facts, others, sessions, subject) = (columns.facts, columns.others, columns.sessions, columns.subject)
  }

  /// Takes people side by side.
  ///
  /// - Parameter people: The person of each column.
  private mutating func take(_ crowd: [(track: String, columns: KeypointColumns)], _ people: [String]) {
    self.crowd = crowd
    if !crowd.isEmpty { others.removeAll { !people[$0].isEmpty } }
  }

  /// Whether it is a table with one header and commas, whose numbers a scanner reads.
  var isPlain: Bool {
    headerRows == 1 && headerLine != nil && text.separator == UInt8(ascii: ",") && comments.isEmpty && crowd.isEmpty
      && !hasOpenRows
      && !hasFlags && !hasDecimalCommas && text.hasStrictHeader
  }

  /// Whether the header comes again below itself.
  ///
  /// - Parameter file: The whole file.
  func repeatsHeader(in file: InputFile) -> Bool {
    guard let headerLine else { return false }
    let bytes = file.bytes.withoutByteOrderMark
    return bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return false }
      var header: UnsafeRawBufferPointer?
      var (start, line) = (0, 1)
      while start < bytes.count {
        let end = memchr(base + start, 10, bytes.count - start).map { UnsafeRawPointer($0) - base } ?? bytes.count
        if let header, let other = header.baseAddress, end - start >= header.count {
          if memcmp(base + start, other, header.count) == 0 { return true }
        } else if line == headerLine {
          header = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
        }
        start = end + 1
        line += 1
      }
      return false
    }
  }

  /// A column of numbers whose name shows a header.
  private var numberColumn: Int? {
    guard headerLine != nil else { return nil }
    switch layout {
    case .columns(let columns): return columns.places.first?.column
    case .lines(_, let values): return values[0]
    case .pairs(_, let value): return value
    case .tuples, .numbers, .cells: return nil
    }
  }

  /// Calls `body` with each frame.
  ///
  /// - Throws: `DataError` with the line, and the errors of `body`.
  func forEachFrame(
    facts said: inout ClipFacts, _ body: (KeypointFrame, PointList) throws -> Void
  ) throws {
    var skipped = 0
    var open: KeypointFrame?
    var pose: [Float] = []
    var isFirst = true
    var points = Self.points(layout)
    let slots = crowd.map { $0.columns.slots(in: &points) }
    let ownSlots: [Int]
    if case .columns(let columns) = layout { ownSlots = columns.slots(in: &points) } else { ownSlots = [] }
    var reader = PointReader()
    var gathered: [(frame: KeypointFrame, pose: [Float])] = []
    var places: [String: Int] = [:]
    // The points of a frame without number and time.
    var present: Set<String> = []
    var variables: [String: (point: PointID, channel: Channel)?] = [:]
    let numberColumn = numberColumn
    var isBelowHeader = false
    var (table, clipName) = (1, "1")
    var lastKey: Double?
    func close(_ frame: KeypointFrame) throws {
      var frame = frame
      if pose.contains(where: \.isFinite) {
        frame.people = [KeypointFrame.Person(track: frame.people.first?.track, values: pose)]
      } else {
        frame.people = []
      }
      try body(frame, points)
    }
    try text.forEachRow { row in
      if skipped < headerRows {
        skipped += 1
        return
      }
      if let numberColumn, row.count == names.count, row.number(numberColumn) == nil,
        row.text(numberColumn) == names[numberColumn]
      {
        isBelowHeader = true
        return
      }
      guard row.count == names.count || isOpen(row.count) && row.isEmpty(names.count) else {
        throw DataError(file: file, line: row.line, expected: "\(names.count) fields", found: "\(row.count)")
      }
      if isFirst {
        isFirst = false
        note(row, &said)
      }
      var frame = KeypointFrame()
      if let number {
        guard
          let value = row.number(number).flatMap(Int.init(exactly:)) ?? NumberedName(row.text(number))?.number
        else {
          throw row.failure("a whole number in column \(number + 1)", row.text(number))
        }
        frame.number = value
      }
      if let time {
        if let value = fieldNumber(row, time.column), !ClockTime.isStamp(value) {
          if value.isFinite { (frame.time, frame.timeUnit) = (value, time.unit) }
        } else if let seconds = ClockTime.seconds(row.text(time.column)) {
          (frame.time, frame.timeUnit) = (seconds, .seconds)
          frame.fourthPart = ClockTime.fourthPart(row.text(time.column))
        }
      }
      if let step {
        frame.step = fieldNumber(row, step)
        // Short for a date and time.
        if frame.time == nil, let seconds = ClockTime.seconds(row.text(step)) {
          (frame.time, frame.timeUnit) = (seconds, .seconds)
        }
      }
      if let clip {
        frame.take(name: row.text(clip))
      } else if !sessions.isEmpty {
        frame.clip = Self.name(sessions.map { row.text($0) })
      }
      let key = frame.number.map(Double.init) ?? frame.time
      if isBelowHeader, clips.isEmpty, let key, let lastKey, hasRowsOfOneFrame ? key < lastKey : key <= lastKey {
        table += 1
        frame.clip = "\(table)"
      }
      lastKey = key
      let name = frame.clip ?? clipName
      (frame.clip, frame.isBelowHeader) = (name, isBelowHeader && name == clipName)
      (clipName, isBelowHeader) = (name, false)
      if let subject, !row.isEmpty(subject) { frame.subject = row.text(subject) }
      frame.labels = labels.map { row.text($0) }
      let track = person.map { row.text($0) }
      switch layout {
      case .columns(let columns):
        func person(_ track: String?, _ columns: KeypointColumns, _ slots: [Int]) throws -> KeypointFrame.Person {
          var values = [Float](repeating: .nan, count: points.ids.count * KeypointFrame.channels)
          for (slot, place) in zip(slots, columns.places) { values[slot] = try value(row, place.column, place.channel) }
          return KeypointFrame.Person(track: track, values: values)
        }
        frame.people =
          try crowd.isEmpty
          ? [person(track, columns, ownSlots)] : zip(crowd, slots).map { try person($0.track, $0.columns, $1) }
        try body(frame, points)
      case .cells(let cell, let scores):
        if let value = PointField.value(row.text(cell)) {
          frame.people = PointField.poses(value, scores: scores.flatMap { PointField.value(row.text($0)) }, &reader)
            .map { KeypointFrame.Person(track: track, values: $0) }
          points = reader.points
        }
        try body(frame, points)
      case .numbers(let start, let count, let positions, let isPlanar):
        var values = [Float](repeating: .nan, count: count * KeypointFrame.channels)
        for point in 0..<count {
          for position in 0..<min(positions, KeypointFrame.channels) {
            values[point * KeypointFrame.channels + position] =
              try value(row, start + (isPlanar ? position * count + point : point * positions + position), nil)
          }
        }
        frame.people = [KeypointFrame.Person(track: track, values: values)]
        try body(frame, points)
      case .tuples(let tuples):
        var values = [Float](repeating: .nan, count: tuples.count * KeypointFrame.channels)
        for (index, tuple) in tuples.enumerated() where !row.isEmpty(tuple.column) {
          let numbers = row.numbers(tuple.column)
          points.positions = max(points.positions, numbers.count)
          for (channel, value) in numbers.prefix(4).enumerated() where Float(value).isFinite {
            values[index * KeypointFrame.channels + channel] = Float(value)
          }
        }
        frame.people = [KeypointFrame.Person(track: track, values: values)]
        try body(frame, points)
      case .lines, .pairs:
        let pointName = pointName(row)
        if isByPoint {
          let key = "\(frame.clip ?? "")\u{0}\(track ?? "")\u{0}\(frame.number.map(Double.init) ?? frame.time ?? .nan)"
          let index = places[key] ?? gathered.count
          if index == gathered.count {
            places[key] = index
            frame.people = [KeypointFrame.Person(track: track)]
            gathered.append((frame, []))
          }
          if frame.isBelowHeader { gathered[index].frame.isBelowHeader = true }
          try add(row, pointName, to: &gathered[index].pose, &points, &variables)
          return
        }
        let isAgain = frame.number == nil && frame.time == nil && present.contains(pointName)
        if let last = open,
          isAgain || last.number != frame.number || last.number == nil && last.time != frame.time
            || last.clip != frame.clip || last.people.first?.track != track
        {
          try close(last)
          open = nil
        }
        if open == nil {
          open = frame
          open?.people = [KeypointFrame.Person(track: track)]
          pose = []
          present = []
        }
        if frame.isBelowHeader { open?.isBelowHeader = true }
        if frame.number == nil, frame.time == nil { present.insert(pointName) }
        try add(row, pointName, to: &pose, &points, &variables)
      }
    }
    if let last = open { try close(last) }
    for (frame, numbers) in gathered {
      pose = numbers
      try close(frame)
    }
  }

  /// Whether a file is one frame.
  static func isFrame(_ file: InputFile) -> Bool {
    guard file.bytes.count <= 1 << 16, let text = KeypointText(file) else { return false }
    var facts = ClipFacts()
    var frames = 0
    try? text.forEachFrame(facts: &facts) { _, _ in
      frames += 1
      if frames > 1 { throw EnoughRead() }
    }
    return frames == 1
  }

  /// Whether several rows may be of one frame.
  private var hasRowsOfOneFrame: Bool {
    switch layout {
    case .lines, .pairs: true
    case .columns, .tuples, .numbers, .cells: person != nil
    }
  }

  /// The name of a row's point, or of its point and channel.
  private func pointName(_ row: DelimitedText.Row) -> String {
    switch layout {
    case .lines(let point, _): row.text(point)
    case .pairs(let names, _): Self.name(names.map { row.text($0) })
    case .columns, .tuples, .numbers, .cells: ""
    }
  }

  /// Adds a row's numbers to a pose.
  ///
  /// - Parameter variables: The points and channels of the names so far.
  private func add(
    _ row: DelimitedText.Row, _ name: String, to pose: inout [Float], _ points: inout PointList,
    _ variables: inout [String: (point: PointID, channel: Channel)?]
  ) throws {
    guard !name.isEmpty else { throw row.failure("a point's name or number", name) }
    func set(_ point: PointID, _ channel: Channel, _ number: Float) throws {
      let place = points.place(of: point)
      let needed = (place + 1) * KeypointFrame.channels
      if pose.count < needed { pose += [Float](repeating: .nan, count: needed - pose.count) }
      let slot = place * KeypointFrame.channels + channel.index
      if isByPoint, pose[slot].isFinite {
        guard number.isFinite else { return }
        guard number == pose[slot] else {
          throw DataError(
            file: file, line: row.line,
            expected: "each number of a frame once, or a column such as video, camera or person that tells recordings "
              + "or people apart", found: "\(name) of a frame again")
        }
      }
      pose[slot] = number
    }
    switch layout {
    case .lines(_, let values):
      for (channel, column) in zip(Channel.allCases, values) where column >= 0 {
        try set(PointID(name), channel, value(row, column, channel))
      }
    case .pairs(_, let column):
      let place: (point: PointID, channel: Channel)? = variables[name] ?? KeypointColumns.place(name)
      variables[name] = .some(place)
      if let (point, channel) = place {
        try set(point, channel, value(row, column, channel))
      } else {
        _ = points.place(of: .name(name))
      }
    case .columns, .tuples, .numbers, .cells: break
    }
  }

  /// A field's number, also with a decimal comma if the table has them.
  private func fieldNumber(_ row: DelimitedText.Row, _ column: Int) -> Double? {
    row.number(column) ?? (hasDecimalCommas ? Self.decimal(row.text(column)) : nil)
  }

  /// A point's number; a confidence may be a word.
  ///
  /// - Parameter channel: `nil` if nothing names it.
  private func value(_ row: DelimitedText.Row, _ column: Int, _ channel: Channel?) throws -> Float {
    if let number = fieldNumber(row, column), case let value = Float(number), !value.isInfinite { return value }
    if channel == .confidence, let flag = Self.flags[row.text(column).lowercased()] { return flag }
    return try row.coordinate(column)
  }

  /// Whether a point is seen, in words.
  private static let flags: [String: Float] = ["true": 1, "yes": 1, "wahr": 1, "false": 0, "no": 0, "falsch": 0]

  /// The size and rate that some tables repeat in each row.
  private func note(_ row: DelimitedText.Row, _ said: inout ClipFacts) {
    var (width, height): (Int?, Int?)
    for (fact, column) in facts {
      let value = fieldNumber(row, column)
      switch fact {
      case .fps: if let value, Clip.Info.frameRates.contains(value) { said.fps = value }
      case .width: width = value.flatMap(Int.init(exactly:))
      case .height: height = value.flatMap(Int.init(exactly:))
      default: break
      }
    }
    if let width, let height { said.size = ImageSize(width: width, height: height) }
    said.add(commentFacts)
  }

  /// The rate and the size in comments such as `fps: 25` or `width = 640, height = 360`.
  private var commentFacts: ClipFacts {
    var facts = ClipFacts()
    var (width, height): (Int?, Int?)
    for match in comments.flatMap({ $0.matches(of: /([A-Za-z_ ]+?)\s*[:=]\s*([0-9]+(?:\.[0-9]+)?)/) }) {
      guard let value = Double(match.2) else { continue }
      switch FrameKey(String(match.1)) {
      case .fps: if Clip.Info.frameRates.contains(value) { facts.fps = facts.fps ?? value }
      case .width: width = Int(exactly: value)
      case .height: height = Int(exactly: value)
      default: break
      }
    }
    if let width, let height { facts.size = ImageSize(width: width, height: height) }
    for match in comments.compactMap({ $0.firstMatch(of: /([A-Za-z_ ]+?)\s*[:=]\s*([0-9]+x[0-9]+)/) })
    where KeypointJSON.Said.sizeKeys.contains(FrameKey.plain(String(match.1))) {
      facts.size = facts.size ?? ImageSize(String(match.2))
    }
    return facts
  }
}
