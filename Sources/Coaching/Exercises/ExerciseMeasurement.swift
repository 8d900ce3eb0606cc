import PoseModel

/// Reads an exercise's signals from a detector's columns frame by frame, and computes the signals that need earlier
/// frames: speeds, values divided by the longest reference length, and angles in space where limbs keep their lengths.
struct ExerciseMeasurement: Sendable {
  /// The signals measured on the poses.
  let signals: [any Signal]
  /// The values of the exercise's signals on the last frame; NaN if unknown.
  private(set) var values: [Float]
  /// The first column of each of the exercise's signals in the detector's columns.
  private let columns: [Int]
  /// The windows of the speeds.
  private var speeds: [JointSpeed?]
  /// The longest reference lengths.
  private var longest: [LongestLength?]
  /// The limbs of angles whose depth is used only while it is steady.
  private var limbs: [SteadyLimbs?]

  /// - Parameters:
  ///   - trustsDepth: Whether angles are measured in space wherever there is depth; otherwise only where limbs keep their
  ///     lengths in it.
  ///   - firstColumn: The column of the first of `signals` among those of the detector.
  init(
    _ exerciseSignals: [ExerciseSignal], _ visibility: Visibility, trustsDepth: Bool = false, firstColumn: Int = 0
  ) {
    var signals: [any Signal] = []
    var columns: [Int] = []
    var limbs: [SteadyLimbs?] = []
    for signal in exerciseSignals {
      columns.append(firstColumn + signals.count)
      let inSpace = trustsDepth ? [] : signal.inSpace(visibility)
      var flat = visibility
      if !inSpace.isEmpty { flat.usesDepth = false }
      signals += signal.signals(flat) + inSpace
      limbs.append(inSpace.isEmpty ? nil : SteadyLimbs())
    }
    self.limbs = limbs
    self.signals = signals
    self.columns = columns
    values = [Float](repeating: .nan, count: exerciseSignals.count)
    speeds = exerciseSignals.map { if case .speed = $0.measure { JointSpeed() } else { nil } }
    longest = exerciseSignals.map { $0.isByLongest ? LongestLength() : nil }
  }

  /// Whether a value does not depend on earlier frames.
  func isOfSingleFrames(_ signal: Int) -> Bool {
    speeds[signal] == nil && longest[signal] == nil && limbs[signal] == nil
  }

  /// Whether no value depends on earlier frames.
  var isOfSingleFrames: Bool { values.indices.allSatisfy(isOfSingleFrames) }

  /// The first column of one of the exercise's signals in `signals`.
  func column(of signal: Int) -> Int { columns[signal] }

  mutating func read(_ signals: borrowing SignalColumns, _ frame: Int, at time: Microseconds) {
    for index in values.indices {
      let column = columns[index]
      let value = signals[column, frame]
      if speeds[index] != nil {
        // The speed's columns are its point's two coordinates.
        values[index] = speeds[index]?.add(SIMD2(value, signals[column + 1, frame]), at: time) ?? .nan
      } else if let share = longest[index]?.share(of: signals[column + 1, frame], at: time) {
        values[index] = value * share
      } else if limbs[index]?.areSteady(signals[column + 2, frame], at: time) == true {
        values[index] = signals[column + 1, frame]
      } else {
        values[index] = value
      }
    }
  }

  /// A line for a threshold over the exercise's signal; `nil` for a signal computed from earlier frames, which is not
  /// drawn.
  func guide(_ signal: Int, _ value: Double, _ label: String) -> [Guide] {
    speeds[signal] == nil && longest[signal] == nil
      ? [Guide(signal: columns[signal], value: value, label: label)] : []
  }
}

