import PoseModel

/// A prediction of a clip with its ground truth.
public struct LabelledPrediction: Hashable, Sendable {
  public var name: String
  public var subject: String
  /// The times of the clip's frames, in order; empty if only counts and reps are scored.
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

/// A detector's predictions on a clip.
public struct Prediction: Hashable, Codable, Sendable {
  /// A rep and the time of its report.
  public struct CountedRep: Hashable, Codable, Sendable {
    public var rep: Rep
    /// The time of the report; `nil` if unknown.
    public var reported: Microseconds?

    public init(rep: Rep, reported: Microseconds?) {
      self.rep = rep
      self.reported = reported
    }
  }

  /// A rep that was judged, whether or not it counts.
  public struct JudgedRep: Hashable, Codable, Sendable {
    public var rep: Rep
    /// The grades by criterion.
    public var grades: [String: Double]
    public var faults: Set<String>
    /// The confidence of each fault, by name; higher is more certain. Empty if unknown.
    public var scores: [String: Double]

    public init(
      rep: Rep, grades: [String: Double] = [:], faults: Set<String> = [], scores: [String: Double] = [:]
    ) {
      self.rep = rep
      self.grades = grades
      self.faults = faults
      self.scores = scores
    }
  }

  /// A stroke with the time of its contact and of its report.
  public struct Stroke: Hashable, Codable, Sendable {
    public var segment: Segment
    public var contact: Microseconds
    public var reported: Microseconds
    /// The confidence; higher is more certain, 1 if unknown.
    public var score: Double

    public init(segment: Segment, contact: Microseconds, reported: Microseconds, score: Double = 1) {
      self.segment = segment
      self.contact = contact
      self.reported = reported
      self.score = score
    }
  }

  /// A cue to the person.
  public struct Cue: Hashable, Codable, Sendable {
    public var time: Microseconds
    /// The fault that the cue corrects; `nil` for other cues, such as praise.
    public var fault: String?

    public init(time: Microseconds, fault: String?) {
      self.time = time
      self.fault = fault
    }
  }

  public var count: Int?
  /// The probability that the count is off by one rep at most, 0 to 1; `nil` if unknown.
  public var countConfidence: Double?
  /// The reps in time order; `nil` without times.
  public var reps: [CountedRep]?
  /// The reps with the times of their cues in front of a live camera. `nil` without a live replay.
  public var liveReps: [CountedRep]?
  public var judged: [JudgedRep]
  /// The strokes in time order. A stroke without a name has the label `unknown`.
  public var strokes: [Stroke]
  /// The person's postures or phases, in time order; without overlap unless they have scores.
  public var segments: [Segment]
  /// The confidence of each of `segments`; empty if unknown.
  public var segmentScores: [Double]
  /// The cues, in time order.
  public var cues: [Cue]

  public init(
    count: Int? = nil, countConfidence: Double? = nil, reps: [CountedRep]? = nil, liveReps: [CountedRep]? = nil,
    judged: [JudgedRep] = [], strokes: [Stroke] = [], segments: [Segment] = [], segmentScores: [Double] = [],
    cues: [Cue] = []
  ) {
    self.count = count ?? reps?.count
    self.countConfidence = countConfidence
    self.reps = reps
    self.liveReps = liveReps
    self.judged = judged
    self.strokes = strokes
    self.segments = segments
    self.segmentScores = segmentScores
    self.cues = cues
  }
}

extension Prediction.JudgedRep {
  private enum CodingKeys: CodingKey { case rep, grades, faults, scores }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      rep: try container.decode(Rep.self, forKey: .rep),
      grades: try container.decode([String: Double].self, forKey: .grades),
      faults: Set(try container.decode([String].self, forKey: .faults)),
      scores: try container.decodeIfPresent([String: Double].self, forKey: .scores) ?? [:])
  }

  /// Writes faults in the order of their names: equal values give equal bytes.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(rep, forKey: .rep)
    try container.encode(grades, forKey: .grades)
    try container.encode(faults.sorted(), forKey: .faults)
    if !scores.isEmpty { try container.encode(scores, forKey: .scores) }
  }
}
