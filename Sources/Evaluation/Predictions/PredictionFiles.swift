import Datasets
import Files
import Foundation
import PoseModel

/// Predictions of another system from files: CSV tables and JSON Lines, before they are joined with clips.
///
/// A table is recognised by its columns:
///
/// | columns | a row is |
/// |---|---|
/// | `clip,count[,count_confidence]` | a clip's number of reps, and the probability that it is off by one at most |
/// | `clip,count_confidence` | that probability, beside reps or counts of other files |
/// | `clip,start_s,end_s[,turn_s][,reported_s][,rep]` | a counted rep |
/// | `clip,time_s,label[,score][,start_s,end_s]` | a stroke, or another instant such as golf's address |
/// | `clip,start_s,end_s,label[,score]` | an interval: a posture or phase |
/// | `clip,grade[,criterion]` and `start_s,end_s`, `rep` or neither | the grade of a rep, or of the whole clip |
/// | `clip,fault[,present][,score]` and `start_s,end_s`, `rep` or neither | a fault of a rep, or of the whole clip |
///
/// A row with only a clip means that nothing was found in it. A count has no times and labels beside it. The columns
/// `dataset` and `detector` are optional; other columns are ignored. A line of JSON is an object with `clip` and an
/// event as in `docs/detector-protocol.md`, a list of events as `events`, a `count`, a `count_confidence`, or none of
/// these.
public struct PredictionFiles: Sendable {
  /// The content of a row or line.
  enum Statement: Hashable, Sendable {
    case nothing
    case count(Int)
    case confidence(Double)
    case event(EventWords)
  }

  /// A row, a line, or one of its events.
  struct Entry: Sendable {
    /// `anna_1`, or `squats/anna_1`.
    var clip: String
    /// The detector; `nil` if the file does not name it.
    var detector: String?
    var statement: Statement
    var location: FileLocation
    /// The true count; `nil` if the file does not have it.
    var trueCount: Int?
    /// The kind of the table; `nil` for a line of JSON.
    var kind: Kind?
    /// Whether it says that the clip has no reps.
    var saysNoReps = false
    /// The person of the clip; `nil` if the file does not say, and if it was not asked for.
    var subject: String?
    /// The numbers that were asked for, by column.
    var numbers: [String: Double] = [:]

    func failure(expected: String, found: String) -> DataError {
      DataError(file: location.file, line: location.line, clip: clip, expected: expected, found: found)
    }
  }

  /// What is read besides predictions.
  struct Besides: Hashable, Sendable {
    /// Whether to read the clip's person.
    var people = false
    /// Columns with a number, empty where it is unknown.
    var numbers: [String] = []
  }

  /// The kind of a table.
  enum Kind: String, CaseIterable, Sendable {
    case counts, reps, events, intervals, grades, faults
  }

  public private(set) var sources: [PredictedDetector.Source] = []
  /// Notes on the files for readers of results.
  public private(set) var remarks: [String] = []
  private(set) var entries: [Entry] = []

  /// - Parameter columns: The files' column names: `["clip": "id"]`.
  /// - Throws: `DataError` with file and line for invalid predictions.
  public init(_ files: [InputFile], columns: [String: String] = [:]) throws {
    try self.init(files, columns: columns, besides: Besides())
  }

