import ArgumentParser
import Coaching
import Datasets
import Evaluation

/// Parameter files to take values from.
struct ParameterFileOptions: ParsableArguments {
  @Option(
    name: .customLong("parameters"), parsing: .singleValue,
    help: ArgumentHelp(
      "Takes a detector's parameters from a file that bench tune wrote; --set goes before. May be repeated.",
      valueName: "file"))
  var paths: [String] = []

  /// - Parameter detectors: those that they may be of.
  /// - Throws: `DataError` with file, line and key, `EvaluationError.usage` where two are of one detector.
  func read(of detectors: [DetectorDefinition]) throws -> [ParameterFile] {
    var names: Set<String> = []
    return try paths.map { path in
      let file = try ParameterFile(yaml: InputFile(path), of: detectors)
      guard names.insert(file.tuning.detector).inserted else {
        throw EvaluationError.usage("\(path) is the second file of parameters of \(file.tuning.detector): expected one")
      }
      return file
    }
  }
}

/// Whether a detector may be judged on subjects that it was tuned on.
struct TunedSubjectsOptions: ParsableArguments {
  @Flag(help: "Also judges on subjects that a --parameters file or the baseline was tuned on: an optimistic result.")
  var allowTunedSubjects = false

  func require(_ run: SuiteRun) throws {
    if !allowTunedSubjects { try run.requireUnseenSubjects() }
  }

  func require(_ baseline: Baseline) throws {
    if !allowTunedSubjects { try baseline.requireUnseenSubjects() }
  }
}
