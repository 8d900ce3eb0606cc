import Datasets
import Files
import Foundation

/// The history as one tidy table with one value per row, ready for a spreadsheet, pandas or DuckDB.
public struct HistoryTable: Sendable {
  /// The content of each row.
  public enum Grain: String, CaseIterable, Sendable {
    /// A run's metric of a detector.
    case run
    /// A subject's value of it.
    case subject
    /// A detector's count on a clip: `count`, with the true count.
    case clip
  }

  public struct Row: Hashable, Sendable {
    public var run: String
    public var created: String
    public var suite: String
    public var suiteVersion: Int
    public var bench: String
    /// `nil` outside a git checkout.
    public var revision: String?
    public var hasChanges: Bool?
    public var release: String?
    /// `Debian GNU/Linux 12 (bookworm), x86_64, AMD EPYC, 2 cores`; `nil` where it was not kept.
    public var machine: String?
    /// The versions of the program's parts: `sqlite=3.40.1 swift=6.3`; `nil` if not kept.
    public var versions: String?
    /// `squat-sample sha256:9c50…`
    public var data: String
    /// The corruption of the poses, as `--perturb` takes it; `nil` for none.
    public var perturbation: String?
    /// The smoothing of the poses, as `--smooth` takes it; `nil` for none.
    public var smoothing: String?
    public var detector: String
    /// Every parameter: `bottomAngle=90 cooldown=0.5`.
    public var parameters: String
    public var metric: String
    public var unit: String
    /// `higher`, `lower` or `zero` is better.
    public var better: String
    /// `squat-sample/s01`; `nil` for all together.
    public var subject: String?
    /// `squat-sample/s01_side_1`; `nil` for all together.
    public var clip: String?
    public var value: Double?
    /// The interval's bounds, only for a run's metric.
    public var low: Double?
    public var high: Double?
    /// For a clip: the true count.
    public var truth: Double?
    /// Subjects with a value.
    public var subjects: Int
    /// `nil` for a subject's value.
    public var clips: Int?
  }

  private let history: RunHistory
  private let grain: Grain
  private let detector: String?

  /// - Parameter detector: `nil` for all.
  public init(_ history: RunHistory, by grain: Grain, detector: String? = nil) {
    (self.history, self.grain, self.detector) = (history, grain, detector)
  }

  public var rows: [Row] {
    get throws { try history.runs.flatMap(rows) }
  }

  /// The rows of a run.
  private func rows(_ run: HistoryRun) throws -> [Row] {
    var ofRun = Row(run)
    // By detector, the rows of its last metric.
    var owner: String?
    func row(_ detector: String, metric: String, unit: String, better: String) -> Row {
      if owner != detector {
        (ofRun.detector, ofRun.parameters) = (detector, Self.parameters(of: detector, in: run))
        owner = detector
      }
      (ofRun.metric, ofRun.unit, ofRun.better) = (metric, unit, better)
      return ofRun
    }
    func isWanted(_ name: String) -> Bool { detector == nil || name == detector }
    switch grain {
    case .run:
      return try history.metrics(of: run).filter { isWanted($0.detector) }.map { kept in
        var row = row(kept.detector, metric: kept.metric, unit: kept.unit, better: kept.direction)
        (row.value, row.low, row.high) = (kept.value, kept.low, kept.high)
        (row.subjects, row.clips) = (kept.subjects, kept.clips)
        return row
      }
    case .subject:
      return try history.subjectValues(of: run).filter { isWanted($0.metric.detector) }.map { kept, subject, value in
        var row = row(kept.detector, metric: kept.metric, unit: kept.unit, better: kept.direction)
        (row.subject, row.value, row.subjects) = (subject, value, 1)
        return row
      }
    case .clip:
      return try history.counts(of: run).filter { isWanted($0.detector) }.map { kept in
        var row = row(kept.detector, metric: "count", unit: "reps", better: "")
        (row.subject, row.clip) = (kept.subject, kept.clip)
        (row.value, row.truth) = (Double(kept.count), kept.truth.map(Double.init))
        (row.subjects, row.clips) = (1, 1)
        return row
      }
    }
  }

  private static func parameters(of detector: String, in run: HistoryRun) -> String {
    let parameters = run.head.detectors.first { $0.name == detector }?.parameters ?? [:]
    return parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
  }
}

extension HistoryTable {
  /// RFC 4180 with column names first, written run by run, as there may be many.
  public func csv(_ write: (String) throws -> Void) throws {
    try write(CSVField.row(Row.columns.map { .text($0) }))
    try lines(ending: "\n") { cell, _ in
      switch cell {
      case .text(let text): CSVField.text(text.visibleLine).encoded
      case .number(let number): CSVField.number(number).encoded
      case .integer(let integer): CSVField.integer(integer).encoded
      case .flag(let flag): CSVField.flag(flag).encoded
      case .none: ""
      }
    } each: {
      try write($0)
    }
  }