  init(_ files: [InputFile], columns: [String: String], besides: Besides) throws {
    for file in files {
      guard !file.bytes.isEmpty else {
        throw DataError(
          file: file.name, line: 1, expected: "predictions: a table that begins with clip,count, say, or lines of JSON",
          found: "an empty file")
      }
      let text = file.bytes.prefix(1 << 16).drop { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
      let read: [Entry]
      if text.first == UInt8(ascii: "{") {
        read = try Self.lines(file, besides: besides)
      } else {
        let table = try PredictionTable(file, columns: columns, besides: besides)
        read = try table.entries()
        if !table.ignored.isEmpty {
          remarks.append("\(file.name): the columns \(Excerpt.list(table.ignored)) are not used")
        }
      }
      guard !read.isEmpty else {
        throw DataError(file: file.name, expected: "at least one prediction", found: "none")
      }
      entries += read
      let hash = SHA256()
      file.forEachPiece { hash.update($0) }
      sources.append(PredictedDetector.Source(file: file.name, content: ContentHash(hash.finish()).description))
    }
  }

  /// The columns for which files can have other names.
  public static let columns = PredictionTable.columns
  /// The column of a clip's person.
  public static let subject = "subject"

  /// The detectors in the files, sorted; `nil` for entries without one.
  var detectors: Set<String?> { Set(entries.map(\.detector)) }
}

extension PredictionFiles {
  /// A line has the events of one clip.
  private static let longestLine = 1 << 24

  private static let keys = ["clip", "detector", "count", "count_confidence", "true_count", "events"]

  private static func lines(_ file: InputFile, besides: Besides) throws -> [Entry] {
    try file.requireBeginningOfText()
    var entries: [Entry] = []
    try file.forEachLine(longest: longestLine) { number, range in
      let line = Data(file.bytes[range])
      guard line.contains(where: { $0 > 0x20 }) else { return }
      let location = FileLocation(file: file.name, line: number)
      do {
        entries += try entriesOf(InputFile(name: file.name, bytes: line), at: location, besides: besides)
      } catch var error as DataError {
        // Each line is a separate document.
        error.line = location.line
        throw error
      }
    }
    // In a file of only strokes, say, a line with only a clip says nothing about reps.
    let tellsOnlyOthers =
      entries.contains { $0.event != nil } && !entries.contains { $0.isCount || $0.event?.type == "rep" }
    for index in entries.indices where entries[index].statement == .nothing {
      entries[index].saysNoReps = !tellsOnlyOthers
    }
    return entries
  }

  private static func entriesOf(
    _ line: InputFile, at location: FileLocation, besides: Besides
  ) throws -> [Entry] {
    try JSONReader.read(line) { json in
      var (clip, detector, subject): (String?, String?, String?)
      var numbers: [String: Double] = [:]
      var (count, trueCount): (Int?, Int?)
      var confidence: Double?
      var events: [EventWords] = []
      var (own, hasOwn) = (EventWords(), false)
      func whole(_ json: inout JSONReader) throws -> Int {
        let value = try json.number()
        guard value >= 0, let count = Int(exactly: value) else {
          throw json.failure(expected: "a whole number of 0 or more", found: "\(value)")
        }
        return count
      }
      try json.object { json, key in
        switch key {
        case "clip": clip = try json.string()
        case "detector": detector = try json.string()
        case "count": count = try whole(&json)
        case "count_confidence": confidence = try json.confidence()
        case "true_count": trueCount = try whole(&json)
        case "events":
          try json.array { json in
            var event = EventWords()
            try json.object { json, key in try event.takePrediction(key, from: &json, besides: []) }
            events.append(event)
          }
        case "subject" where besides.people: subject = try json.string()
        default:
          if besides.numbers.contains(key.text) {
            if !json.takeNull() { numbers[key.text] = try json.number() }
            return
          }
          hasOwn = true
          try own.takePrediction(key, from: &json, besides: keys)
        }
      }
      guard let clip, !clip.isEmpty else { throw json.failure(expected: "a clip", found: "none") }
      if hasOwn { events.append(own) }
      for event in events {
        do { _ = try event.kind() } catch let objection as EventWords.Objection {
          throw json.failure(expected: objection.expected, found: objection.found, clip: clip)
        }
      }
      let statements =
        events.map { Statement.event($0) } + (count.map { [.count($0)] } ?? [])
        + (confidence.map { [.confidence($0)] } ?? [])
      return (statements.isEmpty ? [.nothing] : statements).map {
        Entry(
          clip: clip, detector: detector, statement: $0, location: location, trueCount: trueCount, subject: subject,
          numbers: numbers)
      }
    }
  }
}

extension EventWords {
  /// Reads the value of a key of a predicted event.
  fileprivate mutating func takePrediction(
    _ key: JSONKey, from json: inout JSONReader, besides others: [String]
  ) throws {
    switch key {
    case "reported":
      if json.takeNull() { return }
      guard let time = Microseconds(seconds: try json.number()) else {
        throw json.failure(expected: "a time in seconds", found: "a time outside every clip")
      }
      times["reported"] = time
    case "score": score = try json.number()
    case "rep":
      if json.takeNull() { return }
      guard let number = Int(exactly: try json.number()), number > 0 else {
        throw json.failure(expected: "a rep's number from 1", found: "another number")
      }
      rep = number
    default:
      guard try !take(key, from: &json) else { return }
      let known = others + Self.keys + ["reported", "score", "rep"]
      throw json.failure(
        expected: "one of \(known.joined(separator: ", "))", found: NearNames.question(key.text, in: known))
    }
  }
}

/// A CSV table of predictions.
struct PredictionTable {
  /// All columns, in the order of error messages.
  static let columns = [
    "clip", "dataset", "detector", "count", "count_confidence", "true_count", "rep", "start_s", "end_s", "turn_s",
    "time_s",
    "reported_s", "label", "score", "criterion", "grade", "fault", "present",
  ]

