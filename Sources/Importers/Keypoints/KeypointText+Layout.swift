import Files
import Foundation
import PoseModel

/// What a table is, from its first rows: its header, its decimal commas and the layout of its columns.
extension KeypointText {
  /// The columns of several people, each with points; empty if not.
  ///
  /// - Parameter people: The person of each column, empty for those of all.
  static func crowd(
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
  static func prefixed(_ header: [String]) -> (names: [String], people: [String])? {
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
  static func header(_ sample: [SampledRow]) -> Int {
    guard KeypointColumns(sample[0].texts) == nil else { return 0 }
    let rows = sample.indices.dropFirst().prefix(5)
    return rows.first { sample[$0].texts.count > sample[0].texts.count && KeypointColumns(sample[$0].texts) != nil }
      ?? 0
  }

  /// Whether the row below the header has texts instead of numbers in each column of points.
  static func areUnits(below header: Int, _ sample: [SampledRow], _ columns: KeypointColumns) -> Bool {
    guard sample.count > header + 2, sample[header + 1].numbers.count == sample[header].numbers.count else {
      return false
    }
    let numbers = columns.places.map { sample[header + 1].numbers[$0.column] }
    return numbers.contains(nil) && numbers.allSatisfy { $0?.isNaN ?? true }
  }

  /// The points in the order of a person's numbers, as far as the header names them.
  static func points(_ layout: Layout) -> PointList {
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

  struct SampledRow {
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
  static func name(_ texts: [String]) -> String { texts.joined(separator: "_") }

  static func sample(_ text: DelimitedText) -> [SampledRow]? {
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
  static func usesDecimalCommas(_ rows: [SampledRow], _ text: DelimitedText) -> Bool {
    guard text.separator == UInt8(ascii: ",") else { return false }
    let texts = rows.flatMap(\.texts)
    guard texts.contains(where: { $0.utf8.contains(UInt8(ascii: ",")) }) else { return false }
    // A literal in a closure would be compiled for each text.
    let (decimal, pointed) = (/-?(?:0,[0-9]+|[0-9]+,(?:[0-9]{1,2}|[0-9]{4,}))/, /-?[0-9,]*\.[0-9]+/)
    return texts.contains { $0.wholeMatch(of: decimal) != nil } && !texts.contains { $0.wholeMatch(of: pointed) != nil }
  }

  /// The number of a text with one decimal comma; `nil` for others.
  static func decimal(_ text: String) -> Double? {
    guard text.utf8.count(where: { $0 == UInt8(ascii: ",") }) == 1, !text.utf8.contains(UInt8(ascii: ".")) else {
      return nil
    }
    let bytes = text.utf8.map { $0 == UInt8(ascii: ",") ? UInt8(ascii: ".") : $0 }
    return Double(String(decoding: bytes, as: UTF8.self)).flatMap { $0.isFinite ? $0 : nil }
  }

  /// Five numbers of MediaPipe's holistic model, and some more.
  static let mostColumns = 3000

  /// A header of several rows, with points above x and y: names of both together, and how many rows it has.
  /// DeepLabCut's second of four has the individuals.
  static func stacked(_ sample: [SampledRow]) -> (names: [String], people: [String], rows: Int)? {
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
  static func isCount(_ row: SampledRow) -> Bool {
    let numbers = row.texts.first?.isEmpty == true ? row.numbers.dropFirst() : row.numbers[...]
    return numbers.count > 1 && [0, 1].contains { first in zip(numbers, 0...).allSatisfy { $0 == Double($1 + first) } }
  }

  static func headerless(_ rows: [SampledRow]) -> (layout: Layout, number: Int?, time: Int?)? {
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
    let first = rows.dropLast().map { $0.numbers[0] ?? .nan }
    let isCounted = isCounting(first)
    let isGrowing = first.count > 1 && zip(first, first.dropFirst()).allSatisfy { $0 < $1 }
    var choices: [Unnamed] = []
    for others in isCounted ? [1, 2, 3, 0] : [0, 1, 2, 3] {
      guard let shape = PointReader.flat(used - others) else { continue }
      for hasClass in others == 1 || others > 1 && isGrowing ? [false, true] : [false] {
        let start = hasClass ? others - 1 : others
        guard !hasClass || Self.isClass(rows, used - 1), Self.isLead(rows, start),
          rows[0].numbers[start..<start + used - others].allSatisfy({ $0 != nil })
        else { continue }
        var choice = Unnamed(start: start, points: shape.points, positions: shape.positions)
        choice.isPreferred = hasClass && first.contains { $0 != $0.rounded() }
        choices.append(choice)
      }
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
  struct Unnamed {
    var start: Int
    var points: Int
    var positions: Int
    /// Whether it counts among choices that fit alike: y and confidence of points look like a body too, where an x that
    /// grows is read as a time before them.
    var isPreferred = false

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
  static func likely(_ choices: [Unnamed], _ rows: ArraySlice<SampledRow>) -> Unnamed? {
    guard choices.count > 1 else { return choices.first }
    let scores = choices.map { choice in
      SkeletonChoice.strangeness(of: rows.map { choice.pose($0) }, count: choice.points) ?? .infinity
    }
    guard let best = scores.indices.min(by: { scores[$0] < scores[$1] }), scores[best] < SkeletonChoice.sound else {
      return choices[0]
    }
    let alike = scores.indices.filter { scores[$0] <= scores[best] * SkeletonChoice.clear }
    return choices[alike.first { choices[$0].isPreferred } ?? (alike.contains(0) ? 0 : best)]
  }

  /// Whether numbers are 0, 1, 2 … or 1, 2, 3 ….
  static func isCounting(_ numbers: [Double?]) -> Bool {
    numbers.count > 1 && [0, 1].contains(numbers[0] ?? -1)
      && zip(numbers, numbers.dropFirst()).allSatisfy { ($0 ?? .nan) + 1 == $1 }
  }

  /// Whether a column after the numbers looks like a class: a name, or a small whole number that is often the same.
  static func isClass(_ rows: [SampledRow], _ column: Int) -> Bool {
    guard rows[0].numbers[column] != nil else { return true }
    let values = rows.dropLast().compactMap { $0.numbers[column] }
    return values.count > 1 && Set(values).count * 2 <= values.count
      && values.allSatisfy { (0...100).contains($0) && $0 == $0.rounded() }
  }

  /// Whether columns before the numbers look like a frame, a time, a name or a class.
  static func isLead(_ rows: [SampledRow], _ others: Int) -> Bool {
    (0..<others).allSatisfy { column in
      let values = rows.dropLast().compactMap { $0.numbers[column] }
      return values.count < rows.count - 1 || values.count < 2
        || zip(values, values.dropFirst()).allSatisfy { $0 < $1 } || Set(values).count == 1
    }
  }

  /// The columns of a point's name or number, the usual ones first.
  static let pointKeys = [
    "landmarkname", "landmarkid", "landmarkindex", "landmark", "joint", "keypoint", "bodypart", "point", "name",
    "type", "lm", "landmarkidx", "jointname", "keypointid", "keypointname", "keypointindex", "jointid", "kp", "id",
    "index", "idx", "landmarktype", "keypointtype", "jointtype", "jointidx", "keypointidx", "pointid", "pointidx",
    "partid", "part", "node",
  ]

  static func layout(_ names: [String], _ rows: [SampledRow], hasFrames: Bool) -> Layout? {
    let row = rows.first
    let plain = names.map(FrameKey.plain)
    let channels = Channel.allCases.map { channel -> Int in
      plain.firstIndex { PointReader.channel($0) == channel } ?? -1
    }
    if channels[0] >= 0, channels[1] >= 0, let point = pointKeys.lazy.compactMap({ plain.firstIndex(of: $0) }).first,
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

  static func pairs(_ names: [String], _ rows: [SampledRow], hasFrames: Bool) -> Layout? {
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

  static func cells(_ names: [String], _ row: SampledRow) -> Layout? {
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
}
