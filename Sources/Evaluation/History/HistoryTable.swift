import Datasets

/// The history as one tidy table: a row a value, so that a spreadsheet, pandas or DuckDB needs no reshaping.
public struct HistoryTable: Sendable {
  /// What has a row of its own.
  public enum Grain: String, CaseIterable, Sendable {
    /// A run's metric of a detector.
    case run
    /// A subject's value of it.
    case subject
    /// A detector's count on a clip: `count`, with the true one beside it.
    case clip
  }

  public struct Row: Codable, Hashable, Sendable {
    public var run: String
    public var created: String
    public var suite: String
    public var suiteVersion: Int
    public var bench: String
    /// `nil` outside a git checkout.
    public var revision: String?
    public var hasChanges: Bool?
    public var release: String?
    /// `squat-sample sha256:9c50…`
    public var data: String
    public var detector: String
    /// Every parameter: `bottomAngle=90 cooldown=0.5`, and the filter before it.
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
    /// The interval's bounds, of a run's metric alone.
    public var low: Double?
    public var high: Double?
    /// Of a clip: what people counted.
    public var truth: Double?
    /// With a value.
    public var subjects: Int
    /// `nil` for a subject's value.
    public var clips: Int?
  }

  public let rows: [Row]

  public init(_ history: RunHistory, by grain: Grain, detector: String? = nil) throws {
    func isWanted(_ name: String) -> Bool { detector == nil || name == detector }
    switch grain {
    case .run:
      rows = try history.metrics().flatMap { run, results in
        results.filter { isWanted($0.detector) }.map { result in
          var row = Row(run, result)
          (row.value, row.low, row.high) = (result.value, result.interval?.low, result.interval?.high)
          (row.subjects, row.clips) = (result.definedSubjects, result.clips)
          return row
        }
      }
    case .subject:
      rows = try history.metrics().flatMap { run, results in
        results.filter { isWanted($0.detector) }.flatMap { result in
          result.bySubject.sorted { $0.key < $1.key }.map { subject, value in
            var row = Row(run, result)
            (row.subject, row.value, row.subjects) = (subject, value, 1)
            return row
          }
        }
      }
    case .clip:
      rows = try history.clips().flatMap { run, clips in
        clips.flatMap { clip in
          clip.outcomes.sorted { $0.key < $1.key }.compactMap { name, outcome in
            guard isWanted(name), let count = outcome.count else { return nil }
            var row = Row(run, detector: name, metric: "count", unit: "reps", better: "")
            (row.subject, row.clip) = ("\(clip.dataset)/\(clip.subject)", clip.id)
            (row.value, row.truth) = (Double(count), clip.trueCount.map(Double.init))
            (row.subjects, row.clips) = (1, 1)
            return row
          }
        }
      }
    }
  }

  /// RFC 4180, the columns' names first.
  public var csv: String {
    func text(_ text: String?) -> CSVField { text.map { .text($0) } ?? .empty }
    func number(_ number: Double?) -> CSVField { number.flatMap { $0.isFinite ? .number($0) : nil } ?? .empty }
    let header = [
      "run", "created", "suite", "suite_version", "bench", "revision", "has_changes", "release", "data", "detector",
      "parameters", "metric", "unit", "better", "subject", "clip", "value", "low", "high", "truth", "subjects", "clips",
    ]
    return CSVField.row(header.map { .text($0) })
      + rows.map { row in
        CSVField.row([
          .text(row.run), .text(row.created), .text(row.suite), .integer(row.suiteVersion), .text(row.bench),
          text(row.revision), row.hasChanges.map { .flag($0) } ?? .empty, text(row.release), .text(row.data),
          .text(row.detector), .text(row.parameters), .text(row.metric), .text(row.unit), .text(row.better),
          text(row.subject), text(row.clip), number(row.value), number(row.low), number(row.high), number(row.truth),
          .integer(row.subjects), row.clips.map { .integer($0) } ?? .empty,
        ])
      }.joined()
  }
}

extension HistoryTable.Row {
  fileprivate init(_ run: HistoryRun, _ result: RunResults.MetricResult) {
    self.init(
      run, detector: result.detector, metric: result.metric, unit: result.unit, better: result.direction.rawValue)
  }

  /// Without a value.
  fileprivate init(_ run: HistoryRun, detector: String, metric: String, unit: String, better: String) {
    let parameters = run.head.detectors.first { $0.name == detector }?.parameters ?? [:]
    let poses =
      (run.head.perturbation.map { ["perturbed=\($0.text)"] } ?? [])
      + (run.head.smoothing.map { ["smoothing=\($0)"] } ?? [])
    self.init(
      run: run.id, created: run.created, suite: run.suite, suiteVersion: run.head.suiteVersion, bench: run.head.bench,
      revision: run.origin?.revision, hasChanges: run.origin?.hasChanges, release: run.releases.first, data: run.data,
      detector: detector,
      parameters: (poses + parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" })
        .joined(separator: " "),
      metric: metric, unit: unit, better: better, subjects: 0)
  }
}
