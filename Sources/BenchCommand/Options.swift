import ArgumentParser
import Charts
import Coaching
import Datasets
import Evaluation
import Files
import Foundation
import Pipeline
import Reports
import Statistics

/// A command that may replay clips through detectors that are commands of the project.
protocol ReplayingCommand: ParsableCommand {
  var consent: ConsentOptions { get }
}

/// A command that takes no file of a dataset folder as unchanged by its size and times: it reads them all.
protocol RereadingCommand: ParsableCommand {}

/// The detector that replays clips, and its parameters.
struct ReplayOptions: ParsableArguments {
  @Option(help: "The suite, for clips, parameters and matching.")
  var suite: String?

  @Option(help: ArgumentHelp("Take clips from this dataset only.", valueName: "name"))
  var dataset: String?

  @Option(help: "The detector. (default: the suite's first; without one, that of the exercise or the squat's)")
  var detector: String?

  @Option(
    name: .customLong("set"), parsing: .singleValue,
    help: ArgumentHelp(
      "Set a parameter, overriding the suite's or the run's; may be repeated.",
      valueName: "kind.detector.parameter=value"))
  var assignments: [String] = []

  @OptionGroup var parameterFiles: ParameterFileOptions
  @OptionGroup var smoothing: SmoothingOptions

  /// What overrides the suite's or the run's.
  func changes(of definition: DetectorDefinition) throws -> ReplayChanges {
    let file = try parameterFiles.read(of: [definition]).first
    let changes = try ReplayChanges(values: file?.values ?? [:], smoothing: smoothing.smoothing ?? file?.smoothing)
    return try assignments.flatMap { try Assignment.all($0, of: [definition]) }.reduce(into: changes) {
      $0.values[$1.parameter] = $1.value
    }
  }
}

/// Consent to run a project's commands.
struct ConsentOptions: ParsableArguments {
  @Flag(help: "Let the project's detectors/*.yaml run their commands; remembered until the file changes.")
  var allowCommands = false
}

/// A format of the command's table for other programs and papers.
struct TableOptions: ParsableArguments {
  @Flag var format: ChartTable.FileFormat?

  /// - Parameters:
  ///   - others: Whether another format is given.
  ///   - names: The options of the other formats.
  func validate(beside others: Bool, _ names: String) throws {
    if format != nil, others { throw ValidationError("give one of --csv, --markdown, --latex and \(names)") }
  }
}

extension ChartTable.FileFormat: EnumerableFlag {
  public static func help(for format: Self) -> ArgumentHelp? {
    switch format {
    case .csv: "Print the table as CSV (RFC 4180), numbers not rounded."
    case .markdown: "Print the table as Markdown."
    case .latex: "Print the table as LaTeX (booktabs)."
    }
  }
}

/// The output of a sweep, a tuning, a comparison or a self-test, and its formats.
struct StudyOptions: ParsableArguments {
  @Flag(help: "Print the numbers as JSON instead of the summary.")
  var json = false

  @Flag(help: "Print the whole report instead of the summary.")
  var terminal = false

  @Flag(help: "Also write the report as one self-contained HTML file.")
  var html = false

  func validate() throws {
    if json, terminal { throw ValidationError("give one of --json and --terminal") }
  }

  /// Writes the report and prints its summary.
  ///
  /// - Parameters:
  ///   - table: The table to print instead of the summary; `nil` for none.
  ///   - summary: Takes the folder of the report.
  func finish(
    _ study: StudyReport, in project: Project, of suite: String, store: Store, table: String? = nil,
    summary: (String) -> [TextBlock]
  ) throws {
    let origin = StudyReport.Origin(
      created: Date().formatted(.iso8601),
      origin: try RunOrigin(arguments: Bench.arguments, bench: Bench.version, root: project.root, store: store))
    let folder = try study.write(to: project.within(project.reportFolder(suite)), by: origin, html: html)
    let html: [TextBlock] = html ? [.unbroken("html", "\(folder)/\(study.kind).html")] : []
    if let table {
      Terminal.out(table)
    } else if json {
      Terminal.out(String(decoding: study.json, as: UTF8.self))
    } else if terminal {
      Terminal.out(Terminal.layout.text(study.terminal(by: origin)) + "\n\n")
    } else {
      Terminal.out(summary(folder))
    }
    let report: [TextBlock] =
      json || terminal || table != nil ? [.unbroken("report", "\(folder)/\(study.kind).md")] : []
    Terminal.wrote(report + html, beside: json || table != nil)
  }
}

