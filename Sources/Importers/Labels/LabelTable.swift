import Files
import Foundation
import PoseModel

/// Tables of reps, counts of reps, events, intervals, grades or faults, `.csv`: those of a dataset folder, or with columns
/// that a mapping names. A table of counts has a column `clip` (or `video`, `file`, `name`) and one of `rep_count` (or
/// `reps`, `count`, `repetitions`).
///
/// Without a mapping, the header must have the columns of one of a dataset folder's tables. A grade or fault has `rep`,
/// the rep's number from 1, empty for the whole clip. Grades need no criterion column if the mapping has exactly one
/// criterion. Other columns are ignored.
enum LabelTable: LabelFormat {
  static let name = "csv"
  static let summary =
    "tables of reps, counts, events, intervals, grades or faults, *.csv, with the mapping's column names"
  static let ending = "csv"

  enum Kind: String, CaseIterable {
    case reps, counts, events, intervals, grades, faults

    /// The required columns, apart from `rep` and `rater`.
    var required: [String] {
      switch self {
      case .reps: ["clip", "start_s", "end_s"]
      case .counts: ["clip", "rep_count"]
      case .events: ["clip", "time_s", "label"]
      case .intervals: ["clip", "start_s", "end_s", "label"]
      case .grades: ["clip", "criterion", "grade"]
      case .faults: ["clip", "fault", "present"]
      }
    }

    var columns: [String] { required + ["turn_s", "rep", "rater"] }
  }

  static func recognises(_ file: InputFile) -> Bool { kind(of: file) != nil }

  /// The kind of a table whose header has the column names of a dataset folder.
  private static func kind(of file: InputFile) -> Kind? {
    let columns = Set(header(of: file))
    // Intervals have all columns of reps.
    let known = [Kind.intervals, .reps, .events, .grades, .faults].first { columns.isSuperset(of: $0.required) }
    return known ?? (countColumns(columns) == nil ? nil : .counts)
  }

  private static func header(of file: InputFile) -> [String] {
    let line = file.beginning.split(whereSeparator: \.isNewline).first ?? ""
    return line.split(separator: ",").map { $0.trimmingCharacters(in: ["\"", " "]) }
  }

  /// The columns of clip and count in a table of counts; `nil` for another table.
  private static func countColumns(_ columns: Set<String>) -> (clip: String, count: String)? {
    guard let clip = ["clip", "video", "file", "filename", "name"].first(where: columns.contains),
      let count = ["rep_count", "reps", "count", "repetitions"].first(where: columns.contains)
    else { return nil }
    return (clip, count)
  }

  static func labels(_ file: InputFile, mapping: LabelMapping) throws -> StatedLabels {
    let names = header(of: file)
    guard let kind = mapping.table ?? kind(of: file) else {
      throw DataError(
        file: file.name, line: 1,
        expected:
          "the columns of a dataset folder's reps (clip,start_s,end_s), counts (clip,rep_count), events, intervals, "
          + "grades or faults, or --mapping FILE with table and columns",
        found: names.isEmpty ? "no columns" : Excerpt.list(names.map { Excerpt.of($0) }))
    }
    let given = countColumns(Set(names))
    func column(_ name: String) -> String {
      if let known = mapping.columns[name] { return known }
      guard kind == .counts, let given else { return name }
      return name == "clip" ? given.clip : name == "rep_count" ? given.count : name
    }
    // A column that the mapping names must exist.
    let meant = mapping.columns["criterion"] == nil && mapping.criteria.count == 1 ? mapping.criteria[0].name : nil
    let isOptional: (String) -> Bool = { $0 == "criterion" && meant != nil }
    let table = try CSVTable(
      file, required: kind.required.filter { !isOptional($0) }.map(column),
      optional: (kind.required.filter(isOptional) + ["turn_s", "rep", "rater"]).map(column), ignoringOthers: true)
    try LabelImport.checkCount(table.rows.count, file)
    let labels = try table.rows.map { row in
      func time(_ name: String) throws -> Annotation.Instant {
        switch mapping.times {
        case .frames:
          let frame = try row.integer(column(name))
          guard (0...1_000_000_000).contains(frame) else { throw row.failure(column(name), expected: "a frame from 0") }
          return .frame(frame)
        case .seconds: return .time(try row.time(column(name)))
        case .milliseconds: return .time(Microseconds(try row.time(column(name)).count / 1000))
        }
      }
      let text: (String) throws -> String = { try row.text(column($0)) }
      let value: TableLabel.Value
      switch kind {
      case .reps:
        let hasTurn = try row.textIfPresent(column("turn_s")) != nil
        value = .rep(start: try time("start_s"), end: try time("end_s"), turn: hasTurn ? try time("turn_s") : nil)
      case .counts:
        let count = try row.integer(column("rep_count"))
        guard (0...100_000).contains(count) else {
          throw row.failure(column("rep_count"), expected: "a number of reps from 0")
        }
        value = .count(count)
      case .events: value = .event(time: try time("time_s"), label: try text("label"))
      case .intervals: value = .interval(start: try time("start_s"), end: try time("end_s"), label: try text("label"))
      case .grades:
        let criterion = try row.textIfPresent(column("criterion")) ?? meant
        value = .grade(criterion: try criterion ?? text("criterion"), grade: try row.number(column("grade")))
      case .faults: value = .fault(name: try text("fault"), isPresent: try row.flag(column("present")))
      }
      let rep = try row.integerIfPresent(column("rep"))
      if let rep, rep < 1 { throw row.failure(column("rep"), expected: "a rep from 1") }
      return TableLabel(
        place: Annotation(
          file: file.name, line: row.line, recordings: [try text("clip")], label: "", start: .frame(0),
          rater: try row.textIfPresent(column("rater"))), rep: rep.map { $0 - 1 }, value: value)
    }
    return StatedLabels(labels: labels)
  }
}

/// A label from a table.
struct TableLabel {
  enum Value {
    case rep(start: Annotation.Instant, end: Annotation.Instant, turn: Annotation.Instant?)
    case count(Int)
    case event(time: Annotation.Instant, label: String)
    case interval(start: Annotation.Instant, end: Annotation.Instant, label: String)
    case grade(criterion: String, grade: Double)
    case fault(name: String, isPresent: Bool)
    /// The detector whose reps the clip's labels began as.
    case draft(String)
  }

  /// Its place in the file, its clip and its rater.
  var place: Annotation
  /// From 0; `nil` for the whole clip.
  var rep: Int?
  var value: Value
}
