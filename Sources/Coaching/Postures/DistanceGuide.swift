import PoseModel

/// Tells a person to step back or closer, by their height in the image.
///
/// The squat form analyser's distance classification. It judges each frame alone: a person at the right distance is too
/// far at the bottom of every squat. The preset `corrected` uses the greatest height of the last seconds.
public struct DistanceGuide: Detector {
  public static let profile = DetectorProfile(
    name: "distance-guide", kind: .posture, exercise: "",
    summary: "Reports whether a person is too close to the camera or too far, by their height in the image.",
    source: "squat form analyser: Distance Guidance", joints: [.nose, .leftAnkle],
    tasks: [.postures(Distance.allCases.map(\.rawValue)), .cues(every: speechCooldown)])

  /// The person's distance; the indicator shows it in red, green and yellow.
  public enum Distance: String, CaseIterable, Hashable, Sendable {
    /// Taller in the picture than the upper threshold.
    case tooClose = "too_close"
    /// Between the two thresholds.
    case optimal
    /// Smaller in the picture than the lower threshold.
    case tooFar = "too_far"

    /// The message to the person; `nil` if none is needed.
    public var message: String? {
      switch self {
      case .tooClose: "Step back from the camera"
      case .optimal: nil
      case .tooFar: "Step closer to the camera"
      }
    }
  }

  static let tallest = Parameter(
    "tallest", 0.62, in: 0...2, .imageHeights, "Body height in the image above which a person is too close.",
    source: "squat form analyser: 6 to 8 feet; 1.57 m from face to ankle at 1.83 m by a 26 mm lens, 69° high")
  static let shortest = Parameter(
    "shortest", 0.46, in: 0...2, .imageHeights, "Body height in the image below which a person is too far.",
    source: "squat form analyser: 6 to 8 feet; 1.57 m from face to ankle at 2.44 m by a 26 mm lens, 69° high")
  static let memory = Parameter(
    "memory", 0, in: 0...60, .seconds, "Shortest time over which the greatest body height is used.",
    source: "squat form analyser: every frame is judged alone")
  static let hold = Parameter(
    "hold", 1, in: 0...30, .seconds, "How long a person must be at the wrong distance before it is reported.",
    source: "left open in the squat form analyser; longer than the bottom of a squat")
  static let speechCooldown = SquatPosture.speechCooldown
  static let minimumConfidence = SquatStates.visibilityThresholds.minimumConfidence

  public static let parameters = [tallest, shortest, memory, hold, speechCooldown, minimumConfidence]

  public static let presets = [
    Preset(
      "corrected", "Uses the greatest height of the last seconds, to tell a squat from a step back.",
      ["memory": 5])
  ]

  /// The person's distance; `nil` unless they are in view from face to feet.
  public private(set) var distance: Distance?
  private let tallest: Float
  private let shortest: Float
  private let hold: Microseconds
  private let speechCooldown: Microseconds
  private let visibility: Visibility
  private var recent: RecentMaximum
  private var since: Microseconds?
  private var lastCue: Microseconds?

  public init(_ values: ParameterValues) throws(ParameterError) {
    tallest = Float(values[Self.tallest])
    shortest = Float(values[Self.shortest])
    guard shortest < tallest else {
      throw .contradiction("shortest (\(shortest)) must be less than tallest (\(tallest))")
    }
    func time(_ parameter: Parameter) -> Microseconds { Microseconds(seconds: values[parameter]) ?? .zero }
    hold = time(Self.hold)
    speechCooldown = time(Self.speechCooldown)
    recent = RecentMaximum(memory: time(Self.memory))
    visibility = Visibility(minimumConfidence: Float(values[Self.minimumConfidence]), usesDepth: false)
  }

  public var signals: [any Signal] { [BodyHeight(visibility)] }

  public var guides: [Guide] {
    [
      Guide(signal: 0, value: Double(tallest), label: "too close"),
      Guide(signal: 0, value: Double(shortest), label: "too far"),
    ]
  }

  public mutating func update(
    _ poses: borrowing PoseColumns, _ signals: borrowing SignalColumns, events: inout [Event]
  ) {
    for frame in 0..<signals.count {
      let time = poses.time(frame)
      let height = recent.add(signals[0, frame], at: time)
      let now: Distance? = height.isNaN ? nil : height > tallest ? .tooClose : height < shortest ? .tooFar : .optimal
      if now != distance || since == nil {
        distance = now
        since = time
        events.append(Event(time, .phase(now?.rawValue ?? "out_of_view")))
      }
      guard let since, time - since >= hold else { continue }
      if let lastCue, time - lastCue < speechCooldown { continue }
      let message = if let now { now.message } else { Optional("Position yourself in camera view") }
      guard let message else { continue }
      lastCue = time
      events.append(Event(time, .cue(Cue(message, .normal))))
    }
  }
}

/// The recent maximum, in constant time and space.
///
/// Time is split into spans as long as the memory; the maximum covers this span and the last one: a value counts for
/// one to two times the memory. Unknown values (NaN) are ignored.
struct RecentMaximum: Sendable {
  let memory: Microseconds
  private var start: Microseconds?
  private var current = -Float.infinity
  private var previous = -Float.infinity

  init(memory: Microseconds) { self.memory = memory }

  /// - Returns: NaN if nothing was known for that long.
  mutating func add(_ value: Float, at time: Microseconds) -> Float {
    guard memory > .zero else { return value }
    let begun = start ?? time
    if time - begun >= memory {
      previous = time - begun < memory + memory ? current : -.infinity
      current = -.infinity
      start = time
    } else {
      start = begun
    }
    if value.isFinite { current = max(current, value) }
    let maximum = max(current, previous)
    return maximum.isFinite ? maximum : .nan
  }
}