  /// Other names of a column, used if the column is absent. Case, `_`, `-` and spaces are ignored.
  private static let otherNames = [
    "clip": ["video_id", "video", "clip_name", "clip_id", "name"], "count": ["pred_count", "predicted_count"],
    "start_s": ["start", "start_time"], "end_s": ["end", "end_time"], "turn_s": ["turn", "turn_time"],
    "time_s": ["time", "contact_s", "contact"], "reported_s": ["reported", "reported_time"],
    "true_count": ["truth_count"],
    PredictionFiles.subject: ["person", "subject_id", "person_id", "user", "user_id"],
  ]

  private let file: InputFile
  private let table: CSVTable
  private let header: [String]
  /// The file's names of the known columns.
  private let places: [String: String]
  private let numbers: [String]
  let kind: PredictionFiles.Kind

  /// - Throws: `DataError` if the columns match no kind of table, or two.
  init(_ file: InputFile, columns own: [String: String], besides: PredictionFiles.Besides) throws {
    self.file = file
    numbers = besides.numbers
    let header = try CSVTable(file, required: [], ignoringOthers: true).columns
    // Each is compared with the known names.
    guard header.count <= Self.mostColumns else {
      throw DataError(
        file: file.name, line: 1, expected: "at most \(Self.mostColumns) columns", found: "\(header.count)")
    }
    self.header = header
    func plain(_ name: String) -> String { name.lowercased().filter { !"_- ".contains($0) } }
    let found = Dictionary(header.map { (plain($0), $0) }, uniquingKeysWith: { first, _ in first })
    var places: [String: String] = [:]
    for column in Self.columns + (besides.people ? [PredictionFiles.subject] : []) {
      let names = own[column].map { [$0] } ?? [column] + (Self.otherNames[column] ?? [])
      if let name = names.lazy.compactMap({ found[plain($0)] }).first { places[column] = name }
    }
    self.places = places
    let list = Excerpt.list(header.map { Excerpt.of($0) })
    func has(_ columns: String...) -> Bool { columns.allSatisfy { places[$0] != nil } }
    guard has("clip") else {
      throw DataError(
        file: file.name, line: 1, expected: "a column clip", found: "only \(list)\(Self.near(header, to: ["clip"]))")
    }
    let events = ["start_s", "end_s", "turn_s", "time_s", "reported_s", "label"].filter { has($0) }
    let about = ["count", "grade", "fault"].filter { has($0) }
    guard about.count <= 1 else {
      throw DataError(
        file: file.name, line: 1, expected: "only one of the columns count, grade and fault",
        found: about.joined(separator: ", "))
    }
    let isSpan = has("start_s") || has("end_s")
    if has("count") || has("count_confidence") && !isSpan && !has("time_s") && about.isEmpty {
      guard events.isEmpty else {
        throw DataError(
          file: file.name, line: 1, expected: "a count of the clip without times and labels",
          found: (["count", "count_confidence"] + events).compactMap { places[$0] }.joined(separator: ", "))
      }
      kind = .counts
    } else if has("grade") {
      kind = .grades
    } else if has("fault") {
      kind = .faults
    } else if has("time_s") {
      kind = .events
    } else if has("start_s", "end_s") {
      kind = has("label") ? .intervals : .reps
    } else {
      throw DataError(
        file: file.name, line: 1,
        expected: "a column count, count_confidence, time_s, grade or fault, or start_s and end_s",
        found: "only \(list)" + Self.near(header, to: ["count", "start_s", "end_s", "time_s", "grade", "fault"]))
    }
    if kind != .counts, let place = places["count_confidence"] {
      throw DataError(
        file: file.name, line: 1, expected: "\(place) beside a count or in a file of its own",
        found: "it in a table of \(kind.rawValue)")
    }
    if kind == .grades || kind == .faults, let place = places["time_s"] {
      throw DataError(
        file: file.name, line: 1, expected: "start_s and end_s, rep or neither in a table of \(kind.rawValue)",
        found: place)
    }
    // A misspelt column would be ignored.
    let missing = (kind == .counts ? Self.columnsOfCounts : Self.columns).filter { !has($0) }
    if let (wrong, meant) = Self.misspelt(header, besides: Set(places.values), for: missing) {
      throw DataError(
        file: file.name, line: 1, expected: "known columns, without misspelt ones",
        found: "\(Excerpt.of(wrong)), did you mean \(meant)?")
    }
    table = try CSVTable(
      file, required: Array(Set(places.values).union(besides.numbers)).sorted(), ignoringOthers: true)
  }

