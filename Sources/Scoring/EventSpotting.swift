import PoseModel

/// Scored detections of labelled instants with the true ones, and their precision in descending order of score.
///
/// - Source: Hong et al., Spotting Temporally Precise, Fine-Grained Events in Video (E2E-Spot), 2022, after
///   Giancola et al., SoccerNet, 2018: each detection takes the nearest true event that none with a higher score took.
public struct EventSpotting: Hashable, Codable, Sendable {
  public struct Event: Hashable, Codable, Sendable {
    public var clip: String
    public var label: String
    public var instant: EventInstant

    public init(clip: String, label: String, instant: EventInstant) {
      self.clip = clip
      self.label = label
      self.instant = instant
    }
  }

  public struct Detection: Hashable, Codable, Sendable {
    public var event: Event
    /// Higher is more confident.
    public var score: Double

    public init(_ event: Event, score: Double) {
      self.event = event
      self.score = score
    }
  }

  public var truth: [Event]
  public var detections: [Detection]

  public init(truth: [Event] = [], detections: [Detection] = []) {
    self.truth = truth
    self.detections = detections
  }

  public static func + (a: Self, b: Self) -> Self {
    Self(truth: a.truth + b.truth, detections: a.detections + b.detections)
  }

  /// 0...1; `nil` for a label that is absent from the ground truth, whatever is detected, and if a score is NaN.
  ///
  /// Detections with the same score come in order of clip, then time.
  public func averagePrecision(of label: String, within tolerance: EventTolerance) -> Double? {
    let events = truth.filter { $0.label == label }
    let detections = detections.filter { $0.event.label == label }
    guard !detections.contains(where: \.score.isNaN) else { return nil }
    // The events of a clip not found yet, in time order: of two equally near, the earlier is taken.
    var open = Dictionary(grouping: events, by: \.clip).mapValues { events in
      events.map(\.instant).sorted { $0.time < $1.time }
    }
    let hits = detections.sorted(by: Self.isSurer).map { detection in
      let instants = open[detection.event.clip, default: []]
      let near = instants.indices.compactMap { index in
        tolerance.distance(instants[index], detection.event.instant).map { (index: index, distance: $0) }
      }
      guard let nearest = near.min(by: { $0.distance < $1.distance }) else { return false }
      open[detection.event.clip]?.remove(at: nearest.index)
      return true
    }
    return interpolatedAveragePrecision(hits: hits, of: events.count)
  }

  /// The mean over the labels of the mean over the tolerances; labels absent from the ground truth are counted as undefined.
  public func meanAveragePrecision(labels: [String], within tolerances: [EventTolerance]) -> MeanOfDefined {
    MeanOfDefined(
      labels.map { label in
        MeanOfDefined(tolerances.map { averagePrecision(of: label, within: $0) }).value
      })
  }

  private static func isSurer(_ a: Detection, _ b: Detection) -> Bool {
    if a.score != b.score { return a.score > b.score }
    if a.event.clip != b.event.clip { return a.event.clip < b.event.clip }
    if a.event.instant.time != b.event.instant.time { return a.event.instant.time < b.event.instant.time }
    return a.event.instant.frame < b.event.instant.frame
  }
}

extension EventSpotting: MetricGroup {
  public static let title = "single events"

  public static let plainNames = ["events.map": "events found (mAP)"]

  public static func metrics(for detector: ScoredDetector) -> [Metric] {
    [.spottingMeanAveragePrecision]
  }
}

extension Metric {
  public static let spottingMeanAveragePrecision = Metric(
    "events.map", "Average precision of scored events, mean over labels and tolerances (mAP).", .higherIsBetter,
    range: 0...1, undefined: "no label occurs in the ground truth; labels that do not are left out and counted",
    source: "Hong et al., Spotting Temporally Precise, Fine-Grained Events in Video, 2022", aggregation: .pooled)
}

/// The time of an event, and the nearest frame of the recording.
public struct EventInstant: Hashable, Codable, Sendable {
  public var time: Microseconds
  /// 0 is the first.
  public var frame: Int

  public init(time: Microseconds, frame: Int) {
    self.time = time
    self.frame = frame
  }

  /// Halfway between two frames is the earlier one; `nil` without frames.
  ///
  /// - Parameter frames: The time of each frame, in order.
  public init?(time: Microseconds, frames: [Microseconds]) {
    guard !frames.isEmpty else { return nil }
    var (low, high) = (0, frames.count)
    while low < high {
      let middle = (low + high) / 2
      if frames[middle] < time { low = middle + 1 } else { high = middle }
    }
    let isEarlierNearer = low == frames.count || (low > 0 && time - frames[low - 1] <= frames[low] - time)
    self.init(time: time, frame: isEarlierNearer ? low - 1 : low)
  }
}

/// The largest distance between two instants of the same event, inclusive.
public enum EventTolerance: Hashable, Sendable {
  case time(Microseconds)
  /// Frames of the recording, whatever its frame rate.
  case frames(Int)

  /// Pairs true events with predicted ones, one to one, as many as possible, as `matchEvents` does.
  ///
  /// - Returns: Indices in `truth` and `predicted`, in time order.
  public func pairs(truth: [EventInstant], predicted: [EventInstant]) -> [(truth: Int, predicted: Int)] {
    matchEvents(truth: truth.map(position), predicted: predicted.map(position), tolerance: span)
  }

  /// The distance if it is within the tolerance; `nil` otherwise.
  func distance(_ a: EventInstant, _ b: EventInstant) -> Microseconds? {
    let distance = (position(a) - position(b)).magnitude
    return distance <= span ? distance : nil
  }

  /// The position on the axis of the tolerance: microseconds, or frames as one microsecond each.
  private func position(_ instant: EventInstant) -> Microseconds {
    switch self {
    case .time: instant.time
    case .frames: Microseconds(Int64(instant.frame))
    }
  }

  private var span: Microseconds {
    switch self {
    case .time(let time): time
    case .frames(let count): Microseconds(Int64(count))
    }
  }
}
