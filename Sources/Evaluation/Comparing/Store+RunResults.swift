import Datasets
import Foundation

extension Store {
  /// The results of a stored run.
  ///
  /// - Parameter name: the run's id (`squat/2026-03-01T10-00-00Z`), the part behind the suite, or `latest`.
  /// - Throws: `EvaluationError.missing` where the suite has no such run or it is of another format, `DataError` where it
  ///   can't be read.
  public func run(named name: String, ofSuite suite: String) throws -> (id: String, results: RunResults) {
    let runs = try runs(ofSuite: suite)
    guard let run = name == "latest" ? runs.first : runs.first(where: { [name, "\(suite)/\(name)"].contains($0.id) })
    else {
      let known = runs.map { String($0.id.dropFirst(suite.count + 1)) }
      throw EvaluationError.missing(
        what: "run \(name)", expected: "a run of suite \(suite) in \(path)",
        found: runs.isEmpty
          ? "no runs; make one with: bench run --suite \(suite)"
          : "none called \(NearNames.question(name, in: known)); the newest are "
            + known.prefix(3).joined(separator: ", "))
    }
    struct Head: Decodable { var format: Int }
    let bytes = Data(run.results.utf8)
    do {
      let format = try JSONDecoder().decode(Head.self, from: bytes).format
      guard format == RunResults.currentFormat else {
        throw EvaluationError.missing(
          what: "run \(run.id)", expected: "results of format \(RunResults.currentFormat)",
          found: "format \(format), of another version of bench")
      }
      return (run.id, try JSONDecoder().decode(RunResults.self, from: bytes))
    } catch let error as DecodingError {
      throw DataError(file: path, expected: "the results of run \(run.id)", found: error.words)
    }
  }
}
