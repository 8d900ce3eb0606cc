import PoseModel

/// Turns frames into samples of a player in body heights with smoothed wrist speeds, and keeps the last of them.
///
/// The tennis architecture keeps 90 frames, "3 seconds at 30 fps", mentions a window of four seconds elsewhere, and
/// processes 10 frames a second live and 15 from a file, for which 90 frames are nine and six seconds. Here the buffer
/// holds 90 processed frames, and limits in seconds are measured on frame times.
///
/// Wrists are tracked relative to the neck: neither running nor a crop that follows the player looks like a swing. The
/// body's height is the median trunk of the last 31 processed frames over 0.288, the trunk's share of stature
/// (`CoordinateSystem.trunkLength`), so single wrong hips do not change it. A wrist's speed is its path from frame to
/// frame over the window divided by its time, and belongs to the window's middle frame; a frame without the wrist is
/// bridged, and a step faster than any human wrist is an estimator's jump and left out.
struct SwingTracker: Sendable {
  /// The number of samples so far; the last one has index `count - 1`.
  private(set) var count = 0
  /// The mean turn of shoulders and hips over the last frames: above 0 is seen from behind.
  private(set) var facing = Float.nan
  /// Body height in image heights; NaN until a trunk was seen.
  private(set) var bodyHeight = Float.nan
  private let settings: SwingSettings
  private var gate: FrameGate
  private var trunks = MedianFilter(frames: 31)
  private var window: RingBuffer<SwingSample>
  private var history: RingBuffer<SwingSample>
  private var facingFrames: Float = 0

  init(_ settings: SwingSettings) {
    self.settings = settings
    gate = FrameGate(stride: settings.frameStride, maximumRate: settings.maximumRate)
    window = RingBuffer(capacity: settings.velocityWindow, filler: SwingSample())
    history = RingBuffer(capacity: settings.capacity, filler: SwingSample())
  }

  /// The tracker's signals, in the order that `update` reads.
  static func signals(_ visibility: Visibility) -> [any Signal] {
    [
      JointOffset(.leftWrist, from: .neck, .x, visibility), JointOffset(.leftWrist, from: .neck, .y, visibility),
      JointOffset(.rightWrist, from: .neck, .x, visibility), JointOffset(.rightWrist, from: .neck, .y, visibility),
      JointDistance(.neck, .root, visibility), JointOffset(.nose, from: .neck, .y, visibility),
      TorsoYaw(.shoulders, visibility), TorsoYaw(.hips, visibility), SpineLean(visibility),
    ]
  }

  /// Processes the next frame.
  ///
  /// - Returns: Whether a sample was added, which belongs to the frame half a window ago.
  mutating func update(_ signals: borrowing SignalColumns, _ frame: Int, at time: Microseconds) -> Bool {
    guard gate.lets(through: time) else { return false }
    let trunk = trunks.update(signals[4, frame], at: time)
    if trunk > 0 { bodyHeight = trunk / Self.trunkShare }
    let scale = 1 / bodyHeight
    let turns = (signals[6, frame], signals[7, frame])
    face(turns.0)
    face(turns.1)
    window.append(
      SwingSample(
        time: time, left: SIMD2(signals[0, frame], signals[1, frame]) * scale,
        right: SIMD2(signals[2, frame], signals[3, frame]) * scale, head: signals[5, frame] * scale,
        shoulderTurn: turns.0, hipTurn: turns.1, lean: signals[8, frame]))
    guard window.isFull else { return false }
    var middle = window[window.count / 2]
    middle.leftSpeed = speed(.left)
    middle.rightSpeed = speed(.right)
    if !middle.left.isKnown { middle.left = bridged(.left) }
    if !middle.right.isKnown { middle.right = bridged(.right) }
    history.append(middle)
    count += 1
    return true
  }

  /// The sample at an index counted from the first ever; `nil` if it is no longer kept.
  subscript(_ position: Int) -> SwingSample? {
    let place = position - (count - history.count)
    return place >= 0 && place < history.count ? history[place] : nil
  }

  /// The index of the oldest sample kept.
  var oldest: Int { count - history.count }

  /// The index with the time nearest to `time`; `nil` if nothing is kept.
  func position(nearest time: Microseconds) -> Int? {
    guard !history.isEmpty else { return nil }
    var low = 0
    var high = history.count - 1
    while low < high {
      let middle = (low + high) / 2
      if history[middle].time < time { low = middle + 1 } else { high = middle }
    }
    if low > 0, time - history[low - 1].time < history[low].time - time { low -= 1 }
    return oldest + low
  }

  /// Turns, two per frame: 20 seconds at 15 frames a second.
  private static let facingMemory: Float = 600

  /// The trunk's share of stature: Drillis and Contini 1966, as in Winter 2009, figure 4.1.
  static let trunkShare: Float = 0.288

  private mutating func face(_ turn: Float) {
    guard turn.isFinite else { return }
    // A plain mean at first, then one that slowly forgets: a player turns all the time, a camera hardly ever moves.
    facingFrames = min(facingFrames + 1, Self.facingMemory)
    facing = facing.isNaN ? turn : facing + (turn - facing) / facingFrames
  }

  /// The length of a wrist's path through the window divided by its duration; NaN with fewer than half of its steps.
  private func speed(_ hand: Hand) -> Float {
    var way: Float = 0
    var time: Float = 0
    var steps = 0
    var last: SwingSample?
    // By position, here and below: an iterator over a collection of another module allocates in a debug build.
    for position in 0..<window.count {
      let sample = window[position]
      guard sample.wrist(hand).isKnown else { continue }
      if let last {
        let step = (sample.wrist(hand) - last.wrist(hand)).length
        let seconds = Float((sample.time - last.time).count) / 1e6
        if step <= settings.fastestWrist * seconds {
          way += step
          time += seconds
          steps += 1
        }
      }
      last = sample
    }
    return 2 * steps >= window.count - 1 && time > 0 ? way / time : .nan
  }

