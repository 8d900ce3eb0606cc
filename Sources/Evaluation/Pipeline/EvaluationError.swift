import Files

/// Why an evaluation can't be done, and which kind of exit that is.
public enum EvaluationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Something that is needed is not there, or not what it was: a suite, dataset, clip, metric or baseline.
  case missing(what: String, expected: String, found: String)
  /// The command can't mean anything.
  case usage(String)

  public var description: String {
    switch self {
    case .missing(let what, let expected, let found):
      "\(what): expected \(Excerpt.cut(expected)), found \(Excerpt.cut(found))"
    case .usage(let words): words
    }
  }
}