/// The source of an encrypted archive's passphrase; never the command line, which other users can read.
struct PassphraseOptions: ParsableArguments {
  static let variable = "BENCH_PASSPHRASE"

  @Option(
    help: ArgumentHelp(
      "A file whose first line is the archive's passphrase. (default: $\(variable), or a prompt)", valueName: "file"))
  var passphraseFile: String?

  /// The passphrase's bytes unchanged, up to the first CR or LF: text that is not UTF-8 stays distinct.
  ///
  /// - Parameter isNew: Asks twice, as a mistyped passphrase makes the archive unreadable, and warns of a short one.
  ///
  /// - Throws: `EvaluationError.usage` if there is none, `DataError` for a file that cannot be read.
  func passphrase(for archive: String, isNew: Bool) throws -> [UInt8] {
    let phrase = try given(for: archive, isNew: isNew)
    // Characters as a person types and sees them; bytes that are not text count one each.
    let length = String(decoding: phrase, as: UTF8.self).count
    if isNew, length < Self.shortest {
      Terminal.error(
        "warning: this passphrase has \(NumberText.count(length, "character")); fewer than \(Self.shortest) can be "
          + "guessed: use at least four random words")
    }
    return phrase
  }

  /// Characters: the minimum of NIST SP 800-63B-4 (2025) for a password without a second factor.
  private static let shortest = 15

  private func given(for archive: String, isNew: Bool) throws -> [UInt8] {
    if let passphraseFile {
      let file = try InputFile(passphraseFile)
      try file.requireSize(atMost: InputFile.largestSecret)
      return try line(file.bytes, from: passphraseFile)
    }
    // Not through Foundation, which reads a variable as UTF-8.
    if let text = getenv(Self.variable) {
      return try line(UnsafeRawBufferPointer(start: text, count: strlen(text)), from: "$\(Self.variable)")
    }
    guard let typed = try HiddenInput.line("passphrase of \(archive): ") else {
      throw EvaluationError.usage(
        "\(archive) needs a passphrase: give --passphrase-file, set $\(Self.variable), or run it in a terminal")
    }
    if isNew, try HiddenInput.line("again: ") != typed {
      throw EvaluationError.usage("the two passphrases differ; nothing was written")
    }
    return try line(typed, from: "the terminal")
  }

  private func line(_ bytes: some Sequence<UInt8>, from place: String) throws -> [UInt8] {
    let line = Array(bytes.prefix { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") })
    guard !line.isEmpty else { throw EvaluationError.usage("\(place): expected a passphrase, found an empty one") }
    return line
  }
}

/// Hidden input from the terminal.
enum HiddenInput {
  /// A line; `nil` without a terminal.
  ///
  /// - Throws: `ExitCode(130)` for Ctrl-C, as in shells.
  static func line(_ prompt: String) throws -> [UInt8]? {
    // Not standard input, which may be a pipe.
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
    guard terminal >= 0 else { return nil }
    defer { close(terminal) }
    var settings = termios()
    guard tcgetattr(terminal, &settings) == 0 else { return nil }
    var hidden = settings
    // Signals are off too: one would leave the terminal without an echo.
    hidden.c_lflag &= ~tcflag_t(ECHO | ISIG | ICANON)
    tcsetattr(terminal, TCSAFLUSH, &hidden)
    defer {
      tcsetattr(terminal, TCSAFLUSH, &settings)
      Terminal.writeBytes([UInt8(ascii: "\n")], to: terminal)
    }
    Terminal.writeBytes(Array(prompt.visibleLine.utf8), to: terminal)
    var bytes: [UInt8] = []
    while true {
      var byte: UInt8 = 0
      guard read(terminal, &byte, 1) == 1 else { break }
      switch byte {
      case 3: throw ExitCode(130)
      case 4, 10, 13: return bytes
      case 8, 127:
        // A character may have several bytes; all but the first begin with the bits 10.
        while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
      default: bytes.append(byte)
      }
    }
    return bytes
  }
}
