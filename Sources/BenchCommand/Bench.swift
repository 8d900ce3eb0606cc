import ArgumentParser
import Charts
import Coaching
import Datasets
import Evaluation
import Files
import Foundation

/// The command line, as a library: an app's own package runs every command on its own detectors with it.
///
///     import BenchCommand
///
///     await Bench.main(adding: [MyCounter.self])
public enum Bench {
  public static let version = "0.1.0"

  /// The app's own detectors.
  @TaskLocal private static var added = DetectorRegistry([any Detector.Type]())

  /// What the command was called with.
  @TaskLocal static var arguments: [String] = []

  /// The detectors that commands know: those that come with this package, the exercises of the project around the
  /// current folder, and the app's own.
  ///
  /// - Throws: `DataError` where the file of an exercise is wrong.
  static var registry: DetectorRegistry {
    get throws { try project.registry(adding: added) }
  }

  /// The project around the current folder.
  static var project: Project { .around(FileManager.default.currentDirectoryPath) }

  /// Runs the command that the process was called with, and ends the process with its exit code.
  ///
  /// - Parameter detectors: the app's own, which replace those of the same name.
  public static func main(adding detectors: [any Detector.Type] = []) async -> Never {
    Terminal.holdStandardStreams()
    // A reader who has seen enough ends what is printed, not what is done.
    signal(SIGPIPE, SIG_IGN)
    let code = await run(Array(CommandLine.arguments.dropFirst()), adding: detectors)
    Foundation.exit(afterOutput(code, isLast: true))
  }

  /// Runs one command and returns its exit code: 0 pass or done, 1 error, 2 regression, 3 inconclusive, 5 something
  /// needed is missing, 64 wrong usage, 130 interrupted.
  public static func run(_ arguments: [String], adding detectors: [any Detector.Type] = []) async -> Int32 {
    await $added.withValue(DetectorRegistry(detectors)) {
      await $arguments.withValue(arguments) { afterOutput(await runParsed(arguments)) }
    }
  }

  /// The exit code of a command once its output is out: lost output is an error, unless something worse was found.
  private static func afterOutput(_ code: Int32, isLast: Bool = false) -> Int32 {
    guard let lost = Terminal.lostOutput(isLast: isLast) else { return code }
    Terminal.error("bench: \(lost)")
    return code == 0 ? 1 : code
  }

  private static func runParsed(_ arguments: [String]) async -> Int32 {
    do {
      var command = try BenchCommand.parseAsRoot(arguments)
      try requireCurrentFolder()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
      return 0
    } catch {
      return report(error)
    }
  }

  /// - Throws: `EvaluationError.missing` where the current folder was deleted, or may not be looked up.
  private static func requireCurrentFolder() throws {
    guard FileManager.default.currentDirectoryPath.hasPrefix("/") else {
      throw EvaluationError.missing(
        what: "current folder", expected: "one that is there",
        found: "one that was deleted or can't be read; change to another with: cd")
    }
  }

  /// Says what went wrong and which exit code that is.
  private static func report(_ error: any Error) -> Int32 {
    let code: Int32
    switch error {
    case let exit as ExitCode: return exit.rawValue
    case is CancellationError:
      Terminal.error("bench: interrupted")
      return Interruption.exitCode
    case is Interrupted: code = Interruption.exitCode
    case EvaluationError.missing: code = 5
    case EvaluationError.usage: code = 64
    case is EvaluationError, is DataError, is StoreError, is ChartError: code = 1
    default:
      // Help, version and wrong usage are the argument parser's to say.
      let message = BenchCommand.fullMessage(for: error)
      let parserCode = BenchCommand.exitCode(for: error).rawValue
      if parserCode == 0 { Terminal.out(message) } else { Terminal.error(message) }
      return parserCode
    }
    Terminal.error("bench: \(error)")
    return code
  }
}

struct BenchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Test rep counters and form scorers on labelled keypoint recordings.",
    discussion: """
      Replays recordings through detectors, scores their predictions against people's labels, and compares the result with \
      a committed baseline.

      Example: bench run --suite squat
      """,
    version: Bench.version,
    subcommands: [
      RunCommand.self, CompareCommand.self, SweepCommand.self, TuneCommand.self, GateCommand.self, BaselineCommand.self,
      ReportCommand.self, DrawCommand.self, HistoryCommand.self, PowerCommand.self, ReplayCommand.self,
      ScoreCommand.self, DatasetCommand.self, DetectorCommand.self, ExerciseCommand.self, MetricCommand.self,
      AgreementCommand.self, SelftestCommand.self,
    ])
}
