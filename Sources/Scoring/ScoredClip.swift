import PoseModel

/// What people said of a clip beside what a system said of it.
public struct ScoredClip: Hashable, Sendable {
  public var name: String
  public var subject: String
  public var truth: Truth
  public var prediction: Prediction

  public init(name: String, subject: String, truth: Truth, prediction: Prediction) {
    self.name = name
    self.subject = subject
    self.truth = truth
    self.prediction = prediction
  }
}

/// What people said of a clip.
public struct Truth: Hashable, Sendable {
  /// A rater's grade of one rep (0 is the first) or of the whole clip (`nil`).
  public struct Grade: Hashable, Sendable {
    public var rep: Int?
    public var rater: String
    public var criterion: String
    public var value: Double

    public init(rep: Int?, rater: String, criterion: String, value: Double) {
      self.rep = rep
      self.rater = rater
      self.criterion = criterion
      self.value = value
    }
  }

  /// A rater's word on a fault in one rep (0 is the first) or in the clip (`nil`).
  public struct Fault: Hashable, Sendable {
    public var rep: Int?
    public var rater: String
    public var name: String
    public var present: Bool

    public init(rep: Int?, rater: String, name: String, present: Bool) {
      self.rep = rep
      self.rater = rater
      self.name = name
      self.present = present
    }
  }

  public var count: Int?
  /// In order of time; `nil` where nobody marked them.
  public var reps: [Rep]?
  public var grades: [Grade]
  public var faults: [Fault]

  public init(count: Int? = nil, reps: [Rep]? = nil, grades: [Grade] = [], faults: [Fault] = []) {
    self.count = count ?? reps?.count
    self.reps = reps
    self.grades = grades
    self.faults = faults
  }
}

/// What a system said of a clip.
public struct Prediction: Hashable, Sendable {
  /// A rep and when it was known.
  public struct CountedRep: Hashable, Sendable {
    public var rep: Rep
    public var reported: Microseconds

    public init(rep: Rep, reported: Microseconds) {
      self.rep = rep
      self.reported = reported
    }
  }

  /// A rep that was judged, whether or not it counts.
  public struct JudgedRep: Hashable, Sendable {
    public var rep: Rep
    /// By criterion.
    public var grades: [String: Double]
    public var faults: Set<String>

    public init(rep: Rep, grades: [String: Double] = [:], faults: Set<String> = []) {
      self.rep = rep
      self.grades = grades
      self.faults = faults
    }
  }

  public var count: Int?
  /// In order of time; `nil` where the system tells no times.
  public var reps: [CountedRep]?
  /// The reps as a person in front of a camera gets them: reported when the cue is there. `nil` where not replayed so.
  public var liveReps: [CountedRep]?
  public var judged: [JudgedRep]

  public init(
    count: Int? = nil, reps: [CountedRep]? = nil, liveReps: [CountedRep]? = nil, judged: [JudgedRep] = []
  ) {
    self.count = count ?? reps?.count
    self.reps = reps
    self.liveReps = liveReps
    self.judged = judged
  }
}
