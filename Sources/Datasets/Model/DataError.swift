/// Something wrong in data that came from outside: where, what was expected there, and what was found.
public struct DataError: Error, Hashable, Sendable, CustomStringConvertible {
  public var file: String
  /// Counted from 1.
  public var line: Int?
  public var clip: String?
  public var expected: String
  public var found: String

  public init(file: String, line: Int? = nil, clip: String? = nil, expected: String, found: String) {
    self.file = file
    self.line = line
    self.clip = clip
    self.expected = expected
    self.found = found
  }

  /// `datasets/mine/reps.csv:7: clip a01: expected an end after the start 2.5 s, found 2.1 s`
  public var description: String {
    let place = line.map { "\(file):\($0)" } ?? file
    let subject = clip.map { ": clip \($0)" } ?? ""
    return "\(place)\(subject): expected \(expected), found \(found)".visible
  }
}
