/// The strokes that the tennis architecture tells, by the names that labels use.
public enum SwingType: String, CaseIterable, Hashable, Codable, Sendable {
  case forehand, backhand, serve
}
