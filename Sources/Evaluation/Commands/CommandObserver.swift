import Coaching
import Datasets
import Files
import Foundation
import Pipeline
import PoseModel
import Synchronization

/// A detector that is a program, at one setting. Each clip goes to an idle process.
struct CommandObserver: OutsideObserver {
  let detector: CommandDetector
  let values: ParameterValues
  let consent: CommandConsent

  /// The bytes written before reading answers: a pipe's capacity.
  private static let ahead = 1 << 16

  func filesHash() throws -> String { try detector.filesHash() }

  func answers(on clip: OutsideClip, frameByFrame: Bool) throws -> OutsideAnswers {
    var messages = try CommandMessages(clip, for: detector, at: values)
    var process = try CommandProcesses.take(detector, consent)
    var answers = OutsideAnswers(events: [])
    var columns = detector.measurements.map { _ in [Float]() }
    // Includes the answer to the end.
    let (frames, expected) = (messages.frameCount, messages.frameCount + 1)
    let later = clip.displacement?.time ?? .zero
    func time(ofFrame frame: Int) -> Microseconds { messages.time(ofFrame: frame) - later }
    let last = frames > 0 ? time(ofFrame: frames - 1) : .zero
    var (answered, sent) = (0, 0)
    var line = JSONLine()
    do {
      try process.exchange(within: detector.limits) { pending in
        line.removeAll()
        let before = sent
        while sent < expected, frameByFrame ? sent == answered : line.bytes.count < Self.ahead {
          messages.append(to: &line)
          sent += 1
          if frameByFrame { break }
        }
        pending += line.bytes
        return sent - before
      } answer: { bytes in
        let answer = try CommandAnswer(
          bytes, of: detector, at: answered < frames ? time(ofFrame: answered) : last, isLast: answered == frames,
          displaced: clip.displacement)
        if let refusal = answer.refusal { throw Refusal(words: refusal) }
        guard answered < sent else { throw LineProcess.Failure.unasked }
        answers.events += answer.events
        answers.countConfidence = answer.confidence
        if let told = answer.nanoseconds, answered < frames { answers.nanoseconds.append(told) }
        if answered < frames {
          for index in columns.indices {
            columns[index].append(index < answer.signals.count ? answer.signals[index] : .nan)
          }
        }
        answered += 1
        return answered == expected
      } silent: { limit in
        guard !frameByFrame else { return }
        let (silence, most) = (detector.limits.notable / .seconds(1), limit / .seconds(1))
        DataReading.current.note(
          "\(detector.commandLine) has not answered for \(silence.shortestDecimal) s of \(most.shortestDecimal) s "
            + "that it may take; \(FlushHint(detector.command).words)")
      }
    } catch let error as CancellationError {
      process.end()
      throw error
    } catch {
      let lines = process.lastErrorLines
      process.end()
      let place =
        answered < frames ? "frame \(answered) (\(time(ofFrame: answered).decimalSeconds) s)" : "the end"
      throw failure(error, on: clip, place, lines, mayBuffer: !frameByFrame)
    }
    CommandProcesses.giveBack(process, of: detector)
    // A missing frame would shift all later ones into other blocks.
    if answers.nanoseconds.count != frames { answers.nanoseconds = [] }
    answers.series = zip(detector.measurements, columns).enumerated().map { index, column in
      Timeline.Series(
        name: column.0.name, unit: column.0.unit, values: column.1,
        guides: column.0.guides.compactMap { name in
          values.values[name].map { Guide(signal: index, value: $0, label: name) }
        })
    }
    return answers
  }

  /// A program's own error.
  private struct Refusal: Error {
    var words: String
  }

  /// An error with the detector, the clip, the frame and the program's last lines on standard error.
  ///
  /// - Parameter mayBuffer: Whether a program that is silent may have answered without a flush.
  private func failure(
    _ error: any Error, on clip: OutsideClip, _ place: String, _ lines: [String], mayBuffer: Bool
  ) -> DataError {
    let hint = mayBuffer ? "; \(FlushHint(detector.command).words)" : ""
    var expected = "an answer to \(place) from \(detector.commandLine)"
    let found: String
    switch error {
    case LineProcess.Failure.ended(let code):
      // A program that failed says why itself.
      found = code > 128 ? "an exit by signal \(code - 128)" : "an exit with code \(code)" + (code == 0 ? hint : "")
    case LineProcess.Failure.closed: found = "closed standard output" + hint
    case LineProcess.Failure.silent(let limit):
      found = "nothing for \((limit / .seconds(1)).shortestDecimal) s" + hint
    case LineProcess.Failure.tooLong(let bytes): found = "a line of more than \(bytes) bytes"
    case LineProcess.Failure.unasked:
      found = "an extra line; it must answer each frame and the end with one line"
    case let refusal as Refusal: found = "the error \(Excerpt.cut(refusal.words))"
    case let error as DataError:
      expected = "\(error.expected) in the answer to \(place) from \(detector.commandLine)"
      found = error.found
    default: found = "\(error)"
    }
    let last = lines.isEmpty ? "" : "; its last lines on standard error:" + lines.map { "\n  \($0)" }.joined()
    return DataError(file: detector.file, clip: clip.id, expected: expected, found: found + last)
  }
}

/// The idle processes. A worker takes one and gives it back, so there is at most one process per worker.
public enum CommandProcesses {
  private static let idle = Mutex<[CommandDetector: [LineProcess]]>([:])

  static func take(_ detector: CommandDetector, _ consent: CommandConsent) throws -> LineProcess {
    try consent.require(detector)
    if let process = idle.withLock({ $0[detector]?.popLast() }) { return process }
    if let path = LabelShield.path(of: detector) {
      throw DataError(
        file: detector.file,
        expected: "a program and files outside of \(LabelShield.folders.joined(separator: ", ")), which it must not "
          + "see",
        found: path)
    }
    return try LineProcess(
      LabelShield.hiding(in: detector.root, from: detector.command), environment: environment,
      in: detector.root.isEmpty ? nil : detector.root)
  }

  static func giveBack(_ process: LineProcess, of detector: CommandDetector) {
    idle.withLock { $0[detector, default: []].append(process) }
  }

  /// Ends all idle processes.
  public static func endAll() {
    let processes = idle.withLock { idle in
      defer { idle = [:] }
      return idle.values.flatMap(\.self)
    }
    for process in processes { process.end() }
  }

  /// The environment variables passed to a program: paths, libraries and locale, but no keys or tokens.
  private static let environment = ProcessInfo.processInfo.environment.filter { known.contains($0.key) }

  private static let known: Set<String> = [
    "PATH", "HOME", "USER", "LOGNAME", "TMPDIR", "TZ", "LANG", "LC_ALL", "LC_CTYPE", "PYTHONPATH", "VIRTUAL_ENV",
    "CONDA_PREFIX", "NODE_PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "PYENV_ROOT", "PYENV_VERSION", "NVM_DIR",
  ]
}
