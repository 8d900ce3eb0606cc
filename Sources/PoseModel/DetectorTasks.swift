/// One thing that a detector predicts. Names are those in labels.
public enum DetectorTask: Hashable, Sendable {
  /// Reps, which count the clip's reps.
  case counts
  /// How likely its count is right.
  case countConfidence
  /// Grades of this criterion.
  case grades(String)
  /// These faults.
  case faults([String])
  /// These strokes; none for a detector that does not name them.
  case strokes([String])
  /// These postures and phases, frame by frame.
  case postures([String])
  /// See `DetectorTasks.spots`.
  case spots
  /// Cues, two equal ones of which are at least so far apart; `nil` for any time.
  case cues(cooldown: Microseconds?)
}

/// What a detector predicts, which decides the metrics that score it.
///
/// It is declared once, and passed whole from a detector to its metrics.
public struct DetectorTasks: Hashable, Sendable {
  /// Whether its reps count the clip's reps.
  public var counts: Bool
  /// Whether it estimates how likely its count is right.
  public var givesConfidence: Bool
  /// The criterion of its grades; `nil` without grades.
  public var criterion: String?
  /// The names in labels of the faults that it can find.
  public var faults: [String]
  /// The names in labels of the strokes that it can find; `nil` if it does not find strokes.
  public var strokes: [String]?
  /// The names in labels of the postures and phases that it can find, frame by frame.
  public var postures: [String]
  /// The names of the strokes, then those of the postures.
  public var labels: [String] { (strokes ?? []) + postures }
  /// Whether to score with all metrics: also PCE and average precision of event spotting (golf's eight events), all
  /// measures of agreement of grades, and the scores of faults.
  public var spots: Bool
  /// Whether it gives cues.
  public var speaks: Bool
  /// The intended minimum time between two equal cues: the default of its parameter, even if the setting is lower. `nil`
  /// for none.
  public var cooldown: Microseconds?

  public init(
    counts: Bool = false, givesConfidence: Bool = false, criterion: String? = nil, faults: [String] = [],
    strokes: [String]? = nil, postures: [String] = [], spots: Bool = false, speaks: Bool = false,
    cooldown: Microseconds? = nil
  ) {
    self.counts = counts
    self.givesConfidence = givesConfidence
    self.criterion = criterion
    self.faults = faults
    self.strokes = strokes
    self.postures = postures
    self.spots = spots
    self.speaks = speaks
    self.cooldown = cooldown
  }

  public init(_ tasks: [DetectorTask]) {
    self.init()
    for task in tasks {
      switch task {
      case .counts: counts = true
      case .countConfidence: givesConfidence = true
      case .grades(let criterion): self.criterion = criterion
      case .faults(let names): faults = names
      case .strokes(let names): strokes = names
      case .postures(let names): postures = names
      case .spots: spots = true
      case .cues(let cooldown): (speaks, self.cooldown) = (true, cooldown)
      }
    }
  }
}
