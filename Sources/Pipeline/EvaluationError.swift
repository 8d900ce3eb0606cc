import Files

/// The reason why an evaluation failed, which determines the exit code.
public enum EvaluationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A required suite, dataset, clip, metric or baseline is missing or has changed.
  case missing(what: String, expected: String, found: String)
  /// Two results were made on different data or with different settings, in words.
  case incomparable(String)
  /// The command's options are invalid.
  case usage(String)

  public var description: String {
    switch self {
    case .missing(let what, let expected, let found):
      "\(what): expected \(Excerpt.cut(expected)), found \(Excerpt.cut(found))"
    case .incomparable(let words), .usage(let words): words
    }
  }
}
