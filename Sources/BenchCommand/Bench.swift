import ArgumentParser
import Charts
import Coaching
import Datasets
import Evaluation
import Files
import Foundation
import Pipeline
import Reports
import Synchronization

/// The command line as a library: an app's own package can run every command with its own detectors.
///
///     import BenchCommand
///
///     await Bench.main(adding: [MyCounter.self])
public enum Bench {
  public static let version = "0.1.0"

  /// The app's own detectors.
  @TaskLocal private static var added = DetectorRegistry([any Detector.Type]())

  /// Whether the detectors of the project that are commands may be run.
  @TaskLocal private static var consent = CommandConsent()

  /// The detectors that the current command has read; `nil` outside a command.
  @TaskLocal private static var known: KnownDetectors?

  /// The arguments of the current command.
  @TaskLocal static var arguments: [String] = []

  /// The detectors available to commands: the built-in ones, the exercises of the project around the current folder,
  /// and the app's own.
  ///
  /// - Throws: `DataError` if the file of an exercise is wrong.
  static var registry: DetectorRegistry {
    get throws {
      func read() throws -> DetectorRegistry { try project.registry(adding: added, consent: consent) }
      return try known?.registry(read) ?? read()
    }
  }

  /// The project around the current folder.
  static var project: Project { .around(FileManager.default.currentDirectoryPath) }

  /// Runs the command of this process, and exits with its exit code.
  ///
  /// - Parameter detectors: The app's own, which replace those with the same name.
  public static func main(adding detectors: [any Detector.Type] = []) async -> Never {
    await main(Array(CommandLine.arguments.dropFirst()), adding: detectors)
  }

  /// Runs a command as if it were that of this process.
  package static func main(_ arguments: [String], adding detectors: [any Detector.Type] = []) async -> Never {
    Terminal.holdStandardStreams()
    // A reader who closes the pipe ends the output, not the work.
    signal(SIGPIPE, SIG_IGN)
    let code = await run(arguments, adding: detectors)
    Foundation.exit(afterOutput(code, isLast: true))
  }

  /// Does what many commands do, for a process whose forks run commands. Starts no thread.
  ///
  /// - Parameter checkout: This package's, whose suite, baseline and gallery are read.
  /// - Throws: `DataError` if a built-in exercise or a template is wrong.
  package static func prepare(in checkout: String) throws {
    _ = try BuiltInExercises.exercises
    parseAll(BenchCommand.self, at: [])
    try ReportTemplates.parse()
    // Swift looks for the protocols of a type when they are first needed, in all that the program has, and Cairo for fonts.
    let project = Project(root: checkout)
    let detectors = DetectorRegistry([any Detector.Type]())
    _ = try? project.suite(
      named: "squat", registry: project.registry(adding: detectors, consent: CommandConsent()))
    _ = try? compactJSON(Baseline(file: project.baselineFile("squat"), suite: "squat"))
    if let run = try? Data(contentsOf: URL(fileURLWithPath: "\(project.reports)/gallery/report/results.json")) {
      _ = try? compactJSON(JSONDecoder().decode(RunResults.self, from: run))
    }
    let values = (0..<8).map { PairedValue(name: "\($0)", before: Double($0), after: Double($0) + 1, gain: 1) }
    let chart = PairedDots(topic: "Clips", source: "test", kind: "clip", axisTitle: "reps", values: values)
    for theme in [Theme.light, .dark] { _ = try? DrawnChart(chart, theme: theme) }
  }

  /// Parses each command once: the parser looks into its types, and remembers what it found.
  private static func parseAll(_ command: any ParsableCommand.Type, at path: [String]) {
    _ = try? BenchCommand.parseAsRoot(path + ["--help"])
    for inner in command.configuration.subcommands { parseAll(inner, at: path + [inner._commandName]) }
  }

  /// Runs one command and returns its exit code: 0 pass or done, 1 error, 2 regression, 3 maybe worse, 5 something
  /// needed is missing, 64 wrong usage, 130 interrupted.
  public static func run(_ arguments: [String], adding detectors: [any Detector.Type] = []) async -> Int32 {
    await $added.withValue(DetectorRegistry(detectors)) {
      await $arguments.withValue(arguments) { afterOutput(await runParsed(arguments)) }
    }
  }

