import Mustache

/// The value of a key that has none: nothing is printed, and a section of it is left out.
struct Absent: MustacheCustomRepresentation {
  var representation: Any? { nil }
}