/// Whether limbs keep their lengths in space from frame to frame, as they do where depth is measured, and not where a
/// phone's estimator guesses it.
///
/// The measure is the mean over the last seconds of the length's second difference between frames a thirtieth of a
/// second apart or more, as a share of the length, at most 5 %: on motion capture 0.0001 to 0.0012, on recordings by
/// BlazePose 0.0012 to 0.048, with medians of 0.0003, 0.021 (118 web videos) and 0.030 (133 clips of push-ups). The
/// limit is in the gap; from 0.001 to 0.003 all counts are the same. A guessed depth makes angles smaller: push-ups of
/// 18 videos are counted with a mean error of 2.3 instead of 6.3.
public struct SteadyLimbs: Sendable {
  private static let limit: Float = 0.0015
  private static let most: Float = 0.05
  private static let shortestStep = Microseconds(28_000)
  private static let longestStep = Microseconds(300_000)
  /// The time constant of the mean in seconds.
  private static let memory: Float = 3
  /// The time in seconds that must be seen before depth is used.
  private static let fewest: Float = 1

  /// The last two lengths, the newer one second.
  private var lengths = SIMD2<Float>(repeating: .nan)
  private var last = Microseconds.zero
  private var jitter: Float = 0
  private var seen: Float = 0

  public init() {}

  /// Adds the next length and says whether limbs keep theirs; ignores an unknown one (NaN), such as that of a recording
  /// without depth.
  ///
  /// - Parameters:
  ///   - length: The length of some limbs in any unit, above 0.
  ///   - time: Later than every earlier time.
  public mutating func areSteady(_ length: Float, at time: Microseconds) -> Bool {
    let step = time - last
    guard length.isFinite, length > 0, !lengths[1].isFinite || step >= Self.shortestStep else { return isSteady }
    if lengths[1].isFinite, step > Self.longestStep { lengths = SIMD2(repeating: .nan) }
    if lengths[0].isFinite {
      let seconds = Float(step.seconds)
      let change = min(abs(length - 2 * lengths[1] + lengths[0]) / lengths[1], Self.most)
      seen += seconds
      jitter += (change - jitter) * max(seconds / (seconds + Self.memory), seconds / seen)
    }
    lengths = SIMD2(lengths[1], length)
    last = time
    return isSteady
  }

  private var isSteady: Bool { seen >= Self.fewest && jitter < Self.limit }
}

/// The longest recent length in the picture.
///
/// It grows within some tenths of a second, which suppresses outliers of single frames, and shrinks within some tens of
/// seconds, for a person who moves away from the camera.
struct LongestLength: Sendable {
  private var level = RestingLevel()

  /// The next length as a share of the longest one; 1 for an unknown length (NaN), such as a length measured in 3D.
  mutating func share(of length: Float, at time: Microseconds) -> Float {
    guard length.isFinite, length > 0 else { return 1 }
    level.update(length, at: time)
    return length / level.value
  }
}

/// The mean of a signal over a time up to the current frame; undefined on a frame without a value.
///
/// The window is a time, unlike that of `MovingAverage`: an exercise counts the same at 15 and at 60 frames per second.
/// It has 64 values, 0.25 s at 240 frames per second.
struct TrailingMean: Sendable {
  private struct Sample: Sendable {
    var time: Microseconds
    var value: Float
  }

  private let span: Microseconds
  private var samples = RingBuffer(capacity: 64, filler: Sample(time: .zero, value: .nan))

  init(over span: Microseconds) { self.span = span }

  /// Adds the next value.
  ///
  /// - Returns: The mean of the known values within `span` before this frame; NaN if this value is unknown (NaN).
  mutating func add(_ value: Float, at time: Microseconds) -> Float {
    guard value.isFinite else { return .nan }
    samples.append(Sample(time: time, value: value))
    var (sum, count) = (value, Float(1))
    var index = samples.count - 2
    while index >= 0, time - samples[index].time < span {
      sum += samples[index].value
      count += 1
      index -= 1
    }
    return sum / count
  }
}

/// The speed of a point from its positions now and 0.1 s ago.
///
/// Over a single frame, an error of one pixel would be a large speed. The window has 32 positions, 0.1 s at up to 300
/// frames per second.
struct JointSpeed: Sendable {
  private struct Place: Sendable {
    var time: Microseconds
    var point: SIMD2<Float>
  }

  private static let window = Microseconds(100_000)
  /// The maximum age of a position.
  private static let oldest = Microseconds(200_000)

  private var places = RingBuffer(capacity: 32, filler: Place(time: .zero, point: .zero))

