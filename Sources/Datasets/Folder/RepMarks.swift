import Files
import Foundation
import PoseModel

/// A rater's marks of reps, in a file that `bench dataset label` imports: the columns of `reps.csv`, and the rater.
///
/// Each change locks the file, reads it again and writes it whole: nothing that another process wrote to it is lost.
public struct RepMarks: Sendable {
  public struct Mark: Codable, Hashable, Sendable {
    /// Seconds.
    public var start: Double
    public var end: Double
    public var turn: Double?

    public init(start: Double, end: Double, turn: Double? = nil) {
      (self.start, self.end, self.turn) = (start, end, turn)
    }
  }

  /// The reason for refusing a change.
  public enum Failure: Error, Hashable, CustomStringConvertible {
    case wrong(String)
    /// The file has other marks of the clip than the change is of.
    case changedMeanwhile(file: String)

    public var description: String {
      switch self {
      case .wrong(let words): words
      case .changedMeanwhile(let file): "\(file) was changed meanwhile: its marks are shown now. Mark the rep again."
      }
    }
  }

  public let path: String
  public let rater: String

  private static let columns = ["clip", "rep", "start_s", "end_s", "turn_s", "rater"]

  /// - Throws: `DataError` if there is a file that is not such a table, or has another rater's marks.
  public init(path: String, rater: String) throws {
    (self.path, self.rater) = (path, rater)
    _ = try read()
  }

  /// By clip, in the order of their starts.
  public func read() throws -> [String: [Mark]] {
    guard FileKind(path) != nil else { return [:] }
    let table = try CSVTable(
      InputFile(path), required: ["clip", "start_s", "end_s"], optional: ["rep", "turn_s", "rater"])
    var marks: [String: [Mark]] = [:]
    for row in table.rows {
      if let other = try row.textIfPresent("rater"), other != rater {
        throw DataError(
          file: path, line: row.line, expected: "marks of \(rater) alone; choose another file with --output",
          found: "one of \(other)")
      }
      let mark = Mark(
        start: try row.time("start_s").seconds, end: try row.time("end_s").seconds,
        turn: try row.timeIfPresent("turn_s")?.seconds)
      marks[try row.text("clip"), default: []].append(mark)
    }
    return marks.mapValues { $0.sorted { $0.start < $1.start } }
  }

  /// Replaces the marks of a clip.
  ///
  /// - Parameters:
  ///   - seen: The clip's marks before the change, as the rater saw them.
  ///   - length: The time of the clip's last frame in seconds.
  ///   - patience: The longest wait for another process that is changing the file.
  /// - Throws: `Failure`, and `DataError` if the file cannot be read or written; it then stays as it was.
  public func replace(
    _ seen: [Mark], with marks: [Mark], of clip: String, length: Double, patience: Duration = .seconds(5)
  ) throws {
    let sorted = marks.sorted { $0.start < $1.start }
    for mark in sorted {
      let times = [mark.start, mark.turn ?? mark.start, mark.end]
      guard times.allSatisfy({ $0.isFinite && $0 >= 0 && $0 <= length + 0.001 }) else {
        throw Failure.wrong("expected times from 0 to \(length) s, the end of the clip")
      }
      guard mark.start < mark.end, mark.turn.map({ mark.start < $0 && $0 < mark.end }) ?? true else {
        throw Failure.wrong("expected the turn after the start, and the end after both")
      }
    }
    for (one, next) in zip(sorted, sorted.dropFirst()) where next.start < one.end {
      throw Failure.wrong("expected a rep after \(one.end) s, where the one before it ends, found \(next.start) s")
    }
    let lock = try lock(patience)
    defer { withExtendedLifetime(lock) {} }
    var all = try read()
    guard (all[clip] ?? []) == seen.sorted(by: { $0.start < $1.start }) else {
      throw Failure.changedMeanwhile(file: path)
    }
    all[clip] = sorted
    var text = CSVField.row(Self.columns.map { .literal($0) })
    for (clip, marks) in all.sorted(by: { $0.key < $1.key }) {
      for (index, mark) in marks.enumerated() {
        func time(_ seconds: Double) -> CSVField { Microseconds(seconds: seconds).map { .time($0) } ?? .empty }
        text += CSVField.row([
          .text(clip), .integer(index + 1), time(mark.start), time(mark.end), mark.turn.map(time) ?? .empty,
          .text(rater),
        ])
      }
    }
    try writeWhole(Data(text.utf8), to: path)
  }

  /// Locks the file against other changes, by a file beside it: the file itself is replaced by each.
  private func lock(_ patience: Duration) throws -> FileLock {
    let parts = PathParts(path)
    guard parts.folder.isEmpty || makeFolder(parts.folder) else { throw DataError.cannotWrite(path) }
    let start = ContinuousClock.now
    do {
      let lock = try FileLock(PathParts.join(parts.folder, ".\(parts.name).lock")) { _ in
        usleep(2_000)
        return ContinuousClock.now - start < patience
      }
      if let lock { return lock }
    } catch let error as FileLock.Unavailable {
      errno = error.reason
      throw DataError.cannotWrite(path)
    }
    throw DataError(
      file: path, expected: "no other writer", found: "another process writing it; wait until it ends")
  }
}