  /// A list of objects, one row per line: the columns of the CSV, missing values as `null`.
  public func json(_ write: (String) throws -> Void) throws {
    let names = Row.columns.map { "\"\($0)\":" }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    var isEmpty = true
    try lines(beginning: ",\n{", ending: "}") { cell, column in
      switch cell {
      case .text(let text):
        names[column] + ((try? encoder.encode(text)).map { visibleJSON(String(decoding: $0, as: UTF8.self)) } ?? "null")
      case .number(let number): names[column] + CSVField.number(number).encoded
      case .integer(let integer): names[column] + CSVField.integer(integer).encoded
      case .flag(let flag): names[column] + (flag ? "true" : "false")
      case .none: names[column] + "null"
      }
    } each: { lines in
      try write(isEmpty ? "[" + lines.dropFirst() : lines)
      isEmpty = false
    }
    try write(isEmpty ? "[]\n" : "\n]\n")
  }

  /// The rows of each run in turn, their cells between commas; a run without rows is left out. Values shared by all
  /// rows of a run and detector, and repeated texts, are encoded once and put together as bytes: a history is
  /// megabytes.
  private func lines(
    beginning: String = "", ending: String, encode: (Row.Cell, Int) -> String, each write: (String) throws -> Void
  ) throws {
    let (beginning, ending, comma) = (Array(beginning.utf8), Array(ending.utf8), UInt8(ascii: ","))
    let missing = Row.columns.indices.map { Array(encode(.none, $0).utf8) }
    // By column, for columns that are not shared.
    var texts = [[String: [UInt8]]](repeating: [:], count: Row.columns.count - Row.commonColumns.count)
    for run in history.runs {
      var owner: String?
      var common: [UInt8] = []
      var bytes: [UInt8] = []
      for row in try rows(run) {
        if owner != row.detector {
          owner = row.detector
          common = beginning + row.commonCells.enumerated().map { encode($1, $0) }.joined(separator: ",").utf8
        }
        bytes += common
        for (offset, cell) in row.ownCells.enumerated() {
          let column = Row.commonColumns.count + offset
          bytes.append(comma)
          switch cell {
          case .none: bytes += missing[column]
          case .text(let text):
            if let known = texts[offset][text] {
              bytes += known
            } else {
              let encoded = Array(encode(cell, column).utf8)
              texts[offset][text] = encoded
              bytes += encoded
            }
          default: bytes += encode(cell, column).utf8
          }
        }
        bytes += ending
      }
      if !bytes.isEmpty { try write(String(decoding: bytes, as: UTF8.self)) }
    }
  }
}

extension HistoryTable.Row {
  fileprivate enum Cell {
    case text(String)
    case number(Double)
    case integer(Int)
    case flag(Bool)
    case none

    init(_ text: String?) { self = text.map { .text($0) } ?? .none }
    init(_ number: Double?) { self = number.flatMap { $0.isFinite ? .number($0) : nil } ?? .none }
  }

  /// Columns that are the same in all rows of a run and detector.
  fileprivate static let commonColumns = [
    "run", "created", "suite", "suite_version", "bench", "revision", "has_changes", "release", "machine", "versions",
    "data", "perturbation", "smoothing", "detector", "parameters",
  ]
  fileprivate static let columns =
    commonColumns + [
      "metric", "unit", "better", "subject", "clip", "value", "low", "high", "truth", "subjects", "clips",
    ]

  fileprivate var commonCells: [Cell] {
    [
      .text(run), .text(created), .text(suite), .integer(suiteVersion), .text(bench), Cell(revision),
      hasChanges.map { .flag($0) } ?? .none, Cell(release), Cell(machine), Cell(versions),
      .text(data), Cell(perturbation), Cell(smoothing), .text(detector), .text(parameters),
    ]
  }

  fileprivate var ownCells: [Cell] {
    [
      .text(metric), .text(unit), .text(better), Cell(subject), Cell(clip), Cell(value), Cell(low), Cell(high),
      Cell(truth), .integer(subjects), clips.map { .integer($0) } ?? .none,
    ]
  }

  /// The values that all rows of a run share.
  fileprivate init(_ run: HistoryRun) {
    self.init(
      run: run.id, created: run.created, suite: run.suite, suiteVersion: run.head.suiteVersion, bench: run.head.bench,
      revision: run.origin?.revision, hasChanges: run.origin?.hasChanges, release: run.releases.first,
      machine: run.origin?.machine.description,
      versions: (run.origin?.versions.filter { $0.key != "bench" }.sorted { $0.key < $1.key }).map { versions in
        versions.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
      }, data: run.data, perturbation: run.head.perturbation?.text, smoothing: run.head.smoothing, detector: "",
      parameters: "", metric: "", unit: "", better: "", subjects: 0)
  }
}
