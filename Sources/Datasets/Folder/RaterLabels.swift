import Files
import Foundation
import PoseModel

/// What one rater says of the clips of a dataset: a JSON file that `bench view --label` writes and `bench dataset label`
/// imports.
///
/// Each change locks the file, reads it again and writes it whole: nothing that another process wrote to it is lost.
public struct RaterLabels: Sendable {
  /// A repetition; times are seconds.
  public struct MarkedRep: Codable, Hashable, Sendable {
    public var start: Double
    public var end: Double
    public var turn: Double?
    /// Whether each fault is present, by its name.
    public var faults: [String: Bool]
    /// By criterion.
    public var grades: [String: Double]

    public init(
      start: Double, end: Double, turn: Double? = nil, faults: [String: Bool] = [:], grades: [String: Double] = [:]
    ) {
      (self.start, self.end, self.turn, self.faults, self.grades) = (start, end, turn, faults, grades)
    }
  }

  /// An instant, in seconds.
  public struct MarkedEvent: Codable, Hashable, Sendable {
    public var time: Double
    public var label: String

    public init(time: Double, label: String) { (self.time, self.label) = (time, label) }
  }

  /// From `start` to `end`, in seconds.
  public struct MarkedInterval: Codable, Hashable, Sendable {
    public var start: Double
    public var end: Double
    public var label: String

    public init(start: Double, end: Double, label: String) {
      (self.start, self.end, self.label) = (start, end, label)
    }
  }

  /// The labels of one clip.
  public struct Labels: Codable, Hashable, Sendable {
    public var reps: [MarkedRep] = []
    public var events: [MarkedEvent] = []
    public var intervals: [MarkedInterval] = []
    /// The faults of the whole clip.
    public var faults: [String: Bool] = [:]
    /// The grades of the whole clip.
    public var grades: [String: Double] = [:]
    /// Whether nobody does a rep in it.
    public var noReps = false
    /// Whether the rater cannot tell: the labels are not imported.
    public var isUnsure = false
    /// Whether the rater has finished: other labels are not imported.
    public var isDone = false
    public var comment = ""
    /// The detector whose reps these labels began as, or were changed after; `nil` if the rater saw none before.
    public var draft: String?

    public init() {}
  }

  /// The reason for refusing a change.
  public enum Failure: Error, Hashable, CustomStringConvertible {
    case wrong(String)
    /// The file has other labels of the clip than the change is of.
    case changedMeanwhile(file: String)

    public var description: String {
      switch self {
      case .wrong(let words): words
      case .changedMeanwhile(let file): "\(file) was changed meanwhile: its labels are shown now. Repeat the change."
      }
    }
  }

  /// The content of a file.
  public struct Content: Codable, Sendable {
    /// Names the kind of file.
    public var format = Self.name
    public var rater: String
    /// By the clip's name.
    public var clips: [String: Labels] = [:]

    public static let name = "bench-labels-1"
  }

  public let path: String
  public let rater: String

  /// - Throws: `DataError` if there is a file that is not such a file, or has another rater's labels.
  public init(path: String, rater: String) throws {
    (self.path, self.rater) = (path, rater)
    _ = try read()
  }

  /// By the clip's name.
  public func read() throws -> [String: Labels] {
    guard FileKind(path) != nil else { return [:] }
    let content = try Self.content(of: InputFile(path))
    guard content.rater == rater else {
      throw DataError(
        file: path, expected: "labels of \(rater); choose another file with --output",
        found: "those of \(content.rater)")
    }
    return content.clips
  }

  /// The content of a file, checked.
  ///
  /// - Throws: `DataError` if it is not such a file.
  public static func content(of file: InputFile) throws -> Content {
    let expected = "labels that bench view --label wrote"
    do {
      let content = try JSONDecoder().decode(Content.self, from: file.bytes)
      guard content.format == Content.name else {
        throw DataError(file: file.name, expected: "the format \(Content.name)", found: content.format.visible)
      }
      for (clip, labels) in content.clips {
        do { try labels.check(until: .infinity) } catch Failure.wrong(let words) {
          throw DataError(file: file.name, expected: "sound labels of clip \(clip.visible)", found: words)
        }
      }
      return content
    } catch let error as DecodingError {
      let found = error.words(in: file) { _ = try JSONDecoder().decode(Content.self, from: $0) }
      throw DataError(file: file.name, expected: expected, found: found)
    }
  }

  /// Replaces the labels of a clip.
  ///
  /// - Parameters:
  ///   - seen: The clip's labels before the change, as the rater saw them; `nil` for none.
  ///   - length: The time of the clip's last frame in seconds.
  ///   - patience: The longest wait for another process that is changing the file.
  /// - Throws: `Failure`, and `DataError` if the file cannot be read or written; it then stays as it was.
  public func replace(
    _ seen: Labels?, with labels: Labels?, of clip: String, length: Double, patience: Duration = .seconds(5)
  ) throws {
    try labels?.check(until: length)
    let lock = try lock(patience)
    defer { withExtendedLifetime(lock) {} }
    var content = Content(rater: rater, clips: try read())
    guard content.clips[clip] == seen else { throw Failure.changedMeanwhile(file: path) }
    content.clips[clip] = labels
    try writeWhole(try stableJSON(content), to: path)
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

extension RaterLabels.Labels {
  /// - Parameter length: The time of the clip's last frame in seconds.
  /// - Throws: `RaterLabels.Failure.wrong` for times outside the clip or in a wrong order, reps that overlap, reps in a
  ///   clip without reps, and labels without a name.
  func check(until length: Double) throws {
    func wrong(_ words: String) -> RaterLabels.Failure { .wrong(words) }
    let times =
      reps.flatMap { [$0.start, $0.turn ?? $0.start, $0.end] } + events.map(\.time)
      + intervals.flatMap { [$0.start, $0.end] }
    guard times.allSatisfy({ $0.isFinite && $0 >= 0 && $0 <= length + 0.001 }) else {
      throw wrong("expected times from 0 to \(length) s, the end of the clip")
    }
    for rep in reps {
      guard rep.start < rep.end, rep.turn.map({ rep.start < $0 && $0 < rep.end }) ?? true else {
        throw wrong("expected the turn after the start, and the end after both")
      }
    }
    for (one, next) in zip(reps, reps.dropFirst()) where next.start < one.end {
      throw wrong("expected a rep after \(one.end) s, where the one before it ends, found \(next.start) s")
    }
    guard intervals.allSatisfy({ $0.start < $0.end }) else { throw wrong("expected an interval's end after its start") }
    guard !noReps || reps.isEmpty else { throw wrong("expected no reps in a clip that is marked as without reps") }
    let names = events.map(\.label) + intervals.map(\.label) + reps.flatMap { $0.faults.keys } + faults.keys
    guard names.allSatisfy({ !$0.isEmpty && $0 == $0.visibleLine }) else {
      throw wrong("expected a name for each label")
    }
    guard (reps.flatMap { $0.grades.values } + grades.values).allSatisfy(\.isFinite) else {
      throw wrong("expected grades that are numbers")
    }
  }
}
