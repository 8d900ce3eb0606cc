/// Something in a dataset that spoils an evaluation, as one check found it.
public struct Finding: Codable, Hashable, Sendable {
  public enum Severity: String, Codable, CaseIterable, Hashable, Comparable, Sendable {
    /// Results on it are wrong or too good.
    case problem
    /// Results on it may be wrong there.
    case warning
    /// Worth knowing; nothing is wrong.
    case note

    public static func < (a: Self, b: Self) -> Bool { a.rank < b.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  /// The check's name.
  public var check: String
  public var severity: Severity
  /// `nil` where it is about the dataset as a whole.
  public var clip: String?
  /// Seconds of the clip; `nil` where it is about the clip as a whole.
  public var start: Double?
  public var end: Double?
  /// The file that says so, and its line; `nil` for what is no label of a folder.
  public var file: String?
  public var line: Int?
  /// What was found, in words.
  public var found: String
  /// What to do about it.
  public var remedy: String
  /// How bad it is beside others of the same check; the greater the worse.
  public var weight: Double
}
