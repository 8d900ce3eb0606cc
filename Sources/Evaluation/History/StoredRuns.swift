import Datasets
import Files
import Foundation
import Pipeline

extension Store {
  /// The results of a stored run.
  ///
  /// - Parameter name: As in `storedRun(named:ofSuite:)`.
  ///
  /// - Throws: As that function, and as `results(of:)`.
  public func run(named name: String, ofSuite suite: String) throws -> (id: String, results: RunResults) {
    let run = try storedRun(named: name, ofSuite: suite)
    return (run.id, try results(of: run))
  }

  /// A stored run.
  ///
  /// - Parameters:
  ///   - name: The run's id (`squat/2026-03-01T10-00-00Z`), the part after the suite, or `latest`.
  ///   - suite: `nil` for any.
  /// - Throws: `EvaluationError.missing` if there is no such run, `EvaluationError.usage` if several suites have it.
  public func storedRun(named name: String, ofSuite suite: String?) throws -> StoredRun {
    let ids = try runIDs(ofSuite: suite)
    let found = name == "latest" ? Array(ids.prefix(1)) : ids.filter { $0 == name || RunID($0)?.name == name }
    guard found.count <= 1 else {
      throw EvaluationError.usage("run \(name) is in several suites: write \(found.joined(separator: " or "))")
    }
    guard let id = found.first, let run = try run(id: id) else {
      let known = suite == nil ? ids : ids.map { RunID($0)?.name ?? $0 }
      throw EvaluationError.missing(
        what: "run \(name)", expected: "a run\(suite.map { " of suite \($0)" } ?? "") in \(path)",
        found: ids.isEmpty
          ? "no runs; make one with: bench run\(suite.map { " --suite \($0)" } ?? "")"
          : "none called \(NearNames.question(name, in: known)); the newest are "
            + known.prefix(3).joined(separator: ", "))
    }
    return run
  }

  /// The results of a stored run.
  ///
  /// - Throws: `EvaluationError.missing` if it has another format, `DataError` if it cannot be read.
  public func results(of run: StoredRun) throws -> RunResults {
    try decoded(run.results, RunResults.currentFormat...RunResults.currentFormat, "results", of: run)
  }

  /// The baseline that a stored run was compared with; `nil` for none.
  ///
  /// - Throws: As `results(of:)`.
  public func baseline(of run: StoredRun) throws -> Baseline? {
    try run.baseline.map { try decoded($0, 1...Baseline.currentFormat, "baseline", of: run) }
  }

  /// Decodes a part of a stored run that has its own format version.
  private func decoded<Value: Decodable>(
    _ json: String, _ formats: ClosedRange<Int>, _ what: String, of run: StoredRun
  ) throws -> Value {
    let name = "the \(what) of run \(run.id)"
    let kept = try decoded(Formatted<Value>.self, json, name)
    guard formats.contains(kept.format) else {
      throw EvaluationError.missing(
        what: "run \(run.id)", expected: "\(what) of format \(formats.upperBound)",
        found: "format \(kept.format), of another version of bench")
    }
    switch kept.value {
    case .success(let value): return value
    case .failure(let error): throw DataError(file: path, expected: name, found: error.words)
    }
  }

  /// Decodes JSON from this store.
  ///
  /// - Throws: `DataError` if it is something else.
  func decoded<Value: Decodable>(_ type: Value.Type, _ json: String, _ what: String) throws -> Value {
    do {
      return try JSONDecoder().decode(type, from: Data(json.utf8))
    } catch let error as DecodingError {
      throw DataError(file: path, expected: what, found: error.words)
    }
  }
}
