/// The labels that people gave a clip: the ground truth that predictions are scored against.
public struct GroundTruth: Hashable, Codable, Sendable {
  /// A rater's grade of one rep or of the whole clip.
  public struct Grade: Hashable, Codable, Sendable {
    /// 0 is the clip's first rep; `nil` is the whole clip.
    public var rep: Int?
    /// The rater's name.
    public var rater: String
    /// The criterion by its name in the dataset's manifest: `form`.
    public var criterion: String
    /// The grade, on the criterion's scale.
    public var value: Double

    public init(rep: Int?, rater: String, criterion: String, value: Double) {
      self.rep = rep
      self.rater = rater
      self.criterion = criterion
      self.value = value
    }

    private enum CodingKeys: String, CodingKey {
      case rep, rater, criterion
      case value = "grade"
    }
  }

  /// A rater's label of whether a fault is present in one rep or in the clip.
  public struct Fault: Hashable, Codable, Sendable {
    /// 0 is the clip's first rep; `nil` is the whole clip.
    public var rep: Int?
    /// The rater's name.
    public var rater: String
    /// The fault's name in the dataset: `knees_in`.
    public var name: String
    /// Whether the rater saw it; `false` means checked and not seen.
    public var present: Bool

    public init(rep: Int?, rater: String, name: String, present: Bool) {
      self.rep = rep
      self.rater = rater
      self.name = name
      self.present = present
    }

    private enum CodingKeys: String, CodingKey {
      case rep, rater, present
      case name = "fault"
    }
  }

  /// The number of reps; `nil` if unknown.
  public var repCount: Int?
  /// The reps in time order, `repCount` of them; `nil` if they are not labelled.
  public var reps: [Rep]?
  /// Instants, such as a stroke's contact.
  public var events: [LabelledInstant]
  /// Intervals, such as a swing or a posture.
  public var intervals: [Segment]
  /// All raters' grades; empty if nobody graded.
  public var grades: [Grade]
  /// All raters' fault labels; empty if nobody checked for faults.
  public var faults: [Fault]
  /// The detector whose reps these were before a rater corrected them; `nil` if the rater saw none. They do not judge it.
  public var draft: String?

  public init(
    repCount: Int? = nil, reps: [Rep]? = nil, events: [LabelledInstant] = [], intervals: [Segment] = [],
    grades: [Grade] = [], faults: [Fault] = [], draft: String? = nil
  ) {
    self.repCount = repCount ?? reps?.count
    self.reps = reps
    self.events = events
    self.intervals = intervals
    self.grades = grades
    self.faults = faults
    self.draft = draft
  }
}

extension GroundTruth {
  /// Whether strokes are labelled: by events, by intervals, or as none at all by a true count of 0.
  public var hasStrokeLabels: Bool { !events.isEmpty || !intervals.isEmpty || repCount == 0 }
  /// Whether reps, their number or strokes are labelled.
  public var hasMovements: Bool { repCount != nil || reps != nil || hasStrokeLabels }
  /// Whether anything is labelled: a movement, a grade or a fault.
  public var hasLabels: Bool { hasMovements || !grades.isEmpty || !faults.isEmpty }
}

/// An event at an instant, with its label.
public struct LabelledInstant: Hashable, Codable, Sendable {
  /// Recording time.
  public var time: Microseconds
  /// The kind of event: `contact`.
  public var label: String

  public init(time: Microseconds, label: String) {
    self.time = time
    self.label = label
  }
}

/// A labelled interval of a recording: a swing, a phase, a stage. It ends before `end`.
public struct Segment: Hashable, Codable, Sendable {
  /// Recording time of its first instant.
  public var start: Microseconds
  /// Recording time of the first instant after it.
  public var end: Microseconds
  /// The kind of segment: `forehand`.
  public var label: String

  public init(start: Microseconds, end: Microseconds, label: String) {
    self.start = start
    self.end = end
    self.label = label
  }

  /// Temporal intersection over union, 0...1, whatever the labels; 0 for two segments without length.
  public func intersectionOverUnion(_ other: Segment) -> Double {
    let intersection = (min(end, other.end) - max(start, other.start)).count
    guard intersection > 0 else { return 0 }
    let union = (end - start).count + (other.end - other.start).count - intersection
    return Double(intersection) / Double(union)
  }
}

extension [Microseconds] {
  /// The index of the first time that is not before `time`; the count if there is none. The times are in order.
  package func firstIndex(from time: Microseconds) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < time { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension [Segment] {
  /// The label of each frame, `nil` outside all segments; in overlaps, that of the segment that started last.
  ///
  /// - Parameter frames: The time of each frame, in order.
  package func labels(at frames: [Microseconds]) -> [String?] {
    var labels = [String?](repeating: nil, count: frames.count)
    for segment in inOrder where segment.start < segment.end {
      for frame in frames.firstIndex(from: segment.start)..<frames.firstIndex(from: segment.end) {
        labels[frame] = segment.label
      }
    }
    return labels
  }

  /// The segments sorted by start, then end, then label.
  package var inOrder: [Segment] {
    sorted { a, b in
      if a.start != b.start { return a.start < b.start }
      return a.end == b.end ? a.label < b.label : a.end < b.end
    }
  }
}

/// One repetition: from leaving the start position to being back in it.
public struct Rep: Hashable, Codable, Sendable {
  /// Recording time at which the person leaves the start position.
  public var start: Microseconds
  /// Recording time at which the person is back in it.
  public var end: Microseconds
  /// The turning point (the bottom of a squat), if known.
  public var turn: Microseconds?

  public init(start: Microseconds, end: Microseconds, turn: Microseconds? = nil) {
    self.start = start
    self.end = end
    self.turn = turn
  }

  /// `end` minus `start`.
  public var duration: Microseconds { end - start }
}
