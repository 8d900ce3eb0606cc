import PoseModel

/// The hand that holds the racket.
public enum Hand: String, Hashable, Codable, Sendable {
  case left, right

  /// The side of the body that it hangs on, as a sign: the person's own right is +1.
  var sign: Float { self == .right ? 1 : -1 }
}