  /// The wrist's position in the middle frame, interpolated between its neighbours in the window; NaN without both.
  private func bridged(_ hand: Hand) -> SIMD2<Float> {
    let middle = window.count / 2
    var before = middle - 1
    while before >= 0 && !window[before].wrist(hand).isKnown { before -= 1 }
    var after = middle + 1
    while after < window.count && !window[after].wrist(hand).isKnown { after += 1 }
    guard before >= 0 && after < window.count else { return SIMD2(repeating: .nan) }
    let (a, b) = (window[before], window[after])
    let share = Float((window[middle].time - a.time).count) / Float((b.time - a.time).count)
    return a.wrist(hand) + (b.wrist(hand) - a.wrist(hand)) * share
  }
}

/// A processed frame of a player, as the swing detectors remember it.
///
/// Positions are from the neck in body heights, x to the picture's right and y down; NaN is unknown.
struct SwingSample: Hashable, Sendable {
  var time = Microseconds.zero
  var left = SIMD2<Float>(repeating: .nan)
  var right = SIMD2<Float>(repeating: .nan)
  /// Body heights a second, averaged over the frames around this one.
  var leftSpeed = Float.nan
  var rightSpeed = Float.nan
  /// Nose, downwards from the neck: negative if the head is up.
  var head = Float.nan
  /// Cosines, see `TorsoYaw`.
  var shoulderTurn = Float.nan
  var hipTurn = Float.nan
  /// The trunk's lean from the vertical, degrees.
  var lean = Float.nan

  func wrist(_ hand: Hand) -> SIMD2<Float> { hand == .left ? left : right }

  /// The speed of a hand's wrist, or of the faster wrist if the hitting hand is unknown; NaN if unknown.
  func speed(_ hand: Hand?) -> Float {
    switch hand {
    case .left?: leftSpeed
    case .right?: rightSpeed
    // The greater of the two, or the known one.
    case nil: Float.maximum(leftSpeed, rightSpeed)
    }
  }
}

extension SIMD2<Float> {
  var isKnown: Bool { x.isFinite && y.isFinite }
  var length: Float { (x * x + y * y).squareRoot() }
}

/// Selects the frames that an app processes: every n-th one, up to a maximum rate.
///
/// Decides by the frames' own times and number, independently of chunks.
struct FrameGate: Sendable {
  private let stride: Int
  /// The highest frame rate per second; 0 for every frame.
  private let maximumRate: Double
  private var seen = 0
  private var first: Microseconds?
  private var nextTick = 0

  init(stride: Int, maximumRate: Double) {
    self.stride = stride
    self.maximumRate = maximumRate
  }

  /// - Parameter time: Later than every earlier time.
  mutating func lets(through time: Microseconds) -> Bool {
    defer { seen += 1 }
    guard seen % stride == 0 else { return false }
    guard maximumRate > 0 else { return true }
    let start = first ?? time
    first = start
    // A microsecond of rounding must not make a rate of 15 miss every second frame of 30.
    let passed = time - start + Microseconds(1)
    guard passed >= Microseconds(frame: nextTick, rate: maximumRate) else { return false }
    nextTick = Int((passed.seconds * maximumRate).rounded(.down)) + 1
    return true
  }
}

/// A player's wrist over a whole recording as the swing detectors see it, for charts.
public struct SwingTrace: Sendable {
  /// The times of the frames that the detector uses, except the first and last few, which have no speed.
  public private(set) var times: [Microseconds] = []
  /// Body heights per second, averaged over the detector's window; NaN if the wrist is unknown.
  public private(set) var speeds: [Float] = []
  /// The least peak speed of a stroke, in body heights per second.
  public let peakSpeed: Float
  /// The speed above which a stroke begins and below which it ends, in body heights a second.
  public let boundarySpeed: Float

  /// Measures the wrist on every frame that a detector with these values uses.
  ///
  /// - Parameters:
  ///   - values: The values of a detector with the shared parameters of all swing detectors.
  ///   - hand: The hand of the wrist; `nil` for the faster one.
  ///   - poses: The whole recording.
  /// - Throws: `ParameterError.contradiction` if values that are valid alone contradict each other.
  public init(_ values: ParameterValues, hand: Hand?, on poses: PoseSequence) throws(ParameterError) {
    let settings = try SwingSettings(values)
    (peakSpeed, boundarySpeed) = (settings.minimumPeakSpeed, settings.boundarySpeed)
    let signals = SwingTracker.signals(settings.visibility)
    let table = SignalTable(signals, on: poses)
    let columns = table.columns(of: signals)
    var (times, speeds) = ([Microseconds](), [Float]())
    var tracker = SwingTracker(settings)
    table.withSignals(columns, 0..<poses.frameCount) { signals in
      for frame in 0..<signals.count where tracker.update(signals, frame, at: poses.times[frame]) {
        guard let sample = tracker[tracker.count - 1] else { continue }
        times.append(sample.time)
        speeds.append(sample.speed(hand))
      }
    }
    (self.times, self.speeds) = (times, speeds)
  }

  /// Whether a detector has the parameters that this needs.
  public static func canTrace(_ parameters: [Parameter]) -> Bool {
    let names = Set(parameters.map(\.name))
    return SwingParameters.shared.allSatisfy { names.contains($0.name) }
  }
}