  /// The exit code of a command after its output was written: lost output is an error, unless something worse was
  /// found.
  private static func afterOutput(_ code: Int32, isLast: Bool = false) -> Int32 {
    guard let lost = Terminal.lostOutput(isLast: isLast) else { return code }
    Terminal.error("bench: \(lost)")
    return code == 0 ? 1 : code
  }

  private static func runParsed(_ arguments: [String]) async -> Int32 {
    do {
      let command = try BenchCommand.parseAsRoot(arguments)
      try requireCurrentFolder()
      defer { CommandProcesses.endAll() }
      let isGiven = (command as? any ReplayingCommand)?.consent.allowCommands ?? false
      let notes = Notes()
      let reading = DataReading(readsEveryFile: command is any RereadingCommand) { notes.print($0) }
      try await DataReading.$current.withValue(reading) {
        try await $consent.withValue(CommandConsent(isGiven: isGiven)) {
          try await $known.withValue(KnownDetectors()) {
            if var command = command as? any AsyncParsableCommand {
              try await command.run()
            } else {
              var command = command
              try command.run()
            }
          }
        }
      }
      return 0
    } catch {
      return report(error)
    }
  }

  /// - Throws: `EvaluationError.missing` if the current folder was deleted, or cannot be read.
  private static func requireCurrentFolder() throws {
    guard FileManager.default.currentDirectoryPath.hasPrefix("/") else {
      throw EvaluationError.missing(
        what: "current folder", expected: "an existing one",
        found: "one that was deleted or can't be read; change to another with: cd")
    }
  }

  /// Prints the error and returns its exit code.
  private static func report(_ error: any Error) -> Int32 {
    let code: Int32
    switch error {
    case let exit as ExitCode: return exit.rawValue
    case is CancellationError:
      Terminal.error("bench: interrupted")
      return Interruption.exitCode
    case is Interrupted: code = Interruption.exitCode
    case EvaluationError.missing, EvaluationError.incomparable: code = 5
    case EvaluationError.usage: code = 64
    case is EvaluationError, is DataError, is StoreError, is ChartError: code = 1
    default:
      // The argument parser prints help, version and wrong usage.
      let message = BenchCommand.fullMessage(for: error)
      let parserCode = BenchCommand.exitCode(for: error).rawValue
      guard parserCode != 0 else {
        Terminal.out(message)
        return 0
      }
      // Of an unknown command, the parser names the options.
      let usage = message.drop { $0 != "\n" }
      Terminal.error(unknownCommand.map { "Error: Unknown command \($0)\(usage)" } ?? message)
      return parserCode
    }
    Terminal.error("bench: \(error)")
    return code
  }

  /// `"rnu", did you mean run?`; `nil` if every command exists.
  private static var unknownCommand: String? {
    var command: any ParsableCommand.Type = BenchCommand.self
    for argument in arguments where argument != "help" {
      let known = command.configuration.subcommands
      guard !known.isEmpty, command.configuration.defaultSubcommand == nil, !argument.hasPrefix("-") else { return nil }
      guard let next = known.first(where: { $0._commandName == argument }) else {
        return NearNames.question(argument, in: known.map { $0._commandName })
      }
      command = next
    }
    return nil
  }
}

/// The notes of a command on its datasets and programs, each printed once: a command may look a dataset up more than
/// once, and a program may be silent on each clip.
private final class Notes: Sendable {
  private let printed = Mutex<Set<String>>([])

  func print(_ note: String) {
    if printed.withLock({ $0.insert(note).inserted }) { Terminal.error("note: \(note)") }
  }
}

/// The detectors of a command: its project's files are read once.
final class KnownDetectors: Sendable {
  private let kept = Mutex<DetectorRegistry?>(nil)

  func registry(_ read: () throws -> DetectorRegistry) throws -> DetectorRegistry {
    if let known = kept.withLock({ $0 }) { return known }
    let registry = try read()
    kept.withLock { $0 = registry }
    return registry
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
      InitCommand.self, RunCommand.self, CompareCommand.self, SweepCommand.self, TuneCommand.self, GateCommand.self,
      BaselineCommand.self,
      ReportCommand.self, ViewCommand.self, DrawCommand.self, HistoryCommand.self, PowerCommand.self,
      ReplayCommand.self,
      ScoreCommand.self, DriftCommand.self, LeaderboardCommand.self, PeopleCommand.self, DatasetCommand.self,
      DetectorCommand.self,
      ExerciseCommand.self,
      MetricCommand.self, AgreementCommand.self, SelftestCommand.self, TallyCommand.self, MergeCommand.self,
    ])
}