  /// The columns that no table has a use for: nothing is read from them.
  var ignored: [String] { header.filter { !places.values.contains($0) && !numbers.contains($0) } }

  private static let mostColumns = 1000
  /// The columns that a table of counts can have.
  private static let columnsOfCounts = ["clip", "dataset", "detector", "count", "count_confidence", "true_count"]

  private static func near(_ header: [String], to columns: [String]) -> String {
    misspelt(header, besides: [], for: columns).map { "; rename \(Excerpt.of($0.name)) to \($0.meant)" } ?? ""
  }

  /// A column whose name is close to a known name. Short names are not compared.
  private static func misspelt(
    _ header: [String], besides used: Set<String>, for columns: [String]
  ) -> (name: String, meant: String)? {
    for name in header where !used.contains(name) && name.count > 4 {
      // A longer word of another meaning, as in mean_confidence, is no slip.
      if let meant = NearNames.of(name, in: columns, within: 2).first(where: { $0.count > 4 }) { return (name, meant) }
    }
    return nil
  }

  func entries() throws -> [PredictionFiles.Entry] { try table.rows.flatMap { try entries($0) } }

  private func entries(_ row: CSVRow) throws -> [PredictionFiles.Entry] {
    let name = try row.text(places["clip"] ?? "")
    let dataset = try textIfPresent(row, "dataset")
    var clip = name
    if let dataset, ClipID(name)?.dataset != dataset { clip = ClipID(dataset: dataset, clip: name).description }
    let (detector, trueCount) = (
      try textIfPresent(row, "detector"), try places["true_count"].map { try number(row, $0) }
    )
    let statement = try statement(row, name)
    let subject = try textIfPresent(row, PredictionFiles.subject)
    let numbers: [String: Double] = try numbers.reduce(into: [:]) { $0[$1] = try row.numberIfPresent($1) }
    let confidence = try confidence(row).map { PredictionFiles.Statement.confidence($0) }
    let statements = confidence.map { statement == .nothing ? [$0] : [statement, $0] } ?? [statement]
    return statements.map {
      PredictionFiles.Entry(
        clip: clip, detector: detector, statement: $0, location: row.location, trueCount: trueCount, kind: kind,
        saysNoReps: kind == .reps && $0 == .nothing, subject: subject, numbers: numbers)
    }
  }

