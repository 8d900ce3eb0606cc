import Files
import PoseModel

/// Reads the label files of a dataset folder and sorts their rows by clip.
///
/// Checks everything that does not need the poses, while the line is known. Keeps the file's order within a clip.
struct LabelReader {
  /// One per clip.
  private(set) var labels: [GroundTruth]
  /// One per clip.
  private(set) var locations: [LabelLocations]
  private let clips: ClipTable
  private let criteria: [String: Manifest.Criterion]
  private let objections: LabelObjections
  /// The number of the last row of `reps.csv`, by clip.
  private var lastRep: [Int: Int] = [:]

  /// - Throws: `DataError` if a file is not a table, and the errors of `objections`: a `DataError` with the line of the
  ///   wrong label.
  init(
    _ contents: FolderContents, clips: ClipTable, criteria: [Manifest.Criterion], objections: LabelObjections
  ) throws {
    self.clips = clips
    self.objections = objections
    locations = clips.rows.map { _ in LabelLocations() }
    self.criteria = Dictionary(uniqueKeysWithValues: criteria.map { ($0.name, $0) })
    labels = clips.rows.map { GroundTruth(repCount: $0.repCount, reps: $0.repCount == 0 ? [] : nil) }
    func rows(_ kind: DatasetFile, _ read: (CSVRow) throws -> Void) throws {
      guard let file = try contents.fileIfPresent(kind.rawValue) else { return }
      for row in try CSVTable(file, kind).rows {
        do { try read(row) } catch let error as DataError { try objections.row(error) }
      }
    }
    try rows(.reps) { try readRep($0) }
    try checkRepCounts(file: contents.name(DatasetFile.clips.rawValue))
    try rows(.events) { try readEvent($0) }
    try rows(.intervals) { try readInterval($0) }
    var graded: Set<Rating> = []
    try rows(.grades) { try readGrade($0, &graded) }
    var judged: Set<Rating> = []
    try rows(.faults) { try readFault($0, &judged) }
    try rows(.drafts) { labels[try clip($0).place].draft = try $0.text("detector") }
  }

  /// Identifies a rating; a rater may give each only once.
  private struct Rating: Hashable {
    let clip: Int
    let rep: Int?
    let rater: String
    let subject: String
  }

  private mutating func readRep(_ row: CSVRow) throws {
    let (clip, name) = try clip(row)
    let count = labels[clip].reps?.count ?? 0
    let number = try row.integer("rep")
    let next = (lastRep.updateValue(number, forKey: clip) ?? 0) &+ 1
    if number != next {
      try objections.row(
        row.failure(
          clip: name, expected: "rep \(next), because reps are numbered from 1 in order", found: "rep \(number)"))
    }
    let (start, end) = try span(row, clip: name)
    if let last = labels[clip].reps?.last, start < last.end {
      try objections.contradiction(
        row.failure(
          clip: name, expected: "a start from \(last.end.decimalSeconds) s on, where rep \(count) ends",
          found: "\(start.decimalSeconds) s"))
    }
    let turn = try row.timeIfPresent("turn_s")
    if let turn, turn < start || turn > end {
      try objections.contradiction(
        row.failure(
          clip: name, expected: "a turn from \(start.decimalSeconds) s to \(end.decimalSeconds) s",
          found: "\(turn.decimalSeconds) s"))
    }
    if count == 0 { labels[clip].reps = [] }
    labels[clip].reps?.append(Rep(start: start, end: end, turn: turn))
    locations[clip].reps.append(row.location)
  }

  private mutating func checkRepCounts(file: String) throws {
    for (clip, row) in clips.rows.enumerated() {
      guard let reps = labels[clip].reps else { continue }
      if let count = row.repCount, count != reps.count {
        try objections.row(
          DataError(
            file: file, line: row.line, clip: row.info.name,
            expected: "rep_count \(reps.count), the number of the clip's rows in reps.csv", found: "\(count)"))
      }
      labels[clip].repCount = reps.count
    }
  }

  private mutating func readEvent(_ row: CSVRow) throws {
    let (clip, _) = try clip(row)
    labels[clip].events.append(LabelledInstant(time: try row.time("time_s"), label: try row.text("label")))
    locations[clip].events.append(row.location)
  }

  private mutating func readInterval(_ row: CSVRow) throws {
    let (clip, name) = try clip(row)
    let (start, end) = try span(row, clip: name)
    labels[clip].intervals.append(Segment(start: start, end: end, label: try row.text("label")))
    locations[clip].intervals.append(row.location)
  }

