/// What a colour says. Charts ask for a meaning, never for a colour, so that one colour says one thing in all of them.
public enum Meaning: String, Hashable, Sendable, CaseIterable {
  /// What people labelled.
  case truth
  /// What a detector said, where it agrees with the labels or nothing is known against it.
  case prediction
  case better
  /// Wrong, or worse than it should be: a false alarm, a miss, an error beyond the tolerance.
  case worse
  /// An interval, a range between raters, a value that is missing.
  case uncertain
  /// A measured signal, and whatever takes no side.
  case neutral
  /// The area within a tolerance.
  case tolerance
  /// Text and axes.
  case ink
  /// Text that can wait: subtitles, tick labels.
  case quiet
  case grid
  case background
}
