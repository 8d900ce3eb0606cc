import PoseModel

/// Which frames a detector processes: those that come at least an interval after the last one that it did.
struct ProcessingInterval: Sendable {
  static let parameter = Parameter(
    "processingInterval", 0, in: 0...1, .seconds,
    "A frame that comes sooner after the last processed one is passed over.",
    source: "every frame of a recording; the squat form analyser's processingInterval is 0.067 (preset app)")

  /// The document means 15 frames a second. Of a camera's 30 it processes 10: the second frame comes after 0.0667 s.
  static let presets = [
    Preset(
      "app", "Processes frames as the app does: 0.067 s apart, which is 10 of 30 a second.", [parameter.name: 0.067]),
    Preset("15-fps", "Processes 15 frames a second of a camera's 30, which the app means to.", [parameter.name: 0.066]),
  ]

  private let interval: Microseconds
  private var last: Microseconds?

  init(_ values: ParameterValues) { interval = Microseconds(seconds: values[Self.parameter]) ?? .zero }

  mutating func admits(_ time: Microseconds) -> Bool {
    if let last, time - last < interval { return false }
    last = time
    return true
  }
}