  private mutating func readGrade(_ row: CSVRow, _ seen: inout Set<Rating>) throws {
    let (clip, name) = try clip(row)
    let grade = GroundTruth.Grade(
      rep: try rep(row, clip: clip), rater: try row.text("rater"), criterion: try row.text("criterion"),
      value: try row.number("grade"))
    guard let criterion = criteria[grade.criterion] else {
      let known = criteria.isEmpty ? "a criterion of dataset.yaml, which has none" : "a criterion of dataset.yaml"
      throw row.failure(clip: name, expected: known, found: NearNames.question(grade.criterion, in: criteria.keys))
    }
    guard (criterion.minimum...criterion.maximum).contains(grade.value) else {
      let (minimum, maximum) = (criterion.minimum.shortestDecimal, criterion.maximum.shortestDecimal)
      throw row.failure(
        clip: name, expected: "a grade of \(criterion.name) from \(minimum) to \(maximum)",
        found: grade.value.shortestDecimal)
    }
    guard seen.insert(Rating(clip: clip, rep: grade.rep, rater: grade.rater, subject: grade.criterion)).inserted else {
      throw row.failure(
        clip: name, expected: "one grade per rep, rater and criterion",
        found: "a second grade of \(grade.criterion) by \(grade.rater)")
    }
    labels[clip].grades.append(grade)
    locations[clip].grades.append(row.location)
  }

  private mutating func readFault(_ row: CSVRow, _ seen: inout Set<Rating>) throws {
    let (clip, name) = try clip(row)
    let fault = GroundTruth.Fault(
      rep: try rep(row, clip: clip), rater: try row.text("rater"), name: try row.text("fault"),
      present: try row.flag("present"))
    guard seen.insert(Rating(clip: clip, rep: fault.rep, rater: fault.rater, subject: fault.name)).inserted else {
      throw row.failure(
        clip: name, expected: "one label per rep, rater and fault",
        found: "a second label of \(fault.name) by \(fault.rater)")
    }
    labels[clip].faults.append(fault)
    locations[clip].faults.append(row.location)
  }

  private func clip(_ row: CSVRow) throws -> (place: Int, name: String) {
    let name = try row.text("clip")
    guard let place = clips.places[name] else {
      throw row.failure(
        expected: "a clip of clips.csv", found: NearNames.question(name, in: clips.rows.map(\.info.name)))
    }
    return (place, name)
  }

  private func span(_ row: CSVRow, clip: String) throws -> (start: Microseconds, end: Microseconds) {
    let start = try row.time("start_s")
    let end = try row.time("end_s")
    if end <= start {
      try objections.contradiction(
        row.failure(
          clip: clip, expected: "an end after the start \(start.decimalSeconds) s", found: "\(end.decimalSeconds) s"))
    }
    return (start, end)
  }

  /// The rep of a row, from 0; `nil` for the whole clip.
  private func rep(_ row: CSVRow, clip: Int) throws -> Int? {
    guard let number = try row.integerIfPresent("rep") else { return nil }
    let count = labels[clip].repCount ?? 0
    let expected =
      count == 0 ? "no rep, because the clip has none marked or counted" : "a rep from 1 to \(count), or none"
    let failure = { row.failure(clip: clips.rows[clip].info.name, expected: expected, found: "rep \(number)") }
    guard number >= 1 else { throw failure() }
    if number > count { try objections.contradiction(failure()) }
    return number - 1
  }
}

/// The locations of a clip's labels, each list in the order of the same list in `GroundTruth`; empty for labels that
/// are not from a file.
public struct LabelLocations: Hashable, Sendable {
  public internal(set) var reps: [FileLocation] = []
  public internal(set) var events: [FileLocation] = []
  public internal(set) var intervals: [FileLocation] = []
  public internal(set) var grades: [FileLocation] = []
  public internal(set) var faults: [FileLocation] = []

  public init() {}
}

/// How a reader of labels treats broken rules of the format.
///
/// Import and run throw the first error. A search for all errors of a folder continues instead.
struct LabelObjections {
  /// Called for an impossible label, such as a rep that ends before it starts. If it does not throw, the label is kept.
  let contradiction: (DataError) throws -> Void
  /// Called for a row that is not a label at all. If it does not throw, the row is left out.
  let row: (DataError) throws -> Void

  static var strict: Self { Self(contradiction: { throw $0 }, row: { throw $0 }) }
}