  /// How likely the row's clip is counted right.
  private func confidence(_ row: CSVRow) throws -> Double? {
    guard kind == .counts, let place = places["count_confidence"] else { return nil }
    let confidence = try row.numberIfPresent(place)
    guard confidence.map((0...1).contains) ?? true else {
      throw row.failure(place, expected: "a probability from 0 to 1")
    }
    return confidence
  }

  private func statement(_ row: CSVRow, _ clip: String) throws -> PredictionFiles.Statement {
    var words = EventWords()
    func take(_ key: String, _ column: String, isNeeded: Bool = false) throws {
      guard let place = places[column] else { return }
      guard let time = try row.timeIfPresent(place) else {
        if isNeeded { throw row.failure(place, clip: clip, expected: "a time in seconds from 0") }
        return
      }
      words.times[key] = time
    }
    func takeSpan() throws {
      try take("start", "start_s")
      try take("end", "end_s", isNeeded: words.times["start"] != nil)
      if words.times["end"] != nil, words.times["start"] == nil, let place = places["start_s"] {
        throw row.failure(place, clip: clip, expected: "a start")
      }
      try take("turn", "turn_s")
    }
    func takeText(_ key: String, _ column: String) throws { words.texts[key] = try textIfPresent(row, column) }
    /// Nothing was found, which the row may not contradict.
    func nothing(without time: String) throws -> PredictionFiles.Statement {
      let columns = ["start_s", "end_s", "turn_s", "time_s", "reported_s", "label"].compactMap { places[$0] }
      if let place = places[time], columns.contains(where: { !row.isEmpty($0) }) {
        throw row.failure(place, clip: clip, expected: "a time in seconds from 0")
      }
      return .nothing
    }
    try take("reported", "reported_s")
    words.score = try places["score"].flatMap {
      [.events, .intervals, .faults].contains(kind) ? try row.numberIfPresent($0) : nil
    }
    words.rep = try places["rep"].flatMap { try row.integerIfPresent($0) }
    if let rep = words.rep, rep < 1, let place = places["rep"] {
      throw row.failure(place, clip: clip, expected: "a rep's number from 1")
    }
    switch kind {
    case .counts: return try places["count"].map { .count(try number(row, $0)) } ?? .nothing
    case .reps:
      words.type = "rep"
      try takeSpan()
      guard words.times["start"] != nil else { return try nothing(without: "start_s") }
    case .events:
      words.type = "stroke"
      try take("contact", "time_s")
      guard words.times["contact"] != nil else { return try nothing(without: "time_s") }
      try takeSpan()
      try takeText("label", "label")
    case .intervals:
      words.type = "phase"
      try takeSpan()
      guard words.times["start"] != nil else { return try nothing(without: "start_s") }
      try takeText("phase", "label")
    case .grades:
      words.type = "grade"
      guard let grade = try row.numberIfPresent(places["grade"] ?? "") else { return .nothing }
      words.value = grade
      try takeSpan()
      try takeText("criterion", "criterion")
    case .faults:
      words.type = "fault"
      try takeText("fault", "fault")
      words.isPresent = try places["present"].map { try row.flag($0) }
      guard words.texts["fault"] != nil, words.score != nil || words.isPresent != false else { return .nothing }
      try takeSpan()
    }
    return .event(words)
  }

  private func textIfPresent(_ row: CSVRow, _ column: String) throws -> String? {
    try places[column].flatMap { try row.textIfPresent($0) }
  }

  private func number(_ row: CSVRow, _ column: String) throws -> Int {
    let value = try row.integer(column)
    guard value >= 0 else { throw row.failure(column, expected: "a count of 0 or more") }
    return value
  }
}
