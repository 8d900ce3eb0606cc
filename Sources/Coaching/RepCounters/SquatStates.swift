import PoseModel

/// Counts squats by the knee angle: standing above 160°, down below 90°, and up again.
///
/// The state machine of the squat analyser: standing → descending → bottom → ascending → standing is one rep; a squat
/// that turns above the bottom does not count. The document gives 160° and 90°. It mentions the hysteresis against
/// jitter and the cooldown against double counts without values.
public struct SquatStates: Detector {
  public static let profile = DetectorProfile(
    name: "squat-states", kind: .reps, exercise: "squat",
    summary: "Counts squats with a state machine on the knee angle.",
    source: "squat form analyser: State Machine for Rep Counting", joints: [.leftHip, .leftKnee, .leftAnkle])

  static let standingAngle = Parameter(
    "standingAngle", 160, in: 90...180, .degrees,
    "Above it the person stands, and a rep that reached the bottom counts.",
    source: "squat form analyser: .standing (>160°)")
  static let bottomAngle = Parameter(
    "bottomAngle", 90, in: 20...170, .degrees, "Below it the squat is deep enough to count.",
    source: "squat form analyser: .bottom (<90°)")
  static let hysteresis = Parameter(
    "hysteresis", 5, in: 0...45, .degrees, "How far past its threshold the angle must go before a state is left.",
    source: "named without a value in the squat form analyser; 5° is over twice the jitter of a 2D knee angle")
  static let cooldown = Parameter(
    "cooldown", 0.5, in: 0...10, .seconds, "A rep that ends sooner than this after the last one does not count.",
    source: "named without a value in the squat form analyser; nobody squats twice in half a second")

  /// The leg joints that every squat detector of the document requires.
  static let visibilityThresholds = VisibilityThresholds.squatAnalyser

  public static let parameters =
    [standingAngle, bottomAngle, hysteresis, cooldown] + visibilityThresholds.all + [ProcessingInterval.parameter]

  public static let presets = ProcessingInterval.presets

  /// The number of reps so far.
  public private(set) var repCount = 0
  private var cycle: RepCycle
  private let cooldown: Microseconds
  private let visibility: Visibility
  private var interval: ProcessingInterval
  private var lastRep: Microseconds?
  /// The knee angle.
  public private(set) var countedValue = Float.nan

  public init(_ values: ParameterValues) throws(ParameterError) {
    let standing = values[Self.standingAngle]
    let bottom = values[Self.bottomAngle]
    let hysteresis = values[Self.hysteresis]
    guard bottom + hysteresis < standing - hysteresis else {
      throw .contradiction(
        "bottomAngle + hysteresis (\(bottom + hysteresis)°) must be less than standingAngle - hysteresis "
          + "(\(standing - hysteresis)°)")
    }
    cycle = RepCycle(start: Float(standing), turn: Float(bottom), hysteresis: Float(hysteresis))
    cooldown = Microseconds(seconds: values[Self.cooldown]) ?? .zero
    visibility = Self.visibilityThresholds.visibility(values)
    interval = ProcessingInterval(values)
  }

  public var signals: [any Signal] { [LimbAngle(.knee, visibility)] }

  public var guides: [Guide] {
    [
      Guide(signal: 0, value: Double(cycle.start), label: "standing"),
      Guide(signal: 0, value: Double(cycle.turn), label: "bottom"),
    ]
  }

  public var countingRule: CountingRule? {
    CountingRule(
      cycle, signal: "knee angle", unit: "degrees", start: Self.standingAngle.name, turn: Self.bottomAngle.name,
      hysteresis: Self.hysteresis.name, cooldown: CountingRule.Limit(cooldown, by: Self.cooldown.name))
  }

  public func reportsAlike(with value: Double, of parameter: String) -> Bool {
    parameter == Self.bottomAngle.name && cycle.excursionsAreAlike(with: Float(value))
  }

  /// `standing`, `descending`, `bottom` or `ascending`.
  public var phase: String { Self.phases[cycle.phase.rawValue] }

  /// The document's names for the phases of a cycle.
  static let phases = ["standing", "descending", "bottom", "ascending"]

  public mutating func update(
    _ poses: borrowing PoseColumns, _ signals: borrowing SignalColumns, events: inout [Event]
  ) {
    let angles = signals.column(0)
    countedValue = angles.last ?? countedValue
    var next = 0
    while true {
      let frame = interval.admitsAll ? cycle.skip(angles, at: poses, from: next) : next
      guard frame < angles.count else { break }
      next = frame + 1
      let before = cycle.phase
      let time = poses.time(frame)
      guard interval.admits(time) else { continue }
      if let excursion = cycle.update(angles[frame], at: time), excursion.reachedTurn,
        lastRep.map({ time - $0 >= cooldown }) ?? true
      {
        repCount += 1
        lastRep = time
        events.append(Event(time, .rep(excursion.rep)))
      }
      if cycle.phase != before { events.append(Event(time, .phase(phase))) }
    }
  }
}

/// Selects the frames to process: those at least an interval after the last processed frame.
struct ProcessingInterval: Sendable {
  static let parameter = Parameter(
    "processingInterval", 0, in: 0...1, .seconds,
    "A frame that comes sooner than this after the last processed one is skipped.",
    source: "every frame of a recording; the squat form analyser's processingInterval is 0.067 (preset app)")

  /// The document intends 15 frames per second. With a camera of 30 frames per second it processes 10, because the
  /// second frame comes after 0.0667 s.
  static let presets = [
    Preset(
      "app", "Processes frames as the app does: 0.067 s apart, which is 10 of 30 a second.", [parameter.name: 0.067]),
    Preset("15-fps", "Processes 15 frames a second of a camera's 30, as the app intends.", [parameter.name: 0.066]),
  ]

  private let interval: Microseconds
  private var last: Microseconds?

  init(_ values: ParameterValues) { interval = Microseconds(seconds: values[Self.parameter]) ?? .zero }

  /// Whether all frames are processed.
  var admitsAll: Bool { interval <= .zero }

  mutating func admits(_ time: Microseconds) -> Bool {
    if let last, time - last < interval { return false }
    last = time
    return true
  }
}
