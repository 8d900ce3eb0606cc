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
    /// Numbers without names from a column on.
    case numbers(start: Int, points: Int, positions: Int)
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
    if let (names, people, rows) = Self.stacked(sample) {
      let crowd = Self.crowd(names, people)
      guard let columns = crowd.first?.columns ?? KeypointColumns(names) else { return nil }
      (self.names, headerRows, layout) = (names, rows, .columns(columns))
      take(columns)
      take(crowd, people)
      // The first column counts frames, under no name of its own.
      if number == nil, time == nil { number = 0 }
      others.removeAll { $0 == 0 }
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
      preamble = sample[..<header].map { $0.texts.joined(separator: ": ") }
      take(columns)
      if let prefixed { take(crowd, prefixed.people) }
      let rows = sample.dropFirst(headerRows)
      if let time { hasClockTimes = rows.contains { time.column < $0.numbers.count && $0.numbers[time.column] == nil } }
      if let number { hasNamedFrames = rows.contains { number < $0.numbers.count && $0.numbers[number] == nil } }
      hasFlags = rows.contains { row in
        columns.places.contains {
          $0.channel == .confidence && $0.column < row.numbers.count && row.numbers[$0.column] == nil
        }
      }
      hasOpenRows = rows.first.map { isOpen($0.texts.count) && $0.texts.last?.isEmpty == true } ?? false
      return
    }
    headerRows = 1
    var rest: [Int] = []
    for (column, name) in names.enumerated() {
      switch FrameKey(name) {
      case .number: number = number ?? column
      case .time(let unit): if time == nil || unit != nil { time = (column, unit) }
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
    guard let found = Self.layout(names, Array(sample.dropFirst()), hasFrames: number != nil || time != nil) else {
      return nil
    }
    layout = found
    switch found {
    case .lines(let point, let values):
      others = rest.filter { $0 != point && !values.contains($0) }
      let points = sample.dropFirst().compactMap { point < $0.texts.count ? $0.texts[point] : nil }
      let keys = sample.dropFirst().compactMap { row in
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

  /// Whether a row has one field more than the header.
  private func isOpen(_ count: Int) -> Bool { count == names.count + 1 }

  /// The columns that tell recordings apart.
  var clips: [Int] { clip.map { [$0] } ?? sessions }

  /// Reads these columns as labels of frames.
  ///
  /// - Throws: `DataError` if there is no such column besides points and facts.
  mutating func take(labels wanted: [String]) throws {
    labels = try wanted.map { name in
      guard let column = others.first(where: { names[$0] == name }) else {
        throw DataError(
          file: file, line: 1, expected: "column \(name), as in --labels",
          found: others.isEmpty
            ? "no columns besides points and facts" : "only \(Excerpt.list(others.map { names[$0] }))")
      }
      return column
    }
  }

  /// The column of times.
  var timeName: String? { time.map { names[$0.column] } }

  /// The lines of comments before the header.
  var comments: [String] { text.comments + preamble }

  /// What each column is used for, columns of points together.
  func account(_ meaning: KeypointMeaning, labels: [String]) -> [String] {
    func named(_ column: Int?) -> String? { column.map { names[$0].isEmpty ? "column \($0 + 1)" : names[$0] } }
    var lines: [String] = []
    func add(_ column: Int?, _ use: String) { if let name = named(column) { lines.append("\(name): \(use)") } }
    add(number, time == nil ? "the frame's number" : "the frame's number, which shows missing frames")
    add(time?.column, "the frame's time")
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
    case .numbers(let start, let points, let positions):
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
      if labels.contains(names[column]) {
        add(column, "labels of frames")
      } else if LabelColumns.isLabel(names[column]) {
        add(column, "ignored; labels of frames are imported with --labels \(names[column])")
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
    (number, time, clip, person) = (columns.number, columns.time, columns.clip, columns.person)
    (facts, others, sessions, subject) = (columns.facts, columns.others, columns.sessions, columns.subject)
  }

  /// Takes people side by side.
  ///
  /// - Parameter people: The person of each column.
  private mutating func take(_ crowd: [(track: String, columns: KeypointColumns)], _ people: [String]) {
    self.crowd = crowd
    if !crowd.isEmpty { others.removeAll { !people[$0].isEmpty } }
  }

  /// The columns of several people, each with points; empty if not.
  ///
  /// - Parameter people: The person of each column, empty for those of all.
  private static func crowd(
    _ names: [String], _ people: [String]
  ) -> [(track: String, columns: KeypointColumns)] {
    var tracks: [String] = []
    for person in people where !person.isEmpty && !tracks.contains(person) { tracks.append(person) }
    guard (2...100).contains(tracks.count) else { return [] }
    var crowd: [(track: String, columns: KeypointColumns)] = []
    for track in tracks {
      let own = zip(names, people).map { $1 == track || $1.isEmpty ? $0 : "" }
      guard let columns = KeypointColumns(own) else { return [] }
      crowd.append((track, columns))
    }
    return crowd
  }

  /// The names and people of columns such as `p1_nose_x` and `person_2_nose_x`; `nil` if none are.
  private static func prefixed(_ header: [String]) -> (names: [String], people: [String])? {
    var (names, people) = (header, header.map { _ in "" })
    for (column, name) in header.enumerated() {
      let words = JointName.words(name)
      guard words.count > 3, ["p", "person", "player", "athlete"].contains(words[0]), Int(words[1]) != nil else {
        continue
      }
      (names[column], people[column]) = (words.dropFirst(2).joined(separator: "_"), words[1])
    }
    return people.allSatisfy(\.isEmpty) ? nil : (names, people)
  }

  /// The row of the header, which shorter lines of facts may precede.
  private static func header(_ sample: [SampledRow]) -> Int {
    guard KeypointColumns(sample[0].texts) == nil else { return 0 }
    let rows = sample.indices.dropFirst().prefix(5)
    return rows.first { sample[$0].texts.count > sample[0].texts.count && KeypointColumns(sample[$0].texts) != nil }
      ?? 0
  }

  /// Whether the row below the header has texts instead of numbers in each column of points.
  private static func areUnits(below header: Int, _ sample: [SampledRow], _ columns: KeypointColumns) -> Bool {
    guard sample.count > header + 2, sample[header + 1].numbers.count == sample[header].numbers.count else {
      return false
    }
    let numbers = columns.places.map { sample[header + 1].numbers[$0.column] }
    return numbers.contains(nil) && numbers.allSatisfy { $0?.isNaN ?? true }
  }

  /// Whether it is a table with one header and commas, whose numbers a scanner reads.
  var isPlain: Bool {
    headerRows == 1 && text.separator == UInt8(ascii: ",") && comments.isEmpty && crowd.isEmpty && !hasOpenRows
      && !hasFlags && !hasDecimalCommas
  }

  /// The points in the order of a person's numbers, as far as the header names them.
  private static func points(_ layout: Layout) -> PointList {
    var points = PointList()
    switch layout {
    case .columns(let columns): for place in columns.places { _ = points.place(of: place.point) }
    case .tuples(let tuples):
      for tuple in tuples { _ = points.place(of: tuple.point) }
      points.isPositional = true
    case .numbers(_, let count, let positions):
      points.require(count: count)
      (points.isPositional, points.positions) = (true, positions)
    case .lines, .pairs, .cells: break
    }
    return points
  }

  private struct SampledRow {
    var line: Int
    var texts: [String]
    var numbers: [Double?]
    var tuple: Int

    /// The texts of columns together; `nil` if it lacks one.
    func name(_ columns: [Int]) -> String? {
      columns.allSatisfy { $0 < texts.count } ? KeypointText.name(columns.map { texts[$0] }) : nil
    }
  }

  /// The name that stands in several columns.
  private static func name(_ texts: [String]) -> String { texts.joined(separator: "_") }

  private static func sample(_ text: DelimitedText) -> [SampledRow]? {
    var rows: [SampledRow] = []
    do {
      try text.forEachRow { row in
        guard row.count <= mostColumns else { throw EnoughRead() }
        let fields = 0..<row.count
        rows.append(
          SampledRow(
            line: row.line, texts: fields.map(row.text), numbers: fields.map(row.number),
            tuple: fields.map { row.number($0) == nil ? row.numbers($0).count : 0 }.max() ?? 0))
        if rows.count == 8 { throw EnoughRead() }
      }
    } catch {}
    if usesDecimalCommas(rows, text) {
      for row in rows.indices {
        rows[row].numbers = zip(rows[row].numbers, rows[row].texts).map { $0 ?? decimal($1) }
      }
    }
    return rows.isEmpty ? nil : rows
  }

  /// Whether commas are decimal in a table that they separate, and so stand within quotation marks: one is not followed
  /// by three digits, or follows a 0, as none of thousands, and no number has a point.
  private static func usesDecimalCommas(_ rows: [SampledRow], _ text: DelimitedText) -> Bool {
    guard text.separator == UInt8(ascii: ",") else { return false }
    let texts = rows.flatMap(\.texts)
    return texts.contains { $0.wholeMatch(of: /-?(?:0,[0-9]+|[0-9]+,(?:[0-9]{1,2}|[0-9]{4,}))/) != nil }
      && !texts.contains { $0.wholeMatch(of: /-?[0-9,]*\.[0-9]+/) != nil }
  }

  /// The number of a text with one decimal comma; `nil` for others.
  private static func decimal(_ text: String) -> Double? {
    guard text.utf8.count(where: { $0 == UInt8(ascii: ",") }) == 1, !text.utf8.contains(UInt8(ascii: ".")) else {
      return nil
    }
    let bytes = text.utf8.map { $0 == UInt8(ascii: ",") ? UInt8(ascii: ".") : $0 }
    return Double(String(decoding: bytes, as: UTF8.self)).flatMap { $0.isFinite ? $0 : nil }
  }

  /// Five numbers of MediaPipe's holistic model, and some more.
  private static let mostColumns = 3000

  /// A header of several rows, with points above x and y: names of both together, and how many rows it has.
  /// DeepLabCut's second of four has the individuals.
  private static func stacked(_ sample: [SampledRow]) -> (names: [String], people: [String], rows: Int)? {
    guard sample.count > 2,
      let last = sample.prefix(5).firstIndex(where: { row in
        let plain = row.texts.dropFirst().map { PointReader.channel(FrameKey.plain($0)) }
        return plain.count >= 4 && plain.allSatisfy { $0 != nil } && Set(plain).count >= 2
      }), last > 0, sample[last - 1].texts.count == sample[last].texts.count
    else { return nil }
    let names = zip(sample[last - 1].texts, sample[last].texts).map { $0.isEmpty ? $1 : "\($0)_\($1)" }
    guard last > 1, FrameKey.plain(sample[last - 2].texts[0]) == "individuals",
      sample[last - 2].texts.count == names.count
    else { return (names, names.map { _ in "" }, last + 1) }
    return (names, [""] + sample[last - 2].texts.dropFirst(), last + 1)
  }

  /// Whether a row is `0,1,2 …`, maybe after an empty field: the header that pandas writes of columns without names.
  private static func isCount(_ row: SampledRow) -> Bool {
    let numbers = row.texts.first?.isEmpty == true ? row.numbers.dropFirst() : row.numbers[...]
    return numbers.count > 1 && [0, 1].contains { first in zip(numbers, 0...).allSatisfy { $0 == Double($1 + first) } }
  }

  private static func headerless(_ rows: [SampledRow]) -> (layout: Layout, number: Int?, time: Int?)? {
    guard let count = rows.first?.numbers.count else { return nil }
    // The last row of a sample may be cut off.
    let whole = rows.count > 1 ? rows.dropLast() : rows[...]
    guard whole.allSatisfy({ $0.numbers.count == count }) else { return nil }
    // A list in each field.
    if rows[0].tuple >= 2, rows[0].tuple <= 5, rows[0].numbers.contains(nil) {
      let fields = (0..<count).filter { rows[0].numbers[$0] == nil }
      guard PointReader.isCount(fields.count) else { return nil }
      return (.tuples(fields.enumerated().map { ($1, .number($0)) }), nil, nil)
    }
    // A trailing comma is an empty column.
    let isOpen = whole.allSatisfy { $0.texts.last?.isEmpty == true }
    let used = count - (isOpen ? 1 : 0)
    // A first column that counts rows is no number of a point, whatever the count of columns.
    let isCounted = isCounting(rows.dropLast().map { $0.numbers[0] })
    var choices: [Unnamed] = []
    for others in isCounted ? [1, 2, 3, 0] : [0, 1, 2, 3] {
      guard let shape = PointReader.flat(used - others), others == 0 || Self.isLead(rows, others, used) else {
        continue
      }
      let isLast = others == 1 && rows[0].numbers[used - 1] == nil
      let start = isLast ? 0 : others
      guard rows[0].numbers[start..<(isLast ? used - 1 : used)].allSatisfy({ $0 != nil }) else { continue }
      choices.append(Unnamed(start: start, points: shape.points, positions: shape.positions))
    }
    guard let choice = likely(choices, whole) else { return nil }
    // Of the numbers before the points, whole ones that grow are frames, and others that grow times.
    var (number, time): (Int?, Int?) = (nil, nil)
    for column in 0..<choice.start {
      let values = rows.dropLast().compactMap { $0.numbers[column] }
      guard values.count > 1, values.count == rows.count - 1, zip(values, values.dropFirst()).allSatisfy({ $0 < $1 })
      else { continue }
      if values.allSatisfy({ $0 == $0.rounded() }) && values[1] - values[0] < 10 {
        number = number ?? column
      } else {
        time = time ?? column
      }
    }
    return (.numbers(start: choice.start, points: choice.points, positions: choice.positions), number, time)
  }

  /// Points without names from a column on.
  private struct Unnamed {
    var start: Int
    var points: Int
    var positions: Int

    /// Four numbers a point, of which x and y are known.
    func pose(_ row: SampledRow) -> [Float] {
      var pose = [Float](repeating: .nan, count: points * KeypointFrame.channels)
      for point in 0..<points {
        for channel in 0..<2 {
          guard let number = row.numbers[start + point * positions + channel] else { continue }
          pose[point * KeypointFrame.channels + channel] = Float(number)
        }
      }
      return pose
    }
  }

  /// The first choice, unless a body fits another one clearly better: a class and 51 numbers are as many as 26 points of
  /// two.
  private static func likely(_ choices: [Unnamed], _ rows: ArraySlice<SampledRow>) -> Unnamed? {
    guard choices.count > 1 else { return choices.first }
    let scores = choices.map { choice in
      SkeletonChoice.strangeness(of: rows.map { choice.pose($0) }, count: choice.points) ?? .infinity
    }
    guard let best = scores.indices.min(by: { scores[$0] < scores[$1] }), scores[best] < SkeletonChoice.sound,
      scores[best] * SkeletonChoice.clear < scores[0]
    else { return choices[0] }
    return choices[best]
  }

  /// Whether numbers are 0, 1, 2 … or 1, 2, 3 ….
  private static func isCounting(_ numbers: [Double?]) -> Bool {
    numbers.count > 1 && [0, 1].contains(numbers[0] ?? -1)
      && zip(numbers, numbers.dropFirst()).allSatisfy { ($0 ?? .nan) + 1 == $1 }
  }

  /// Whether columns before or after the numbers look like a frame, a time, a name or a class.
  private static func isLead(_ rows: [SampledRow], _ others: Int, _ count: Int) -> Bool {
    if others == 1, rows[0].numbers[count - 1] == nil { return true }
    return (0..<others).allSatisfy { column in
      let values = rows.dropLast().compactMap { $0.numbers[column] }
      return values.count < rows.count - 1 || values.count < 2
        || zip(values, values.dropFirst()).allSatisfy { $0 < $1 } || Set(values).count == 1
    }
  }

  private static func layout(_ names: [String], _ rows: [SampledRow], hasFrames: Bool) -> Layout? {
    let row = rows.first
    let plain = names.map(FrameKey.plain)
    let channels = Channel.allCases.map { channel -> Int in
      plain.firstIndex { PointReader.channel($0) == channel } ?? -1
    }
    let keys = [
      "landmarkname", "landmarkid", "landmarkindex", "landmark", "joint", "keypoint", "bodypart", "point", "name",
      "type", "lm", "landmarkidx", "jointname", "keypointid", "keypointname", "keypointindex", "jointid", "kp", "id",
      "index", "idx", "landmarktype", "keypointtype", "jointtype", "jointidx", "keypointidx", "pointid", "pointidx",
      "partid", "part", "node",
    ]
    if channels[0] >= 0, channels[1] >= 0, let point = keys.lazy.compactMap({ plain.firstIndex(of: $0) }).first,
      hasFrames || row.map({ point < $0.texts.count && PointReader.isKnown($0.texts[point]) }) ?? false
    {
      return .lines(point: point, values: channels)
    }
    if let pairs = pairs(names, rows, hasFrames: hasFrames) { return pairs }
    if let row, let cells = cells(names, row) { return cells }
    let named = names.enumerated().filter { PointReader.isKnown($1) }.map { ($0, PointID.name($1)) }
    guard (row?.tuple ?? 0) >= 2 else { return nil }
    if named.count >= 4 { return .tuples(named) }
    let numbered = names.enumerated().compactMap { column, name -> (Int, PointID)? in
      if case .number = PointID(name) { (column, PointID(name)) } else { nil }
    }
    return PointReader.isCount(numbered.count) ? .tuples(numbered) : nil
  }

  private static func pairs(_ names: [String], _ rows: [SampledRow], hasFrames: Bool) -> Layout? {
    guard let value = names.firstIndex(where: { ["value", "values", "val"].contains(FrameKey.plain($0)) }) else {
      return nil
    }
    let rest = names.indices.filter { $0 != value && FrameKey(names[$0]) == nil }
    let choices = rest.map { [$0] } + rest.flatMap { first in rest.filter { $0 > first }.map { [first, $0] } }
    for columns in choices {
      let variables = rows.compactMap { $0.name(columns) }
      let known = variables.count { variable in
        switch KeypointColumns.place(variable)?.point {
        case .name(let name): PointReader.isKnown(name)
        case .number: true
        case nil: false
        }
      }
      // Without frames, one begins where a variable comes again.
      guard known * 2 > rows.count, hasFrames || Set(variables.prefix(3)).count == 3 else { continue }
      return .pairs(names: columns, value: value)
    }
    return nil
  }

  private static func cells(_ names: [String], _ row: SampledRow) -> Layout? {
    let values = row.texts.map(PointField.value)
    for (points, value) in values.enumerated() {
      var reader = PointReader()
      guard let value, !PointField.poses(value, scores: nil, &reader).isEmpty else { continue }
      let scores = values.indices.first { column in
        guard column != points, column < names.count, case .array(let scores)? = values[column],
          PointReader.channel(FrameKey.plain(names[column])) == .confidence
        else { return false }
        return scores.allSatisfy { $0.number != nil }
      }
      return .cells(points: points, scores: scores)
    }
    return nil
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
        if let value = fieldNumber(row, time.column) {
          if value.isFinite { (frame.time, frame.timeUnit) = (value, time.unit) }
        } else if let seconds = ClockTime.seconds(row.text(time.column)) {
          (frame.time, frame.timeUnit) = (seconds, .seconds)
          frame.fourthPart = ClockTime.fourthPart(row.text(time.column))
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
      case .numbers(let start, let count, let positions):
        var values = [Float](repeating: .nan, count: count * KeypointFrame.channels)
        for point in 0..<count {
          for position in 0..<min(positions, KeypointFrame.channels) {
            values[point * KeypointFrame.channels + position] =
              try value(row, start + point * positions + position, nil)
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
  private static let flags: [String: Float] = ["true": 1, "yes": 1, "false": 0, "no": 0]

  /// The size and rate that some tables repeat in each row.
  private func note(_ row: DelimitedText.Row, _ said: inout ClipFacts) {
    var (width, height): (Int?, Int?)
    for (fact, column) in facts {
      let value = fieldNumber(row, column)
      switch fact {
      case .fps: if let value, value > 0, value <= 1000 { said.fps = value }
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
      case .fps: if value > 0, value <= 1000 { facts.fps = facts.fps ?? value }
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
