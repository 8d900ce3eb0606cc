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
      guard words.count > 3, crowdWords.contains(words[0]), Int(words[1]) != nil else { continue }
      (names[column], people[column]) = (words.dropFirst(2).joined(separator: "_"), words[1])
    }
    return people.allSatisfy(\.isEmpty) ? nil : (names, people)
  }

  private static let crowdWords: Set = ["p", "person", "player", "athlete", "inst", "instance"]

  /// The row of the header, which shorter lines of facts may precede.
  static func header(_ sample: [SampledRow]) -> Int {
    guard KeypointColumns(sample[0].texts) == nil else { return 0 }
    let rows = sample.indices.dropFirst().prefix(mostFacts)
    return rows.first { row in
      let names = sample[row].texts
      guard names.count > sample[0].texts.count else { return false }
      // OpenSim has names above tuples.
      let areTuples = row + 1 < sample.count && sample[row + 1].tuple > 1
      return KeypointColumns(names) != nil || areTuples && names.count(where: PointReader.isKnown) >= fewestNames
    } ?? 0
  }

  /// The most lines of facts before a header.
  private static let mostFacts = 10
  /// The fewest names of points that show a header.
  private static let fewestNames = 4

  /// A header of points' names without channels above two or three numbers for each, as Qualisys writes it: names of
  /// all columns, and how many rows it has.
  static func unspecified(_ sample: [SampledRow]) -> (names: [String], rows: Int)? {
    for row in sample.indices.prefix(mostFacts) {
      let texts = sample[row].texts
      guard sample[row].numbers.count(where: { $0 != nil }) * 2 < texts.count,
        texts.count(where: PointReader.isKnown) >= fewestNames, let last = texts.lastIndex(where: { !$0.isEmpty })
      else { continue }
      let names = texts[(FrameKey.plain(texts[0]).hasSuffix("names") ? 1 : 0)...last]
      // A row of words such as Measured may follow.
      guard let next = sample.indices.dropFirst(row + 1).first(where: { !sample[$0].texts.contains("Measured") }),
        sample[next].numbers.allSatisfy({ $0 != nil })
      else { return nil }
      let count = sample[next].texts.count - (sample[next].texts.last?.isEmpty == true ? 1 : 0)
      for (lead, own) in [[], ["frame"], ["frame", "time"]].enumerated() {
        for channels in [["x", "y", "z"], ["x", "y"]] where count - lead == names.count * channels.count {
          return (own + names.flatMap { name in channels.map { "\(name)_\($0)" } }, next)
        }
      }
      return nil
    }
    return nil
  }

  /// A header in which each point stands as often as it has numbers, as pandas and MATLAB tell columns of one name apart
  /// (`nose, nose.1, nose.2`; `nose_1, nose_2, nose_3`) or not at all: names of all columns with channels, and how many
  /// rows it has. A third number is a confidence if all are shares.
  static func grouped(_ sample: [SampledRow]) -> (names: [String], rows: Int)? {
    let header = sample[0].texts
    guard sample.count > 1, KeypointColumns(header) == nil else { return nil }
    let bases = header.map(base)
    var groups: [Range<Int>] = []
    var start = 0
    while start < bases.count {
      let end = bases[start...].firstIndex { $0 != bases[start] } ?? bases.count
      if PointReader.isKnown(bases[start]) { groups.append(start..<end) }
      start = end
    }
    guard groups.count >= fewestNames, let width = groups.first?.count, (2...4).contains(width),
      groups.allSatisfy({ $0.count == width })
    else { return nil }
    let thirds = sample.dropFirst().flatMap { row -> [Double] in
      groups.compactMap { $0.lowerBound + 2 < row.numbers.count ? row.numbers[$0.lowerBound + 2] : nil }
    }.filter(\.isFinite)
    let areShares = width == 3 && thirds.contains { $0 > 0 } && thirds.allSatisfy { (0...1).contains($0) }
    let channels = areShares ? ["x", "y", "c"] : ["x", "y", "z", "c"]
    var names = header
    for group in groups {
      for (column, channel) in zip(group, channels) { names[column] = "\(bases[column])_\(channel)" }
    }
    return (names, 1)
  }

  /// A column's name without a last digit that counts columns of one name.
  private static func base(_ name: String) -> String {
    guard let last = name.last, last.isASCII, last.isNumber else { return name }
    var rest = name.dropLast()
    if let separator = rest.last, "._ ".contains(separator) { rest.removeLast() }
    return String(rest)
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
    case .numbers(_, let count, let positions, _):
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
        if rows.count == mostSampled { throw EnoughRead() }
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

  /// The rows that show what a table is, lines of facts included.
  private static let mostSampled = 14

  /// Five numbers of MediaPipe's holistic model, and some more.
  static let mostColumns = 3000

  /// A header of several rows.
  struct Stacked {
    /// The names of columns: a point's and its channel's together.
    var names: [String]
    /// The person of each column.
    var people: [String]
    /// How many rows it has.
    var rows: Int
    /// Rows of facts above it.
    var preamble: [SampledRow]
    /// The column of frames' numbers; `nil` without one.
    var number: Int?
  }

  /// A header of several rows, with points above x and y: DeepLabCut's, whose second row of four has the individuals,
  /// and those of pandas, Vicon, OptiTrack, Visual3D and Tracker, which name a point once above its channels, have rows
  /// of other facts between, or units below.
  static func stacked(_ sample: [SampledRow]) -> Stacked? {
    guard sample.count > 2 else { return nil }
    for row in sample.indices.dropFirst().prefix(mostFacts) {
      let channels = sample[row].texts.map { PointReader.channel(FrameKey.plain($0)) }
      let end = (channels.lastIndex { $0 != nil } ?? -1) + 1
      guard let lead = channels.firstIndex(where: { $0 != nil }), lead <= 3, end - lead >= fewestNames,
        channels[lead..<end].allSatisfy({ $0 != nil }), Set(channels[lead..<end]).count >= 2
      else { continue }
      for above in (0..<row).reversed() {
        let points = repeated(sample[above].texts, from: lead, to: end)
        guard Set(points).count(where: PointReader.isKnown) >= fewestNames else { continue }
        return stacked(sample, points, lead: lead, above: above, row: row, end: end)
      }
      return nil
    }
    return nil
  }

  /// The texts of columns, an empty one as the one before, without what stands before a colon.
  private static func repeated(_ texts: [String], from lead: Int, to end: Int) -> [String] {
    var last = ""
    return (lead..<end).map { column in
      let text = column < texts.count ? texts[column] : ""
      if !text.isEmpty { last = text.split(separator: ":").last.map(String.init) ?? text }
      return last
    }
  }

  /// Whether a row has no number in columns of points, but words in some or in the first column.
  private static func isWithoutNumbers(_ row: SampledRow, _ columns: Range<Int>) -> Bool {
    let own = row.numbers.dropFirst(columns.lowerBound).prefix(columns.count)
    guard own.allSatisfy({ $0?.isNaN ?? true }) else { return false }
    return own.contains(nil) || !row.texts[0].isEmpty && NumberedName(row.texts[0]) == nil
  }

  private static func stacked(
    _ sample: [SampledRow], _ points: [String], lead: Int, above: Int, row: Int, end: Int
  ) -> Stacked? {
    var names = (0..<lead).map { column in
      (above...row).reversed().lazy.map { column < sample[$0].texts.count ? sample[$0].texts[column] : "" }
        .first { FrameKey($0) != nil } ?? sample[row].texts[column]
    }
    var next = row + 1
    // pandas names the index in a row of its own; units stand below channels.
    while next < sample.count, isWithoutNumbers(sample[next], lead..<end) {
      if lead == 1, !sample[next].texts[0].isEmpty { names[0] = sample[next].texts[0] }
      next += 1
    }
    guard next < sample.count else { return nil }
    let first = sample[next]
    var number: Int?
    if names.allSatisfy({ FrameKey($0) == nil }) {
      number = (0..<lead).first { $0 < first.texts.count && NumberedName(first.texts[$0]) != nil }
    }
    // A column without a name whose numbers are no whole ones has times.
    if let column = number {
      let values = sample[next...].compactMap { column < $0.numbers.count ? $0.numbers[column] : nil }
      if values.contains(where: { $0.isFinite && $0 != $0.rounded() }) { (number, names[column]) = (nil, "t") }
    }
    names += zip(points, sample[row].texts[lead..<end]).map { "\($0)_\($1)" }
    let width = max(end, first.texts.count)
    names += [String](repeating: "", count: width - end)
    var people = names.map { _ in "" }
    if above > 0, FrameKey.plain(sample[above - 1].texts[0]) == "individuals" {
      let individuals = repeated(sample[above - 1].texts, from: lead, to: end)
      people.replaceSubrange(lead..<end, with: individuals)
    }
    return Stacked(
      names: names, people: people, rows: next, preamble: sample[..<above].filter { $0.texts.count * 2 < end },
      number: number)
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
    for others in 4...mostBefore where isGrowing {
      guard let shape = PointReader.flat(used - others), rows[0].numbers[others..<used].allSatisfy({ $0 != nil }) else {
        continue
      }
      var choice = Unnamed(start: others, points: shape.points, positions: shape.positions)
      choice.isDoubtful = true
      choices.append(choice)
    }
    if whole.count >= fewestPlanar {
      choices += choices.map { choice in
        var choice = choice
        (choice.isPlanar, choice.isPreferred) = (true, false)
        return choice
      }
    }
    guard let choice = likely(choices, whole) else { return nil }
    // Of the numbers before the points, whole ones that grow are frames, and others that grow times.
    var (number, time): (Int?, Int?) = (nil, nil)
    for column in 0..<(choice.isDoubtful ? 1 : choice.start) {
      let values = rows.dropLast().compactMap { $0.numbers[column] }
      guard values.count > 1, values.count == rows.count - 1, zip(values, values.dropFirst()).allSatisfy({ $0 < $1 })
      else { continue }
      if values.allSatisfy({ $0 == $0.rounded() }) && values[1] - values[0] < 10 {
        number = number ?? column
      } else {
        time = time ?? column
      }
    }
    let layout = Layout.numbers(
      start: choice.start, points: choice.points, positions: choice.positions, isPlanar: choice.isPlanar)
    return (layout, number, time)
  }

  /// The most numbers before those of points, such as a frame's, a person's and a box's.
  private static let mostBefore = 8

  /// The fewest rows that show all x before all y.
  private static let fewestPlanar = 3

  /// Points without names from a column on.
  struct Unnamed {
    var start: Int
    var points: Int
    var positions: Int
    /// Whether it counts among choices that fit alike: y and confidence of points look like a body too, where an x that
    /// grows is read as a time before them.
    var isPreferred = false
    /// Whether all x are before all y.
    var isPlanar = false
    /// Whether only a body shows that points begin here.
    var isDoubtful = false

    /// Four numbers a point, of which x and y are known.
    func pose(_ row: SampledRow) -> [Float] {
      var pose = [Float](repeating: .nan, count: points * KeypointFrame.channels)
      for point in 0..<points {
        for channel in 0..<2 {
          let place = isPlanar ? channel * points + point : point * positions + channel
          guard let number = row.numbers[start + place] else { continue }
          pose[point * KeypointFrame.channels + channel] = Float(number)
        }
      }
      return pose
    }
  }

  /// The first choice, unless a body fits another one clearly better: a class and 51 numbers are as many as 26 points of
  /// two.
  static func likely(_ choices: [Unnamed], _ rows: ArraySlice<SampledRow>) -> Unnamed? {
    let usual = choices.first.flatMap { $0.isDoubtful ? nil : $0 }
    guard choices.count > 1 else { return usual }
    let scores = choices.map { choice in
      SkeletonChoice.strangeness(of: rows.map { choice.pose($0) }, count: choice.points) ?? .infinity
    }
    guard let best = scores.indices.min(by: { scores[$0] < scores[$1] }), scores[best] < SkeletonChoice.sound else {
      return usual
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
    // R writes the numbers of rows below an empty name.
    let rest = names.indices.filter { $0 != value && !names[$0].isEmpty && FrameKey(names[$0]) == nil }
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