  /// Adds the next position; ignores an unknown one (NaN).
  ///
  /// - Returns: Units per second, NaN if the position is unknown or no position is known in the window before it.
  mutating func add(_ point: SIMD2<Float>, at time: Microseconds) -> Float {
    guard point.x.isFinite && point.y.isFinite else { return .nan }
    defer { places.append(Place(time: time, point: point)) }
    var index = places.count - 1
    while index >= 0, time - places[index].time < Self.window { index -= 1 }
    guard index >= 0, time - places[index].time <= Self.oldest else { return .nan }
    let d = point - places[index].point
    return (d.x * d.x + d.y * d.y).squareRoot() / Float((time - places[index].time).seconds)
  }
}

/// Detects one fault of an exercise.
struct FaultWatch: Sendable {
  private struct Watched: Sendable {
    let signal: Int
    let phase: Int?
    let isAbove: Bool
    let threshold: Float
    var statistic: SignalStatistic

    func holds(for value: Float) -> Bool { isAbove ? value > threshold : value < threshold }
  }

  let name: String
  let deduction: Double
  let cue: Cue
  private var conditions: [Watched]

  init(_ fault: ExerciseFault, _ values: ParameterValues) {
    name = fault.name
    deduction = values[fault.deduction]
    cue = Cue(fault.message, fault.severity, fault: fault.name)
    conditions = fault.conditions.map {
      Watched(
        signal: $0.signal, phase: $0.phase, isAbove: $0.bound == .above, threshold: Float(values[$0.threshold]),
        statistic: SignalStatistic($0.statistic))
    }
  }

  /// Whether the fault depends on only some phases of a rep.
  var readsPhases: Bool { conditions.contains { $0.phase != nil } }

  /// Resets to the start of a rep.
  mutating func reset() {
    for index in conditions.indices { conditions[index].statistic.reset() }
  }

  /// Adds the next frame of a rep, or of its finish.
  mutating func add(_ values: [Float], phase: RepCycle.Phase, turns: Bool) {
    for index in conditions.indices {
      guard conditions[index].phase.map({ $0 == phase.rawValue }) ?? (phase != .start) else { continue }
      conditions[index].statistic.add(values[conditions[index].signal], turns: turns)
    }
  }

  /// Whether the rep has the fault.
  var isPresent: Bool { conditions.allSatisfy { $0.holds(for: $0.statistic.value) } }

  /// Whether this frame has the fault.
  func isPresent(in values: [Float]) -> Bool {
    for index in conditions.indices where !conditions[index].holds(for: values[conditions[index].signal]) {
      return false
    }
    return true
  }
}

extension [FaultWatch] {
  /// The most severe fault that is present, the first of equal ones.
  func worst(_ isPresent: (FaultWatch) -> Bool) -> FaultWatch? {
    var worst: FaultWatch?
    for watch in self where isPresent(watch) {
      if let found = worst, found.cue.priority >= watch.cue.priority { continue }
      worst = watch
    }
    return worst
  }
}

/// A statistic of a signal over a rep, updated value by value; ignores unknown values (NaN).
struct SignalStatistic: Sendable {
  let statistic: ExerciseStatistic
  private var count: Float = 0
  private var sum: Float = 0
  private var minimum = Float.infinity
  private var maximum = -Float.infinity
  private var first = Float.nan
  private var last = Float.nan
  private var turn = Float.nan

  init(_ statistic: ExerciseStatistic) { self.statistic = statistic }

  mutating func reset() { self = SignalStatistic(statistic) }

  /// - Parameter turns: Whether this frame has the most extreme value of the rep so far.
  mutating func add(_ value: Float, turns: Bool) {
    if value.isFinite {
      count += 1
      sum += value
      minimum = min(minimum, value)
      maximum = max(maximum, value)
      if first.isNaN { first = value }
      last = value
    }
    if turns { turn = last }
  }

  /// The statistic; NaN without a known value.
  var value: Float {
    guard count > 0 else { return .nan }
    return switch statistic {
    case .minimum: minimum
    case .maximum: maximum
    case .mean: sum / count
    case .range: maximum - minimum
    case .rise: maximum - first
    case .atStart: first
    case .atTurn: turn
    case .atEnd: last
    }
  }
}
