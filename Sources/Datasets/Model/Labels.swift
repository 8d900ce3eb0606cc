import PoseModel

/// What people said of a clip.
public struct Labels: Hashable, Codable, Sendable {
  /// Something that happened at an instant: a stroke, an impact.
  public struct Event: Hashable, Codable, Sendable {
    public var time: Microseconds
    public var label: String

    public init(time: Microseconds, label: String) {
      self.time = time
      self.label = label
    }
  }

  /// Something that lasted: a swing, a phase.
  public struct Interval: Hashable, Codable, Sendable {
    public var start: Microseconds
    public var end: Microseconds
    public var label: String

    public init(start: Microseconds, end: Microseconds, label: String) {
      self.start = start
      self.end = end
      self.label = label
    }
  }

  /// A rater's grade of one rep or of the whole clip.
  public struct Grade: Hashable, Codable, Sendable {
    /// 0 is the clip's first rep; `nil` is the whole clip.
    public var rep: Int?
    public var rater: String
    public var criterion: String
    /// On the criterion's scale.
    public var grade: Double

    public init(rep: Int?, rater: String, criterion: String, grade: Double) {
      self.rep = rep
      self.rater = rater
      self.criterion = criterion
      self.grade = grade
    }
  }

  /// A rater's word on whether a fault was there in one rep or in the clip.
  public struct Fault: Hashable, Codable, Sendable {
    /// 0 is the clip's first rep; `nil` is the whole clip.
    public var rep: Int?
    public var rater: String
    public var fault: String
    public var present: Bool

    public init(rep: Int?, rater: String, fault: String, present: Bool) {
      self.rep = rep
      self.rater = rater
      self.fault = fault
      self.present = present
    }
  }

  /// How many reps there are, where it is known.
  public var repCount: Int?
  /// The reps in order of time; `nil` where nobody marked them. As many as `repCount` where there are any.
  public var reps: [Rep]?
  public var events: [Event]
  public var intervals: [Interval]
  public var grades: [Grade]
  public var faults: [Fault]

  public init(
    repCount: Int? = nil, reps: [Rep]? = nil, events: [Event] = [], intervals: [Interval] = [], grades: [Grade] = [],
    faults: [Fault] = []
  ) {
    self.repCount = repCount ?? reps?.count
    self.reps = reps
    self.events = events
    self.intervals = intervals
    self.grades = grades
    self.faults = faults
  }
}
