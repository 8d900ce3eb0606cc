import PoseModel

/// A prediction of a clip beside the ground truth that it is scored against.
public struct LabelledPrediction: Hashable, Sendable {
  public var name: String
  public var subject: String
  /// When its frames were taken, in order; empty where only counts and reps are scored.
  public var frames: [Microseconds]
  public var groundTruth: GroundTruth
  public var prediction: Prediction

  public init(
    name: String, subject: String, frames: [Microseconds] = [], groundTruth: GroundTruth, prediction: Prediction
  ) {
    self.name = name
    self.subject = subject
    self.frames = frames
    self.groundTruth = groundTruth
    self.prediction = prediction
  }
}

/// What a detector said of a clip.
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

  /// A stroke, when its contact was and when it was known.
  public struct Stroke: Hashable, Sendable {
    public var segment: Segment
    public var contact: Microseconds
    public var reported: Microseconds

    public init(segment: Segment, contact: Microseconds, reported: Microseconds) {
      self.segment = segment
      self.contact = contact
      self.reported = reported
    }
  }

  /// Something said to the person.
  public struct Cue: Hashable, Sendable {
    public var time: Microseconds
    /// The fault that it corrects; `nil` for praise and the like.
    public var fault: String?

    public init(time: Microseconds, fault: String?) {
      self.time = time
      self.fault = fault
    }
  }

  public var count: Int?
  /// In order of time; `nil` where the system tells no times.
  public var reps: [CountedRep]?
  /// The reps as a person in front of a camera gets them: reported when the cue is there. `nil` where not replayed so.
  public var liveReps: [CountedRep]?
  public var judged: [JudgedRep]
  /// In order of time. A stroke that the system can't name has the label `unknown`.
  public var strokes: [Stroke]
  /// What the person did, one after the other without overlap.
  public var segments: [Segment]
  /// What was said, in order of time.
  public var cues: [Cue]

  public init(
    count: Int? = nil, reps: [CountedRep]? = nil, liveReps: [CountedRep]? = nil, judged: [JudgedRep] = [],
    strokes: [Stroke] = [], segments: [Segment] = [], cues: [Cue] = []
  ) {
    self.count = count ?? reps?.count
    self.reps = reps
    self.liveReps = liveReps
    self.judged = judged
    self.strokes = strokes
    self.segments = segments
    self.cues = cues
  }
}
