import Files

/// Why an evaluation cannot be done, and its kind of exit code.
public enum EvaluationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Something that is needed is missing or has changed: a suite, dataset, clip, metric or baseline.
  case missing(what: String, expected: String, found: String)
  /// The command makes no sense.
  case usage(String)

  public var description: String {
    switch self {
    case .missing(let what, let expected, let found):
      "\(what): expected \(Excerpt.cut(expected)), found \(Excerpt.cut(found))"
    case .usage(let words): words
    }
  }
}
