import Charts
import Files
import Foundation
import Rainbow
import Reports
import Synchronization

/// The output for people: text on standard output, progress and errors on standard error.
enum Terminal {
  static let isInteractive = isatty(STDOUT_FILENO) == 1
  static let showsProgress = isatty(STDERR_FILENO) == 1

  /// Whether to colour: on a terminal, unless `NO_COLOR` is set to anything (no-color.org) or the terminal is a dumb one.
  static let hasColor: Bool = {
    let environment = ProcessInfo.processInfo.environment
    return isInteractive && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
  }()

  /// Columns to wrap at: the terminal's; in a pipe those of COLUMNS, or 80.
  static let width = columns ?? 80

  /// Columns of a table: in a pipe without COLUMNS as many as it takes, so that each row is a line.
  static let tableWidth = columns ?? (isInteractive ? width : .max)

  /// `nil` if neither the terminal nor COLUMNS says it.
  private static let columns: Int? = {
    var size = winsize()
    if isInteractive, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 20 { return Int(size.ws_col) }
    return ProcessInfo.processInfo.environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 20 ? $0 : nil }
  }()

  /// Data for another program, such as JSON, and pages; what a command says to a person is made of blocks.
  static func out(_ text: String) { piece(text.hasSuffix("\n") ? text : text + "\n") }

  /// A part of output that is written piece by piece, without a line feed.
  static func piece(_ text: String) {
    outputFailure.withLock { failure in
      // After a failure, something would be missing between this and earlier output.
      if failure == nil, !writeBytes(Array(shown(text).utf8), to: STDOUT_FILENO) { failure = errno }
    }
  }

  static func error(_ text: String) {
    // If standard error fails too, there is nowhere left to report it.
    writeBytes(Array(shown(text.hasSuffix("\n") ? text : text + "\n").utf8), to: STDERR_FILENO)
  }

  /// A command to a CI runner, which reads both streams; standard error, to keep JSON output valid.
  ///
  /// - Parameter command: One line; external texts in it must be escaped.
  static func runner(_ command: String) { writeBytes(Array((command + "\n").utf8), to: STDERR_FILENO) }

  /// `false`, with the reason in `errno`, if not everything was written.
  @discardableResult
  static func writeBytes(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    bytes.withUnsafeBytes { writeAll($0, to: descriptor) }
  }

  /// Why standard output failed; `nil` as long as it works.
  private static let outputFailure = Mutex<Int32?>(nil)

  /// Why output was lost; `nil` if everything was written, or its reader closed the pipe.
  ///
  /// - Parameter isLast: Closes standard output, as some file systems report a full disk only then.
  static func lostOutput(isLast: Bool = false) -> DataError? {
    outputFailure.withLock { failure in
      if isLast, close(STDOUT_FILENO) != 0, failure == nil { failure = errno }
      defer { failure = nil }
      guard let reason = failure, reason != EPIPE else { return nil }
      errno = reason
      return DataError.cannotWrite("standard output")
    }
  }

  /// Opens closed standard streams on nothing: otherwise a file that is opened later would get one of their numbers,
  /// and output would end up in it.
  static func holdStandardStreams() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 {
      // A write that fails shows that output is lost.
      _ = open("/dev/null", descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// The text with everything escaped that a terminal or a runner would interpret, except our own colours.
  private static func shown(_ text: String) -> String {
    guard hasColor else { return text.visible }
    return text.components(separatedBy: colorMark).map(\.visible).joined(separator: "\u{1B}[")
  }

  /// Replaces `ESC [` in our own colours until they are written, with the same length. It is random, and external text
  /// cannot contain it.
  private static let colorMark =
    "\u{1B}" + String(Unicode.Scalar(UInt32.random(in: 0xF0000...0xFFFFD)) ?? "\u{F0000}")

  private static func colored(_ text: String, _ code: some ModeCode) -> String {
    guard hasColor else { return text }
    return "\(colorMark)\(code.value.map(String.init).joined(separator: ";"))m\(text)\(colorMark)0m"
  }

  /// In the colours and styles of its tones.
  static func toned(_ text: TonedText) -> String {
    text.parts.map { part in part.tones.reversed().reduce(part.text, toned) }.joined()
  }

  private static func toned(_ text: String, _ tone: Tone) -> String {
    switch tone {
    case .bold: colored(text, Style.bold)
    case .dim: colored(text, Style.dim)
    case .good: colored(text, Color.green)
    case .bad: colored(text, Color.red)
    case .unsure: colored(text, Color.yellow)
    }
  }

  /// A report or the screen of a command, as wide as the terminal.
  static let layout = TerminalLayout(width: width, tableWidth: tableWidth)

  static func out(_ blocks: [TextBlock]) {
    if !blocks.isEmpty { out(layout.text(blocks)) }
  }

  /// Reports written files; on standard error if standard output is data for another program.
  static func wrote(_ blocks: [TextBlock], beside data: Bool) {
    if data, !blocks.isEmpty { error(layout.text(blocks)) } else { out(blocks) }
  }
}

/// A progress bar with rate and remaining time, for work longer than a second; nothing in a pipe.
///
/// Ctrl-C ends the work: see `Interruption`.
final class ProgressBar: Sendable {
  private let title: String
  private let total: Int
  private let start = ContinuousClock.now
  private let lastDrawn = Mutex<ContinuousClock.Instant?>(nil)
  private let isFinished = Atomic(false)

  init(_ title: String, total: Int) {
    self.title = title
    self.total = total
    Interruption.watch()
  }

  /// Call from any thread with the number of finished items.
  ///
  /// - Parameter bytes: How much has been read, if that is more informative.
  /// - Throws: `CancellationError` after a Ctrl-C.
  func update(_ done: Int, bytes: Int? = nil) throws {
    try Interruption.check()
    guard Terminal.showsProgress, total > 0 else { return }
    let now = ContinuousClock.now
    guard now - start > .seconds(1) else { return }
    lastDrawn.withLock { last in
      if let last, now - last < .milliseconds(50) { return }
      last = now
      let text = Self.text(title, done: done, of: total, bytes: bytes, after: now - start, width: Terminal.width)
      Terminal.writeBytes(Array("\r\(text)\u{1B}[K".utf8), to: STDERR_FILENO)
    }
  }

  /// `importing ███░░░ 512 of 2048, 210 MB/s, 40 s left `, with a bar as long as fits.
  ///
  /// - Parameter width: The terminal's width in columns.
  static func text(_ title: String, done: Int, of total: Int, bytes: Int?, after time: Duration, width: Int) -> String {
    let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
    let rate = bytes.map { "\(digits(Double($0) / 1e6 / seconds)) MB/s" } ?? "\(digits(Double(done) / seconds))/s"
    let left = done > 0 ? ", \(span(seconds / Double(done) * Double(total - done))) left" : ""
    let figures = "\(done) of \(total), \(rate)\(left) "
    let cells = max(5, min(30, width - title.count - figures.count - 3))
    let full = cells * done / total
    return "\(title) \(String(repeating: "█", count: full))\(String(repeating: "░", count: cells - full)) \(figures)"
  }

  /// At least two digits.
  private static func digits(_ number: Double) -> String {
    number < 10 ? String(format: "%.1f", number) : String(format: "%.0f", number)
  }

  private static func span(_ seconds: Double) -> String {
    let whole = Int(seconds.rounded(.up))
    if whole < 120 { return "\(whole) s" }
    if whole < 7200 { return "\(whole / 60) min" }
    return "\(whole / 3600) h \(whole / 60 % 60) min"
  }

  /// Clears the bar.
  func finish() {
    guard !isFinished.exchange(true, ordering: .relaxed) else { return }
    Interruption.unwatch()
    lastDrawn.withLock { last in
      if last != nil { Terminal.writeBytes(Array("\r\u{1B}[2K".utf8), to: STDERR_FILENO) }
      last = nil
    }
  }

  deinit { finish() }
}

/// Ctrl-C during work that can stop cleanly: the first one is noted, and `check` then ends the work; the second one
/// ends the process, and so do two seconds in which the work did not end.
///
/// Without a watcher, Ctrl-C ends the process at once, as usual.
enum Interruption {
  /// The exit code in shells of a process ended by SIGINT.
  static let exitCode: Int32 = 128 + SIGINT

  private static let watchers = Mutex(0)

  /// Starts watching; does nothing if it is already watching.
  static func watch() {
    watchers.withLock { count in
      count += 1
      guard count == 1 else { return }
      InterruptionRequest.isMade.store(false, ordering: .relaxed)
      guard !isIgnored else { return }
      signal(SIGALRM, end)
      signal(SIGINT, note)
    }
  }

  /// Stops watching.
  static func unwatch() {
    watchers.withLock { count in
      count -= 1
      guard count == 0, !isIgnored else { return }
      // An app that runs a command goes on after it.
      if InterruptionRequest.isMade.load(ordering: .relaxed) { alarm(0) }
      signal(SIGALRM, SIG_DFL)
      signal(SIGINT, SIG_DFL)
    }
  }

  /// Whether Ctrl-C was ignored when the process started, as under `nohup` or in the background: it stays ignored.
  private static let isIgnored: Bool = {
    var action = sigaction()
    sigaction(SIGINT, nil, &action)
    // Handlers cannot be compared in Swift. The handler, or its placeholder, is the first field of the structure on all
    // platforms of Swift; SIG_IGN is not the address of a function.
    return withUnsafeBytes(of: action) { $0.load(as: UInt.self) }
      == withUnsafeBytes(of: SIG_IGN) { $0.load(as: UInt.self) }
  }()

  /// - Throws: `CancellationError` after a Ctrl-C.
  static func check() throws { try InterruptionRequest.check() }

  /// Does no more than a signal handler may.
  private static let note: @convention(c) (Int32) -> Void = { _ in
    InterruptionRequest.isMade.store(true, ordering: .relaxed)
    signal(SIGINT, SIG_DFL)
    alarm(2)
  }

  /// Ends the process as a second Ctrl-C does; without a Ctrl-C the alarm is another's, and ends it as usual.
  private static let end: @convention(c) (Int32) -> Void = { alarm in
    if InterruptionRequest.isMade.load(ordering: .relaxed) {
      raise(SIGINT)
    } else {
      signal(alarm, SIG_DFL)
      raise(alarm)
    }
  }
}

/// Interrupted work, with its result.
struct Interrupted: Error, CustomStringConvertible {
  let description: String
}
